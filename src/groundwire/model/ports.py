"""The store's interfaces for code that must not import it; only `app/` binds them together.

Each protocol lists what is called through it, and nothing else: `app/` itself calls the tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol

from groundwire.model.base import Value
from groundwire.model.call import (
    CacheEntry,
    CallKind,
    CallRecord,
    Intent,
    LastCall,
    Lease,
    Settlement,
    Via,
)
from groundwire.model.ending import Ending
from groundwire.model.event import Draft, Event
from groundwire.model.exam import Marks
from groundwire.model.history import EventQuery, PastEvent
from groundwire.model.memory import MemoryQuery, RecalledClaim
from groundwire.model.message import Message, MessageSighting
from groundwire.model.outbox import Parcel, Subscriber
from groundwire.model.outcome import Labelled
from groundwire.model.picture import Picture
from groundwire.model.proposal import Confirmed, Proposal
from groundwire.model.query import Query
from groundwire.model.run import NewRun, Run, RunFilter, RunHead, RunPage
from groundwire.model.schedule import Schedule
from groundwire.model.source import Document, Override
from groundwire.model.tool import Grant


class Begun(Value):
    """What `Ledger.begin` found or wrote.

    - `go`: the intent is written and the budget reserved: send.
    - `again`: an intent of a crashed process was found; its estimate counts as spent, a new
      reservation was made: send again, with the same idempotency key.
    - `done`: another process finished the call in the meantime: use `record`.
    - `refused`: a cap would be exceeded; the refusal is recorded (code `quota`): use `record`.
    """

    state: Literal["go", "again", "done", "refused"]
    record: CallRecord


class Ledger(Protocol):
    """The record of calls. Every write checks the lease and raises `Fenced` when it is lost."""

    async def find(self, run_id: str, key: str) -> CallRecord | None:
        """Return the newest attempt's row for this key, by primary key, intents included."""
        ...

    async def begin(self, lease: Lease, intent: Intent) -> Begun:
        """Write the intent and reserve in every capped scope, or refuse: one fenced transaction."""
        ...

    async def finish(self, lease: Lease, settlement: Settlement) -> CallRecord:
        """Write response, true cost, outcome and any cache entry: one fenced transaction.

        Insert-or-get: if the row is already settled, the stored row comes back unchanged.
        """
        ...

    async def note(
        self, lease: Lease, intent: Intent, settlement: Settlement, via: Via
    ) -> CallRecord:
        """Record, at no cost, an answer that needed no sending (cache, joined, local, refusal).

        Insert-or-get: the stored row wins.
        """
        ...

    async def records(self, run_id: str) -> Sequence[CallRecord]:
        """Return all rows of a run by key: for exports, costs and `show`, never for resume."""
        ...


class History(Protocol):
    """What the record of calls says of providers, over all runs."""

    async def newest(self, kind: CallKind, since: datetime) -> Sequence[LastCall]:
        """Return the newest call to each provider in the runs created since then."""
        ...


class Cache(Protocol):
    """Answers shared between runs; entries are written by `Ledger.finish`."""

    async def get(self, key: str, now: datetime) -> CacheEntry | None: ...


class Journal(Protocol):
    """The durable event stream of a run."""

    async def append(self, lease: Lease, drafts: Sequence[Draft], at: datetime) -> Sequence[Event]:
        """Store the drafts whose keys are new, numbered, in one transaction; raise `Fenced`.

        Returns the newly numbered events only.
        """
        ...

    async def read(self, run_id: str, after: int = 0, limit: int = 500) -> Sequence[Event]: ...


class Runs(Protocol):
    """The run rows."""

    async def create(self, run: NewRun, *, message: Message | None = None) -> Run:
        """Insert a run, or return the one with its idempotency key; link the message to it."""
        ...

    async def get(self, run_id: str) -> Run | None: ...

    async def head(self, run_id: str) -> RunHead | None:
        """Return state, lease, owner and last event number; nothing is parsed."""
        ...

    async def unfinished(self) -> Sequence[RunHead]:
        """List queued and running runs: those to stop first, then the oldest of each kind in turn."""
        ...

    async def claim(
        self,
        run_id: str,
        owner: str,
        now: datetime,
        until: datetime,
        *,
        abandoned: int | None = None,
    ) -> Lease | None:
        """Take a queued run, or one whose lease is over, with `fence + 1`; else return None.

        `abandoned` is the fence of an owner known to be dead: the run is taken only if that very
        fence still stands. A second claim in one attempt is a restart.
        """
        ...

    async def renew(self, lease: Lease, until: datetime) -> bool:
        """Extend the lease; False: fenced."""
        ...

    async def release(self, lease: Lease, *, wait: float = 0.0) -> None:
        """Queue a running run again, unless fenced; the next worker is woken `wait` seconds later."""
        ...

    async def finish(self, lease: Lease, ending: Ending) -> Event:
        """Write all of an ending in one fenced transaction (law 11); return its closing event."""
        ...

    async def wait(
        self, lease: Lease, proposal: Proposal, drafts: Sequence[Draft], at: datetime
    ) -> bool:
        """Release the lease until a person confirms; False: the run was asked to stop instead."""
        ...

    async def confirm(
        self, run_id: str, proposal_id: str, answer: Confirmed, at: datetime
    ) -> Run | None:
        """Record a person's answer as a read of the run and queue the same attempt.

        None: there is no such run. Raises `Conflict` where it waits for nothing, or for another.
        """
        ...

    async def expire(self, at: datetime) -> Sequence[str]:
        """Cancel the runs that nobody confirmed in time; return their ids."""
        ...

    async def request_cancel(self, run_id: str, at: datetime) -> Run | None:
        """Cancel a queued or waiting run at once; ask a running one to stop."""
        ...

    async def reopen(self, run_id: str, at: datetime) -> Run | None:
        """Queue a new attempt of a finished run: a person's `resume`. None: no such run."""
        ...


