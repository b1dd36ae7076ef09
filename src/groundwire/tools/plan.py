"""Plan the searches that would answer a question."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from groundwire.context import Context
from groundwire.llm.answer import Failure
from groundwire.model.base import Value
from groundwire.reasoning import plan_queries


class Input(Value):
    """A question, and the language it is put in."""

    question: str = Field(min_length=1, max_length=4000)
    language: Literal["zh", "zh-Hant", "en"] = "en"
    max_queries: int = Field(default=3, ge=1, le=10)


class Result(Value):
    """The searches, whose they are (`embedded` or `vendor:model`), and who failed before."""

    queries: tuple[plan_queries.PlannedQuery, ...]
    by: str
    failures: tuple[Failure, ...] = ()


async def run(context: Context, given: Input) -> Result:
    """Plan searches in the words of a model, or of the embedded reasoner where none answers."""
    plan_input = plan_queries.PlanInput(
        question=given.question,
        language=given.language,
        today=context.now().date().isoformat(),
        max_queries=given.max_queries,
    )
    answer = await context.ask(plan_queries.QUESTION, plan_input, language=given.language)
    queries = answer.value.queries[: given.max_queries]
    return Result(queries=queries, by=answer.by, failures=answer.failures)
