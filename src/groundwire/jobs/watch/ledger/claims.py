"""The nouns of the ledger: claims known by what they are about, what changed, and what was not seen.

A run keeps a `Ledger` in its result; with the pages of another day it is all that the next run needs.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

from groundwire.model.base import Instant, Published, Value
from groundwire.model.claim import CitationView, Verdict
from groundwire.model.source import Evidence

# What kind of value an attribute has; "act" is what happened, without a value of its own.
ValueKind = Literal["money", "count", "percent", "date", "name", "state", "version", "place", "act"]
Manner = Literal["stated", "planned", "rumoured"]
State = Literal["standing", "contested", "withdrawn"]
ChangeKind = Literal["new", "changed", "confirmed", "withdrawn", "contested"]
# Why: a code; words for each are in the job's `words/`.
Reason = Literal[
    "",
    "first_seen",  # new: nobody had said it before
    "another_value",  # changed: a later page gives another value
    "edited",  # changed: the cited page itself now gives another value
    "not_as_planned",  # changed: what was planned came otherwise
    "as_planned",  # confirmed: what was planned came
    "another_origin",  # confirmed: an independent origin says it too
    "denied",  # contested: a party or another origin denies it
    "another_value_same_day",  # contested: another origin gives another value for the same time
    "retracted",  # withdrawn: the source takes it back
    "sentence_lost",  # withdrawn: the cited page no longer has the sentence
    "removed",  # withdrawn: the page is gone, in two runs running
]


class Holder(CitationView):
    """A page that says it, or denies it, with the quote: what a claim rests on, page by page."""

    document_id: str  # of the stored text that has the quote; the diff of an edit compares two
    origin: str  # one key for all that descends from one source: `harbour.example`, `name:reuters`
    own: bool = False  # it is that source; otherwise it passes on what the source says
    snippet: bool = False
    as_of: date  # the day for which it says it
    read_at: Instant  # when the quote was last found in it
    gone: int = 0  # runs running that it answered 404 or 410


class Given(Value):
    """A value that a claim had, for which day, by whom."""

    text: str
    value: str
    key: str  # one form for all ways to write the value
    unit: str = ""
    as_of: date
    manner: Manner = "stated"
    origins: tuple[str, ...] = ()  # that have supported it, each once


class Denied(Value):
    """What a claim says is not so: that of which it is the denial, as who claimed it would be known by."""

    attribute: str
    can_be: tuple[str, ...] = ()
    kind: ValueKind
    key: str
    unit: str = ""


class Claim(Value):
    """What is said of one thing: `(subject, attribute, qualifier) → value, unit, as of`."""

    id: str  # of subject, attribute and qualifier as first seen; the same for all its values
    text: str
    subject: str
    attribute: str  # an id of attributes.json; "" for the open class
    can_be: tuple[str, ...] = ()  # every attribute that its words name
    kind: ValueKind
    names: tuple[str, ...] = ()  # which one of several: the names beside it
    places: tuple[str, ...] = ()  # those of the names that say where
    sorts: tuple[str, ...] = ()  # rhythm=monthly
    period: str = ""  # 2026-Q3
    value: str  # as written
    key: str  # one form for all ways to write it
    unit: str = ""
    as_of: date
    manner: Manner = "stated"
    state: State = "standing"
    reason: Reason = ""  # why it is contested or withdrawn
    verdict: Verdict = "supported"
    citations: tuple[Holder, ...] = ()
    denials: tuple[Holder, ...] = ()
    origins: tuple[str, ...] = ()  # that have supported this value, each once
    past: tuple[Given, ...] = ()  # values that it had before, oldest first
    first_seen: Instant
    changed_at: Instant  # when its value or state last changed
    denied: Denied | None = None  # of a denial that came before anybody claimed it

    @property
    def stands(self) -> bool:
        """Whether anybody still holds it."""
        return self.state != "withdrawn"

    @property
    def opposite(self) -> Claim:
        """What it denies, as a claim; itself where it denies nothing."""
        if self.denied is None:
            return self
        return self.model_copy(update={**dict(self.denied), "denied": None})

    @property
    def qualifier(self) -> str:
        """Which one of several it is about, for people: names, period, sort."""
        sorts = (each.partition("=")[2] for each in self.sorts)
        return ", ".join(filter(None, (*self.names, self.period, *sorts)))


class Side(Value):
    """A claim before or after a change."""

    text: str
    value: str
    key: str = ""  # one form for all ways to write it
    of: ValueKind | None = None  # what kind of value it is
    unit: str = ""
    as_of: date | None = None
    verdict: Verdict = "supported"
    citations: tuple[Holder, ...] = ()


class Edit(Value):
    """A cited page that was changed without a word: the stored texts whose diff shows it."""

    url: str
    before: str  # a document's id
    after: str


class Change(Value):
    """What is no longer as it was, for one claim; `alerts` before any condition of the user's own."""

    kind: ChangeKind
    claim_id: str
    subject: str = ""
    attribute: str = ""
    before: Side | None = None
    after: Side | None = None
    reason: Reason = ""
    alerts: bool = True
    edit: Edit | None = None


class NotSeen(Value):
    """A claim whose page could not be read today: it says nothing of the claim."""

    claim_id: str
    url: str
    why: Literal["failed", "gone"]  # gone: answered 404 or 410 for the first time


class PageSeen(Value):
    """A page as it was last read: what it said of the subject then, so that only what is new in it counts."""

    url: str
    document_id: str
    origin: str
    publisher: str = ""
    published_at: Published | None
    first_read: Instant
    texts: tuple[str, ...] = ()  # fingerprints of all texts that it had, by which copies are known
    said: tuple[str, ...] = ()  # fingerprints of its statements


class Ledger(Value):
    """What a watch believes after a run."""

    claims: tuple[Claim, ...] = ()
    pages: tuple[PageSeen, ...] = ()


class Reread(Value):
    """What came of reading a cited page again."""

    url: str
    outcome: Literal["read", "unchanged", "gone", "failed"]


class Today(Value):
    """A day of reading: who is watched, the pages as read, and what came of the cited ones."""

    names: tuple[str, ...]  # of the subject; the first is how claims call it
    at: Instant  # the run's moment
    pages: tuple[Evidence, ...]
    reread: tuple[Reread, ...] = ()


class Compared(Value):
    """What a run found out: the ledger after it, what changed, and what could not be seen."""

    ledger: Ledger
    changes: tuple[Change, ...] = ()
    not_seen: tuple[NotSeen, ...] = ()

    @property
    def alert(self) -> bool:
        """Whether a change calls for a message, before the conditions of the watch."""
        return any(change.alerts for change in self.changes)
