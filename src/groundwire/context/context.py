"""What a step may touch: search, read, ask, recall, query, confirm, emit, the run's clock and seed;
nothing else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from groundwire.data.provider import Ask
from groundwire.errors import Missing, SettingsError
from groundwire.gateway.call import Scope
from groundwire.model.base import JsonObject, Value
from groundwire.model.event import Draft, EventType, event_key
from groundwire.model.feed import Feed, Outline, Sitemap
from groundwire.model.memory import MemoryQuery, Recollection
from groundwire.model.picture import PictureRef
from groundwire.model.proposal import PERSON, Confirmed, Proposal
from groundwire.model.query import Hit, Query, SearchReport
from groundwire.model.source import Document, Evidence, Override
from groundwire.model.tool import ToolName
from groundwire.reasoning.question import Answer, I, O, Question

if TYPE_CHECKING:
    from groundwire.context.mind import Mind
    from groundwire.context.recall import Recall
    from groundwire.data.api import Apis
    from groundwire.embed.likeness import Likeness
    from groundwire.fetch.pages import Pages
    from groundwire.fetch.pictures import Pictures
    from groundwire.gateway.gateway import Gateway
    from groundwire.model.ports import Messages, Quota, Signals
    from groundwire.search.chain import Chain

P = TypeVar("P", bound=Value)


class Waiting(BaseException):
    """The run has to wait for a person: its steps are left, and taken again when there is a word.

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
    """What the desk keeps beside its runs. Each is opened when it is first asked for. What a job reads here goes through
    `Context.query`, so that a restart and a replay see the same."""

    signals: Callable[[], Signals]
    messages: Callable[[], Messages]
    quota: Callable[[], Quota]
    remembers: bool  # memory is on
    twins: bool  # the same event told again is looked for: the fourth layer of dedup
    tool_calls: int  # of a day
    clock: Callable[[], datetime]


