"""A client that is lent to vendors' libraries reads every answer under the caps itself."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path

import httpx2
import pytest

from groundwire.app.clients import Clients
from groundwire.errors import Malformed, NetworkDown, TooLarge, Unreadable
from groundwire.gateway.transport import CappedTransport, Limits
from groundwire.jobs.sections import Settings

LIMITS = Limits(max_bytes_wire=2_000, max_bytes_decoded=4_000)


def lent(status: int, headers: dict[str, str], body: bytes) -> httpx2.AsyncClient:
    """Lend a client over a server with this one answer."""

    async def pieces():
        for at in range(0, len(body), 500):
            yield body[at : at + 500]

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, headers=headers, content=pieces())

    return httpx2.AsyncClient(transport=CappedTransport(httpx2.MockTransport(answer), LIMITS))


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, b'{"a": "\xe5\xa5\xbd"}'),
        ({"content-encoding": "gzip"}, gzip.compress(b'{"a": "\xe5\xa5\xbd"}', mtime=0)),
        ({"content-encoding": "identity", "content-length": "12"}, b'{"a": "\xe5\xa5\xbd"}'),
    ],
)
async def test_an_answer_within_the_caps_is_handed_on_unpacked(
    headers: dict[str, str], body: bytes
) -> None:
    async with lent(429, {**headers, "retry-after": "7"}, body) as client:
        response = await client.get("https://api.example/")
    assert (
        response.status_code,
        response.headers["retry-after"],
        response.json(),
    ) == (429, "7", {"a": "好"})


@pytest.mark.parametrize(
    ("headers", "body", "kind"),
    [
        ({}, b"x" * 2_001, TooLarge),
        ({"content-length": "9999"}, b"x", TooLarge),
        (
            {"content-encoding": "gzip"},
            gzip.compress(b"0" * 1_000_000, mtime=0),
            TooLarge,
        ),  # a bomb
        ({"content-encoding": "gzip"}, b"not gzip", Malformed),
        ({"content-encoding": "gzip"}, gzip.compress(b"{}" * 99, mtime=0)[:-9], NetworkDown),
        ({"content-encoding": "br"}, b"??", Unreadable),
    ],
)
async def test_an_answer_beyond_the_caps_never_reaches_the_library(
    headers: dict[str, str], body: bytes, kind: type[Exception]
) -> None:
    async with lent(200, headers, body) as client:
        with pytest.raises(kind):
            await client.get("https://api.example/")


async def test_the_client_that_is_lent_out_is_capped(tmp_path: Path) -> None:
    async def pour(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")
        try:
            for _ in range(2 * Limits().max_bytes_wire // 65_536):
                writer.write(bytes(65_536))
                await writer.drain()
        except ConnectionError:
            pass  # it has seen enough
        finally:
            writer.close()

    chosen = {"home": str(tmp_path), "fetch.allow_private": "127.0.0.0/8"}
    clients = Clients(Settings.load(chosen, cwd=tmp_path, env={}).settings)
    async with await asyncio.start_server(pour, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(TooLarge):
            await clients.models.get(f"http://127.0.0.1:{port}/")
    await clients.close()
