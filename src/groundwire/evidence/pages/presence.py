"""When a page was available: as it says itself, else since it was first seen."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from groundwire.language.time.zones import home_zone
from groundwire.model.source import Document

_YEARS = range(1970, 2200)  # programs write other years for an unknown date
_NOON = timedelta(hours=12)
_DAY = timedelta(days=1, seconds=-1)


def published(document: Document) -> datetime | None:
    """Return when a page says it appeared, in its own zone; None for a year that cannot be.

    The zone is the one that it wrote, else that of its language: programs write UTC for readers
    anywhere, and what a page calls today is the day where it was written.
    """
    when = document.published_at
    if when is None or when.year not in _YEARS:
        return None
    return when if when.utcoffset() else when.astimezone(home_zone(document.language))


def publication_day(document: Document) -> date | None:
    """Return the day on which a page appeared, from which its "today" is counted."""
    when = published(document)
    return None if when is None else when.date()


def appeared(document: Document) -> datetime:
    """Return since when a page is known to exist; for a day without a time, its noon."""
    when = published(document)
    if when is None:
        return document.fetched_at
    return when + _NOON if is_day(when) else when


def is_day(when: datetime) -> bool:
    """Tell whether only the day is known: a date without a time is kept as midnight."""
    return when.astimezone(UTC).time() == time(0)


def until(when: datetime) -> datetime:
    """Return the last moment that a date can mean: a day without a time counts to its end."""
    return when + _DAY if is_day(when) else when


def there_since(document: Document) -> datetime:
    """Return the first moment at which a page was there: published, or seen before that."""
    when = published(document)
    return document.fetched_at if when is None else min(when, document.fetched_at)


def was_there(document: Document, as_of: datetime | None) -> bool:
    """Tell whether a page was published or seen by a moment; without one, it is there now."""
    return as_of is None or there_since(document) <= as_of
