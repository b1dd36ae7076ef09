"""The protocols of messages and judged events; `store/` implements them, only `app/` binds them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from groundwire.model.history import EventQuery, JudgedEventRow, PastEvent
from groundwire.model.message import Cursor, DedupRules, Message, MessageSighting, Receipt
from groundwire.model.outbox import Parcel, Subscriber
from groundwire.model.outcome import Feedback, FeedbackEntry, Labelled, SourceRecord
from groundwire.model.quota import Grant


class Messages(Protocol):
    """Messages as they came in: each is new, or one more sighting of an earlier one."""

    async def receive(
        self, message: Message, rules: DedupRules, cursor: Cursor | None = None
    ) -> Receipt:
        """One transaction: the message, what it repeats, and how far its source was read.

        The same id again gives the receipt of the first time.
        """
        ...

    async def receive_many(
        self, messages: Sequence[Message], rules: DedupRules, cursor: Cursor | None = None
    ) -> Sequence[Receipt]:
        """As `receive`, all in one transaction."""
        ...

    async def advance(self, cursor: Cursor) -> None:
        """A source was read further, and there was nothing."""
        ...

    async def cursor(self, source: str) -> Cursor | None: ...

    async def unverified(self, limit: int = 100) -> Sequence[Message]:
        """New messages that no run has, oldest first: what a crash left behind."""
        ...

    async def sightings(self, message_id: str) -> Sequence[MessageSighting]:
        """What repeats this message, by time."""
        ...

    async def get(self, message_id: str) -> Receipt | None:
        """What became of a message; None: it is not known here."""
        ...

    async def prune(self, now: datetime) -> int:
        """Drop the look-up keys of messages that are too old to be repeated nearly."""
        ...


class Signals(Protocol):
    """Signals as memory of events. They are written by `Runs.finish`."""

    async def get(self, run_id: str) -> JudgedEventRow | None: ...

    async def recent(self, limit: int = 20, owner: str | None = None) -> Sequence[JudgedEventRow]:
        """Newest first; of one owner's runs only, where one is named."""
        ...

    async def similar(
        self, wish: EventQuery, now: datetime, *, apart_from: str = ""
    ) -> Sequence[PastEvent]:
        """Events up to now that are like this one, nearest first; never those of the run itself."""
        ...

    async def twin(
        self, asset: str, event_type: str, text: str, now: datetime, *, apart_from: str = ""
    ) -> PastEvent | None:
        """The signal of the last hours that says the same of the same asset (dedup layer 4)."""
        ...

    async def feedback(self, said: Feedback) -> JudgedEventRow:
        """What came of a signal. Raises `NotFoundHere` or `InputError` where there is none."""
        ...

    async def history(self, run_id: str) -> Sequence[Feedback]:
        """All that was ever said of a signal, newest first."""
        ...

    async def said(self, limit: int = 20, owner: str | None = None) -> Sequence[FeedbackEntry]:
        """What was said last, newest first; of one owner's signals only, where one is named."""
        ...

    async def labelled(self, now: datetime) -> Sequence[Labelled]:
        """Scores with what was known of their outcome at a moment, in order of time."""
        ...

    async def sources(self, now: datetime) -> Sequence[SourceRecord]:
        """How often channels and publishers were right, the most frequent first."""
        ...


class Quota(Protocol):
    """Uses of what is limited by the day, counted before the use, shared by all processes."""

    async def take(self, scope: str, key: str, limit: int, at: datetime) -> Grant:
        """One use in this day, or a refusal; a key that was granted before is granted again and
        not counted again."""
        ...

    async def used(self, scope: str, at: datetime) -> int: ...


class Outbox(Protocol):
    """Results that are to be handed on. They are written by `Runs.finish`."""

    async def waiting(self, limit: int = 100) -> Sequence[Parcel]:
        """Return what is not delivered yet, oldest first."""
        ...

    async def take(
        self, to: Subscriber, now: datetime, until: datetime, limit: int = 16
    ) -> Sequence[Parcel]:
        """Take what is due to a subscriber; nobody else is given it before `until`."""
        ...

    async def delivered(self, parcel: Parcel, at: datetime) -> bool:
        """Note a delivery; False: it was delivered before, or is gone."""
        ...

    async def failed(self, parcel: Parcel, error: str, at: datetime, next: datetime) -> bool:
        """Note a try that failed; it is due again at `next`."""
        ...

    async def prune(self, before: datetime) -> int:
        """Drop what was written before this moment, delivered or not."""
        ...
