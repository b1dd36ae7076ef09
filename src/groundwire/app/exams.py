"""What models' answers count for: the marks that hold now, and what exams would cost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.app.part import AppPart
from groundwire.context.sitting import Expected, Sitting
from groundwire.errors import InputError
from groundwire.jobs import exam_of, examined
from groundwire.llm.prices import is_priced
from groundwire.llm.tiers import Tiers, parse
from groundwire.model.call import MICRO
from groundwire.model.exam import ExamRow, Marks
from groundwire.reasoning.exam import embedded_row, paper, row_of, standing_of

if TYPE_CHECKING:
    from groundwire.model.run import Run

_TIERS = ("", "light", "heavy", "vision")


class Due(NamedTuple):
    """An exam that a model would sit, with its cost."""

    question: str
    model: str
    cost: Expected
    priced: bool  # else the price is assumed, above that of most models


class Exams(AppPart):
    """The exams of questions."""

    async def rows(self) -> list[ExamRow]:
        """List for each question the embedded answer, then the models that would be asked."""
        found: list[ExamRow] = []
        kept = await self._app.store.exams.all_marks()
        for question in examined():
            if question.exam is None:
                continue
            ladder = self._app.outside.chosen_tiers().ladder(question.tier)
            sittings = [Sitting(question, question.exam, spec) for spec in ladder]
            marks = [await self._marks(each) for each in sittings]
            items = paper(question.exam.items)
            # Nobody waits here for the embedded answers: they were compared when a model sat, or their scores ship.
            compared = (
                each
                for each in kept
                if (each.question, each.items) == (question.prompt, items.version)
            )
            newest = max(compared, key=lambda each: each.taken_at, default=None)
            found.append(embedded_row(question, len(items.items), newest))
            found += [
                _row(each, taken, len(items.items))
                for each, taken in zip(sittings, marks, strict=True)
            ]
        return found

    async def due(self, who: str, questions: Sequence[str], *, again: bool) -> list[Due]:
        """List the exams that a run would take, with what they cost."""
        found: list[Due] = []
        for each in self._sittings(who, questions):
            if again or await self._marks(each) is None:
                cost = await asyncio.to_thread(each.expected)
                priced = is_priced(each.spec)
                found.append(Due(each.question.prompt, each.spec.label, cost, priced))
        return found

    async def check_budget(self, due: Sequence[Due]) -> None:
        """Refuse exams that the day or the month would most likely cut short: half paid for, no marks."""
        likely = sum(each.cost.likely for each in due)
        costs = self._app.costs
        for says, hint, left in (
            ("error.exams_over_day", "hint.exams_over_day", await costs.left_of_day()),
            ("error.exams_over_month", "hint.exams_over_month", await costs.left_of_month()),
        ):
            if left is not None and likely > left:
                spent = {"usd": f"${likely / MICRO:.2f}", "left": f"${left / MICRO:.2f}"}
                raise InputError(says, hint=hint, **spent)

    async def sit(
        self, who: str, questions: Sequence[str], *, again: bool, agreed: int | None = None
    ) -> Run:
        """Start the run in which models sit their exams; it may spend the micro-dollars `agreed` to."""
        kind, given = exam_of(who, questions, again)
        # A model that no tier names is tried before it is: the run alone has it in its tiers.
        own = {} if self._is_set(who) else {"models.light": [who], "models.heavy": [who]}
        return await self._app.submit(
            kind, given, settings=own, agreed_usd=None if agreed is None else agreed / MICRO
        )

    def _sittings(self, who: str, questions: Sequence[str]) -> Iterator[Sitting[Any, Any]]:
        tiers = self._app.outside.chosen_tiers()
        if not self._is_set(who):
            from groundwire.app.vendors import vendor_options

            spec = parse(who, vendor_options(self._app.settings))
            tiers = Tiers(light=(spec,), heavy=(spec,))
        for question in examined():
            if question.exam is not None and (not questions or question.prompt in questions):
                for spec in tiers.named(question.tier, who):
                    yield Sitting(question, question.exam, spec)

    def _is_set(self, who: str) -> bool:
        tiers = self._app.outside.chosen_tiers()
        return who in _TIERS or any(
            spec.label == who for spec in (*tiers.light, *tiers.heavy, *tiers.vision)
        )

    async def _marks(self, sitting: Sitting[Any, Any]) -> Marks | None:
        return await self._app.store.exams.marks(**sitting.key)


def _row(sitting: Sitting[Any, Any], marks: Marks | None, items: int) -> ExamRow:
    if marks is not None:
        return row_of(standing_of(marks), items)
    return ExamRow(question=sitting.question.prompt, who=sitting.spec.label, items=items)
