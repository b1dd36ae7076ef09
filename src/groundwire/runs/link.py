"""The way to a desk on the same machine: HTTP over loopback, with the key from its note.

Nothing leaves the machine, so it does not pass the gateway; the address must be a loopback one.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from pydantic import ValidationError

from groundwire.errors import StoreAway, UserError
from groundwire.model.base import JsonObject, Value

if TYPE_CHECKING:
    import h11

NOTE = "desk.json"
_READ = 65_536
_CONNECT = 2.0  # seconds: on loopback it connects at once or never
_ANSWER = 10.0  # seconds for a whole answer: a desk may be frozen


class DeskNote(Value):
    """Where a desk is, for commands on the same data folder; only its owner can read the file."""

    pid: int
    url: str
    key: str


def note_in(home: Path) -> DeskNote | None:
    """Read the note of a desk on this data folder, if it can be reached from here."""
    note = read_note(home / NOTE)
    return note if note is not None and _on_loopback(note.url) else None


def read_note(path: Path) -> DeskNote | None:
    try:
        return DeskNote.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def _on_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Refused(UserError):
    """The desk refused the request."""


class DeskLink:
    """Requests to one desk; each on a connection of its own."""

    def __init__(self, note: DeskNote) -> None:
        self.url = note.url
        parts = urlsplit(note.url)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._netloc = parts.netloc
        self._key = note.key

    async def post(self, path: str, body: JsonObject) -> JsonObject:
        """Return the answer; raise `Refused` with the desk's own words, `StoreAway` when it is gone."""
        data = json.dumps(body, ensure_ascii=False).encode()
        try:
            async with (
                asyncio.timeout(_ANSWER),
                self._exchange("POST", path, data) as (status, parts),
            ):
                answer = b"".join([part async for part in parts])
        except TimeoutError as error:
            raise StoreAway("error.desk_silent") from error
        try:
            content = cast(JsonObject, json.loads(answer))
        except ValueError:
            raise StoreAway("error.desk_unreadable") from None
        if status >= 500:
            raise StoreAway("error.desk_cannot", why=_reason(content, status))
        if status >= 400:
            raise Refused(
                "error.desk_refused",
                why=_reason(content, status),
                todo=str(content.get("hint", "")),
                hint="hint.as_said",
            )
        return content

    async def stream(self, path: str) -> AsyncGenerator[bytes]:
        """Yield what comes, as it comes, until the desk ends it."""
        async with self._exchange("GET", path, b"") as (status, parts):
            if status == 200:
                async for part in parts:
                    yield part

    @asynccontextmanager
    async def _exchange(
        self, method: str, path: str, data: bytes
    ) -> AsyncGenerator[tuple[int, AsyncGenerator[bytes]]]:
        import h11

        try:
            async with asyncio.timeout(_CONNECT):
                reader, writer = await asyncio.open_connection(self._host, self._port)
        except (OSError, TimeoutError) as error:
            raise StoreAway("error.desk_silent") from error
        try:
            connection = h11.Connection(h11.CLIENT)
            headers = [
                ("Host", self._netloc),
                ("Authorization", f"Bearer {self._key}"),
                ("Accept", "text/event-stream, application/json"),
                ("Content-Type", "application/json"),
                ("Content-Length", str(len(data))),
                ("Connection", "close"),
            ]
            sent = connection.send(h11.Request(method=method, target=path, headers=headers)) or b""
            sent += (connection.send(h11.Data(data=data)) or b"") if data else b""
            writer.write(sent + (connection.send(h11.EndOfMessage()) or b""))
            await writer.drain()
            status = await _status(connection, reader)
            yield status, _body(connection, reader)
        except (OSError, h11.RemoteProtocolError) as error:
            raise StoreAway("error.desk_broke_off") from error
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


def _reason(content: JsonObject, status: int) -> object:
    """Return why the desk refused: by its code, so that it reads in the reader's language."""
    if isinstance(content.get("code"), str):
        return {"code": content["code"], "params": content.get("params") or {}}
    return str(content.get("detail", status))


async def _next(connection: h11.Connection, reader: asyncio.StreamReader) -> object:
    """Return what the desk sends next, as an h11 event."""
    import h11

    while (event := connection.next_event()) is h11.NEED_DATA:
        connection.receive_data(await reader.read(_READ))
    return event


async def _status(connection: h11.Connection, reader: asyncio.StreamReader) -> int:
    import h11

    while isinstance(event := await _next(connection, reader), h11.InformationalResponse):
        pass
    if not isinstance(event, h11.Response):
        raise StoreAway("error.desk_broke_off")
    return event.status_code


async def _body(connection: h11.Connection, reader: asyncio.StreamReader) -> AsyncGenerator[bytes]:
    import h11

    while isinstance(event := await _next(connection, reader), h11.Data):
        yield bytes(event.data)