@dataclass(frozen=True)
class Parts:
    """What the app built for a run from its fixed settings."""

    search: Chain
    pages: Pages
    mind: Mind
    memory: Recall
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
    # Shared by all steps of the run: an event is known by its place in its step.
    _ordinals: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    latencies: dict[str, int] = field(default_factory=dict[str, int])  # milliseconds by step
    _overrides: list[tuple[Override, ...]] = field(default_factory=list[tuple[Override, ...]])
    _judging: asyncio.Lock = field(default_factory=asyncio.Lock)

    def now(self) -> datetime:
        """The run's clock: fixed at submit, the same after a restart."""
        return self.scope.now

    def step(self, name: str) -> Context:
        path = f"{self.path}/{name}" if self.path else name
        return replace(self, path=path)

    @contextmanager
    def timed(self, name: str) -> Generator[None]:
        """Adds to how long steps of this name took; shown, never part of a digest."""
        began = time.monotonic()
        try:
            yield
        finally:
            took = round((time.monotonic() - began) * 1000)
            self.latencies[name] = self.latencies.get(name, 0) + took

    async def search(self, query: Query, occasion: str = "") -> SearchReport:
        return await self.parts.search.search(self.scope, query, occasion)

    async def look_ahead(self, query: Query, occasion: str) -> None:
        """Begin a search that is about to be made, to save the time: it makes no call again."""
        await self.parts.search.look_ahead(self.scope, query, occasion)

    async def read(self, hit: Hit, *, robots: bool = True, fresh: bool = False) -> Evidence:
        """Read the page behind a hit, from the archive when it holds it; raises `OutsideFailure`.

        `fresh`: the site is asked all the same; where it says that the page has not changed, or
        does not answer, the stored copy is given, flagged `stored`.
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
        """Whatever an address gives: a page, now in the archive, or a list of pages.

        `feed`: of a page that names its feed, the outline with that feed is wanted.
        """
        return await self.parts.pages.open(self.scope, url, robots=robots, feed=feed)

    async def keep(self, document: Document) -> None:
        """Put a document that the run made itself into the archive."""
        await self.parts.pages.keep(document)

    async def held(self, hit: Hit) -> Evidence | None:
        """The newest copy of the page that the archive holds, marked as a stored one."""
        document = await self.parts.pages.held(self.scope, hit.url)
        if document is None:
            return None
        return _flagged_stored(await self._judged(await _page(document, hit)))

    async def snippet(self, hit: Hit) -> Evidence:
        """What the search showed of a page that could not be read: citable, marked, weaker."""
        from groundwire.evidence.pages.assembly import snippet_evidence

        evidence = snippet_evidence(hit, self.now())
        await self.parts.pages.keep(evidence.document)
        return await self._judged(evidence)

    async def _judged(self, evidence: Evidence) -> Evidence:
        """With what analysts say of its source; looked up once a run."""
        from groundwire.evidence.sources.overrides import judged

        async with self._judging:
            if not self._overrides:
                self._overrides.append(await self.parts.pages.overrides(self.scope))
        return judged(evidence, self._overrides[0])

    async def picture(self, url: str) -> PictureRef:
        """Which picture is behind a URL; a question may show it. Raises `OutsideFailure`."""
        return await self.parts.pictures.fetch(self.scope, url)

    async def ask(
        self, question: Question[I, O], given: I, *, language: str, occasion: str = ""
    ) -> Answer[O]:
        return await self.parts.mind.answer(
            self.scope, self.seed, question, given, language, occasion
        )

    async def data(self, ask: Ask, occasion: str = "") -> JsonObject | None:
        """Numbers from a JSON API; None: it says that there is no such thing.

        Raises `OutsideFailure`.
        """
        return await self.parts.data.get(self.scope, ask, occasion)

    def likeness(self) -> Likeness:
        """The archive by meaning; refused where no embedding model is set."""
        if self.parts.likeness is None:
            raise SettingsError("error.no_embedding_model", hint="hint.set_embedding_model")
        return self.parts.likeness

    async def recall(self, wish: MemoryQuery, occasion: str = "") -> Recollection:
        """What is believed about this, nearest first; says so when memory is off or away."""
        return await self.parts.memory.recall(self.scope, wish, occasion)

    async def query(
        self,
        provider: str,
        request: JsonObject,
        get: Callable[[], Awaitable[JsonObject]],
        occasion: str = "",
    ) -> JsonObject:
        """Read what the desk keeps: `get` looks once, and its answer is recorded, so that a restart
        and a replay see the same. Raises `OutsideFailure` in a replay that lacks the record."""
        return await self.parts.reads.look(self.scope, provider, request, get, occasion)

    async def confirm(self, proposal: P, occasion: str = "") -> Confirmation[P]:
        """Ask a person to confirm a value, as it is or edited; leave the run until somebody does.

        The job declares the types that it proposes. `occasion` tells apart what is proposed
        twice in one step.
        """
        form = type(proposal)
        fields = proposal.model_dump(mode="json")
        place = "/".join(part for part in (self.path, occasion) if part)
        asked = Proposal(form=form.__name__, fields=fields, occasion=place)
        about: JsonObject = {"proposal": asked.id, "form": asked.form}
        await self.emit("proposal", {**about, "fields": fields, "confirmed": False})

        async def get() -> JsonObject:
            raise Waiting(asked)

        answer = await self.parts.reads.look(self.scope, PERSON, asked.request, get, place)
        said = Confirmed.model_validate(answer)
        told: JsonObject = {"fields": said.fields, "confirmed": True, "edited": said.edited}
        await self.emit("proposal", {**about, **told})
        return Confirmation(form.model_validate(said.fields), said.edited, said.by)

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
    # Deferred: a run's first event comes before all that reads text.
    from groundwire.evidence.pages.assembly import page_evidence

    # A long page takes a while to cut up: in a thread, so that other runs go on.
    return await asyncio.to_thread(page_evidence, document, hit)
