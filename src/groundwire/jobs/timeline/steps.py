"""The steps of timeline as doors show them. Nothing heavy is imported here: the terminal shows them
before the rest of the job is loaded."""

from __future__ import annotations

from groundwire.gather.steps import READ, SEARCH
from groundwire.model.story import Count, Part, Step

STEPS = (
    Step(
        "propose",
        ("proposal", "thought.propose"),
        tells=(Part("form", "timeline.proposal"),),
        calls=("timeline/plan_threads",),
    ),
    SEARCH,
    READ,
    Step(
        "skeleton",
        ("skeleton",),
        counts=(Count("nodes", "nodes", newest=True),),
        tells=(Part("count", "timeline.n.nodes"), Part("titles")),
        ends=True,
        calls=("timeline/choose_milestones",),
    ),
    Step(
        "detail",
        ("detail",),
        counts=(Count("details"),),
        tells=(
            Part("date"),
            Part("title"),
            Part("hits", "n.hits"),
            Part("facts", "timeline.n.facts"),
        ),
        calls=("timeline/write_detail",),
        folds=True,
    ),
    Step("gap", ("gap",), counts=(Count("gaps", on="gap", anew=True),)),
    Step(
        "synthesis",
        ("synthesis",),
        tells=(Part("text"),),
        ends=True,
        calls=("timeline/recall_events", "timeline/find_links", "timeline/write_synthesis"),
    ),
)
