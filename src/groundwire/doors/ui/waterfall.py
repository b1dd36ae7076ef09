"""The confidence of a signal as a drawing: a bar for each rule, from where the sum was to where it is.

It is a table with a bar in each row, so that it reads without the picture, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from groundwire.jobs.verify.sources import running_sums
from groundwire.model.result import WaterfallRow
from groundwire.words import Words

Tone = Literal["base", "up", "down", "none"]
_THIN = 0.6  # percent: a rule that changes nothing is still seen


@dataclass(frozen=True)
class Bar:
    """A row. Places are percent of the scale from 0 to 1."""

    rule: str
    reason: str
    delta: str
    total: str
    tone: Tone
    before: float  # where the sum was
    after: float
    left: float
    width: float
    marks: tuple[int, ...]  # the sources that it rests on


def bars(rows: Sequence[WaterfallRow], numbers: Mapping[str, int], t: Words) -> tuple[Bar, ...]:
    """The rows with their places; `numbers` are those of the sources."""
    found: list[Bar] = []
    before = 0.0
    for place, (row, total) in enumerate(zip(rows, running_sums(rows), strict=True)):
        after = _percent(total)
        left, right = min(before, after), max(before, after)
        tone: Tone = "up" if row.delta > 0 else "down" if row.delta < 0 else "none"
        found.append(
            Bar(
                rule=row.rule,
                reason=t(row.reason, **row.params),
                delta=signed(row.delta),
                total=f"{total:.2f}",
                tone="base" if place == 0 else tone,
                before=before,
                after=after,
                left=min(left, 100 - _THIN),
                width=max(right - left, _THIN),
                marks=tuple(sorted({numbers[e] for e in row.evidence_ids if e in numbers})),
            )
        )
        before = after
    return tuple(found)


def skyline(found: Sequence[Bar], width: int = 72, height: int = 18) -> str:
    """The sums one after another as the path of a small drawing."""
    if not found:
        return ""
    each = width / len(found)
    points = [f"M0 {height}"]
    for place, bar in enumerate(found):
        level = height - bar.after / 100 * height
        points.append(f"L{place * each:.1f} {level:.1f}")
        points.append(f"L{(place + 1) * each:.1f} {level:.1f}")
    return " ".join([*points, f"L{width} {height}", "Z"])


def signed(delta: float) -> str:
    """With its sign, to the last place that is not nothing."""
    whole, _, places = f"{abs(delta):.4f}".rstrip("0").partition(".")
    sign = "±" if not delta else "−" if delta < 0 else "+"
    return f"{sign}{whole}.{places.ljust(2, '0')}"


def _percent(share: float) -> float:
    """Sums may leave the scale before a row brings them back."""
    return round(min(max(share, 0.0), 1.0) * 100, 2)
