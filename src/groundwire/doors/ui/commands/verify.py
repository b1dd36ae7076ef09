"""Messages, rumours and headlines are verified."""

from __future__ import annotations

from groundwire.doors.ui.guessing import Command, Typed


def _fits(typed: Typed) -> float:
    if typed.doubts:
        return 0.95
    if typed.asks:
        return 0.2
    if typed.topic:
        return 0.3
    return 0.8 if typed.tells or typed.message else 0.6


COMMAND = Command(
    kind="verify",
    field="text",
    fits=_fits,
    names=("check", "rumour", "rumor", "核实", "核實", "查证", "查證", "求证", "求證"),
    place=20,
)
