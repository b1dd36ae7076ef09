"""The protocols that `store/` implements and only `app.py` binds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol

from groundwire.model.access import Session, Token
from groundwire.model.base import Value
from groundwire.model.call import (
    CacheEntry,
    CallKind,
    CallRecord,
    DayOfCalls,
    Intent,
    LastCall,
    Lease,
    Settlement,
    Via,
)
from groundwire.model.costs import CostLine, OwnerLine, Rolled
from groundwire.model.ending import Ending
from groundwire.model.event import Draft, Event
from groundwire.model.memory import (
    ClaimHistory,
    Forgotten,
    Held,
    MemoryQuery,
    RecalledClaim,
    Withdrawal,
)
from groundwire.model.message import Message
from groundwire.model.picture import Picture
from groundwire.model.proposal import Confirmed, Proposal
from groundwire.model.query import Query
from groundwire.model.run import NewRun, Run, RunFilter, RunHead, RunPage, RunState
from groundwire.model.source import Document, Override


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
        """The newest attempt's row for this key, by primary key, intents included."""
        ...

    async def begin(self, lease: Lease, intent: Intent) -> Begun:
        """One fenced transaction: intent and reservation in every capped scope, or a refusal."""
        ...

    async def finish(self, lease: Lease, settlement: Settlement) -> CallRecord:
        """One fenced transaction: response, true cost, outcome, and the cache entry if any.

        Insert-or-get: if the row is already settled, the stored row comes back unchanged.
        """
        ...

    async def note(
        self, lease: Lease, intent: Intent, settlement: Settlement, via: Via
    ) -> CallRecord:
        """Record an answer that was not sent for (cache, joined, local read, refusal), cost 0.

        Insert-or-get: the stored row wins.
        """
        ...

    async def records(self, run_id: str) -> Sequence[CallRecord]:
        """All rows of a run, in order of key: for exports, costs and `show`, never for resume."""
        ...


class History(Protocol):
    """What the record of calls says of providers, over all runs."""

    async def days(self, kind: CallKind, since: datetime) -> Sequence[DayOfCalls]:
        """How providers answered, by day, in the runs created since then."""
        ...

    async def newest(self, kind: CallKind, since: datetime) -> Sequence[LastCall]:
        """The newest call to each provider in the runs created since then."""
        ...


class Cache(Protocol):
    """Answers shared between runs; entries are written by `Ledger.finish`."""

    async def get(self, key: str, now: datetime) -> CacheEntry | None: ...


class Budget(Protocol):
    """What is spent and reserved, in micro-dollars, by scope."""

    async def spent(self, scopes: Sequence[str]) -> Mapping[str, int]: ...


class Costs(Protocol):
    """What the store knows of money, over all runs. Times are from, inclusive, to, exclusive."""

    async def lines(self, since: datetime, until: datetime) -> Sequence[CostLine]:
        """What calls cost, by day, job, kind, provider and way, in that order."""
        ...

    async def owners(self, since: datetime, until: datetime) -> Sequence[OwnerLine]:
        """What each owner's runs sent and spent, the dearest first."""
        ...

    async def rolled(self, since: datetime, until: datetime) -> Sequence[Rolled]:
        """The messages that became signals, duplicates apart, by time."""
        ...


class Journal(Protocol):
    """The durable event stream of a run."""

    async def append(self, lease: Lease, drafts: Sequence[Draft], at: datetime) -> Sequence[Event]:
        """One transaction; only keys not yet present are numbered. Raises `Fenced`.

        Returns the newly numbered events only.
        """
        ...

    async def read(self, run_id: str, after: int = 0, limit: int = 500) -> Sequence[Event]: ...

    async def last(self, run_id: str) -> int:
        """The number of the newest event; 0: there is none."""
        ...


