"""Who decides: the standing of each model in a question, and an exam where it has none yet."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from groundwire.context.sitting import Recorder, Sitting
from groundwire.context.standings import Asking
from groundwire.gateway.gateway import Gateway
from groundwire.llm.answer import Failure
from groundwire.llm.prices import is_priced
from groundwire.model.base import JsonObject
from groundwire.model.call import MICRO, Cap
from groundwire.model.exam import Marks, Standing, question_name
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.ports import Exams
from groundwire.reasoning.exam import embedded_scores, marked, standing_of
from groundwire.reasoning.question import I, O

Mode = Literal["first_use", "off"]
# After an outage: every run in between would pay for a part of the exam, and learn nothing.
_PAUSE = timedelta(minutes=10)


@dataclass(eq=False)
class Examiner:
    """One per process, over all runs: no two of them sit the same exam at once."""

    reads: Gateway
    exams: Callable[[], Exams]
    reader: Callable[[], str]  # the version of the embedded answers
    clock: Callable[[], datetime]
    _locks: dict[tuple[str, str], asyncio.Lock] = field(
        default_factory=dict[tuple[str, str], asyncio.Lock]
    )
    _paused: dict[tuple[str, str], tuple[datetime, Phrase]] = field(
        default_factory=dict[tuple[str, str], "tuple[datetime, Phrase]"]
    )

    async def standing(
        self,
        asking: Asking,
        sitting: Sitting[I, O],
        record: Recorder,
        *,
        purse: Cap | None,
        again: bool = False,
    ) -> Standing:
        """Return a model's standing; where it has no marks, or `again`, it sits the exam now.

        `purse` is what exams of first use are paid from; None: a person asks for the exam itself, whatever its
        cost and the last outage.
        """
        place = (sitting.spec.label, sitting.question.prompt)
        standings = asking.standings
        async with standings.lock:
            if place not in standings.known or again:
                async with self._locks.setdefault(place, asyncio.Lock()):
                    found = await self._find(asking, sitting, record, purse=purse, again=again)
                standings.known[place] = found
            return standings.known[place]

    async def _find(
        self,
        asking: Asking,
        sitting: Sitting[I, O],
        record: Recorder,
        *,
        purse: Cap | None,
        again: bool,
    ) -> Standing:
        if not again:
            # Recorded, so that the run goes on as it began when it is resumed or replayed.
            stored = await self.reads.recorded_read(
                asking.scope,
                "exams",
                dict(sitting.key),
                lambda: self._stored(asking, sitting, purse),
            )
            if stored["marks"] is not None:
                return standing_of(Marks.model_validate(stored["marks"]))
            if stored["paused"] is not None:
                return _adviser(sitting, Phrase.model_validate(stored["paused"]))
        return await self._sit(asking, sitting, record)

    async def _stored(
        self, asking: Asking, sitting: Sitting[I, O], purse: Cap | None
    ) -> JsonObject:
        """Return the marks that hold, or why there will be none for a while."""
        key = sitting.key
        found = await self.exams().marks(**key)
        if found is not None and found.reader != self.reader():
            # The model's answers are as good as they were; what they are compared with is new.
            embedded = await asyncio.to_thread(embedded_scores, sitting.question)
            found = marked(found, found.scores, embedded, self.reader())
            await self.exams().keep(found)
        until, why = self._paused.get((key["model"], key["question"]), (None, None))
        paused = None if purse is None or until is None or self.clock() >= until else why
        if found is None and paused is None and purse is not None:
            paused = await self._too_dear(asking, sitting, purse)
        return {
            "marks": None if found is None else found.model_dump(mode="json"),
            "paused": None if paused is None else paused.model_dump(mode="json"),
        }

    async def _too_dear(self, asking: Asking, sitting: Sitting[I, O], purse: Cap) -> Phrase | None:
        """Say why an exam is not for this run: half of it would be paid for, and no marks earned."""
        expected = await asyncio.to_thread(sitting.expected)
        begun = asking.standings.examining
        if purse.limit is not None and begun + expected.likely + expected.held > purse.limit:
            usd, limit = (f"${each / MICRO:.4f}" for each in (expected.likely, purse.limit))
            return phrase("standing.why.dear", model=sitting.spec.label, usd=usd, limit=limit)
        asking.standings.examining += expected.likely
        return None

    async def _sit(self, asking: Asking, sitting: Sitting[I, O], record: Recorder) -> Standing:
        scope, label, question = asking.scope, sitting.spec.label, sitting.question.prompt
        path = f"examination/{question}/{label}"
        about: JsonObject = {"phase": "examination", "model": label, "question": question}
        name = question_name(question)
        expected = await asyncio.to_thread(sitting.expected)
        usd = round(expected.likely / MICRO, 6)
        code = "standing.begins" if is_priced(sitting.spec) else "standing.begins_unpriced"
        says = phrase(code, model=label, question=name, n=expected.items, usd=f"${usd:.4f}")
        begun: JsonObject = {"items": expected.items, "usd": usd, "done": False}
        await asking.tell(path, {**about, **begun, "says": says.model_dump(mode="json")})
        found = await sitting.sit(record, self.reader(), scope.now, scope.lease.run_id)
        if isinstance(found, Failure):
            why = phrase("standing.why.outage", model=label, why=found.phrase)
            if scope.mode == "live":
                self._paused[label, question] = (self.clock() + _PAUSE, why)
            outcome: JsonObject = {"done": True, "says": why.model_dump(mode="json")}
            await asking.tell(path, {**about, **outcome})
            return _adviser(sitting, why)
        if scope.mode == "live":
            await self.exams().keep(found)
        standing = standing_of(found)
        usd = round(found.cost_micro / MICRO, 6)
        says = phrase("standing.ends", question=name, why=standing.why, usd=f"${usd:.4f}")
        ended: JsonObject = {"done": True, "grade": standing.grade, "usd": usd}
        await asking.tell(path, {**about, **ended, "says": says.model_dump(mode="json")})
        return standing


def unexamined(sitting: Sitting[I, O]) -> Standing:
    """Return the standing of a model where exams are off: it advises."""
    return _adviser(sitting, phrase("standing.why.off", model=sitting.spec.label))


def _adviser(sitting: Sitting[I, O], why: Phrase) -> Standing:
    label, question = sitting.spec.label, sitting.question.prompt
    return Standing(model=label, question=question, grade="advises", why=why)
