"""A waterfall as a drawing: a bar for each rule, from where the sum was to where it is.

It is a table with a bar in each row, so that it reads without the picture, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from groundwire.report.blocks import WaterfallStep

_THIN = 0.6  # percent: a rule that changes nothing is still seen
BarTone = Literal["base", "up", "down", "none"]


@dataclass(frozen=True)
class WaterfallBar:
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
    """Return the rows with their places."""
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
    """Return the sums one after another as the path of a small drawing."""
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
    """Return a change with its sign, to the last place that is not nothing."""
    whole, _, places = f"{abs(delta):.4f}".rstrip("0").partition(".")
    sign = "±" if not delta else "−" if delta < 0 else "+"
    return f"{sign}{whole}.{places.ljust(2, '0')}"


def _percent(share: float) -> float:
    """Sums may leave the scale before a row brings them back."""
    return round(min(max(share, 0.0), 1.0) * 100, 2)
