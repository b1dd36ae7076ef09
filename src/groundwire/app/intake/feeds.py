"""Feeds that are polled: each new entry is a message, once."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, cast

from groundwire.app.intake.arrivals import arrival, shortened
from groundwire.app.intake.door import Door
from groundwire.app.runs import failure_of
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

LONGEST_WAIT = 1_800.0  # seconds between two polls of a feed that fails
_KEPT = 2_000  # entries of a feed that are remembered: an old one may come back


@dataclass
class Feeds:
    """All feeds at once, each on its own schedule; one that fails stops no other."""

    app: App
    door: Door
    urls: Sequence[str]
    seconds: float
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    broken: dict[str, str] = field(default_factory=dict[str, str])  # see `listening.Source`

    async def listen(self) -> None:
        """Poll every feed, for ever."""
        async with asyncio.TaskGroup() as tasks:
            for url in self.urls:
                tasks.create_task(self._listen(url))

    async def once(self) -> None:
        """Poll each feed once."""
        await asyncio.gather(*(self.poll(url) for url in self.urls))

    async def _listen(self, url: str) -> None:
        failures = 0
        while True:
            wait = await self.poll(url)
            failures = 0 if wait is None else failures + 1
            await self.sleep(self.seconds if wait is None else self._pause(failures, wait))

    def _pause(self, failures: int, least: float) -> float:
        """Double the pause with each failure, up to half an hour, but no less than was requested."""
        doubled = self.seconds * 2.0 ** min(failures, 12)
        return max(min(doubled, max(LONGEST_WAIT, self.seconds)), least)

    async def poll(self, url: str) -> float | None:
        """Read a feed once and take what is new. None: it went well; else the least seconds to wait."""
        try:
            # Every outside call belongs to a run: a small one.
            run = await self.app.call("feed", {"url": url})
        except InputError as error:
            return self._broke(url, error.kept, 0.0)
        run = await self.app.ended(run.id)
        result = run.result or {}
        if (output := result.get("output")) is None:
            error = cast("JsonObject", result.get("error") or {})
            return self._broke(url, failure_of(run), float(error.get("retry_after") or 0.0))
        if await self._take(url, Feed.model_validate(output)) == 0:
            # A poll that found nothing new leaves nothing behind: there are hundreds a day.
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
        """Take the entries that are new or changed; the marks of what was seen are stored with them."""
        source = f"feed:{scrub_url(url)}"  # some addresses hold a key
        stored = await self.app.messages.cursor(source)
        # How far it was read: the marks of its entries, by their ids.
        seen: dict[str, str] = stored.state.get("seen", {}) if stored else {}
        now = self.app.clock()
        fresh: list[Message] = []
        marks: dict[str, str] = {}
        for entry in sorted(feed.entries, key=_moment):
            name, mark = _short(_id(entry)), _short(_text(entry))
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
    """Sort oldest first; those without a date come before, in their order."""
    at = entry.published or entry.updated
    return at.timestamp() if at else 0.0


def _id(entry: FeedEntry) -> str:
    return entry.id or entry.url or entry.title


def _text(entry: FeedEntry) -> str:
    """Join the headline and the text, unless the text begins with it."""
    title, text = entry.title.strip(), entry.text.strip()
    return text if text.startswith(title) else f"{title}\n{text}".strip()


def _message(entry: FeedEntry, source: str, now: datetime, changed: bool) -> Message | None:
    """Build the message of an entry; None for one without a word. A changed entry is a new message."""
    text, entry_id = shortened(_text(entry)), _id(entry)
    try:
        return arrival(
            text,
            now,
            source=source,
            sender_id=f"{entry_id} {_short(text)}" if changed else entry_id,
            author=entry.author or "",
            published_at=entry.published or entry.updated,
        )
    except InputError as error:
        log.info("entry passed over", source=source, entry=entry_id[:200], why=error.message)
        return None


def _short(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
