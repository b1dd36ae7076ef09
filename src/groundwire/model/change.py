"""What runs of a standing run say over time, in the form that every door shows."""

from __future__ import annotations

from datetime import date
from typing import Literal

from groundwire.model.base import Value
from groundwire.model.claim import CitationView, Verdict

ChangeKind = Literal["new", "changed", "confirmed", "withdrawn", "contested"]


class Belief(Value):
    """A claim as a result holds it; the same claim has the same id in every run."""

    id: str
    text: str
    subject: str = ""
    attribute: str = ""
    called: str = ""  # the attribute, for people
    value: str = ""  # as it is written
    told: str = ""  # the value for people, in their language; "": its sentence says it
    verdict: Verdict = "supported"
    as_of: date | None = None
    past: tuple[Given, ...] = ()  # the values that it had before, oldest first
    origins: int = 0  # that say so of their own
    copies: int = 0  # pages that only pass it on
    citations: tuple[CitationView, ...] = ()


class Given(Value):
    """A value that a claim had, and from which day on."""

    value: str
    told: str = ""  # for people
    as_of: date


class EditedPage(Value):
    """A page that was changed without a word, where its stored texts differ."""

    url: str
    publisher: str = ""
    parts: tuple[tuple[str, str], ...] = ()  # what stood there, what stands there now


class Change(Value):
    """What is no longer as it was before a run, for one claim."""

    kind: ChangeKind
    claim_id: str
    subject: str = ""
    attribute: str = ""
    called: str = ""  # the attribute, for people
    before: Belief | None = None
    after: Belief | None = None
    why: str = ""  # a code of the job's words
    met: tuple[str, ...] = ()  # the conditions of the user's own that it met
    alerts: bool = True  # people are told of it; False: it is only noted
    edits: tuple[EditedPage, ...] = ()

    @property
    def moved(self) -> tuple[str, str]:
        """Return its value before and now for people; the first is "" where nothing moved."""
        before, after = (side.told if side else "" for side in (self.before, self.after))
        if self.after is None or before == after:
            return "", before
        return (before if after else ""), after
