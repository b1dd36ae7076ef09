"""One model before the exam of one question: what it is asked, what it costs, how it did."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic

from groundwire.llm.answer import MOST_TOKENS, Answered, Failure, answer
from groundwire.llm.model import ModelCall, Usage
from groundwire.llm.prices import estimate, price, usual_tokens
from groundwire.llm.prompts import Rendered, load, render
from groundwire.llm.spec import ModelSpec
from groundwire.model.base import JsonObject, Value, canonical
from groundwire.model.call import CallRecord
from groundwire.model.exam import Marks
from groundwire.reasoning.exam import (
    Exam,
    Item,
    Paper,
    embedded_scores,
    marked,
    paper,
    prompts_version,
    score_of,
)
from groundwire.reasoning.question import I, O, Question

# Makes and records a call to a model: the request, and its occasion. Raises `OutsideFailure`.
Recorder = Callable[[ModelSpec, JsonObject, str], Awaitable[CallRecord]]

# Items under way, in groups that are always the same: a replay asks what was asked before an outage.
_AT_ONCE = 4
_ANSWER_TOKENS = 150  # of a usual answer: embedded ones have 30 to 190, by the question
# An answer, if a bad one, which is wrong. Any other failure says nothing about the model.
_WRONG = frozenset({"bad_output", "wrong_language", "failed_check"})
_WRONG_REPLIES = frozenset({"outside.model_cut", "outside.model_refused", "outside.model_empty"})


class Expected(Value):
    """What an exam will cost, in micro-dollars: as answers usually are, and at most."""

    items: int
    tokens: int  # of all prompts, as vendors usually count
    likely: int
    most: int
    held: int  # reserved at once, at most, beside what was spent


@dataclass(frozen=True)
class Sitting(Generic[I, O]):
    """An exam, a model that sits it, and the seed of the run that pays for it."""

    question: Question[I, O]
    exam: Exam[I, O]
    spec: ModelSpec
    seed: str = ""

    @property
    def paper(self) -> Paper:
        return paper(self.exam.items)

    @property
    def key(self) -> dict[str, str]:
        """What marks hold for; with any of it changed, the exam is taken anew."""
        return {
            "model": self.spec.label,
            "question": self.question.prompt,
            "prompts": prompts_version(self.question),
            "items": self.paper.version,
        }

    def expected(self) -> Expected:
        """Estimate the cost before anything is asked."""
        likely = most = tokens = dearest = 0
        for item in self.paper.items:
            given = self.exam.read(item.given)
            call = self._call(self._rendered(item, given), given)
            asked = usual_tokens(call.system, call.user, canonical(call.output_schema).decode())
            likely += price(self.spec, Usage(input_tokens=asked, output_tokens=_ANSWER_TOKENS))
            reserved = estimate(self.spec, call.request())
            most += reserved
            dearest = max(dearest, reserved)
            tokens += asked
        count, held = len(self.paper.items), _AT_ONCE * dearest
        return Expected(items=count, tokens=tokens, likely=likely, most=most, held=held)

    async def sit(
        self, record: Recorder, reader: str, at: datetime, run_id: str
    ) -> Marks | Failure:
        """Ask every item; an outage ends the exam without marks."""
        spent = 0

        async def call(spec: ModelSpec, request: JsonObject, occasion: str) -> JsonObject:
            nonlocal spent
            made = await record(spec, request, occasion)
            spent += made.cost
            return made.response or {}

        found: list[float | None] = []
        items = self.paper.items
        for start in range(0, len(items), _AT_ONCE):
            group = items[start : start + _AT_ONCE]
            for scored in await asyncio.gather(*(self._score(item, call) for item in group)):
                if isinstance(scored, Failure):
                    return scored
                found.append(scored)
        embedded = await asyncio.to_thread(embedded_scores, self.question)
        blank = Marks(
            **self.key,
            reader=reader,
            count=0,
            failures=sum(1 for each in found if each is None),
            score=0,
            low=0,
            high=1,
            embedded=0,
            ahead_low=-1,
            ahead_high=1,
            cost_micro=spent,
            taken_at=at,
            run_id=run_id,
            scores=(),
        )
        return marked(blank, [each or 0.0 for each in found], embedded, reader)

    async def _score(
        self, item: Item, call: Callable[[ModelSpec, JsonObject, str], Awaitable[JsonObject]]
    ) -> float | Failure | None:
        """Ask one item; None: the answer is of no use, which counts as wrong."""
        question, given = self.question, self.exam.read(item.given)
        found = await answer(
            [self.spec],
            self._rendered(item, given),
            question.output,
            call=call,
            occasion=f"exam:{item.id}",
            language=item.language,
            check=lambda value: question.fault_of(given, value),
            prose=question.prose,
            pictures=question.pictures(given),
        )
        if isinstance(found, Answered):
            return score_of(self.exam, given, found.value, item.expect)
        (failure,) = found.failures
        wrong = failure.code in _WRONG or failure.message in _WRONG_REPLIES
        return None if wrong else failure

    def _rendered(self, item: Item, given: I) -> Rendered:
        prompt = load(self.question.prompt, item.language)
        return render(prompt, self.question.variables(given, self.seed))

    def _call(self, rendered: Rendered, given: I) -> ModelCall:
        pictures = self.question.pictures(given)
        return ModelCall.of(self.spec, rendered, self.question.output, MOST_TOKENS, pictures)
