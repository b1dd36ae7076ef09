"""The moment up to which evidence counts, as people and programs write it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import BeforeValidator

from groundwire.errors import InputError, Unfit
from groundwire.model.base import Instant, Value
from groundwire.model.query import Hit

_AHEAD = timedelta(days=1)  # clocks differ, but not by a day


class UpTo:
    """A marker of moments up to which something counts: a bare day counts to its end."""


def _parse_moment(value: object) -> object:
    """Parse a moment that names its day in full; "yesterday" needs a caller who knows the day."""
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    # Deferred: the calendars of two languages take a while, and most inputs name no moment.
    from groundwire.language.time.expressions import up_to

    found = up_to(value, None, UTC)
    if found is None:
        raise Unfit("input.as_of", text=value.strip()[:40])
    return found


AsOf = Annotated[Instant | None, BeforeValidator(_parse_moment), UpTo()]


def refuse_later(as_of: datetime, now: datetime) -> None:
    """Refuse a moment that is still to come: nothing was published by then."""
    if as_of > now + _AHEAD:
        raise InputError("error.as_of_later", day=f"{as_of:%Y-%m-%d}")


def refuse_future(given: Value, now: datetime) -> None:
    """Refuse an input that asks for what will be known at a moment still to come."""
    for name, field in type(given).model_fields.items():
        as_of = getattr(given, name)
        if isinstance(as_of, datetime) and any(isinstance(each, UpTo) for each in field.metadata):
            refuse_later(as_of, now)


def is_later(hit: Hit, as_of: datetime) -> bool:
    """Tell whether a search dates a page after a moment."""
    return hit.published_at is not None and hit.published_at > as_of


def known_by(as_of: datetime | None, now: datetime) -> datetime:
    """Return the moment up to which evidence counts: now, unless an earlier one is asked for."""
    return now if as_of is None else min(as_of, now)