class Runs(Protocol):
    """The run rows."""

    async def create(self, run: NewRun, *, message: Message | None = None) -> Run:
        """Insert; the same idempotency key gives back the run that has it. The message, if one is
        named, has this run from then on."""
        ...

    async def get(self, run_id: str) -> Run | None: ...

    async def find(self, prefix: str) -> Sequence[Run]:
        """Runs whose id starts so (people type prefixes); newest first, at most 10."""
        ...

    async def recent(
        self, limit: int = 20, kind: str | None = None, state: RunState | None = None
    ) -> Sequence[Run]: ...

    async def page(self, wanted: RunFilter, after: str | None = None, limit: int = 20) -> RunPage:
        """A stretch of the list, newest first; `after` is the `next` of the stretch before.

        Raises `InputError` for an `after` that is none.
        """
        ...

    async def head(self, run_id: str) -> RunHead | None:
        """State, lease, owner and the number of the last event: nothing is parsed."""
        ...

    async def counts(self) -> Mapping[RunState, int]:
        """How many runs are in each state."""
        ...

    async def unfinished(self) -> Sequence[RunHead]:
        """Queued and running runs, those to be stopped first, then the oldest of each kind in turn:
        what an engine has to see to."""
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
        """`fence + 1` if the run is queued or its lease is over; None if another holds it or it
        is finished. `abandoned` is the fence of an owner that is known to be dead: the run is
        taken only if that very fence still stands. A second claim in one attempt is a restart."""
        ...

    async def renew(self, lease: Lease, until: datetime) -> bool:
        """False: fenced."""
        ...

    async def release(self, lease: Lease, *, wait: float = 0.0) -> None:
        """Hand a running run back: queued, no owner. Nothing if fenced. Where workers are woken,
        the next one is after so many seconds."""
        ...

    async def finish(self, lease: Lease, ending: Ending) -> Event:
        """Write all of an ending in one fenced transaction (law 11); return its closing event."""
        ...

    async def wait(
        self, lease: Lease, proposal: Proposal, drafts: Sequence[Draft], at: datetime
    ) -> bool:
        """Give the lease back until a person confirms; False: the run is asked to stop instead."""
        ...

    async def confirm(
        self, run_id: str, proposal_id: str, said: Confirmed, at: datetime
    ) -> Run | None:
        """Record a person's word as a read of the run and queue the same attempt.

        None: there is no such run. Raises `Conflict` where it waits for nothing, or for another.
        """
        ...

    async def expire(self, at: datetime) -> Sequence[str]:
        """Cancel the runs that nobody confirmed in time; return their ids."""
        ...

    async def request_cancel(self, run_id: str, at: datetime) -> Run | None:
        """A queued or waiting run is cancelled at once; a running one is asked to stop."""
        ...

    async def reopen(self, run_id: str, at: datetime) -> Run | None:
        """A person's `resume`: attempt + 1, queued. None if there is no such run."""
        ...

    async def delete(self, run_id: str) -> bool: ...


class Access(Protocol):
    """Tokens and browser sessions, known by the SHA-256 of their secret."""

    async def add(self, token: Token, sha256: str) -> None: ...

    async def tokens(self) -> Sequence[Token]:
        """All, oldest first, those that were revoked included."""
        ...

    async def token(self, token_id: str) -> Token | None: ...

    async def named(self, name: str) -> Token | None: ...

    async def holder(self, sha256: str, at: datetime) -> Token | None:
        """The token with this secret, unless it was revoked; that it was used is noted."""
        ...

    async def revoke(self, token_id: str, at: datetime) -> bool:
        """No session of it lives on; False: there is no such token, or it was revoked before."""
        ...

    async def open(self, session: Session, sha256: str) -> None: ...

    async def session(self, sha256: str, at: datetime) -> Session | None: ...

    async def close(self, sha256: str) -> None: ...


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
        """Those that hold now, by domain."""
        ...

    async def history(self, domain: str | None = None) -> Sequence[Override]:
        """All that were ever made, newest first."""
        ...

    async def override(self, override: Override) -> None:
        """From now on this holds for its domain; an earlier one is taken back with it."""
        ...

    async def withdraw(self, domain: str, at: datetime, by: str, why: str) -> bool:
        """Take back what holds for a domain; False when nothing does."""
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
        """Documents that have no vectors of this model yet, oldest first."""
        ...

    async def put(self, model: str, pieces: Sequence[Piece]) -> None:
        """Keep vectors; those already there are left."""
        ...

    async def nearest(
        self, model: str, vector: Sequence[float], query: Query, now: datetime
    ) -> Sequence[ArchiveHit]:
        """The nearest documents that fulfil the query's demands, best first."""
        ...

    async def counts(self) -> Mapping[str, int]:
        """Documents that have vectors, by model."""
        ...

    def lacks(self) -> str | None:
        """The command that installs what comparing needs; None when it is there."""
        ...


class Pictures(Protocol):
    """Pictures that models look at: content-addressed, kept once."""

    async def put(self, picture: Picture) -> None: ...

    async def get(self, sha256: str) -> Picture | None: ...


class Index(Protocol):
    """The archive: everything ever read, searchable; text is content-addressed."""

    async def add(self, documents: Sequence[Document]) -> int:
        """Store and index in one transaction; documents already there are left; count of new."""
        ...

    async def search(self, query: Query, now: datetime) -> Sequence[ArchiveHit]: ...

    async def get(self, document_id: str) -> Document | None: ...

    async def by_url(self, canonical_url: str) -> Document | None:
        """The newest version of a page."""
        ...

    async def remove(self, document_ids: Sequence[str]) -> int:
        """Forget documents; bodies nobody uses any more go with them."""
        ...

    async def stats(self) -> ArchiveStats: ...


class Memory(Protocol):
    """Claims in two times. What runs teach is written by `Runs.finish`."""

    async def recall(self, wish: MemoryQuery, now: datetime) -> Sequence[RecalledClaim]:
        """The claims nearest to the wish, in an order that depends on nothing else."""
        ...

    async def find(self, prefix: str) -> Sequence[str]:
        """Ids of claims that start so, at most ten."""
        ...

    async def story(self, claim_id: str, as_of: datetime | None = None) -> ClaimHistory | None:
        """A claim with what it replaced and what replaced it; None: there is none."""
        ...

    async def withdraw(self, claim_id: str, withdrawal: Withdrawal) -> Held:
        """A person takes a claim back; kept with who, why and when."""
        ...

    async def forget(
        self, *, run_ids: Sequence[str] = (), document_ids: Sequence[str] = ()
    ) -> Forgotten:
        """Take out what rests on runs or documents; what it replaced does not come back."""
        ...
