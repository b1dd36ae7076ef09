"""Runs: start one, list them, look at one, follow it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import Field

from groundwire.access import own_run
from groundwire.api.door import DeskHere, Reader, Runner
from groundwire.model.base import JsonObject, Noun
from groundwire.model.run import Run

router = APIRouter(prefix="/api/runs", tags=["runs"])


class Wanted(Noun):
    """A run to start."""

    kind: str = Field(max_length=40)
    input: dict[str, Any] = Field(description='as the job takes it: `{"question": …}`')


def view(run: Run) -> JsonObject:
    """A run as the API shows it: no lease, no seed."""
    hidden = {"seed", "lease_owner", "lease_until", "idempotency_key", "fence", "settings"}
    return run.model_dump(mode="json", exclude=hidden)


@router.post("", status_code=202)
async def start(wanted: Wanted, desk: DeskHere, who: Runner) -> JsonObject:
    """Start a run; it is stored when this answers."""
    run = await desk.app.submit(wanted.kind, wanted.input, owner=who)
    return view(run)


@router.get("/{run_id}")
async def show(run_id: str, desk: DeskHere, who: Reader) -> JsonObject:
    """A run and its result."""
    return view(await own_run(desk.app, who, run_id))
