"""The problems and doubts that a check of a sentence finds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from groundwire.model.phrase import Phrase


# The same few are found many thousand times, and compared as often.
@lru_cache(maxsize=4096)
def problem(name: str, **params: str | int) -> Phrase:
    """Return a problem by its name, with the words it concerns."""
    return Phrase(code=f"problem.{name}", params=dict(params))


@dataclass
class Findings:
    """What the check of one part of a sentence found."""

    problems: list[Phrase] = field(default_factory=list[Phrase])
    doubts: list[Phrase] = field(default_factory=list[Phrase])
    unsure: list[Phrase] = field(default_factory=list[Phrase])  # problems, unless reading is sure