class ArchiveHit(Value):
    """A document found in the archive. `score` is BM25 (higher is better)."""

    document: Document
    score: float
    snippet: str
    snippet_start: int


class ArchiveStats(Value):
    documents: int
    publishers: int
    by_language: Mapping[str, int]
    oldest: datetime | None
    newest: datetime | None
    bytes: int


class Sources(Protocol):
    """What analysts say of sources."""

    async def overrides(self) -> Sequence[Override]:
        """Return those that hold now, by domain."""
        ...


class Piece(Value):
    """A stretch of a document as a vector: unit length, of one model."""

    document_id: str
    place: int
    start: int
    end: int
    vector: tuple[float, ...]


class Vectors(Protocol):
    """Vectors of documents, by model; those of two models are never compared."""

    async def unplaced(self, model: str, limit: int) -> Sequence[str]:
        """List documents that have no vectors of this model yet, oldest first."""
        ...

    async def put(self, model: str, pieces: Sequence[Piece]) -> None:
        """Store vectors; those already there are left."""
        ...

    async def nearest(
        self, model: str, vector: Sequence[float], query: Query, now: datetime
    ) -> Sequence[ArchiveHit]:
        """Find the nearest documents that meet the query's demands, best first."""
        ...


class Pictures(Protocol):
    """Pictures that models look at: content-addressed, kept once."""

    async def put(self, picture: Picture) -> None: ...

    async def get(self, sha256: str) -> Picture | None: ...


class Index(Protocol):
    """The archive: everything ever read, searchable; text is content-addressed."""

    async def add(self, documents: Sequence[Document]) -> int:
        """Store and index documents in one transaction; return how many were new."""
        ...

    async def search(self, query: Query, now: datetime) -> Sequence[ArchiveHit]: ...

    async def get(self, document_id: str) -> Document | None: ...

    async def by_url(self, canonical_url: str) -> Document | None:
        """Return the newest version of a page."""
        ...


class Memory(Protocol):
    """Claims in two times. What runs teach is written by `Runs.finish`."""

    async def recall(self, query: MemoryQuery, now: datetime) -> Sequence[RecalledClaim]:
        """Find the claims nearest to the query, in an order that depends on nothing else."""
        ...


class PastRuns(Protocol):
    """Runs that another one may look back on."""

    async def get(self, run_id: str) -> Run | None: ...

    async def page(
        self, wanted: RunFilter, after: str | None = None, limit: int = 20
    ) -> RunPage: ...


class Messages(Protocol):
    """Messages as they came in: each is new, or one more sighting of an earlier one."""

    async def sightings(self, message_id: str) -> Sequence[MessageSighting]:
        """List what repeats this message, by time."""
        ...


class Signals(Protocol):
    """Signals as memory of events. They are written by `Runs.finish`."""

    async def similar(
        self, query: EventQuery, now: datetime, *, except_run: str = ""
    ) -> Sequence[PastEvent]:
        """Find earlier events like this one, nearest first, except the run's own."""
        ...

    async def twin(
        self, asset: str, event_type: str, text: str, now: datetime, *, except_run: str = ""
    ) -> PastEvent | None:
        """Find the recent signal that says the same of the same asset (dedup layer 4)."""
        ...

    async def labelled(self, now: datetime) -> Sequence[Labelled]:
        """List scores with the outcomes known at a moment, in order of time."""
        ...


class Quota(Protocol):
    """Uses of what is limited by the day, counted before the use, shared by all processes."""

    async def take(self, scope: str, key: str, limit: int, at: datetime) -> Grant:
        """Count one use of the day, or refuse; a key granted before is granted again, uncounted."""
        ...

    async def used(self, scope: str, at: datetime) -> int: ...


class Exams(Protocol):
    """Marks of models in the exams of questions."""

    async def marks(self, model: str, question: str, prompts: str, items: str) -> Marks | None:
        """Return a model's marks under these very prompts and items."""
        ...

    async def keep(self, taken: Marks) -> None: ...


class Schedules(Protocol):
    """Standing runs, as those who start them see them."""

    async def due(self, now: datetime, limit: int) -> Sequence[Schedule]:
        """List those that are due and not paused, the longest waiting first."""
        ...

    async def later(self, now: datetime, after: str, limit: int) -> Sequence[Schedule]:
        """List those that are not yet due nor paused, by id, after an id."""
        ...

    async def move(
        self, schedule: Schedule, next_at: datetime, *, trouble: str = "", paused: bool = False
    ) -> bool:
        """Set when it is due next, unless somebody did so, paused or removed it meanwhile."""
        ...


class Outbox(Protocol):
    """Results to be delivered. They are written by `Runs.finish`."""

    async def awaited(self, now: datetime, limit: int = 64) -> Sequence[Subscriber]:
        """List subscribers for whom something is due, the longest waiting first."""
        ...

    async def take(
        self, to: Subscriber, now: datetime, until: datetime, limit: int = 16
    ) -> Sequence[Parcel]:
        """Reserve what is due to a subscriber; nobody else gets it before `until`."""
        ...

    async def delivered(self, parcel: Parcel, at: datetime) -> bool:
        """Record a delivery; False: it was delivered before, or is gone."""
        ...

    async def failed(self, parcel: Parcel, error: str, at: datetime, next: datetime) -> bool:
        """Record a failed try; it is due again at `next`."""
        ...

    async def prune(self, before: datetime) -> int:
        """Drop what was written before this moment, delivered or not."""
        ...
