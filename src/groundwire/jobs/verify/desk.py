"""Messages on the desk: what looks like one, and how signals are listed."""

from __future__ import annotations

from groundwire.jobs.verify.signal import Signal
from groundwire.model.desk import CommandBar, DeskSection, Entry, Typed


def _fits(typed: Typed) -> float:
    if typed.doubts:
        return 0.95
    if typed.asks:
        return 0.2
    if typed.topic:
        return 0.3
    return 0.8 if typed.tells or typed.message else 0.6


def _entry(signal: Signal) -> Entry:
    return Entry(
        title=signal.summary,
        verdict=signal.verdict,
        confidence=signal.confidence,
        cells=(signal.asset_name or signal.asset or "",),
    )


BAR = CommandBar(
    field="text",
    fits=_fits,
    # "Rumour: …" is how people begin a message, not an order to us.
    names=("check", "核实", "核實", "查证", "查證", "求证", "求證"),
    place=20,
    examples=("verify.example.1", "verify.example.2"),
)
SECTION = DeskSection(entry=_entry, place=20, columns=("verify.column.asset",))
