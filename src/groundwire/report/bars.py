"""Where the bars of a waterfall stand: one scale for the page, the print and the picture."""

from __future__ import annotations

from typing import NamedTuple

from groundwire.report.blocks import Waterfall

_THINNEST = 0.8  # of a hundred: a step that changes little is seen all the same


class Bar(NamedTuple):
    """A step's bar on a scale of 0 to 100, and its figures as they are written."""

    x: float
    width: float
    tone: str
    delta: str
    total: str


def bars(fall: Waterfall) -> list[Bar]:
    """The scale is 0 to 1, or as much more as the sums need."""
    totals = [step.total for step in fall.steps]
    low = min([0.0, *totals])
    span = max([1.0, *totals]) - low
    found: list[Bar] = []
    before = 0.0
    for number, step in enumerate(fall.steps):
        first, last = sorted((before, step.total))
        tone = "soft" if number == 0 else "supported" if step.delta >= 0 else "contradicted"
        width = max(_THINNEST, (last - first) / span * 100)
        x = min((first - low) / span * 100, 100 - width)
        delta, total = (f.replace("-", "−") for f in (f"{step.delta:+.4f}", f"{step.total:.4f}"))
        found.append(Bar(round(x, 2), round(width, 2), tone, delta, total))
        before = step.total
    return found
