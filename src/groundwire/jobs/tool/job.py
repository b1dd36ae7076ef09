"""tool: one call of one tool as a small run, because every outside call belongs to a run."""

from __future__ import annotations

from itertools import islice
from typing import Literal, Self

from pydantic import Field, ValidationError, model_validator

from groundwire import plugins
from groundwire.context import Context
from groundwire.errors import OutsideFailure
from groundwire.jobs import Job, tools
from groundwire.model.base import JsonObject, Value
from groundwire.model.call import CallError
from groundwire.model.refusals import refused
from groundwire.model.result import Cost

TOOLS = tools()


class ToolInput(Value):
    """Which tool, and what it is given."""

    tool: str
    arguments: JsonObject = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check_arguments(self) -> Self:
        """Refuse, before it becomes a run, what the tool would refuse, and unknown tools by name."""
        if self.tool not in TOOLS:
            raise plugins.unknown("noun.tool", self.tool, TOOLS)
        try:
            TOOLS[self.tool].Input.model_validate(self.arguments)
        except ValidationError as error:
            raise refused(self.tool, error, TOOLS[self.tool].Input) from None
        return self


class ToolResult(Value):
    """What the tool gave, or the typed reason why not."""

    run_id: str
    status: Literal["complete", "degraded", "failed"]
    tool: str
    output: JsonObject | None = None
    error: CallError | None = None
    cost: Cost = Field(default_factory=Cost)
    latency_ms: int = 0


async def run(context: Context, given: ToolInput) -> ToolResult:
    tool = TOOLS[given.tool]
    try:
        found = await tool.run(context.step(given.tool), tool.Input.model_validate(given.arguments))
    except OutsideFailure as error:
        return ToolResult(
            run_id=context.run_id, status="failed", tool=given.tool, error=CallError.of(error)
        )
    failure: CallError | None = getattr(tool, "failure", _never)(found)
    degraded = bool(getattr(tool, "degraded", _never)(found))
    await context.step(given.tool).emit("progress", {"phase": given.tool, "done": True})
    return ToolResult(
        run_id=context.run_id,
        status="failed" if failure else "degraded" if degraded else "complete",
        tool=given.tool,
        output=found.model_dump(mode="json"),
        error=failure,
    )


def _never(_found: Value) -> None:
    """Stand in for `failure` and `degraded` of a tool that raises whatever fails it."""


def draw() -> str:
    return "graph TD;\n  start([start]) --> tool --> finish([end]);\n"


def text(given: JsonObject) -> str:
    """Return the tool and what it is given first: a query, an address."""
    words = (each for each in given["arguments"].values() if isinstance(each, str))
    return " ".join([given["tool"], *islice(words, 1)])


JOB = Job(
    kind="tool",
    input=ToolInput,
    result=ToolResult,
    run=run,
    draw=draw,
    offered=False,
    small=True,
    text=text,
)
