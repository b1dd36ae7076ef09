"""Whether the process is alive, and whether it can work; open to anybody who can reach it."""

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
_PATIENCE = 3.0  # seconds; a slower database is unusable


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
    """Something that a run needs is missing."""


@router.get("/healthz", summary="Whether the process lives")
async def healthz() -> Health:
    """Answer: the process lives; nothing else is checked."""
    return Health()


@router.get("/readyz", response_model=Readiness, summary="Whether it can work")
async def readyz(request: Request, desk: DeskHere) -> Readiness | Response:
    """Check the database, its schema and the engine: 503 while one of them is missing."""
    try:
        async with asyncio.timeout(_PATIENCE):
            return await _check_readiness(desk)
    except _NotReady as fault:
        refused: GroundwireError = fault
    except TimeoutError:
        refused = StoreAway("error.database_slow", seconds=f"{_PATIENCE:g}", hint="hint.see_doctor")
    except StoreError as error:
        # Its message may name paths of this machine: only the log gets it.
        log.warning("not ready", error=error.message)
        refused = StoreAway("error.database_unusable", hint="hint.log_or_doctor")
    return problems.error_response(refused, language_of(request))


async def _check_readiness(desk: Desk) -> Readiness:
    if desk.stopping:
        raise _NotReady("error.desk_stopping", hint="hint.come_back")
    app = desk.app
    await app.runs.answers()  # a read like any request's
    revision, head = await asyncio.to_thread(database_revision, app.settings)
    if revision != head:
        raise _NotReady(
            "error.other_revision", revision=revision or "–", head=head, hint="hint.db_upgrade"
        )
    if app.engine.trouble is not None:
        log.warning("not ready", error=app.engine.trouble.message)
        raise _NotReady("error.not_executing", hint="hint.log_or_doctor")
    return Readiness(
        database=app.settings.database().partition(":")[0].partition("+")[0],
        revision=head,
        engine="elsewhere" if app.engine.handed_over() else "here",
    )
