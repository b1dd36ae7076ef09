"""Questions are answered."""

from __future__ import annotations

from groundwire.doors.ui.guessing import Command, Typed


def _fits(typed: Typed) -> float:
    if typed.asks:
        return 0.4 if typed.doubts else 0.9
    return 0.5 if typed.topic else 0.1


COMMAND = Command(
    kind="ask",
    field="question",
    fits=_fits,
    names=("question", "q", "问", "問", "提问", "提問"),
    place=10,
)
