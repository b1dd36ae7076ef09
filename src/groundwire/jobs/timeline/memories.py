"""Threads of which no page was found: named as missing, or told from a model's memory where a person allowed it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from groundwire.context import Context
from groundwire.gather.failures import failed_models
from groundwire.jobs.timeline import recall_events
from groundwire.jobs.timeline.proposal import Plan, Thread
from groundwire.jobs.timeline.result import Left
from groundwire.jobs.timeline.types import Found
from groundwire.model.phrase import phrase
from groundwire.model.result import Degraded
from groundwire.reasoning.question import EMBEDDED


def empty_threads(plan: Plan, found: Sequence[Found]) -> tuple[Thread, ...]:
    """Return the threads for which not one page was found."""
    told = {each.thread for each in found if each.hits}
    searched = {each.thread for each in found if not each.round}
    return tuple(
        thread
        for place, thread in enumerate(plan.threads)
        if place in searched and place not in told
    )


async def remembered(
    context: Context, plan: Plan, threads: Sequence[Thread], language: str, today: str
) -> tuple[tuple[Left, ...], tuple[Degraded, ...]]:
    """Ask what a model remembers of these threads; nobody's memory is a source, so it stands apart."""
    answers = await asyncio.gather(
        *(_of_thread(context, plan.topic, each, language, today) for each in threads)
    )
    once = {(each.date, each.title): each for told, _ in answers for each in told}
    ordered = sorted(once.values(), key=lambda each: (each.date, each.title))
    return tuple(ordered), tuple(each for _, failed in answers for each in failed)


async def _of_thread(
    context: Context, topic: str, thread: Thread, language: str, today: str
) -> tuple[list[Left], tuple[Degraded, ...]]:
    given = recall_events.RecallInput(
        topic=topic,
        thread=thread.name,
        description=thread.description,
        language=language,
        today=today,
        most=min(recall_events.MOST_EVENTS, thread.estimated_nodes),
    )
    answer = await context.ask(
        recall_events.QUESTION, given, language=language, occasion=thread.name
    )
    failed = failed_models("memory", answer.by, answer.failures)
    if answer.by == EMBEDDED:
        return [], failed
    why = phrase("timeline.problem.memory", model=answer.by)
    told = [
        Left(
            date=each.date,
            title=" ".join(each.title.split()),
            thread=thread.name,
            problems=(why,),
            by=answer.by,
        )
        for each in answer.value.remembered[: given.most]
    ]
    return told, failed
