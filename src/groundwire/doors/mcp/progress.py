"""A run's events as lines of progress: whatever the job, from what all events have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from groundwire.model.base import JsonObject
from groundwire.model.event import Event
from groundwire.report.plain import cut, one_line

_LONGEST = 200
_PLAIN = {"run": "started", "complete": "done", "failed": "failed", "cancelled": "cancelled"}
# The first that an event has says what it is about.
_WHAT = ("query", "title", "text", "what", "message", "verdict", "keywords", "tool")


def told(event: Event) -> str:
    """One short line. Titles in it come from outside, so nothing unseen is left in them."""
    if event.type in _PLAIN:
        return _PLAIN[event.type]
    payload = event.payload
    phase = str(payload.get("phase") or event.step.partition("/")[0] or event.type)
    return cut(one_line(": ".join([phase, *_said(payload)])), _LONGEST)


def _said(payload: JsonObject) -> Iterator[str]:
    if publisher := payload.get("publisher"):
        yield str(publisher)
    for name in _WHAT:
        if isinstance(what := payload.get(name), str) and what:
            yield what
            break
    if queries := cast("list[JsonObject]", payload.get("queries") or []):
        yield " · ".join(str(each.get("text", "")) for each in queries)
    if isinstance(payload.get("hits"), int):
        yield f"{payload['hits']} hits"
    if isinstance(payload.get("of"), int) and isinstance(payload.get("at"), int):
        yield f"{payload['at']} of {payload['of']}"
