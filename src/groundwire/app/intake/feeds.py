"""Feeds that are looked at again and again: each new entry is a message, once."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, cast

from groundwire.app.intake.arrivals import arrival, shortened
from groundwire.app.intake.door import Door
from groundwire.app.runs import why_nothing
from groundwire.errors import InputError
from groundwire.evidence.sources.urls import scrub_url
from groundwire.log import get_logger
from groundwire.model.base import JsonObject
from groundwire.model.feed import Feed, FeedEntry
from groundwire.model.message import Cursor, Message
from groundwire.words import words

if TYPE_CHECKING:
    from groundwire.app import App

log = get_logger("groundwire.app.intake")

LONGEST_WAIT = 1_800.0  # seconds between two looks at a feed that fails
_KEPT = 2_000  # entries of a feed that are remembered: it may bring an old one back


@dataclass
class Feeds:
    """All feeds at once, each by its own time; one that fails stops no other."""

    app: App
    door: Door
    urls: Sequence[str]
    seconds: float
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    broken: dict[str, str] = field(default_factory=dict[str, str])  # as `listening.Source` says it

    async def listen(self) -> None:
        """For ever."""
        async with asyncio.TaskGroup() as tasks:
            for url in self.urls:
                tasks.create_task(self._listen(url))

    async def once(self) -> None:
        """One look at each."""
        await asyncio.gather(*(self.poll(url) for url in self.urls))

    async def _listen(self, url: str) -> None:
        failures = 0
        while True:
            wait = await self.poll(url)
            failures = 0 if wait is None else failures + 1
            await self.sleep(self.seconds if wait is None else self._pause(failures, wait))

    def _pause(self, failures: int, least: float) -> float:
        """Twice as long after each failure, up to half an hour, and never less than was asked."""
        doubled = self.seconds * 2.0 ** min(failures, 12)
        return max(min(doubled, max(LONGEST_WAIT, self.seconds)), least)

    async def poll(self, url: str) -> float | None:
        """Look once, hand on what is new. None: it went well; else the least seconds to wait."""
        try:
            # Every outside call belongs to a run: a small one.
            run = await self.app.call("feed", {"url": url})
        except InputError as error:
            return self._broke(url, error.kept, 0.0)
        run = await self.app.ended(run.id)
        result = run.result or {}
        if (output := result.get("output")) is None:
            error = cast("JsonObject", result.get("error") or {})
            return self._broke(url, why_nothing(run), float(error.get("retry_after") or 0.0))
        if await self._take(url, Feed.model_validate(output)) == 0:
            # A look that found nothing new leaves nothing behind: there are hundreds a day.
            await self.app.runs.delete(run.id)
        if self.broken.pop(url, None) is not None:
            log.info("feed is back", feed=url)
        return None

    def _broke(self, url: str, why: str, least: float) -> float:
        if self.broken.get(url) != why:
            log.warning("feed fails", feed=url, reason=words("en").stored(why))
        self.broken[url] = why
        return least

    async def _take(self, url: str, feed: Feed) -> int:
        """The entries that are new or changed; what was seen is stored with them."""
        source = f"feed:{scrub_url(url)}"  # some addresses hold a key
        stored = await self.app.messages.cursor(source)
        # How far it was read: the marks of its entries, by their ids.
        seen: dict[str, str] = stored.state.get("seen", {}) if stored else {}
        now = self.app.clock()
        fresh: list[Message] = []
        marks: dict[str, str] = {}
        for entry in sorted(feed.entries, key=_moment):
            name, mark = _short(entry.id or entry.url or entry.title), _short(_said(entry))
            marks[name] = mark
            if seen.get(name) != mark and (message := _message(entry, source, now, name in seen)):
                fresh.append(message)
        if not fresh and marks.keys() <= seen.keys():
            return 0
        place = dict(list({**seen, **marks}.items())[-_KEPT:])
        cursor = Cursor(source=source, state={"seen": place}, at=now)
        await self.door.take(fresh, cursor=cursor)
        return len(fresh)


def _moment(entry: FeedEntry) -> float:
    """Oldest first, as they were told; those without a date keep their place before them."""
    at = entry.published or entry.updated
    return at.timestamp() if at else 0.0


def _said(entry: FeedEntry) -> str:
    """The headline and what follows it, once."""
    title, text = entry.title.strip(), entry.text.strip()
    return text if text.startswith(title) else f"{title}\n{text}".strip()


def _message(entry: FeedEntry, source: str, now: datetime, changed: bool) -> Message | None:
    """An entry as a message; one without a word is none. A changed one is a message of its own."""
    said = shortened(_said(entry))
    own = entry.id or entry.url or entry.title
    try:
        return arrival(
            said,
            now,
            source=source,
            own=f"{own} {_short(said)}" if changed else own,
            author=entry.author or "",
            published_at=entry.published or entry.updated,
        )
    except InputError as error:
        log.info("entry passed over", source=source, entry=own[:200], why=error.message)
        return None


def _short(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
