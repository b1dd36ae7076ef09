"""What a step may touch: search, read, ask, recall, query, confirm, emit, clock and seed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from groundwire.context.recall import OFF, recorded
from groundwire.context.standings import Asking, Standings
from groundwire.data.provider import DataRequest
from groundwire.errors import Missing, SettingsError
from groundwire.gateway.call import Scope
from groundwire.model.base import JsonObject, Value
from groundwire.model.event import Draft, EventType, event_key
from groundwire.model.feed import Feed, Outline, Sitemap
from groundwire.model.memory import MemoryQuery, Recollection
from groundwire.model.picture import PictureRef
from groundwire.model.proposal import PERSON, Confirmed, Offered, Proposal
from groundwire.model.query import Hit, Query, SearchReport
from groundwire.model.result import Decided, Recovered
from groundwire.model.source import Document, Evidence, Override
from groundwire.model.tool import ToolName
from groundwire.reasoning.question import Answer, I, O, Question

if TYPE_CHECKING:
    from groundwire.context.mind import Mind
    from groundwire.data.api import Apis
    from groundwire.embed.likeness import Likeness
    from groundwire.fetch.pages import Pages
    from groundwire.fetch.pictures import Pictures
    from groundwire.gateway.gateway import Gateway
    from groundwire.model.exam import Standing
    from groundwire.model.ports import Memory, Messages, PastRuns, Quota, Signals
    from groundwire.search.chain import Chain

P = TypeVar("P", bound=Value)


class Waiting(BaseException):
    """The run has to wait for a person; its steps run again once somebody has answered.

    No failure, so no step may catch it by mistake; only the runner does.
    """

    def __init__(self, proposal: Proposal) -> None:
        super().__init__(f"waiting for a person to confirm {proposal.form}")
        self.proposal = proposal


@dataclass(frozen=True)
class Confirmation(Generic[P]):
    """What a person confirmed."""

    value: P  # as it was proposed, or as it was edited
    edited: bool
    by: str


class Emitter(Protocol):
    async def append(self, drafts: Sequence[Draft]) -> None: ...


@dataclass(frozen=True)
class Tables:
    """What the desk stores beside its runs, opened on first use. Jobs read it through
    `Context.query`, so that a restart and a replay see the same."""

    memory: Callable[[], Memory]
    signals: Callable[[], Signals]
    messages: Callable[[], Messages]
    quota: Callable[[], Quota]
    runs: Callable[[], PastRuns]  # which the submitter owns: checked at submit
    remembers: bool  # memory is on
    twins: bool  # whether repeats of an event are looked for: the fourth layer of dedup
    tool_calls: int  # of a day
    clock: Callable[[], datetime]


@dataclass(frozen=True)
class Parts:
    """What the app built for a run from its fixed settings."""

    search: Chain
    pages: Pages
    mind: Mind
    pictures: Pictures
    data: Apis  # numbers from JSON APIs
    reads: Gateway
    tables: Tables  # other messages and signals
    limits: JsonObject  # settings of jobs by their kind, as fixed at submit
    enabled: tuple[ToolName, ...] = ()  # tools that a job may use
    results: int | None = None  # of a search where no number is given
    likeness: Likeness | None = None  # where an embedding model is set
    tools: JsonObject = field(default_factory=dict)  # thresholds of tools, as fixed at submit


@dataclass
class Context:
    """One run's view of the world; `step()` gives the same view under a longer path."""

    run_id: str
    seed: str
    scope: Scope
    parts: Parts
    emitter: Emitter
    path: str = ""
    # Shared by all steps of the run: an event's key is its place in its step.
    _ordinals: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    latencies: dict[str, int] = field(default_factory=dict[str, int])  # milliseconds by step
    _overrides: list[tuple[Override, ...]] = field(default_factory=list[tuple[Override, ...]])
    _standings: Standings = field(default_factory=Standings)
    _judging: asyncio.Lock = field(default_factory=asyncio.Lock)

    def now(self) -> datetime:
        """Return the run's clock: fixed at submit, the same after a restart."""
        return self.scope.now

    def step(self, name: str) -> Context:
        path = f"{self.path}/{name}" if self.path else name
        return replace(self, path=path)

    @contextmanager
    def timed(self, name: str) -> Generator[None]:
        """Add to how long steps of this name took; shown, never part of a digest."""
        began = time.monotonic()
        try:
            yield
        finally:
            took = round((time.monotonic() - began) * 1000)
            self.latencies[name] = self.latencies.get(name, 0) + took

    async def search(self, query: Query, occasion: str = "") -> SearchReport:
        return await self.parts.search.search(self.scope, query, occasion)

    async def look_ahead(self, query: Query, occasion: str) -> None:
        """Start a search that is about to be made; the search itself then makes no second call."""
        await self.parts.search.look_ahead(self.scope, query, occasion)

    async def read(self, hit: Hit, *, robots: bool = True, fresh: bool = False) -> Evidence:
        """Read the page behind a hit, from the archive when it holds it; raises `OutsideFailure`.

        `fresh` asks the site anyway; if it answers "not changed", or not at all, the stored copy
        is returned, flagged `stored`.
        """
        if hit.document_id is not None and not fresh:
            document = await self.parts.pages.stored(self.scope, hit.document_id)
            if document is None:
                raise Missing("outside.page_gone")
            return await self._judged(await _page(document, hit))
        found = await self.parts.pages.read(self.scope, hit.url, robots=robots, fresh=fresh)
        evidence = await self._judged(await _page(found.document, hit))
        if found.stored:
            evidence = _flagged_stored(evidence)
        return evidence.model_copy(update={"recoveries": found.recoveries})

    async def open(
        self, url: str, *, robots: bool = True, feed: bool = False
    ) -> Document | Feed | Outline | Sitemap:
        """Open an address: a page, which goes into the archive, or a list of pages.

        `feed`: for a page that names its feed, return the outline with that feed instead.
        """
        return await self.parts.pages.open(self.scope, url, robots=robots, feed=feed)

    async def keep(self, document: Document) -> None:
        """Put a document that the run made itself into the archive."""
        await self.parts.pages.keep(document)

    async def held(self, hit: Hit) -> Evidence | None:
        """Return the archive's newest copy of the page, flagged `stored`."""
        document = await self.parts.pages.held(self.scope, hit.url)
        if document is None:
            return None
        return _flagged_stored(await self._judged(await _page(document, hit)))

    async def snippet(self, hit: Hit) -> Evidence:
        """Return what the search showed of an unreadable page: citable, marked, weaker."""
        from groundwire.evidence.pages.assembly import snippet_evidence

        evidence = snippet_evidence(hit, self.now())
        await self.parts.pages.keep(evidence.document)
        return await self._judged(evidence)

    async def _judged(self, evidence: Evidence) -> Evidence:
        """Apply the analysts' overrides for its source, which are looked up once a run."""
        from groundwire.evidence.sources.overrides import apply_override

        async with self._judging:
            if not self._overrides:
                self._overrides.append(await self.parts.pages.overrides(self.scope))
        return apply_override(evidence, self._overrides[0])

    async def picture(self, url: str) -> PictureRef:
        """Fetch the picture behind a URL, for a question to show. Raises `OutsideFailure`."""
        return await self.parts.pictures.fetch(self.scope, url)

    async def ask(
        self, question: Question[I, O], given: I, *, language: str, occasion: str = ""
    ) -> Answer[O]:
        """Ask a model of the question's tier, or the embedded reasoner; the answer says which."""
        found = await self.parts.mind.answer(self._asking, question, given, language, occasion)
        self._standings.note(question, found, f"{self.path}:{occasion}")
        return found

    async def examine(
        self, question: Question[I, O], who: str = "", *, again: bool = False
    ) -> tuple[Standing, ...]:
        """Return the standings of models in a question; one without marks, or `again`, sits the exam.

        `who` is a model, a tier, or "" for all that would be asked.
        """
        return await self.parts.mind.examine(self._asking, question, who, again=again)

    def recovered(self) -> tuple[Recovered, ...]:
        """Return what was tried in this run so far where a model gave no answer."""
        return self._standings.recovered()

    def decided(self) -> tuple[Decided, ...]:
        """Return who answered the questions of this run so far, where something hangs on it."""
        return self._standings.decided()

    @property
    def _asking(self) -> Asking:
        async def tell(path: str, payload: JsonObject) -> None:
            await replace(self, path=path).emit("progress", payload)

        return Asking(self.scope, self.seed, self._standings, tell)

    async def data(self, ask: DataRequest, occasion: str = "") -> JsonObject | None:
        """Get numbers from a JSON API; None: it knows no such thing. Raises `OutsideFailure`."""
        return await self.parts.data.get(self.scope, ask, occasion)

    def likeness(self) -> Likeness:
        """Return the archive's search by meaning; refused where no embedding model is set."""
        if self.parts.likeness is None:
            raise SettingsError("error.no_embedding_model", hint="hint.set_embedding_model")
        return self.parts.likeness

    async def recall(self, query: MemoryQuery, occasion: str = "") -> Recollection:
        """Recall what is believed about this, nearest first; memory may be off or unavailable."""
        tables = self.parts.tables
        if not tables.remembers:
            return OFF

        async def find() -> Recollection:
            entries = await tables.memory().recall(query, self.now())
            return Recollection(state="ok", entries=tuple(entries))

        request = {"recall": query.model_dump(mode="json")}
        return await recorded(self, Recollection, "memory", request, find, occasion)

    async def query(
        self,
        provider: str,
        request: JsonObject,
        get: Callable[[], Awaitable[JsonObject]],
        occasion: str = "",
    ) -> JsonObject:
        """Read what the desk stores: `get` runs once, and a restart or replay sees its record.

        Raises `OutsideFailure` in a replay that lacks the record.
        """
        return await self.parts.reads.recorded_read(self.scope, provider, request, get, occasion)

    async def confirm(
        self, proposal: P, occasion: str = "", offers: Sequence[Offered] = ()
    ) -> Confirmation[P]:
        """Ask a person to confirm a value or edit it; the run pauses until somebody does.

        The job declares the types it proposes; `occasion` tells two proposals of one step apart.
        `offers` are finished runs to open instead.
        """
        form = type(proposal)
        fields = proposal.model_dump(mode="json")
        occasion_path = "/".join(part for part in (self.path, occasion) if part)
        proposed = Proposal(
            form=form.__name__, fields=fields, occasion=occasion_path, offers=tuple(offers)
        )
        about: JsonObject = {"proposal": proposed.id, "form": proposed.form}
        await self.emit("proposal", {**about, "fields": fields, "confirmed": False})

        async def get() -> JsonObject:
            raise Waiting(proposed)

        answer = await self.parts.reads.recorded_read(
            self.scope, PERSON, proposed.request, get, occasion_path
        )
        confirmed = Confirmed.model_validate(answer)
        outcome: JsonObject = {"fields": confirmed.fields, "confirmed": True}
        await self.emit("proposal", {**about, **outcome, "edited": confirmed.edited})
        return Confirmation(form.model_validate(confirmed.fields), confirmed.edited, confirmed.by)

    async def emit(self, kind: EventType, payload: JsonObject) -> None:
        place = (self.path, kind)
        ordinal = self._ordinals.get(place, 0)
        self._ordinals[place] = ordinal + 1
        attempt = self.scope.lease.attempt
        key = event_key(self.run_id, attempt, self.path, kind, ordinal)
        draft = Draft(key=key, attempt=attempt, step=self.path, type=kind, payload=payload)
        await self.emitter.append([draft])


def _flagged_stored(evidence: Evidence) -> Evidence:
    return evidence.model_copy(update={"flags": tuple(sorted({*evidence.flags, "stored"}))})


async def _page(document: Document, hit: Hit) -> Evidence:
    # Deferred, so that a run's first event does not wait for this import.
    from groundwire.evidence.pages.assembly import page_evidence

    # Splitting a long page takes a while: in a thread, so that other runs go on.
    return await asyncio.to_thread(page_evidence, document, hit)
