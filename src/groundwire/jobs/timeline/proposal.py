"""What is proposed before a timeline is researched: threads, searches, cost, time; pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import Field, field_validator

from groundwire.jobs.timeline.result import Level, Target
from groundwire.language.text.script import AnswerLanguage
from groundwire.model.base import Value

MOST_THREADS = 8
MOST_NODES = 200
_SHARE = 0.2  # of the target by which the number of nodes may differ


class Size(NamedTuple):
    """What a level means: nodes, threads, and the searches that such research usually takes."""

    least: int
    most: int
    threads: int
    usual_searches: str

    @property
    def nodes(self) -> int:
        return (self.least + self.most) // 2


SIZES: Mapping[Level, Size] = {
    "light": Size(15, 25, 2, "20–29"),
    "medium": Size(25, 45, 3, "31–51"),
    "deep": Size(50, 80, 5, "60–90"),
    "epic": Size(80, 150, 6, "92–162"),
}


class Thread(Value):
    """One strand of the history, which is searched for on its own."""

    name: str = Field(min_length=1, max_length=80)
    description: str = Field(default="", max_length=300)
    estimated_nodes: int = Field(ge=1, le=MOST_NODES)


class Spread(Value):
    """An estimate: from the least that it can be to the most."""

    least: float
    most: float


def _follows(value: Any) -> Any:
    """Declare a field that code works out: a person sees it, and cannot set it."""
    return Field(default=value, json_schema_extra={"readOnly": True})


class Plan(Value):
    """The proposal that a person confirms or edits. Code counts searches and costs anew from the threads."""

    topic: str = Field(min_length=1, max_length=200)
    language: AnswerLanguage
    level: Level = Field(
        json_schema_extra={"readOnly": True}
    )  # the threads say how many events are wanted
    threads: tuple[Thread, ...] = Field(min_length=1, max_length=MOST_THREADS)
    both_languages: bool = True
    nodes_per_search: int = Field(default=1, ge=1, le=5)
    searches: int = _follows(0)
    usual_searches: str = _follows("")
    cost_usd: Spread = _follows(Spread(least=0, most=0))
    minutes: Spread = _follows(Spread(least=0, most=0))
    budget_usd: float | None = _follows(None)  # of the run; None: there is no limit
    enough: bool = _follows(True)  # whether the budget covers the most that it may cost

    @field_validator("threads")
    @classmethod
    def _named_once(cls, threads: tuple[Thread, ...]) -> tuple[Thread, ...]:
        named = {each.name: each for each in threads}
        return tuple(named.values())

    @property
    def nodes(self) -> int:
        return min(MOST_NODES, sum(each.estimated_nodes for each in self.threads))

    @property
    def target(self) -> Target:
        wanted = self.nodes
        return Target(
            nodes=wanted,
            least=round(wanted * (1 - _SHARE)),
            most=round(wanted * (1 + _SHARE)),
        )


def searches_of(plan: Plan, gap_searches: int) -> int:
    """Count the searches: two a thread and language, one a node or for several, and the gap round."""
    languages = 2 if plan.both_languages else 1
    for_nodes = -(-plan.nodes // plan.nodes_per_search)
    return 2 * languages * len(plan.threads) + for_nodes + gap_searches
