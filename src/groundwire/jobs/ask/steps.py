"""The steps of ask as doors show them. Nothing heavy is imported here: the terminal shows them
before the rest of the job is loaded."""

from __future__ import annotations

from groundwire.gather.steps import READ, SEARCH
from groundwire.model.story import Count, Part, Step

STEPS = (
    Step(
        "plan",
        ("thought.plan",),
        counts=(Count("queries", "queries"), Count("round", least=2)),
        tells=(Part("queries"),),
        ends=True,
        again=True,
        calls=("ask/plan_queries",),
    ),
    SEARCH,
    READ,
    Step(
        "weigh",
        ("thought.weigh",),
        counts=(
            Count("origins", "origins", newest=True),
            Count("passages", "passages", newest=True),
        ),
        tells=(Part("articles", "report.origins"), Part("passages", "n.passages")),
        ends=True,
    ),
    Step("write", proofs=("answer",), calls=("ask/write_answer",)),
    Step(
        "check",
        ("answer", "gap"),
        counts=(Count("sentences", on="answer", anew=True), Count("gaps", on="gap", anew=True)),
    ),
)
