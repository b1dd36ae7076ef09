"""Reads one address: guarded GET, parse, document or list; no cache, no retry, no record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime

import httpx2

from groundwire.errors import Offline
from groundwire.evidence.sources.urls import (
    canonical_url,
    host_of,
    registrable_domain,
    scrub_url,
)
from groundwire.fetch.extracted import DateHow, Extracted
from groundwire.fetch.pool import ParsePool
from groundwire.gateway.guard import AddressPolicy
from groundwire.gateway.status import REDIRECTS, http_date
from groundwire.gateway.transport import Limits, get
from groundwire.model.base import JsonObject, Value, short_id
from groundwire.model.clock import utc_now
from groundwire.model.source import Document
from groundwire.settings import FetchSettings

ACCEPT = (
    "text/html,application/xhtml+xml,application/pdf;q=0.9,application/rss+xml;q=0.9,"
    "application/atom+xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"
)
LANGUAGES = "zh-CN,zh;q=0.9,en;q=0.8,*;q=0.5"
_YEAR = 365 * 86_400


class Validators(Value):
    """What a later read may send to ask whether the page has changed."""

    etag: str | None = None
    last_modified: str | None = None


class ReadOutcome(Value):
    """A document, a list (`kind`, `value`), another host to ask (`moved`), or none of them: the
    known document still stands.

    `max_age`: seconds it may be used without asking; 0: ask each time; None: the site does not
    say. A page that must not be kept has no validators and a `max_age` of 0.
    """

    document: Document | None
    listed: JsonObject | None = None
    moved: str | None = None
    validators: Validators = Validators()
    max_age: int | None = None


@dataclass(slots=True, eq=False)
class PageReader:
    """Reads one page at a time per call; safe to share between runs."""

    client: httpx2.AsyncClient
    policy: AddressPolicy
    pool: ParsePool
    options: FetchSettings
    _: KW_ONLY
    clock: Callable[[], datetime] = utc_now
    proxied: Sequence[httpx2.AsyncClient] = ()  # clients through proxies of the user's own

    async def read(
        self,
        url: str,
        *,
        validators: Validators | None = None,
        feed: bool = False,
        proxied: bool = False,
    ) -> ReadOutcome:
        """Read what is behind a URL; raises `OutsideFailure`.

        `feed`: instead of a page, only the feed that it names is wanted. `proxied`: through a proxy
        of the user's own.
        """
        headers = {"accept": ACCEPT, "accept-language": LANGUAGES}
        if validators and validators.etag:
            headers["if-none-match"] = validators.etag
        if validators and validators.last_modified:
            headers["if-modified-since"] = validators.last_modified
        most = self.options.max_bytes
        page = await get(
            self._client(url, proxied=proxied),
            url,
            headers=headers,
            limits=Limits(most, most, seconds=self.options.timeout),
            policy=self.policy,
            # Another host has rules and limits of its own. An address with a secret in it cannot
            # be recorded, and is followed where it leads.
            stay=lambda target: scrub_url(target) == target,
        )
        now = self.clock()
        age = max_age(page.headers, now)
        stored = "no-store" not in _cache_control(page.headers)
        kept = _validators(page.headers) if stored else Validators()
        if page.status == 304:
            # A 304 may leave out what has not changed.
            if kept == Validators() and validators is not None and stored:
                kept = validators
            return ReadOutcome(document=None, validators=kept, max_age=age)
        if page.status in REDIRECTS:
            return ReadOutcome(document=None, moved=page.url, validators=kept, max_age=age)
        kind = page.headers.get("content-type", "")
        job = "feeds" if feed else "web"
        parsed = await self.pool.work(job, page.body, kind, page.url, now.date())
        if parsed.page is None:
            listed = {"kind": parsed.kind, "value": json.loads(parsed.listed)}
            return ReadOutcome(document=None, listed=listed, validators=kept, max_age=age)
        document = _document(url, page.url, parsed.page, page.headers, now)
        return ReadOutcome(document=document, validators=kept, max_age=age)

    def _client(self, url: str, *, proxied: bool) -> httpx2.AsyncClient:
        """Return the client to ask with; the pages of one host go through one proxy."""
        if not proxied:
            return self.client
        if not self.proxied:
            raise Offline("outside.no_proxy")  # it was set when the run began
        place = hashlib.sha256(host_of(url).encode()).digest()[0]
        return self.proxied[place % len(self.proxied)]


def _document(
    requested: str, final: str, found: Extracted, headers: Mapping[str, str], now: datetime
) -> Document:
    # As it was sent: the client encodes what people leave open, such as spaces.
    canonical = canonical_url(scrub_url(str(httpx2.URL(final))))
    url = scrub_url(str(httpx2.URL(requested)))
    document = document_of(found, url, canonical, registrable_domain(canonical), now)
    if document.published_at is not None or found.media_type == "text/html":
        return document
    # Servers generate pages for each reader; files keep the day of their last change.
    modified = http_date(headers.get("last-modified", ""))
    how: DateHow = "header" if modified else "unknown"
    return document.model_copy(update={"published_at": modified, "published_how": how})


def document_of(
    found: Extracted, url: str, canonical: str, publisher: str, now: datetime
) -> Document:
    """Build a document from what was extracted; `publisher` is used where none is named."""
    sha256 = hashlib.sha256(found.text.encode()).hexdigest()
    return Document(
        id=short_id("doc", [canonical, sha256]),
        url=url,
        canonical_url=canonical,
        publisher=found.publisher or publisher,
        title=found.title,
        author=found.author,
        published_at=_moment(found.published_at),
        published_how=found.published_how,
        language=found.language,
        text=found.text,
        sha256=sha256,
        media_type=found.media_type,
        fetched_at=now,
    )


def max_age(headers: Mapping[str, str], now: datetime) -> int | None:
    """Return how long a page is fresh by RFC 9111; only what the site says, no guess of ours."""
    rules = _cache_control(headers)
    if "no-store" in rules or "no-cache" in rules:
        return 0
    for name in ("s-maxage", "max-age"):
        value = rules.get(name, "")
        if value.isdigit():
            age = headers.get("age", "")
            spent = int(age) if age.isdigit() else 0
            return min(max(int(value) - spent, 0), _YEAR)
    if "expires" in headers:
        until = http_date(headers["expires"])
        if until is None:
            return 0  # an invalid date, `0` above all, means already expired
        start = http_date(headers.get("date", "")) or now
        return min(max(int((until - start).total_seconds()), 0), _YEAR)
    return None


def _cache_control(headers: Mapping[str, str]) -> dict[str, str]:
    rules: dict[str, str] = {}
    for part in headers.get("cache-control", "").lower().split(","):
        name, _, value = part.strip().partition("=")
        if name:
            rules.setdefault(name.strip(), value.strip().strip('"'))
    return rules


def _validators(headers: Mapping[str, str]) -> Validators:
    return Validators(
        etag=headers.get("etag", "")[:500] or None,
        last_modified=headers.get("last-modified", "")[:100] or None,
    )


def _moment(text: str | None) -> datetime | None:
    if not text:
        return None
    found = datetime.fromisoformat(text)
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
