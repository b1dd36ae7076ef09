"""What came of an addition: how much is new, what failed and why, what was passed over."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from groundwire.model.base import Value
from groundwire.words import words


class Unadded(Value):
    """Something that could not be added, and why."""

    what: str
    code: str
    reason: str  # in English, for programs
    kept: str = ""  # the code of it, with its parameters: people are told in their own language

    @classmethod
    def because(cls, what: str, code: str, kept: str) -> Unadded:
        """Return what could not be added, with why as errors keep it."""
        return cls(what=what, code=code, reason=words("en").stored(kept), kept=kept)


class Added(Value):
    """New, already there, failed, skipped by kind, and left out because of the limit."""

    new: int = 0
    known: int = 0
    failed: tuple[Unadded, ...] = ()
    skipped: Mapping[str, int] = Field(default_factory=dict)  # by ending or kind
    left: int = 0

    def plus(self, other: Added) -> Added:
        kinds = sorted({*self.skipped, *other.skipped})
        return Added(
            new=self.new + other.new,
            known=self.known + other.known,
            failed=(*self.failed, *other.failed),
            skipped={
                kind: self.skipped.get(kind, 0) + other.skipped.get(kind, 0) for kind in kinds
            },
            left=self.left + other.left,
        )
