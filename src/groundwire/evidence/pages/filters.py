"""What a query demands of a page besides its words: its site and its time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta

from groundwire.errors import InputError
from groundwire.evidence.sources.urls import host_of, matches_domain
from groundwire.model.query import Query

_SPANS = {
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}


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
        found.append(host_of(bare).removeprefix("www."))  # the site, not one of its machines
    return found


def in_time(at: datetime | None, start: datetime | None, end: datetime | None) -> bool:
    """Whether a page's date lies between the ends; one that is not known speaks against nothing.

    A date without its time of day means the whole day.
    """
    if at is None:
        return True
    last = at + timedelta(days=1) if at.time() == time() else at
    return (start is None or last > start or at >= start) and (end is None or at <= end)


def time_range(asked: str | None, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Both ends, included; an end that is left open is None."""
    if not asked:
        return None, None
    if asked in _SPANS:
        return now - _SPANS[asked], now
    first, slash, last = asked.partition("/")
    if not slash:
        raise InputError("error.no_time_range", text=asked[:100], hint="hint.time_range")
    return _moment(first, asked, timedelta(0)), _moment(last, asked, timedelta(days=1))


def _moment(words: str, asked: str, whole_day: timedelta) -> datetime | None:
    words = words.strip()
    if words in {"", ".."}:
        return None
    try:
        at = datetime.fromisoformat(words)
    except ValueError as error:
        raise InputError(
            "error.no_time_range", text=asked[:100], hint="hint.time_range_days"
        ) from error
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    # A date alone, as the end, means that whole day.
    if re.fullmatch(r"\d{4}-?\d\d-?\d\d", words) and whole_day:
        at += whole_day - timedelta(microseconds=1)
    return at
