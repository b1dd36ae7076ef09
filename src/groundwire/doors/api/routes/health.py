"""Whether the process is alive, and whether it can work; told to anybody who can reach it."""

from __future__ import annotations

import asyncio
from typing import Literal

from fastapi import APIRouter, Request, Response

from groundwire.app.facade import database_revision
from groundwire.doors.api import problems
from groundwire.doors.api.door import Desk, DeskHere
from groundwire.doors.language import language_of
from groundwire.errors import GroundwireError, StoreAway, StoreError
from groundwire.log import get_logger
from groundwire.model.base import Value

log = get_logger("groundwire.doors.api")
router = APIRouter(tags=["operations"])
_PATIENCE = 3.0  # seconds; a database that takes longer cannot be worked with


class Health(Value):
    """The process answers."""

    status: Literal["ok"] = "ok"


class Readiness(Value):
    """Everything that a run needs is there."""

    status: Literal["ready"] = "ready"
    database: str  # its kind
    revision: str  # of its schema
    engine: Literal["here", "elsewhere"]  # who executes runs: this process, or another one


class _NotReady(StoreAway):
    """A run would not get what it needs."""


@router.get("/healthz", summary="Whether the process lives")
async def healthz() -> Health:
    """The process answers; it says nothing of anything else."""
    return Health()


@router.get("/readyz", response_model=Readiness, summary="Whether it can work")
async def readyz(request: Request, desk: DeskHere) -> Readiness | Response:
    """Database, its schema, and the engine: 503 while one of them is not there."""
    try:
        async with asyncio.timeout(_PATIENCE):
            return await _looked(desk)
    except _NotReady as fault:
        refused: GroundwireError = fault
    except TimeoutError:
        refused = StoreAway("error.database_slow", seconds=f"{_PATIENCE:g}", hint="hint.see_doctor")
    except StoreError as error:
        # What it says may name places of this machine: that is for the log.
        log.warning("not ready", error=error.message)
        refused = StoreAway("error.database_unusable", hint="hint.log_or_doctor")
    return problems.said(refused, language_of(request))


async def _looked(desk: Desk) -> Readiness:
    if desk.stopping:
        raise _NotReady("error.desk_stopping", hint="hint.come_back")
    app = desk.app
    await app.runs.answers()  # a read as every request makes it
    found, wanted = await asyncio.to_thread(database_revision, app.settings)
    if found != wanted:
        raise _NotReady(
            "error.other_revision", revision=found or "–", head=wanted, hint="hint.db_upgrade"
        )
    if app.engine.trouble is not None:
        log.warning("not ready", error=app.engine.trouble.message)
        raise _NotReady("error.not_executing", hint="hint.log_or_doctor")
    return Readiness(
        database=app.settings.database().partition(":")[0].partition("+")[0],
        revision=wanted,
        engine="elsewhere" if app.engine.handed_over() else "here",
    )
