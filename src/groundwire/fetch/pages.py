"""Pages and lists of pages on the gateway: read once, recorded, shared by HTTP's own rules."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeAlias

from pydantic import ValidationError

from groundwire.errors import (
    ForbiddenAddress,
    ForbiddenByRobots,
    Malformed,
    Missing,
    OutsideFailure,
    Unreadable,
)
from groundwire.evidence.sources.urls import canonical_url, host_of, scrub_url
from groundwire.fetch.reader import ReadOutcome, Validators
from groundwire.gateway.call import Call, Reply, Scope, Sending, Sharing
from groundwire.gateway.gateway import Gateway
from groundwire.model.base import JsonObject
from groundwire.model.feed import Feed, Outline, Sitemap
from groundwire.model.ports import Index, Sources
from groundwire.model.recovery import Recovery
from groundwire.model.source import Document, DocumentRead, Override

# A page that went stale stays useful for a conditional GET this long.
_KEPT = timedelta(days=30).total_seconds()

_HELD = ("document_id", "listed", "moved")  # what an answer can be
_HOP, _MOST_HOPS = ">", 5

Listed: TypeAlias = Feed | Outline | Sitemap
_LISTS: dict[str, type[Feed] | type[Outline] | type[Sitemap]] = {
    "feed": Feed,
    "outline": Outline,
    "sitemap": Sitemap,
}


def _fresh(response: JsonObject, stored_at: datetime, now: datetime) -> bool:
    max_age = response.get("max_age")
    return isinstance(max_age, int) and now < stored_at + timedelta(seconds=max_age)


_SHARED = Sharing(seconds=_KEPT, fresh=_fresh)
# What was kept serves to ask whether the page has changed, never instead of asking.
_ASKED_AGAIN = Sharing(seconds=_KEPT, fresh=lambda response, stored_at, now: False)
_FRESH = "fresh"  # the occasion: a read of the same page that was not fresh is another call


@dataclass(frozen=True, slots=True)
class _Opened:
    """What an address gave, and what it took; `unchanged`: the site says that ours still stands."""

    value: Document | Listed
    recoveries: tuple[Recovery, ...] = ()
    unchanged: bool = False


class Reader(Protocol):
    async def read(
        self, url: str, *, validators: Validators | None = None, feed: bool = False
    ) -> ReadOutcome: ...


class Manners(Protocol):
    """Who is asked whether a page may be read."""

    async def check(self, scope: Scope, url: str, *, obey: bool = True) -> None: ...


@dataclass(slots=True, eq=False)
class Pages:
    """The run's way to pages and to the stored documents behind evidence."""

    reader: Reader
    gateway: Gateway
    index: Index
    sources: Sources
    _: KW_ONLY
    timeout: float
    robots: Manners | None = None
    feed_ttl: float = 600.0

    async def read(
        self,
        scope: Scope,
        url: str,
        occasion: str = "",
        *,
        robots: bool = True,
        fresh: bool = False,
    ) -> DocumentRead:
        """Read the document behind a URL; raises `OutsideFailure`.

        `fresh`: the site is asked whatever was kept of the page; the stored copy is given, and
        called that, where the site says that it still stands or does not answer.
        """
        try:
            occasion = f"{_FRESH}{occasion}" if fresh else occasion
            found = await self._open(
                scope, url, occasion, robots=robots, sharing=_ASKED_AGAIN if fresh else _SHARED
            )
        except (ForbiddenAddress, ForbiddenByRobots):
            raise
        except OutsideFailure as error:
            held = await self.held(scope, url) if fresh else None
            if held is None:
                raise
            kept = Recovery(error=error.code, tried="stored", outcome="worked")
            return DocumentRead(document=held, stored=True, recoveries=(kept,))
        if not isinstance(found.value, Document):
            kind = type(found.value).__name__.lower()
            raise Unreadable("outside.gives_other", what=kind)
        return DocumentRead(
            document=found.value,
            stored=fresh and found.unchanged,
            recoveries=found.recoveries,
        )

    async def feed(self, scope: Scope, url: str) -> Feed:
        """Return the feed behind a URL, once a run; raises `OutsideFailure`.

        A feed that does not say how long it holds is shared for a while, as searches are.
        """

        def fresh(response: JsonObject, stored_at: datetime, now: datetime) -> bool:
            if response.get("max_age") is None:
                return now < stored_at + timedelta(seconds=self.feed_ttl)
            return _fresh(response, stored_at, now)

        found = await self.open(scope, url, sharing=Sharing(seconds=_KEPT, fresh=fresh))
        if isinstance(found, Feed):
            return found
        raise Malformed("outside.gives_no_feed")

    async def open(
        self,
        scope: Scope,
        url: str,
        occasion: str = "",
        *,
        robots: bool = True,
        feed: bool = False,
        sharing: Sharing = _SHARED,
    ) -> Document | Listed:
        """Return whatever is behind a URL: a page, or a list of pages; raises `OutsideFailure`.

        `feed`: of a page, the feed that it names is wanted, as an outline.
        """
        found = await self._open(scope, url, occasion, robots=robots, feed=feed, sharing=sharing)
        return found.value

    async def _open(
        self,
        scope: Scope,
        url: str,
        occasion: str,
        *,
        robots: bool,
        feed: bool = False,
        sharing: Sharing,
    ) -> _Opened:
        if self.robots is not None:
            await self.robots.check(scope, url, obey=robots)
        call = Call(
            kind="fetch",
            provider="web",
            request={"url": scrub_url(url), **({"wanted": "feed"} if feed else {})},
            occasion=occasion,
            lane=host_of(url),
            timeout=self.timeout,
            tries=3,
            sharing=sharing,
        )

        async def send(sending: Sending) -> Reply:
            return Reply(await self._sent(url, sending.stale, feed=feed))

        record = await self.gateway.call(scope, call, send)
        response = record.response or {}
        if "listed" in response:
            return _Opened(_listed(response["listed"]), record.recoveries)
        if "moved" in response:
            return await self._moved(scope, call, str(response["moved"]), robots=robots, feed=feed)
        document_id = str(response.get("document_id"))
        document = await self.index.get(document_id)
        if document is not None:
            return _Opened(document, record.recoveries, unchanged=bool(response.get("unchanged")))
        if scope.mode != "replay" and sharing.seconds and record.via != "sent":
            # A shared answer outlives the page it names when a person forgets that page.
            again = f"{occasion}again"
            return await self._open(scope, url, again, robots=robots, sharing=Sharing())
        _miss(scope, document_id)
        raise Missing("outside.page_forgotten")

    async def _moved(
        self, scope: Scope, call: Call, url: str, *, robots: bool, feed: bool
    ) -> _Opened:
        """Ask another host, by its own rules; each hop is a call of its own, a few at most."""
        hops = call.occasion.count(_HOP) + 1
        if hops > _MOST_HOPS:
            raise Unreadable("outside.redirects", n=_MOST_HOPS)
        occasion = call.occasion + _HOP
        return await self._open(
            scope, url, occasion, robots=robots, feed=feed, sharing=call.sharing
        )

    async def _sent(self, url: str, stale: JsonObject | None, *, feed: bool) -> JsonObject:
        """Ask the site, and keep what it gives before the record that names it."""
        if stale is not None and "document_id" in stale:
            held = await self.index.get(str(stale["document_id"]))
            stale = None if held is None else stale
        outcome = await self.reader.read(url, validators=_validators(stale), feed=feed)
        response: JsonObject = {
            "max_age": outcome.max_age,
            "validators": outcome.validators.model_dump(mode="json"),
        }
        if outcome.document is not None:
            # A record never points at nothing.
            await self.index.add([outcome.document])
            return {"document_id": outcome.document.id, **response}
        if outcome.listed is not None:
            return {"listed": outcome.listed, **response}
        if outcome.moved is not None:
            return {"moved": outcome.moved, **response}
        if stale is None:
            raise Missing("outside.never_read")
        kept = {name: stale[name] for name in _HELD if name in stale}
        return {**kept, **response, "unchanged": True}

    async def stored(self, scope: Scope, document_id: str) -> Document | None:
        """Return a page of the archive by its id; that it was there is recorded (rule a)."""

        async def get() -> JsonObject:
            return {"held": await self.index.get(document_id) is not None}

        call = Call(kind="read", provider="document", request={"id": document_id})
        record = await self.gateway.read(scope, call, get)
        return await self._kept(scope, document_id if (record.response or {})["held"] else None)

    async def held(self, scope: Scope, url: str) -> Document | None:
        """Return the newest copy of a page in the archive; which one is recorded (rule a)."""
        address = canonical_url(url)

        async def get() -> JsonObject:
            document = await self.index.by_url(address)
            return {"document_id": None if document is None else document.id}

        call = Call(kind="read", provider="document", request={"url": scrub_url(address)})
        found = (await self.gateway.read(scope, call, get)).response or {}
        return await self._kept(scope, found.get("document_id"))

    async def _kept(self, scope: Scope, document_id: str | None) -> Document | None:
        document = None if document_id is None else await self.index.get(document_id)
        if document_id is not None and document is None:
            _miss(scope, document_id)
        return document

    async def overrides(self, scope: Scope) -> tuple[Override, ...]:
        """Return what analysts said of sources when this run first asked; recorded (rule a)."""

        async def get() -> JsonObject:
            return {
                "held": [each.model_dump(mode="json") for each in await self.sources.overrides()]
            }

        call = Call(kind="read", provider="sources", request={"overrides": "all"})
        rows: list[JsonObject] = ((await self.gateway.read(scope, call, get)).response or {})[
            "held"
        ]
        return tuple(Override.model_validate(row) for row in rows)

    async def keep(self, document: Document) -> None:
        """Store what a run made a document of itself: a snippet, an entry of a feed."""
        await self.index.add([document])


def _miss(scope: Scope, document_id: str) -> None:
    """A replay says which pages a person has had forgotten."""
    if scope.mode == "replay":
        scope.missing.append(f"page {document_id}, which has been forgotten")


def _listed(response: JsonObject) -> Listed:
    try:
        return _LISTS[str(response["kind"])].model_validate(response["value"])
    except (KeyError, ValidationError) as error:
        raise Malformed("outside.record_unreadable") from error


def _validators(stale: JsonObject | None) -> Validators | None:
    return Validators.model_validate(stale["validators"]) if stale else None
