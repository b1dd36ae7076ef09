"""Figures for whoever watches the desk, as Prometheus reads them."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from groundwire.doors.api import measures
from groundwire.doors.api.door import Admin, DeskHere

router = APIRouter(tags=["operations"])


@router.get("/metrics", response_class=PlainTextResponse, summary="What is counted")
async def metrics(desk: DeskHere, who: Admin) -> Response:
    """Runs, steps, calls, costs, breakers and followers; counters are this process's own."""
    return Response(await measures.text(desk), media_type=CONTENT_TYPE_PLAIN_0_0_4)
