"""Telethon as the client of `telegram.py`: the only module that imports it; an extra.

It speaks Telegram's own protocol over its own connections, so it is the one connection to the outside
that does not pass the gateway: it brings messages in, and no run ever calls it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from groundwire.app.intake.telegram import Post
from groundwire.errors import (
    AuthRejected,
    GroundwireError,
    InputError,
    MissingExtra,
    NetworkDown,
    RateLimited,
    SettingsError,
)
from groundwire.settings import Settings

_SHORT_FLOOD = 10  # seconds that Telethon waits by itself
_KEPT = 10_000  # live posts that wait for their turn


def telethon_client(settings: Settings) -> TelethonClient:
    """Build the client that the settings describe; raise with what is missing."""
    telegram = settings.intake.telegram
    if telegram.api_id is None or telegram.api_hash is None:
        raise SettingsError("error.telegram_application", hint="hint.telegram_application")
    try:
        library: Any = import_module("telethon")
    except ImportError as error:
        raise MissingExtra("error.needs_telethon", extra="telegram", hint="hint.install") from error
    session = settings.data_home() / "telegram.session"
    _private(session)
    client = library.TelegramClient(
        str(session),
        telegram.api_id,
        telegram.api_hash.get_secret_value(),
        flood_sleep_threshold=_SHORT_FLOOD,
        sequential_updates=True,
    )
    return TelethonClient(client, library)


def _private(path: Path) -> None:
    """Create the session file for its owner only, before it is filled: whoever has it is the user."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    path.chmod(0o600)


class TelethonClient:
    """The part of a Telegram client that is used. Failures are `RateLimited` with `retry_after` (a
    flood wait), `NetworkDown` (the connection is gone) and `AuthRejected` (nobody is signed in)."""

    def __init__(self, client: Any, library: Any) -> None:
        self._client = client
        self._library = library
        self._live: asyncio.Queue[Post | None] = asyncio.Queue(_KEPT)
        self._names: dict[int, str] = {}
        self._listening = False
        errors: Any = import_module("telethon.errors")
        self._failures: tuple[type[Exception], ...] = (errors.RPCError, OSError, ValueError)
        self._errors = errors

    async def sign_in(self) -> None:
        """Ask for the telephone number and the code at the terminal; the session file keeps them."""
        try:
            await self._client.start()
        except self._failures as error:
            raise self._translated(error) from error

    async def connect(self, channels: Sequence[str]) -> None:
        """Connect, and from now on queue live posts."""
        # Live posts from before the connection broke stay, the mark of its end does not.
        kept = [self._live.get_nowait() for _ in range(self._live.qsize())]
        for post in filter(None, kept):
            self._live.put_nowait(post)
        try:
            await self._client.connect()
            if not await self._client.is_user_authorized():
                raise AuthRejected("outside.telegram_nobody", hint="hint.listen_sign_in")
            if not self._listening:
                self._listen()
            await self._learn(channels)
            asyncio.ensure_future(self._client.disconnected).add_done_callback(self._gone)
        except self._failures as error:
            raise self._translated(error) from error

    async def newest(self, channel: str) -> int:
        """Return the number of the newest post; 0: there is none."""
        try:
            found: Any = await self._client.get_messages(_entity(channel), limit=1)
        except self._failures as error:
            raise self._translated(error) from error
        return int(found[0].id) if found else 0

    async def history(self, channel: str, after: int) -> AsyncIterator[Post]:
        """Yield posts with a greater number, oldest first."""
        posts: Any = self._client.iter_messages(_entity(channel), min_id=after, reverse=True)
        try:
            async for each in posts:
                yield _post(channel, each)
        except self._failures as error:
            raise self._translated(error) from error

    async def live(self) -> Post:
        """Wait for the next post or edit; raise `NetworkDown` when none will come."""
        post = await self._live.get()
        if post is None:
            raise NetworkDown("outside.telegram_gone")
        return post

    def waiting(self) -> bool:
        return not self._live.empty()

    async def close(self) -> None:
        await self._client.disconnect()

    def _listen(self) -> None:
        events: Any = import_module("telethon.events")
        new, edited = (partial(self._put, edited=each) for each in (False, True))
        self._client.add_event_handler(new, events.NewMessage())
        self._client.add_event_handler(edited, events.MessageEdited())
        self._listening = True

    async def _learn(self, channels: Sequence[str]) -> None:
        """Learn the channels' numbers: live posts name their channel by it."""
        names: dict[int, str] = {}
        for channel in channels:
            try:
                names[int(await self._client.get_peer_id(_entity(channel)))] = channel
            except ValueError:
                continue  # catching up reports it
        self._names = names

    async def _put(self, event: Any, *, edited: bool) -> None:
        channel = self._names.get(int(event.chat_id or 0))
        if channel is not None:
            await self._live.put(_post(channel, event.message, edited=edited))

    def _gone(self, done: asyncio.Future[Any]) -> None:
        if not done.cancelled():
            done.exception()  # retrieved; the next attempt reports why it broke
        if not self._live.full():
            self._live.put_nowait(None)

    def _translated(self, error: Exception) -> GroundwireError:
        """Turn Telethon's errors into ours."""
        errors = self._errors
        if isinstance(error, errors.FloodError):
            seconds = float(getattr(error, "seconds", 0) or 0)
            return RateLimited(
                "outside.telegram_wait", seconds=f"{seconds:.0f}", retry_after=seconds
            )
        if isinstance(error, errors.UnauthorizedError | errors.AuthKeyError):
            return AuthRejected("outside.telegram_refused", why=error, hint="hint.listen_sign_in")
        if isinstance(error, OSError | errors.ServerError | errors.TimedOutError):
            return NetworkDown("outside.telegram_away", why=error)
        return InputError("error.telegram_channel", why=error)


def _entity(channel: str) -> str | int:
    """Turn a channel's name or number into what Telethon takes."""
    return int(channel) if channel.lstrip("-").isdigit() else channel


def _post(channel: str, message: Any, *, edited: bool = False) -> Post:
    """Turn a message of Telethon's into a post: its text, or its picture's caption."""
    return Post(
        channel=channel,
        number=int(message.id),
        text=str(message.message or ""),
        at=message.date,
        edited_at=(message.edit_date or message.date) if edited else None,
        author=str(message.post_author or ""),
        media_urls=tuple(_media(channel, message)),
    )


def _media(channel: str, message: Any) -> list[str]:
    """List where a picture or file can be seen, and the page that a post previews."""
    found: list[str] = []
    name = channel.removeprefix("@")
    if (message.photo or message.document) and not name.lstrip("-").isdigit():
        found.append(f"https://t.me/{name}/{int(message.id)}")
    preview: Any = getattr(getattr(message, "web_preview", None), "url", None)
    return [*found, str(preview)] if preview else found
