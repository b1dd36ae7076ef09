"""Pages and lists of pages on the gateway: read once, recorded, shared by HTTP's own rules."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeAlias

from pydantic import ValidationError

from groundwire.errors import (
    ForbiddenAddress,
    ForbiddenByRobots,
    Malformed,
    Missing,
    OutsideFailure,
    Refused,
    Unreadable,
)
from groundwire.evidence.sources.urls import canonical_url, host_of, scrub_url
from groundwire.fetch.reader import PageReader, Validators
from groundwire.fetch.robots import Robots
from groundwire.gateway.call import Call, Reply, Scope, Sending, Sharing
from groundwire.gateway.gateway import Gateway
from groundwire.model.base import JsonObject
from groundwire.model.call import Recovery
from groundwire.model.feed import Feed, Outline, Sitemap
from groundwire.model.phrase import phrase
from groundwire.model.ports import Index, Sources
from groundwire.model.source import Document, DocumentRead, Override

# A page that went stale stays useful for a conditional GET this long.
_SHARED_SECONDS = timedelta(days=30).total_seconds()

_CONTENT_KEYS = ("document_id", "listed", "moved")  # one of them is in each answer
_HOP, _MOST_HOPS = ">", 5
_FORBIDDEN = 403
_LARGEST = 5_000_000  # bytes of an outline on the disk

Listed: TypeAlias = Feed | Outline | Sitemap
_LISTS: dict[str, type[Feed] | type[Outline] | type[Sitemap]] = {
    "feed": Feed,
    "outline": Outline,
    "sitemap": Sitemap,
}


def _fresh(response: JsonObject, stored_at: datetime, now: datetime) -> bool:
    max_age = response.get("max_age")
    return isinstance(max_age, int) and now < stored_at + timedelta(seconds=max_age)


_SHARED = Sharing(seconds=_SHARED_SECONDS, fresh=_fresh)
# A kept answer serves to ask whether the page has changed, never instead of asking.
_ALWAYS_ASK = Sharing(seconds=_SHARED_SECONDS, fresh=lambda response, stored_at, now: False)
_FRESH = "fresh"  # the occasion: a read of the same page that was not fresh is another call


@dataclass(frozen=True, slots=True)
class _ReadOptions:
    """How to read an address; the occasion tells several calls for one address apart.

    `feed`: the feed that a page names is wanted. `sharing`: which kept answers may serve.
    """

    robots: bool = True
    feed: bool = False
    sharing: Sharing = _SHARED
    occasion: str = ""
    proxied: bool = False  # through a proxy of the user's own


@dataclass(frozen=True, slots=True)
class _Opened:
    """What an address gave, and what it took; `unchanged`: the site says our copy still stands."""

    value: Document | Listed
    recoveries: tuple[Recovery, ...] = ()
    unchanged: bool = False


@dataclass(slots=True, eq=False)
class Pages:
    """A run's access to pages and to the stored documents behind evidence."""

    reader: PageReader
    gateway: Gateway
    index: Index
    sources: Sources
    _: KW_ONLY
    timeout: float
    robots: Robots
    feed_ttl: float
    proxied: bool = False  # whether the user has proxies for what sites refuse

    async def read(
        self, scope: Scope, url: str, *, robots: bool = True, fresh: bool = False
    ) -> DocumentRead:
        """Read the document behind a URL; raises `OutsideFailure`.

        `fresh`: ask the site whatever is stored; return the stored copy, marked as such, only where
        the site says that it still stands or does not answer.
        """
        try:
            asking_again = _ReadOptions(robots, sharing=_ALWAYS_ASK, occasion=_FRESH)
            options = asking_again if fresh else _ReadOptions(robots)
            found = await self._insist(scope, url, options)
        except (ForbiddenAddress, ForbiddenByRobots):
            raise
        except OutsideFailure as error:
            stored = await self.held(scope, url) if fresh else None
            if stored is None:
                raise
            held = Recovery.of(error.code, "stored", worked=True)
            recoveries = (*Recovery.in_vain(error), held)
            return DocumentRead(document=stored, stored=True, recoveries=recoveries)
        if not isinstance(found.value, Document):
            kind = type(found.value).__name__.lower()
            raise Unreadable("outside.gives_other", what=kind)
        return DocumentRead(
            document=found.value,
            stored=fresh and found.unchanged,
            recoveries=found.recoveries,
        )

    async def _insist(self, scope: Scope, url: str, options: _ReadOptions) -> _Opened:
        """Open a page; one that the site refuses is asked for once more through the user's proxy."""
        try:
            return await self._open(scope, url, options)
        except Refused as error:
            if not self.proxied or error.status != _FORBIDDEN:
                raise
            try:
                found = await self._open(scope, url, replace(options, proxied=True))
            except OutsideFailure:
                error.in_vain = (*error.in_vain, "proxy")
                raise error from None
            proxied = Recovery.of(error.code, "proxy", worked=True)
            return replace(found, recoveries=(proxied, *found.recoveries))

    async def feed(self, scope: Scope, url: str) -> Feed:
        """Read the feed behind a URL, once a run; raises `OutsideFailure`.

        A feed that does not say how long it holds is shared for a while, as searches are.
        """

        def fresh(response: JsonObject, stored_at: datetime, now: datetime) -> bool:
            if response.get("max_age") is None:
                return now < stored_at + timedelta(seconds=self.feed_ttl)
            return _fresh(response, stored_at, now)

        options = _ReadOptions(sharing=Sharing(seconds=_SHARED_SECONDS, fresh=fresh))
        found = (await self._open(scope, url, options)).value
        if isinstance(found, Feed):
            return found
        raise Malformed("outside.gives_no_feed")

    async def outline(self, scope: Scope, place: str) -> Outline:
        """Read the feeds that an address or a file lists; what a file held is recorded (rule a)."""
        if place.lower().startswith(("http://", "https://")):
            found = await self.open(scope, place)
            if isinstance(found, Outline):
                return found
            raise Malformed("outside.gives_no_opml")
        # By its hash: readers of the record need not learn where the file is.
        name = hashlib.sha256(place.encode()).hexdigest()[:16]
        response = await self.gateway.recorded_read(
            scope, "feeds", {"opml": name}, lambda: _file(place)
        )
        if "error" in response:
            params: JsonObject = response.get("params") or {}
            raise Unreadable(str(response["error"]), **params)
        try:
            return Outline.model_validate(response["outline"])
        except ValidationError as error:
            raise Malformed("outside.record_unreadable") from error

    async def open(
        self, scope: Scope, url: str, *, robots: bool = True, feed: bool = False
    ) -> Document | Listed:
        """Read whatever is behind a URL: a page, or a list of pages; raises `OutsideFailure`.

        `feed`: instead of a page, return the feed that it names, as an outline.
        """
        return (await self._open(scope, url, _ReadOptions(robots, feed))).value

    async def _open(self, scope: Scope, url: str, options: _ReadOptions) -> _Opened:
        await self.robots.check(scope, url, obey=options.robots)
        call = Call(
            kind="fetch",
            provider="web",
            request={
                "url": scrub_url(url),
                **({"wanted": "feed"} if options.feed else {}),
                **({"through": "proxy"} if options.proxied else {}),
            },
            occasion=options.occasion,
            # A proxy that is down says nothing of the host.
            lane=f"proxy:{host_of(url)}" if options.proxied else host_of(url),
            timeout=self.timeout,
            tries=1 if options.proxied else 3,
            sharing=options.sharing,
        )

        async def send(sending: Sending) -> Reply:
            return Reply(await self._fetch(url, sending.stale, options))

        record = await self.gateway.call(scope, call, send)
        response = record.response or {}
        if "listed" in response:
            return _Opened(_listed(response["listed"]), record.recoveries)
        if "moved" in response:
            # Another host is asked by its own rules: each hop is a call of its own, a few at most.
            if options.occasion.count(_HOP) >= _MOST_HOPS:
                raise Unreadable("outside.redirects", n=_MOST_HOPS)
            next_hop = replace(options, occasion=options.occasion + _HOP)
            return await self._open(scope, str(response["moved"]), next_hop)
        document_id = str(response.get("document_id"))
        document = await self.index.get(document_id)
        if document is not None:
            return _Opened(document, record.recoveries, unchanged=bool(response.get("unchanged")))
        if scope.mode != "replay" and options.sharing.seconds and record.via != "sent":
            # A shared answer outlives the page it names when a person forgets that page.
            unshared = replace(
                options, feed=False, sharing=Sharing(), occasion=f"{options.occasion}again"
            )
            return await self._open(scope, url, unshared)
        _note_missing(scope, document_id)
        raise Missing("outside.page_forgotten")

    async def _fetch(self, url: str, stale: JsonObject | None, options: _ReadOptions) -> JsonObject:
        """Ask the site, and store what it gives before the record that names it."""
        if stale is not None and "document_id" in stale:
            document = await self.index.get(str(stale["document_id"]))
            stale = None if document is None else stale
        validators = Validators.model_validate(stale["validators"]) if stale else None
        outcome = await self.reader.read(
            url, validators=validators, feed=options.feed, proxied=options.proxied
        )
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
        content = {name: stale[name] for name in _CONTENT_KEYS if name in stale}
        return {**content, **response, "unchanged": True}

    async def stored(self, scope: Scope, document_id: str) -> Document | None:
        """Return a page of the archive by its id; whether it was there is recorded (rule a)."""

        async def get() -> JsonObject:
            return {"held": await self.index.get(document_id) is not None}

        found = await self.gateway.recorded_read(scope, "document", {"id": document_id}, get)
        return await self._kept(scope, document_id if found["held"] else None)

    async def held(self, scope: Scope, url: str) -> Document | None:
        """Return the newest copy of a page in the archive; which one is recorded (rule a)."""
        address = canonical_url(url)

        async def get() -> JsonObject:
            document = await self.index.by_url(address)
            return {"document_id": None if document is None else document.id}

        found = await self.gateway.recorded_read(
            scope, "document", {"url": scrub_url(address)}, get
        )
        return await self._kept(scope, found.get("document_id"))

    async def _kept(self, scope: Scope, document_id: str | None) -> Document | None:
        document = None if document_id is None else await self.index.get(document_id)
        if document_id is not None and document is None:
            _note_missing(scope, document_id)
        return document

    async def overrides(self, scope: Scope) -> tuple[Override, ...]:
        """Return analysts' overrides of sources as this run first read them; recorded (rule a)."""

        async def get() -> JsonObject:
            overrides = await self.sources.overrides()
            return {"held": [each.model_dump(mode="json") for each in overrides]}

        found = await self.gateway.recorded_read(scope, "sources", {"overrides": "all"}, get)
        return tuple(Override.model_validate(row) for row in found["held"])

    async def keep(self, document: Document) -> None:
        """Store a document that a run made itself: a snippet, an entry of a feed."""
        await self.index.add([document])


async def _file(place: str) -> JsonObject:
    """Read and parse an outline file, or return the error: a failure is recorded as well."""
    from groundwire.fetch.feeds import read_opml

    def work() -> Outline:
        with Path(place).expanduser().open("rb") as opened:
            return read_opml(opened.read(_LARGEST))

    try:
        return {"outline": (await asyncio.to_thread(work)).model_dump(mode="json")}
    except OSError as error:
        return {"error": "outside.file_unreadable", "params": {"why": error.strerror}}
    except OutsideFailure as error:
        return {"error": error.says, "params": error.params}


def _note_missing(scope: Scope, document_id: str) -> None:
    """Note for a replay which pages a person has had forgotten."""
    if scope.mode == "replay":
        scope.missing.append(phrase("replay.forgotten", what=document_id))


def _listed(response: JsonObject) -> Listed:
    try:
        return _LISTS[str(response["kind"])].model_validate(response["value"])
    except (KeyError, ValidationError) as error:
        raise Malformed("outside.record_unreadable") from error
