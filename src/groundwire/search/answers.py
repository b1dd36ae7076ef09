"""How an engine's answer is read: rows one by one, dates in the forms vendors use, plain text."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from datetime import UTC, datetime, time, tzinfo
from email.utils import parsedate_to_datetime
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from groundwire.errors import Malformed
from groundwire.model.base import Json

_MARKS = re.compile(r"</?(?:strong|b|em|i|br|span|mark)\b[^<>]{0,200}>", re.IGNORECASE)
_LONG_DATE = 60  # characters: what is longer is a sentence, not a date


class Foreign(BaseModel):
    """A part of a vendor's answer: what we do not read is left alone."""

    # Built when it is first read: most runs ask one or two engines.
    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)


def _or_nothing(value: Json) -> Json:
    return "" if value is None else value


Words = Annotated[str, BeforeValidator(_or_nothing)]  # vendors write null for no text
WebAddress = Annotated[str, Field(pattern=r"^(?i:https?)://[^\s/]")]
AnswerT = TypeVar("AnswerT", bound=BaseModel)


def answer(provider: str, shape: type[AnswerT], body: Json) -> AnswerT:
    """The answer in its vendor's form, or `Malformed`."""
    try:
        return shape.model_validate(body)
    except (ValidationError, RecursionError) as error:
        raise Malformed("outside.form", who=provider) from error


def rows(provider: str, shape: type[AnswerT], found: Sequence[Json]) -> list[AnswerT]:
    """The rows that can be read: a damaged one does not cost the others, nothing but damaged ones
    is no answer."""
    kept: list[AnswerT] = []
    for row in found:
        try:
            kept.append(shape.model_validate(row))
        except (ValidationError, RecursionError):
            continue
    if found and not kept:
        raise Malformed("outside.no_results_read", who=provider, n=len(found))
    return kept


def plain(text: str) -> str:
    """A snippet without the vendor's highlighting."""
    return html.unescape(_MARKS.sub("", text)).strip()


def moment(value: Json, zone: tzinfo = UTC) -> datetime | None:
    """A date as vendors write it: ISO, RFC 2822, `Mar 11, 2023`, 2023年3月11日.

    `3 hours ago` needs a clock and is not read: a date that is not known is better than a guess.
    """
    if not isinstance(value, str) or not value.strip() or len(value) > _LONG_DATE:
        return None
    found = _stamp(value.strip()) or _named(value)
    if found is None:
        return None
    try:
        return (found if found.tzinfo else found.replace(tzinfo=zone)).astimezone(UTC)
    except OverflowError:
        return None


def _named(text: str) -> datetime | None:
    """The one day that is named in words."""
    # Deferred: its patterns take long to compile, and most vendors write stamps.
    from groundwire.language.time.dates import date_mentions

    named = [each.date for each in date_mentions(text) if each.precision == "day"]
    return datetime.combine(named[0], time()) if len(named) == 1 and named[0] else None


def _stamp(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
