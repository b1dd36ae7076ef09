"""The steps of watch as doors show them. Nothing heavy is imported here: the terminal shows them
before the rest of the job is loaded."""

from __future__ import annotations

from groundwire.gather.steps import READ
from groundwire.model.story import Count, Part, Step

STEPS = (
    Step(
        "plan",
        ("thought.planning", "proposal"),
        counts=(Count("tasks", "plan", newest=True, on="thought"),),
        tells=(Part("form", "watch.proposal"),),
        calls=("watch/plan_watch",),
    ),
    Step(
        "search",
        ("thought.executing", "progress.search", "thought.searching", "thought.recovering"),
        counts=(
            Count("searches", on="progress"),
            Count("hits", "hits", on="progress"),
            Count("failures", "failures", on="progress"),
        ),
        again=True,
    ),
    Step("read", (*READ.events, "thought.scraping"), counts=READ.counts),
    Step(
        "expand",
        ("thought.expanding",),
        counts=(Count("words", "keywords"),),
        ends=True,
        calls=("watch/suggest_keywords",),
    ),
    Step(
        "critique",
        ("thought.critiquing",),
        ends=True,
        calls=("search/plan_queries",),
    ),
    Step(
        "synthesize",
        ("answer", "gap", "thought.synthesizing"),
        counts=(
            Count("sentences", on="answer", anew=True),
            Count("gaps", on="gap", anew=True),
        ),
        calls=("watch/write_brief", "watch/find_contradictions"),
    ),
)
