"""A waterfall as a drawing: a bar for each rule, from where the sum was to where it is.

It is a table with a bar in each row, so that it reads without the picture, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from groundwire.report.blocks import Waterfall, WaterfallStep

_THIN = 0.6  # percent: a rule that changes nothing is still seen
_THINNEST = 0.8  # the same in print
BarTone = Literal["base", "up", "down", "none"]


class WaterfallBar(NamedTuple):
    """A row of a waterfall, drawn. Places are percent of the scale from 0 to 1."""

    step: WaterfallStep
    delta: str
    total: str
    tone: BarTone
    before: float  # where the sum was
    after: float
    left: float
    width: float


def bars(steps: Sequence[WaterfallStep]) -> tuple[WaterfallBar, ...]:
    """Place the rows of a waterfall."""
    found: list[WaterfallBar] = []
    before = 0.0
    for place, step in enumerate(steps):
        after = _percent(step.total)
        left, right = min(before, after), max(before, after)
        tone: BarTone = "up" if step.delta > 0 else "down" if step.delta < 0 else "none"
        found.append(
            WaterfallBar(
                step=step,
                delta=signed(step.delta),
                total=f"{step.total:.2f}",
                tone="base" if place == 0 else tone,
                before=before,
                after=after,
                left=min(left, 100 - _THIN),
                width=max(right - left, _THIN),
            )
        )
        before = after
    return tuple(found)


def skyline(steps: Sequence[WaterfallStep], width: int = 72, height: int = 18) -> str:
    """Draw the sums one after another as the path of a small drawing."""
    if not steps:
        return ""
    each = width / len(steps)
    points = [f"M0 {height}"]
    for place, step in enumerate(steps):
        level = height - _percent(step.total) / 100 * height
        points.append(f"L{place * each:.1f} {level:.1f}")
        points.append(f"L{(place + 1) * each:.1f} {level:.1f}")
    return " ".join([*points, f"L{width} {height}", "Z"])


def signed(delta: float) -> str:
    """Write a change with its sign, to its last non-zero place."""
    return f"{'±' if not delta else '−' if delta < 0 else '+'}{written(abs(delta))}"


def written(total: float) -> str:
    """Write a sum to its last non-zero place, and to two places at least."""
    whole, _, places = f"{total:.4f}".replace("-", "−").rstrip("0").partition(".")
    return f"{whole}.{places.ljust(2, '0')}"


def _percent(share: float) -> float:
    """Convert a share to percent of the scale, clipped: sums may leave it for a while."""
    return round(min(max(share, 0.0), 1.0) * 100, 2)


class Bar(NamedTuple):
    """A step's bar on a scale of 0 to 100, and its figures as they are written."""

    x: float
    width: float
    tone: str
    delta: str
    total: str


def printed_bars(fall: Waterfall) -> list[Bar]:
    """Place the bars for files and pictures: the scale is 0 to 1, or as much more as needed."""
    totals = [step.total for step in fall.steps]
    low = min([0.0, *totals])
    span = max([1.0, *totals]) - low
    found: list[Bar] = []
    before = 0.0
    for number, step in enumerate(fall.steps):
        first, last = sorted((before, step.total))
        up, down = step.delta > 0 and number > 0, step.delta < 0 and number > 0
        tone = "supported" if up else "contradicted" if down else "soft"
        width = max(_THINNEST, (last - first) / span * 100)
        x = min((first - low) / span * 100, 100 - width)
        figures = (signed(step.delta), written(step.total))
        found.append(Bar(round(x, 2), round(width, 2), tone, *figures))
        before = step.total
    return found
