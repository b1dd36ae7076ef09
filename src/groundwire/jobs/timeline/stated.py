"""A time that a sentence names, as exactly as a timeline keeps times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

Precision = Literal["day", "month", "quarter", "year", "decade"]


@dataclass(frozen=True, slots=True)
class Stated:
    """A time that a sentence names."""

    first: date
    last: date
    precision: Precision
    text: str
    start: int  # in the page's text
    end: int
    relative: bool  # counted from the day of publication

    @property
    def day(self) -> date | None:
        """The day that is named; None for a longer time."""
        return self.first if self.precision == "day" and self.first == self.last else None
