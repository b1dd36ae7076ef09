"""Messages as they are typed, piped or listed in a file: one a line, as text or as JSON."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import IO, cast
from zoneinfo import ZoneInfo

from groundwire.doors.cli import render
from groundwire.errors import InputError
from groundwire.model.message import LONGEST, Message, message_id

# A character of JSON takes at most twelve bytes (two escapes); the rest is for the other fields.
_LINE = 12 * LONGEST + 20_000
_FIELDS = ("text", "id", "published_at", "source", "author", "language", "zone")
_NAME = 200  # characters of a source or an author
_AHEAD = timedelta(days=1)  # clocks differ; a day is no clock


@dataclass(frozen=True)
class Ways:
    """What holds for every message of a command, unless the message says otherwise."""

    source: str = ""
    author: str = ""
    language: str = "auto"
    published_at: str = ""
    zone: str = ""
    gate: bool = False
    tools: bool = True


def message_of(text: str, ways: Ways, now: datetime, own: str = "") -> Message:
    """A message of a person's; what cannot be used is refused in one sentence."""
    cleaned = text_of(text)
    source = _name(ways.source, "source") or "cli"
    zone = zone_of(ways.zone)
    written = ways.published_at
    return Message(
        id=message_id(source, cleaned, render.clean(own)),
        text=cleaned,
        language=language_of(ways.language),
        source=source,
        author=_name(ways.author, "author"),
        published_at=moment_of(written, zone, now) if written else None,
        received_at=now,
        zone="" if zone is None else _named(zone, now),
    )


def _name(text: str, what: str) -> str:
    cleaned = render.clean(text)
    if len(cleaned) > _NAME:
        raise InputError(f"the {what} has {len(cleaned):,} characters; at most {_NAME} are taken")
    return cleaned


