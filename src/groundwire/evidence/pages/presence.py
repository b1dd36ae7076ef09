"""When a page was there to be read: as it says itself, else since it was first seen."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from groundwire.model.source import Document

_YEARS = range(1970, 2200)  # others are how programs write that they do not know
_NOON = timedelta(hours=12)


def published(document: Document) -> datetime | None:
    """Return when a page says that it appeared; a year that no page is of is none."""
    when = document.published_at
    return when if when is not None and when.year in _YEARS else None


def appeared(document: Document) -> datetime:
    """Return since when a page is known to be there; of a day without a time, its noon."""
    when = published(document)
    if when is None:
        return document.fetched_at
    return when + _NOON if is_day(when) else when


def is_day(when: datetime) -> bool:
    """Tell whether only the day is known: a date without a time is kept as midnight."""
    return when.astimezone(UTC).time() == time(0)


def was_there(document: Document, as_of: datetime | None) -> bool:
    """Tell whether a page was there by a moment: published by then, or seen by then; without one
    it is there now, whatever day it bears."""
    if as_of is None:
        return True
    when = published(document)
    return document.fetched_at <= as_of or (when is not None and when <= as_of)
