"""Runs that commands on the same data folder hand to this desk, ready to submit."""

from __future__ import annotations

import hmac

from fastapi import APIRouter, Request

from groundwire.doors.api.door import DeskHere
from groundwire.errors import Forbidden
from groundwire.model.base import JsonObject, Value
from groundwire.model.message import Message
from groundwire.model.run import NewRun

router = APIRouter(include_in_schema=False)


class Handed(Value):
    """A run whose settings are fixed already, and the message that it is about, if any."""

    run: NewRun
    message: Message | None = None


@router.post("/api/handed", status_code=202)
async def handed(given: Handed, request: Request, desk: DeskHere) -> JsonObject:
    """Submit a run by the desk's own key: no token fixes a run's settings."""
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not desk.key or not hmac.compare_digest(key.encode("utf-8", "replace"), desk.key.encode()):
        raise Forbidden("error.start_elsewhere")
    created = await desk.app.engine.submit(given.run, message=given.message)
    return created.model_dump(mode="json")
