"""tool: one call of one tool as a small run, because every outside call belongs to a run."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from groundwire import plugins
from groundwire.context import Context
from groundwire.errors import OutsideFailure
from groundwire.model.base import JsonObject, Noun
from groundwire.model.call import CallError
from groundwire.model.result import Cost
from groundwire.workflows.job import Job

TOOLS = plugins.load("groundwire.tools")


class ToolInput(Noun):
    """Which tool, and what it is given."""

    tool: str
    arguments: JsonObject = Field(default_factory=dict)


class ToolResult(Noun):
    """What the tool gave, or the typed reason why not."""

    run_id: str
    status: Literal["complete", "degraded", "failed"]
    tool: str
    output: JsonObject | None = None
    error: CallError | None = None
    cost: Cost = Field(default_factory=Cost)
    latency_ms: int = 0


async def run(context: Context, given: ToolInput) -> ToolResult:
    if given.tool not in TOOLS:
        raise plugins.unknown("tool", given.tool, TOOLS)
    tool = TOOLS[given.tool]
    try:
        found = await tool.run(context.step(given.tool), tool.Input.model_validate(given.arguments))
    except OutsideFailure as error:
        return ToolResult(
            run_id=context.run_id, status="failed", tool=given.tool, error=CallError.of(error)
        )
    output: JsonObject = found.model_dump(mode="json")
    await context.step(given.tool).emit("progress", {"phase": given.tool, "done": True})
    return ToolResult(run_id=context.run_id, status="complete", tool=given.tool, output=output)


def draw() -> str:
    return "graph TD;\n  start([start]) --> tool --> finish([end]);\n"


JOB = Job(kind="tool", input=ToolInput, result=ToolResult, run=run, draw=draw)

__all__ = ["JOB"]
