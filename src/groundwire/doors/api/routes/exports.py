"""A run as a file: always an attachment, under a name of ours."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import ValidationError

from groundwire.app import exports
from groundwire.app.exports import find_form, forms, forms_of
from groundwire.doors.api.door import DeskHere, Reader
from groundwire.doors.api.schemas import RunId
from groundwire.errors import Conflict
from groundwire.model.phrase import phrase
from groundwire.model.run import FINISHED

router = APIRouter(prefix="/api/runs", tags=["runs"])
_FILES: dict[str, Any] = {
    form.media_type.partition(";")[0]: {"schema": {} if name == "json" else {"type": "string"}}
    for name, form in forms().items()
}
Wanted = Annotated[
    str,
    Query(
        alias="format",
        description="the form of the file; `bundle` holds all that checks and replays the run",
        json_schema_extra={"enum": list(forms())},
    ),
]


@router.get(
    "/{run_id}/export",
    response_class=Response,
    summary="Take a run away as a file",
    responses={
        200: {
            "description": "The file.",
            "content": _FILES,
            "headers": {"Content-Disposition": {"schema": {"type": "string"}}},
        }
    },
)
async def export(run_id: RunId, desk: DeskHere, who: Reader, form: Wanted = "md") -> Response:
    """Export a run that has ended, without known secrets. Only some results have a picture."""
    run = await desk.app.runs.get_owned(who, run_id)
    find_form(form)
    if run.state not in FINISHED:
        state = phrase(f"state.{run.state}")
        raise Conflict("error.run_not_exportable", state=state, run=run.id, hint="hint.follow_api")
    if form not in (available := forms_of(run)):
        names = {"kind": run.kind, "form": form, "forms": available}
        raise Conflict("error.no_such_form", **names, hint="hint.it_has_forms")
    try:
        async with desk.exporting:
            file = await exports.export(desk.app, run, form)
    except ValidationError:
        raise Conflict("error.older_result") from None
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return Response(file.data, media_type=file.media_type, headers=headers)
