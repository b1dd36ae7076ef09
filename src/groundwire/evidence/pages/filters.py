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
    """Tell whether the host of a page matches the query's domains, exactly."""
    if not query.include_domains and not query.exclude_domains:
        return True
    try:
        included = [matches_domain(url, host) for host in hosts(query.include_domains)]
        excluded = [matches_domain(url, host) for host in hosts(query.exclude_domains)]
    except InputError:  # not from the web: it has no domain
        return not query.include_domains
    return not any(excluded) and (not included or any(included))


def hosts(domains: Iterable[str]) -> list[str]:
    """Read host names as people write them: `https://www.sec.gov/news`, `*.gov.cn`, `SEC.gov`."""
    names: list[str] = []
    for domain in domains:
        bare = domain.strip()
        if "://" not in bare:
            bare = "https://" + bare.removeprefix("*.").lstrip(".")
        names.append(host_of(bare).removeprefix("www."))  # the site, not one of its machines
    return names


def in_time(at: datetime | None, start: datetime | None, end: datetime | None) -> bool:
    """Tell whether a page's date lies between the ends; an unknown date excludes nothing.

    A date without its time of day means the whole day.
    """
    if at is None:
        return True
    last = at + timedelta(days=1) if at.time() == time() else at
    return (start is None or last > start or at >= start) and (end is None or at <= end)


def time_range(requested: str | None, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Return both ends of a time range, inclusive; None for an open end."""
    if not requested:
        return None, None
    if requested in _SPANS:
        return now - _SPANS[requested], now
    first, slash, last = requested.partition("/")
    if not slash:
        raise InputError("error.no_time_range", text=requested[:100], hint="hint.time_range")
    return _moment(first, requested, timedelta(0)), _moment(last, requested, timedelta(days=1))


def _moment(text: str, requested: str, whole_day: timedelta) -> datetime | None:
    text = text.strip()
    if text in {"", ".."}:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(
            "error.no_time_range", text=requested[:100], hint="hint.time_range_days"
        ) from error
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    # A date alone, as the end, means that whole day.
    if re.fullmatch(r"\d{4}-?\d\d-?\d\d", text) and whole_day:
        moment += whole_day - timedelta(microseconds=1)
    return moment
