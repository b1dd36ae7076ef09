"""quiz: several numbers at once, so that several steps need the standing of a model."""

from __future__ import annotations

import asyncio

from groundwire.jobs.quiz.is_even import QUESTION, Number

from groundwire.context import Context
from groundwire.jobs import Job
from groundwire.model.base import Value
from groundwire.model.result import Cost, Decided


class QuizInput(Value):
    title: str = "quiz"
    numbers: tuple[int, ...] = (101, 102, 103)


class QuizResult(Value):
    run_id: str
    status: str = "complete"
    even: tuple[bool, ...]
    by: tuple[str, ...]
    votes: tuple[str, ...]
    failed: tuple[str, ...] = ()
    decided: tuple[Decided, ...] = ()
    cost: Cost = Cost()


async def run(context: Context, given: QuizInput) -> QuizResult:
    answers = await asyncio.gather(
        *(
            context.step(str(n)).ask(QUESTION, Number(n=n), language="en", occasion=str(n))
            for n in given.numbers
        )
    )
    return QuizResult(
        run_id=context.run_id,
        even=tuple(each.value.even for each in answers),
        by=tuple(each.by for each in answers),
        votes=tuple(each.vote for each in answers),
        failed=tuple(failure.code for each in answers for failure in each.failures),
    )


JOB = Job(kind="quiz", input=QuizInput, result=QuizResult, run=run, draw=lambda: "graph TD;")
