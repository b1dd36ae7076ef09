"""ask: a question in, a short cited answer or what is missing out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module

from groundwire.context import Context
from groundwire.model.memory import Lesson
from groundwire.model.result import AskResult
from groundwire.workflows.ask.types import AskInput
from groundwire.workflows.job import Job


async def run(context: Context, given: AskInput) -> AskResult:
    # LangGraph takes a second to import. The first event is stored before that; in a thread,
    # because whoever follows this run, or another one, is to see it at once.
    await asyncio.to_thread(import_module, "groundwire.workflows.ask.graph")
    from groundwire.workflows.ask.graph import answer

    return await answer(context, given)


def draw() -> str:
    from groundwire.workflows.ask.graph import draw as draw_graph

    return draw_graph()


def teaches(result: AskResult) -> Sequence[Lesson]:
    from groundwire.workflows.ask.memory import lessons

    return lessons(result)


JOB = Job(kind="ask", input=AskInput, result=AskResult, run=run, draw=draw, teaches=teaches)

__all__ = ["JOB"]
