"""What one run knows of who decides, and of what it took. Nothing heavy is imported here: every run has it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from groundwire.gateway.call import Scope
from groundwire.model.base import JsonObject
from groundwire.model.call import Recovery
from groundwire.model.exam import Standing
from groundwire.model.result import Decided, Recovered
from groundwire.reasoning.question import EMBEDDED, Answer, I, O, Question


@dataclass
class Standings:
    """What one run knows: the standings that it has looked up, and who answered what."""

    known: dict[tuple[str, str], Standing] = field(default_factory=dict[tuple[str, str], Standing])
    examining: int = 0  # micro-dollars that the exams begun in this run are expected to cost
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _recoveries: dict[tuple[str, str], tuple[Recovery, ...]] = field(
        default_factory=dict[tuple[str, str], "tuple[Recovery, ...]"]
    )
    _decided: dict[tuple[str, str, str], Decided] = field(
        default_factory=dict[tuple[str, str, str], Decided]
    )

    def note(self, question: Question[I, O], given: Answer[O], where: str) -> None:
        """Keep who answered a question: once, however often the same author is asked."""
        self._recoveries[question.prompt, where] = given.recoveries
        if not given.standings:
            return
        found = Decided(
            question=question.prompt,
            by=given.by,
            vote="decides" if given.by == EMBEDDED else given.vote,
            why=tuple(each.why for each in given.standings),
        )
        self._decided[found.question, found.by, found.vote] = found

    def recovered(self) -> tuple[Recovered, ...]:
        """Return what was tried where a model gave no answer, each under its question."""
        return tuple(
            Recovered(part="model", subject=prompt, **each.model_dump())
            for (prompt, _), recoveries in sorted(self._recoveries.items())
            for each in recoveries
        )

    def decided(self) -> tuple[Decided, ...]:
        """Return who answered what, in an order that does not depend on who was first."""
        return tuple(self._decided[key] for key in sorted(self._decided))


@dataclass(frozen=True)
class Asking:
    """The run that asks."""

    scope: Scope
    seed: str
    standings: Standings
    # Emits an event under a path of its own: exams may begin in any of several steps.
    tell: Callable[[str, JsonObject], Awaitable[None]]
