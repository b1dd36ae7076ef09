"""What a query demands of a document besides its words: time, language, domains."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from groundwire.errors import InputError
from groundwire.evidence.urls import host_of, matches_domain, registrable_domain
from groundwire.model.query import Query
from groundwire.store.fulltext import Where
from groundwire.store.payload import to_us

_SPANS = {
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}
_AT = "COALESCE(d.published_at, d.fetched_at)"
_TRADITIONAL = frozenset({"zh-hant", "zh-tw", "zh-hk", "zh-mo"})


def where(query: Query, now: datetime) -> Where:
    """The query's demands as conditions; raises `InputError` for one that cannot be read."""
    conditions: list[str] = []
    parameters: list[Any] = []

    def demand(sql: str, given: Iterable[Any]) -> None:
        conditions.append(sql)
        parameters.extend(given)

    start, end = time_range(query.time_range, now)
    if start is not None:
        demand(f"{_AT} >= ?", [to_us(start)])
    if end is not None:
        demand(f"{_AT} <= ?", [to_us(end)])
    if query.language:
        demand(*_language(query.language))
    if query.include_domains:
        parts = [_below(host) for host in hosts(query.include_domains)]
        demand(
            "(" + " OR ".join(sql for sql, _ in parts) + ")",
            [value for _, given in parts for value in given],
        )
    for host in hosts(query.exclude_domains):
        sql, given = _below(host)
        demand(f"NOT {sql}", given)
    return Where(" AND ".join(conditions), tuple(parameters))


def admits(query: Query, url: str) -> bool:
    """Whether the host of a page fulfils the query's domains, exactly."""
    if not query.include_domains and not query.exclude_domains:
        return True
    try:
        inside = [matches_domain(url, host) for host in hosts(query.include_domains)]
        outside = [matches_domain(url, host) for host in hosts(query.exclude_domains)]
    except InputError:  # not from the web: it has no domain
        return not query.include_domains
    return not any(outside) and (not inside or any(inside))


def hosts(domains: Iterable[str]) -> list[str]:
    """Host names as people write them: `https://www.sec.gov/news`, `*.gov.cn`, `SEC.gov`."""
    found: list[str] = []
    for domain in domains:
        bare = domain.strip()
        if "://" not in bare:
            bare = "https://" + bare.removeprefix("*.").lstrip(".")
        found.append(host_of(bare))
    return found


def _below(host: str) -> tuple[str, list[str]]:
    domain = registrable_domain(host)
    if domain == host:
        # A public suffix (gov.cn) is nobody's domain, but everything below it can be asked for.
        return "(d.domain = ? OR d.domain LIKE ? ESCAPE '!')", [host, f"%.{_literal(host)}"]
    patterns = [f"%{before}{_literal(host)}{after}%" for before in ("://", ".") for after in "/:"]
    tests = " OR ".join(["d.canonical_url LIKE ? ESCAPE '!'"] * len(patterns))
    return f"(d.domain = ? AND ({tests}))", [domain, *patterns]


def _literal(words: str) -> str:
    return re.sub(r"([!%_])", r"!\1", words)


def _language(asked: str) -> tuple[str, list[str]]:
    code = asked.strip().replace("_", "-").lower()
    if code in _TRADITIONAL:
        return "d.language = ?", ["zh-Hant"]
    primary = code.split("-", 1)[0]
    return "(d.language = ? OR d.language LIKE ? ESCAPE '!')", [primary, f"{_literal(primary)}-%"]


def time_range(asked: str | None, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Both ends, included; an end that is left open is None."""
    if not asked:
        return None, None
    if asked in _SPANS:
        return now - _SPANS[asked], now
    first, slash, last = asked.partition("/")
    if not slash:
        raise InputError(
            f"Not a time range: {asked[:100]!r}.", hint="day, week, month, year or ISO/ISO"
        )
    return _moment(first, asked, timedelta(0)), _moment(last, asked, timedelta(days=1))


def _moment(words: str, asked: str, whole_day: timedelta) -> datetime | None:
    words = words.strip()
    if words in {"", ".."}:
        return None
    try:
        at = datetime.fromisoformat(words)
    except ValueError as error:
        raise InputError(
            f"Not a time range: {asked[:100]!r}.", hint="for example 2026-01-01/2026-01-31"
        ) from error
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    # A date alone, as the end, means that whole day.
    if re.fullmatch(r"\d{4}-?\d\d-?\d\d", words) and whole_day:
        at += whole_day - timedelta(microseconds=1)
    return at
