"""Tools: one capability at a time, each called as a small run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Body, Query, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field, GetJsonSchemaHandler, create_model
from pydantic.json_schema import JsonSchemaValue

from groundwire.app.runs import failure_of
from groundwire.app.submission import parse_strictly
from groundwire.doors.api.door import DeskHere, Reader, Runner
from groundwire.doors.api.schemas import LOCATION, WHOLE, IdempotencyKey
from groundwire.doors.api.schemas_runs import Started, started
from groundwire.jobs import report_of, tools
from groundwire.jobs.pages import offers
from groundwire.log import Redactor
from groundwire.model.base import JsonObject, Value
from groundwire.model.call import CallError
from groundwire.model.result import Cost
from groundwire.model.run import Run
from groundwire.words import unkept, words

router = APIRouter(prefix="/api/tools", tags=["tools"])
TOOLS = tools()
_PATIENCE = 20  # seconds to wait where the caller sets none
Wait = Annotated[
    int,
    Field(ge=0, le=60),
    WHOLE,
    Query(description="seconds to wait for the result; then the run is followed"),
]


class ToolView(Value):
    """A tool: what it does, and the JSON schema of what it takes."""

    name: str
    description: str
    input: JsonObject
    link: str


class ToolList(Value):
    tools: tuple[ToolView, ...]


class NextRun(Value):
    """A run that the answer makes possible: as `POST /api/runs` takes it."""

    kind: str
    input: JsonObject


class Answered(Value):
    """The output of a tool, or the typed reason why there is none."""

    run: Started
    status: Literal["complete", "degraded", "failed", "cancelled"]
    output: JsonObject | None
    error: CallError | None
    cost: Cost
    next: tuple[NextRun, ...] = Field(
        default=(), description="what can be done with the page that was read"
    )


class _DocumentedAs:
    """Documents an argument by the schema that the tool checks it with."""

    def __init__(self, form: type[BaseModel]) -> None:
        self._form = form

    def __get_pydantic_json_schema__(
        self, _schema: Any, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return handler(self._form.__pydantic_core_schema__)


@router.get("", summary="The tools there are")
async def listing(_who: Reader) -> ToolList:
    """List the tools; each is called with `POST /api/tools/NAME`."""
    return ToolList(tools=tuple(map(_view, TOOLS)))


def _view(name: str) -> ToolView:
    tool = TOOLS[name]
    return ToolView(
        name=name,
        description=" ".join((tool.run.__doc__ or "").split()),
        input=tool.Input.model_json_schema(),
        link=f"/api/tools/{name}",
    )


def _call(name: str) -> Callable[..., Awaitable[Response]]:
    tool = TOOLS[name]

    async def call(
        given: JsonObject,
        desk: DeskHere,
        who: Runner,
        wait: Wait = _PATIENCE,
        idempotency_key: IdempotencyKey = None,
    ) -> Response:
        checked = parse_strictly(tool.Input, name, given)
        arguments = checked.model_dump(mode="json", by_alias=True, exclude_unset=True)
        run = await desk.app.call(
            name, arguments, exact=True, owner=who, idempotency_key=idempotency_key
        )
        try:
            async with asyncio.timeout(wait):
                run = await desk.app.ended(run.id)
        except TimeoutError:
            shown = started(run)
            headers = {"Location": shown.links.self}
            return JSONResponse(shown.model_dump(mode="json"), 202, headers)
        return JSONResponse(_answer(run, desk.app.known))

    call.__annotations__["given"] = Annotated[JsonObject, Body(), _DocumentedAs(tool.Input)]
    return call


def _answer(run: Run, redactor: Redactor) -> JsonObject:
    result = run.result or {}
    error: JsonObject | None = result.get("error")
    if error is None and result.get("output") is None:
        code, params = unkept(failure_of(run))
        error = CallError(code="failed", message=code, params=params).model_dump(mode="json")
    page = report_of(run).page(run)
    ready = () if page is None else offers(page, words(page.language))
    answer = {
        "run": started(run).model_dump(mode="json"),
        "status": run.state,
        "output": result.get("output"),
        "error": error,
        "cost": result.get("cost") or Cost().model_dump(),
        "next": [{"kind": each.kind, "input": each.given} for each in ready],
    }
    return cast(JsonObject, redactor.value(answer))


def _add(name: str) -> None:
    tool = TOOLS[name]
    fields: dict[str, Any] = {"output": (tool.Result | None, ...)}
    answer = create_model(f"{name.capitalize()}Answer", __base__=Answered, **fields)
    router.add_api_route(
        f"/{name}",
        _call(name),
        name=name,
        methods=["POST"],
        response_model=None,
        summary=(tool.__doc__ or name).partition("\n")[0].rstrip("."),
        description=" ".join((tool.run.__doc__ or "").split()),
        responses={
            200: {"model": answer, "description": "It has ended, well or not."},
            202: {
                "model": Started,
                "description": "It takes longer: follow the run.",
                "headers": LOCATION,
            },
        },
    )


for _name in TOOLS:
    _add(_name)
