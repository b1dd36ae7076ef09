"""One page read: from a loopback server to a document, with HTTP's own rules for keeping it."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

import pytest

from groundwire import errors
from groundwire.fetch.extracted import Extracted
from groundwire.fetch.jobs import work
from groundwire.fetch.pool import Parsed
from groundwire.fetch.reader import PageReader, Validators, max_age
from groundwire.gateway.guard import AddressPolicy, networks
from groundwire.gateway.transport import build_client
from groundwire.model.base import short_id

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
POLICY = AddressPolicy(allow_private=networks(["127.0.0.0/8"]))
SENTENCE = "The central bank lowered its reserve ratio by half a point on Thursday. "
PAGE = (
    f"<html><head><title>Rates cut</title><meta property='og:site_name' content='Example'></head>"
    f"<body><div>{f'<p>{SENTENCE}</p>' * 12}</div></body></html>"
).encode()


class Here:
    """Parses in this process; the pool has its own tests."""

    async def work(
        self, job: str, body: bytes, content_type: str, url: str, latest: date | None
    ) -> Parsed:
        kind, about, value = work(job, body, content_type, url, latest)
        if kind != "page":
            return Parsed(kind, listed=value)
        return Parsed(kind, page=Extracted(**about, text=value.decode()))  # pyright: ignore[reportArgumentType]


@dataclass
class Options:
    timeout: float = 60.0
    max_bytes: int = 200_000


@dataclass
class Site:
    """Answers every path with what it was given."""

    status: str = "200 OK"
    body: bytes = PAGE
    headers: dict[str, str] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    url: str = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.requests.append((await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower())
        sent = {"Content-Type": "text/html; charset=utf-8", **self.headers}
        if not self.status.startswith("304"):
            sent["Content-Length"] = str(len(self.body))
        lines = [f"HTTP/1.1 {self.status}", *(f"{k}: {v}" for k, v in sent.items())]
        writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode())
        writer.write(b"" if self.status.startswith("304") else self.body)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def reading(site: Site) -> AsyncIterator[PageReader]:
    listener = await asyncio.start_server(site.serve, "127.0.0.1", 0)
    site.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    async with build_client(POLICY) as client:
        yield PageReader(client, POLICY, Here(), Options(), clock=lambda: NOW)
    listener.close()


async def test_a_page_becomes_a_document() -> None:
    site = Site(headers={"ETag": '"v1"', "Last-Modified": "Mon, 01 Jun 2026 10:00:00 GMT"})
    async with reading(site) as reader:
        outcome = await reader.read(f"{site.url}/a")
    document = outcome.document
    assert document is not None
    assert document.title == "Rates cut"
    assert document.publisher == "Example"
    assert document.fetched_at == NOW
    assert document.id == short_id("doc", [document.canonical_url, document.sha256])
    assert document.text.startswith(SENTENCE.strip())
    assert outcome.validators.etag == '"v1"'
    assert outcome.max_age is None


async def test_secrets_in_the_address_do_not_enter_the_document() -> None:
    site = Site()
    async with reading(site) as reader:
        outcome = await reader.read(f"{site.url}/a b?api_key=planted-secret")
    assert outcome.document is not None
    assert "planted-secret" not in outcome.document.model_dump_json()


async def test_a_known_page_is_asked_for_by_its_validators() -> None:
    site = Site(status="304 Not Modified", headers={"Cache-Control": "max-age=60"})
    known = Validators(etag='"v1"', last_modified="Mon, 01 Jun 2026 10:00:00 GMT")
    async with reading(site) as reader:
        outcome = await reader.read(site.url, validators=known)
    assert 'if-none-match: "v1"' in site.requests[0]
    assert "if-modified-since: mon, 01 jun 2026" in site.requests[0]
    assert outcome.document is None
    assert outcome.validators == known
    assert outcome.max_age == 60


async def test_what_must_not_be_stored_leaves_no_validators() -> None:
    site = Site(headers={"ETag": '"v1"', "Cache-Control": "no-store"})
    async with reading(site) as reader:
        outcome = await reader.read(site.url)
    assert outcome.validators == Validators()
    assert outcome.max_age == 0


async def test_a_text_file_is_dated_by_its_header() -> None:
    site = Site(
        body=(SENTENCE * 3).encode(),
        headers={"Content-Type": "text/plain", "Last-Modified": "Mon, 25 May 2026 10:00:00 GMT"},
    )
    async with reading(site) as reader:
        document = (await reader.read(f"{site.url}/note.txt")).document
    assert document is not None
    assert document.published_at == datetime(2026, 5, 25, 10, tzinfo=UTC)
    assert document.published_how == "header"


@pytest.mark.parametrize(
    ("site", "kind"),
    [
        (Site(status="404 Not Found"), errors.Missing),
        (Site(status="403 Forbidden"), errors.Refused),
        (Site(status="500 Oops"), errors.ServerFault),
        (Site(body=b"<title>Page not found</title><p>Sorry</p>"), errors.Unreadable),
        (Site(body=b""), errors.Unreadable),
        (Site(body=b"x" * 300_000), errors.TooLarge),
        (
            Site(body=gzip.compress(bytes(5_000_000)), headers={"Content-Encoding": "gzip"}),
            errors.TooLarge,
        ),
        (
            Site(status="302 Found", headers={"Location": "http://169.254.169.254/"}),
            errors.ForbiddenAddress,
        ),
    ],
)
async def test_failures_are_raised_by_their_cause(
    site: Site, kind: type[errors.OutsideFailure]
) -> None:
    async with reading(site) as reader:
        with pytest.raises(kind):
            await reader.read(site.url)


@pytest.mark.parametrize(
    ("headers", "age"),
    [
        ({}, None),
        ({"cache-control": "public"}, None),
        ({"cache-control": "max-age=300"}, 300),
        ({"cache-control": "Max-Age=300, must-revalidate", "age": "100"}, 200),
        ({"cache-control": "s-maxage=60, max-age=300"}, 60),
        ({"cache-control": "max-age=0"}, 0),
        ({"cache-control": "no-cache, max-age=300"}, 0),
        ({"cache-control": "no-store"}, 0),
        ({"cache-control": "max-age=soon"}, None),
        ({"cache-control": "max-age=999999999999"}, 31_536_000),
        ({"expires": "0"}, 0),
        (
            {"expires": "Mon, 01 Jun 2026 13:00:00 GMT", "date": "Mon, 01 Jun 2026 12:30:00 GMT"},
            1800,
        ),
        ({"expires": "Mon, 01 Jun 2026 13:00:00 GMT"}, 3600),
        ({"expires": "Mon, 01 Jun 2020 13:00:00 GMT"}, 0),
        ({"cache-control": "max-age=5", "expires": "Mon, 01 Jun 2026 13:00:00 GMT"}, 5),
    ],
)
def test_how_long_a_page_is_fresh(headers: dict[str, str], age: int | None) -> None:
    assert max_age(headers, NOW) == age
