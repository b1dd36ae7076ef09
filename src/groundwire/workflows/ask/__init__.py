"""ask: a question in, a short cited answer or what is missing out."""

from __future__ import annotations

from groundwire.context import Context
from groundwire.model.result import AskResult
from groundwire.workflows.ask.types import AskInput
from groundwire.workflows.job import Job


async def run(context: Context, given: AskInput) -> AskResult:
    # LangGraph takes a second to import; the first event is out before that.
    from groundwire.workflows.ask.graph import answer

    return await answer(context, given)


def draw() -> str:
    from groundwire.workflows.ask.graph import draw as draw_graph

    return draw_graph()


JOB = Job(kind="ask", input=AskInput, result=AskResult, run=run, draw=draw)

__all__ = ["JOB"]