def text_of(text: str) -> str:
    """The message itself: its lines are kept, what moves or hides is not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(
            "the message is not valid UTF-8 text", hint="pipe it in as UTF-8"
        ) from None
    cleaned = render.clean(text, lines=True).strip()
    if not any(char.isalnum() for char in cleaned):
        raise InputError("the message is empty", hint='write it in quotes: gw verify "…"')
    if len(cleaned) > LONGEST:
        raise InputError(
            f"the message has {len(cleaned):,} characters; at most {LONGEST:,} are taken",
            hint="verify one message at a time; long texts go into the archive: gw archive add",
        )
    return cleaned


def language_of(code: str) -> str:
    """A language code as it is written: zh, zh-Hant, en, pt-BR; `und` where it is to be found."""
    cleaned = render.clean(code) or "auto"
    if not all(part.isascii() and part.isalnum() and len(part) <= 8 for part in cleaned.split("-")):
        raise InputError(f"{cleaned[:40]!r} is no language code", hint="such as zh, zh-Hant or en")
    return "und" if cleaned == "auto" else cleaned


def zone_of(name: str) -> tzinfo | None:
    """A zone by its name (`Asia/Shanghai`, `UTC+8`); None where none is named."""
    from groundwire.language.time.zones import zone_named

    wanted = name.strip()
    if not wanted:
        return None
    with suppress(KeyError, ValueError, OSError):  # no such zone, or no path to one
        return ZoneInfo(wanted)
    found = zone_named(wanted)
    if found is None:
        raise InputError(
            f"{wanted[:40]!r} is no time zone", hint="for example Asia/Shanghai, UTC or +08:00"
        )
    return found


def _named(zone: tzinfo, now: datetime) -> str:
    """A zone as messages keep it: by a name that every table of zones knows."""
    if isinstance(zone, ZoneInfo):
        return zone.key
    hours, rest = divmod(int((zone.utcoffset(now) or timedelta()).total_seconds()), 3600)
    if rest:
        raise InputError(
            "an offset of half an hour needs a place", hint="such as --zone Asia/Kolkata"
        )
    return "UTC" if not hours else f"Etc/GMT{-hours:+d}"  # its sign is the other way round


def moment_of(written: object, zone: tzinfo | None, now: datetime) -> datetime:
    """When it was published, as people, programs and feeds write it."""
    found = _moment(written, zone, now)
    if found is None:
        raise InputError(
            f"the time of publication cannot be read: {str(written)[:40]!r}",
            hint="for example 2026-11-10T09:30Z, 2026-11-10 or “3 hours ago”",
        )
    if found > now + _AHEAD:
        raise InputError(f"the message would be published only on {found:%Y-%m-%d}, in the future")
    return found.astimezone(UTC)


def _moment(written: object, zone: tzinfo | None, now: datetime) -> datetime | None:
    from groundwire.app.memory import moment
    from groundwire.fetch.moments import moment as stamped
    from groundwire.language.time.expressions import expressions

    text = render.clean(written) if isinstance(written, str) else ""
    if text:
        with suppress(InputError, OverflowError):
            return moment(text, "the time", zone=zone)
        here = zone or now.astimezone().tzinfo or UTC
        found = expressions(text, now.astimezone(here), here)
        if len(found) == 1 and found[0].begin is not None and found[0].text.strip() == text:
            return found[0].begin
    return stamped(text or written)


def message_line(line: bytes, ways: Ways, now: datetime) -> Message | None:
    """One line: a JSON object with a text, or the text itself; None for a blank one."""
    if len(line) > _LINE:
        raise InputError(f"the line is longer than any message of {LONGEST:,} characters")
    try:
        text = line.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise InputError("the line is not UTF-8 text") from None
    if not text:
        return None
    if text.startswith("[") and _is_list(text):
        raise InputError("a list is no message; write one object a line")
    if not text.startswith("{"):
        return message_of(text, ways, now)
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        what = error.args[0] if isinstance(error, json.JSONDecodeError) else "too deep"
        raise InputError(
            f"the line is no JSON object: {str(what).partition(': line')[0]}"
        ) from None
    return _from_object(cast("Mapping[str, object]", value), ways, now)


def _is_list(text: str) -> bool:
    """Whether it is JSON as a whole; [BREAKING] is only how a headline begins."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _from_object(value: Mapping[str, object], ways: Ways, now: datetime) -> Message:
    fields = {name: value[name] for name in _FIELDS if value.get(name) not in (None, "")}
    if "text" not in fields:
        raise InputError("the message is empty: it has no text")
    for name, each in fields.items():
        numeric = name in ("id", "published_at") and isinstance(each, int | float)
        if isinstance(each, bool) or not (isinstance(each, str) or numeric):
            raise InputError(f"{name} is no text")
    said = {
        name: str(fields[name])
        for name in ("source", "author", "language", "zone")
        if name in fields
    }
    own = replace(ways, published_at="", **said)
    message = message_of(str(fields["text"]), own, now, str(fields.get("id", "")))
    written = fields.get("published_at", ways.published_at)
    if not written:
        return message
    at = moment_of(written, zone_of(own.zone), now)
    return message.model_copy(update={"published_at": at})


class Lines:
    """Lines of a stream, read no further than they are asked for.

    A thread of its own waits for them: one that blocks must not keep the command from ending.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._asked = threading.Semaphore(0)
        self._ready: asyncio.Queue[bytes | OSError] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True, name="messages").start()

    async def next(self) -> bytes | None:
        """The next line; None at the end."""
        self._asked.release()
        line = await self._ready.get()
        if isinstance(line, OSError):
            raise line
        return line or None

    def _read(self) -> None:
        while True:
            self._asked.acquire()
            line: bytes | OSError
            try:
                line = self._line()
            except (OSError, ValueError) as error:  # ValueError: the stream was closed
                line = error if isinstance(error, OSError) else b""
            with suppress(RuntimeError):  # nobody waits any more: the loop is closed
                self._loop.call_soon_threadsafe(self._ready.put_nowait, line)
            if not line or isinstance(line, OSError):
                return

    def _line(self) -> bytes:
        line = rest = self._stream.readline(_LINE + 1)
        # Too long: what is left of it is read and dropped, piece by piece.
        while len(rest) > _LINE and not rest.endswith(b"\n"):
            rest = self._stream.readline(_LINE + 1)
        return line
