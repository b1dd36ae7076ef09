"""Reads an engine's answer: rows one by one, dates in the forms vendors use, plain text."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, time, tzinfo
from email.utils import parsedate_to_datetime
from typing import Annotated

from pydantic import BeforeValidator, Field

from groundwire.gateway.vendor import Foreign, rows
from groundwire.model.base import Json
from groundwire.model.query import Hit

_MARKS = re.compile(r"</?(?:strong|b|em|i|br|span|mark)\b[^<>]{0,200}>", re.IGNORECASE)
UNREADABLE = "outside.no_results_read"
_LONG_DATE = 60  # characters; anything longer is a sentence


# Vendors write null for no text.
Words = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
WebAddress = Annotated[str, Field(pattern=r"^(?i:https?)://[^\s/]")]


class Result(Foreign):
    """A row of an engine's answer under our field names; a provider aliases its own."""

    url: WebAddress
    title: Words = ""
    content: Words = ""
    score: float | None = None
    published: Json = None
    raw_content: str | None = None

    def excerpt(self) -> str:
        """Return the text to show of the page."""
        return plain(self.content)

    def published_at(self) -> datetime | None:
        """Return when the page was published, where the engine says so."""
        return moment(self.published)


def hits(provider: str, shape: type[Result], found: Sequence[Json]) -> list[Hit]:
    """Return the rows that can be read as hits, in their order."""
    return [
        Hit(
            title=plain(row.title),
            url=row.url,
            content=row.excerpt(),
            score=row.score,
            published_at=row.published_at(),
            raw_content=row.raw_content or None,
            provider=provider,
            rank=rank,
        )
        for rank, row in enumerate(rows(provider, shape, found, UNREADABLE), start=1)
    ]


def plain(text: str) -> str:
    """Strip the vendor's highlighting from a snippet."""
    return html.unescape(_MARKS.sub("", text)).strip()


def moment(value: Json, zone: tzinfo = UTC) -> datetime | None:
    """Parse a date as vendors write it: ISO, RFC 2822, `Mar 11, 2023`, 2023年3月11日.

    `3 hours ago` needs a clock and is not read: no date is better than a guess.
    """
    if not isinstance(value, str) or not value.strip() or len(value) > _LONG_DATE:
        return None
    found = _stamp(value.strip()) or _named(value)
    if found is None:
        return None
    try:
        at = found if found.tzinfo else found.replace(tzinfo=zone)
        at.astimezone(UTC)
    except OverflowError:
        return None
    return at


def _named(text: str) -> datetime | None:
    """Find the one day that is named in words."""
    # Deferred: its patterns take long to compile, and most vendors write stamps.
    from groundwire.language.time.dates import date_mentions

    named = [each.date for each in date_mentions(text) if each.precision == "day"]
    return datetime.combine(named[0], time()) if len(named) == 1 and named[0] else None


def _stamp(text: str) -> datetime | None:
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        with suppress(ValueError, OverflowError):
            return read(text)
    return None
