"""Signals: the latest, and what their confidence was worth so far."""

from __future__ import annotations

from fastapi import APIRouter

from groundwire.app.judgements import CalibrationReport
from groundwire.doors.api.door import DeskHere, Reader
from groundwire.doors.api.schemas import Limit
from groundwire.model.base import Value
from groundwire.model.history import JudgedEventRow

router = APIRouter(prefix="/api", tags=["signals"])


class Signals(Value):
    """Signals of messages, newest first; each in full is its run's result."""

    signals: tuple[JudgedEventRow, ...]


@router.get("/signals", summary="The latest signals")
async def latest(desk: DeskHere, who: Reader, limit: Limit = 20) -> Signals:
    """List the caller's latest signals; whoever has the scope admin sees all."""
    return Signals(signals=tuple(await desk.app.judgements.recent(limit, who.sees)))


@router.get("/calibration", summary="What confidences were worth")
async def calibration(desk: DeskHere, _who: Reader) -> CalibrationReport:
    """Compute from every label: Brier score, reliability by tenths, hit rates of sources."""
    return await desk.app.judgements.calibration()
