"""An event in one line, for the chain of thoughts: what all jobs tell in the same way."""

from __future__ import annotations

from typing import cast

from groundwire.doors.ui.view import Seen
from groundwire.model.base import Json
from groundwire.model.event import Event

_LONGEST = 300


def plain_line(event: Event, seen: Seen) -> str:
    """What happened, as far as an event says it in words; "" when it says nothing of its own."""
    payload, t, say = event.payload, seen.t, seen.say
    match event.type:
        case "run":
            if payload.get("restarted"):
                return t("run.line.restarted", reason=payload.get("reason", ""))
            return t("run.line.attempt", n=event.attempt) if event.attempt > 1 else ""
        case "evidence":
            flags = say.listed(tuple(str(each) for each in payload.get("flags", [])))
            told = [str(payload.get("publisher", "")), str(payload.get("title", "")), *flags]
            return " · ".join(each for each in told if each)
        case "warning":
            told = [str(payload.get("url") or ""), str(payload.get("message") or "")]
            return " · ".join(each for each in told if each)
        case "answer":
            verdict = say.verdict(str(payload.get("verdict", "")))
            return f"{verdict} · {payload.get('text', '')}"
        case "gap":
            return f"{payload.get('what', '')} — {payload.get('why', '')}"
        case "failed" | "cancelled":
            return str(payload.get("error") or say.states.get(event.type, event.type))
        case "complete":
            return say.states.get(str(payload.get("status")), "")
        case _:
            return _fields(event)


def _fields(event: Event) -> str:
    """Whatever an event of a job without a view holds, in short."""
    told = [
        f"{name} {_short(value)}"
        for name, value in event.payload.items()
        if value not in (None, "", [], {}, False)
    ]
    text = " · ".join(told)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _short(value: Json) -> str:
    if isinstance(value, list):
        held = cast("list[Json]", value)
        return ", ".join(str(each) for each in held) if len(str(held)) < 80 else str(len(held))
    if isinstance(value, dict):
        return "…"
    return str(value)
