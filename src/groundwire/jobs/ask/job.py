"""ask: a question in, a short cited answer or what is missing out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module

from groundwire.context import Context
from groundwire.jobs import Job
from groundwire.jobs.ask.answer import AskResult
from groundwire.jobs.ask.desk import BAR, SECTION, on_page
from groundwire.jobs.ask.steps import STEPS
from groundwire.jobs.ask.types import AskInput
from groundwire.model.base import JsonObject
from groundwire.model.memory import Lesson
from groundwire.settings import Settings


async def run(context: Context, given: AskInput) -> AskResult:
    # LangGraph takes a second to import. The first event is stored before that; in a thread,
    # because whoever follows this run, or another one, is to see it at once.
    await asyncio.to_thread(import_module, "groundwire.jobs.ask.graph")
    from groundwire.jobs.ask.graph import answer

    return await answer(context, given)


def draw() -> str:
    from groundwire.jobs.ask.graph import draw as draw_graph

    return draw_graph()


def teaches(result: AskResult) -> Sequence[Lesson]:
    from groundwire.jobs.ask.memory import lessons

    return lessons(result)


def prepare(settings: Settings, _door: str) -> JsonObject:
    return {"language": settings.language}


JOB = Job(
    kind="ask",
    input=AskInput,
    result=AskResult,
    run=run,
    draw=draw,
    steps=STEPS,
    bar=BAR,
    section=SECTION,
    options={"queries": None, "results": None, "pages": None, "passages": None},
    prepare=prepare,
    on_page=on_page,
    teaches=teaches,
)

__all__ = ["JOB"]
