"""Telegram channels: caught up from the last stored post, then read live, in order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from groundwire.app.intake.arrivals import arrival, shortened
from groundwire.app.intake.door import Door
from groundwire.errors import AuthRejected, InputError, OutsideFailure, RateLimited
from groundwire.log import get_logger
from groundwire.model.base import Instant, Value
from groundwire.model.message import Cursor, Message

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.app.intake.telethon_client import TelethonClient

log = get_logger("groundwire.app.intake")

LONGEST_WAIT = 300.0  # seconds between two attempts to connect
_SHORTEST_WAIT = 1.0
_AT_FIRST = 20  # newest posts of a channel that was never read
_TOGETHER = 50  # posts of the past that are stored in one transaction
_LEAST_FLOOD = 1.0


class Post(Value):
    """One post of a channel; its numbers only rise, with gaps where posts were deleted."""

    channel: str
    number: int
    text: str
    at: Instant | None = None
    edited_at: Instant | None = None
    author: str = ""
    media_urls: tuple[str, ...] = ()


@dataclass
class Telegram:
    """Channels of one client. A gap in the numbers is checked before it is believed."""

    app: App
    door: Door
    client: TelethonClient
    channels: Sequence[str]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    broken: dict[str, str] = field(default_factory=dict[str, str])
    _last: dict[str, int] = field(default_factory=dict[str, int], init=False)

    async def listen(self) -> None:
        """Listen for ever; reconnect after failures, with growing pauses."""
        wait = _SHORTEST_WAIT
        while True:
            try:
                await self._connect()
                wait = _SHORTEST_WAIT
                while True:
                    await self._take(await self.client.live())
            except RateLimited as error:
                pause = self._broke(error, max(error.retry_after or wait, _LEAST_FLOOD))
            except AuthRejected:
                raise  # only a person can sign in
            except OutsideFailure as error:
                pause = self._broke(error, wait)
                wait = min(wait * 2, LONGEST_WAIT)
            await self.client.close()
            await self.sleep(pause)

    async def once(self) -> None:
        """Catch up with each channel; flood waits are waited for."""
        try:
            await self._connect()
            while self.client.waiting():
                await self._take(await self.client.live())
        except AuthRejected:
            raise
        except OutsideFailure as error:
            self._broke(error, 0.0)

    def _broke(self, error: OutsideFailure, pause: float) -> float:
        log.warning("telegram", reason=error.message, seconds=pause)
        self.broken["telegram"] = error.kept
        return pause

    async def _connect(self) -> None:
        # Before catching up, so that no post is lost between the past and the live ones.
        await self.client.connect(self.channels)
        for channel in self.channels:
            await self._catch_up(channel)
        self.broken.pop("telegram", None)

    async def _catch_up(self, channel: str) -> None:
        """Take everything after the last stored post, oldest first, through flood waits."""
        while True:
            try:
                await self._take_past(channel)
            except RateLimited as error:
                await self.sleep(self._broke(error, max(error.retry_after or 0.0, _LEAST_FLOOD)))
                continue
            except InputError as error:  # no such channel, or none that we may read
                if self.broken.get(channel) != error.kept:
                    log.warning("channel fails", channel=channel, reason=error.message)
                self.broken[channel] = error.kept
                return
            self.broken.pop(channel, None)
            return

    async def _take_past(self, channel: str) -> None:
        last = await self._place(channel)
        if last is None:
            last = max(0, await self.client.newest(channel) - _AT_FIRST)
        page: list[Post] = []
        async for post in self.client.history(channel, last):
            page.append(post)
            if len(page) >= _TOGETHER:
                await self._store(channel, page, last)
                last, page = max(last, *(each.number for each in page)), []
        await self._store(channel, page, last)

    async def _place(self, channel: str) -> int | None:
        if channel not in self._last:
            stored = await self.app.messages.cursor(_source(channel))
            if stored is None:
                return None
            self._last[channel] = int(stored.state.get("last", 0))
        return self._last[channel]

    async def _take(self, post: Post) -> None:
        last = await self._place(post.channel) or 0
        if post.edited_at is None and post.number > last + 1:
            # Posts in between may be missing or deleted: only the channel knows.
            await self._catch_up(post.channel)
            last = await self._place(post.channel) or 0
        # A late or repeated post needs no care: a message is stored once.
        await self._store(post.channel, [post], last)

    async def _store(self, channel: str, posts: Sequence[Post], last: int) -> None:
        """Store messages and how far the channel was read in one transaction; it never goes back."""
        reached = max([last, *(each.number for each in posts if each.edited_at is None)])
        now = self.app.clock()
        cursor = Cursor(source=_source(channel), state={"last": reached}, at=now)
        messages = [each for each in map(self._message, posts) if each is not None]
        self._last[channel] = reached
        try:
            await self.door.take(messages, cursor=cursor)
        except BaseException:
            self._last.pop(channel, None)  # to be read from the store again
            raise

    def _message(self, post: Post) -> Message | None:
        """Build the message of a post; None for a picture without a word. An edit is a new message."""
        edit = f"/{post.edited_at:%Y%m%dT%H%M%S}" if post.edited_at else ""
        try:
            return arrival(
                shortened(post.text),
                self.app.clock(),
                source=_source(post.channel),
                sender_id=f"{post.number}{edit}",
                author=post.author,
                published_at=post.edited_at or post.at,
                media=post.media_urls,
            )
        except InputError as error:
            log.info("post passed over", channel=post.channel, post=post.number, why=error.message)
            return None


def _source(channel: str) -> str:
    return f"telegram:{channel.removeprefix('@')}"
