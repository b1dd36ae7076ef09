"""The steps of verify as doors show them. Nothing heavy is imported here: the terminal shows them
before the rest of the job is loaded."""

from __future__ import annotations

from groundwire.gather.steps import READ
from groundwire.model.story import Count, Part, Step

STEPS = (
    Step(
        "preliminary",
        ("thought.preliminary",),
        tells=(Part("event_type", "verify.type"), Part("asset"), Part("confidence")),
        aloud=True,
        ends=True,
        calls=("verify/classify_message", "verify/translate_message", "verify/extract_claims"),
    ),
    Step(
        "context_gather",
        ("thought.context_gather",),
        counts=(Count("remembered", "remembered", newest=True),),
        tells=(Part("remembered", "n.remembered"),),
        ends=True,
    ),
    Step(
        "planner",
        ("thought.planner",),
        counts=(Count("round", "round", newest=True),),
        tells=(
            Part("tools", "tool_call.tool", empty="verify.no_more"),
            Part("why", "verify.why", rather="reason"),
            Part("keywords"),
        ),
        aloud=True,
        ends=True,
        again=True,
        idle="tools",
        calls=("verify/decide_tools",),
    ),
    Step(
        "executor",
        ("progress.executor", "progress.search"),
        proofs=("evidence.read", "warning.read"),  # its own event comes after reading
        counts=(
            Count("calls", where=("phase", "executor")),
            Count("failures", where=("success", False)),
            Count("results", "results"),
            Count("origins", "origins", newest=True),
        ),
        tells=(
            Part("query"),  # of a search, as soon as it is over
            Part("hits", "n.hits"),
            Part("failures"),
            Part("tool", "tool_call.tool"),
            Part("results", "n.results"),
            Part("origins", "n.origins"),
            Part("bearing", "verify.bearing"),
            Part("error"),
        ),
        calls=("search", "data", "embed"),
    ),
    READ,
    Step(
        "synthesis",
        ("thought.synthesis", "signal"),
        tells=(Part("verdict", "verdict"), Part("confidence")),
        aloud=True,
        calls=("verify/weigh_message", "verify/read_again", "verify/describe_message"),
    ),
)
