"""Figures of a benchmark, each beside its target."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Literal

Sense = Literal["at most", "at least"]


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure; without a target it is only there for comparison."""

    name: str
    value: float
    unit: str = ""
    target: float | None = None
    sense: Sense = "at most"
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target was met; None without a target."""
        if self.target is None:
            return None
        return self.value <= self.target if self.sense == "at most" else self.value >= self.target

    def cells(self) -> tuple[str, str, str, str, str, str]:
        """Format name, value, unit, target, met and note as text."""
        sign = "≤" if self.sense == "at most" else "≥"
        target = "" if self.target is None else f"{sign} {number(self.target)}"
        met = {True: "yes", False: "no", None: ""}[self.met]
        return self.name, number(self.value), self.unit, target, met, self.note


@dataclass(slots=True)
class Report:
    """A titled table of figures."""

    title: str
    rows: list[FigureRow] = field(default_factory=list[FigureRow])
    notes: list[str] = field(default_factory=list[str])

    def add(
        self,
        name: str,
        value: float,
        unit: str = "",
        *,
        target: float | None = None,
        sense: Sense = "at most",
        note: str = "",
    ) -> None:
        self.rows.append(FigureRow(name, value, unit, target, sense, note))

    def value(self, name: str) -> float:
        """Return the figure of this name."""
        return next(row.value for row in self.rows if row.name == name)

    def as_json(self) -> dict[str, object]:
        rows = [{**asdict(row), "met": row.met} for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}


def number(value: float) -> str:
    """Format a number to three significant figures, whole numbers in full."""
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}"
