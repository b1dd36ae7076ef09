"""The desk itself: the command bar, what goes on, the latest signals."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)


@router.get("/")
async def desk() -> HTMLResponse:
    return HTMLResponse("<!doctype html><title>Groundwire</title><h1>Groundwire</h1>")
