"""How old an event was when a message told it, and whether the message tells news at all.

Every age here is the least that is certain: a day without a time counts from its end, a page's
date without a time from where that day ends last. An old event taken for fresh costs less than
the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from groundwire.evidence.messages.impression import message_kind
from groundwire.evidence.pages.presence import is_day, published
from groundwire.jobs.verify.event_dates import Dated, dated, page_zone, zone_of
from groundwire.jobs.verify.feature_types import Timeliness
from groundwire.model.message import Message
from groundwire.model.source import Document, Evidence
from groundwire.model.stance import Stance

_HOUR = timedelta(hours=1)
_DAY = 24
_LONG = timedelta(days=30)
_LAST_ZONE = timedelta(hours=12)  # where a day ends last, behind UTC


def timeliness(message: Message, told: Sequence[tuple[Evidence, Stance]] = ()) -> Timeliness:
    """The event's age at the message's time, by its own text and by what was found about it.

    Both are lower bounds, so the higher counts; a day to come that the message names itself makes
    the event planned, whoever wrote about it before: unless all who tell of it did so long ago,
    and of a day that has passed. Then an old message comes round again with its "next week".
    """
    kind, words = message_kind(message.text)
    own = dated(message.text, message.at, zone_of(message))
    found = _by_evidence(message.at, told)
    planned = own is not None and own.planned and not _is_long_past(message.at, told)
    day: date | None = None
    if planned and own is not None:
        age, by, why, ids = 0.0, "message", own.words, ()
    elif (
        own is not None
        and not own.planned
        and (found is None or _age(message.at, found.latest) <= _age(message.at, own.latest))
    ):
        age, by, why, ids = _age(message.at, own.latest), "message", own.words, ()
        day = own.day
    elif found is not None:
        age, by, why, ids = _age(message.at, found.latest), "evidence", found.words, (found.page,)
        day = found.day
    else:
        age, by, why, ids = None, "nobody", "", ()
    if kind == "retrospective":
        by = "message"  # a look back says itself that the event is past
        age = None if age is None or age <= _DAY else age  # 一年前的今天 is no day of today
    return Timeliness.model_validate(
        {
            "age_hours": None if age is None else round(age, 4),
            "kind": kind,
            "dated_by": by,
            "planned": planned,
            "days": None if day is None else max(0, (_today(message) - day).days),
            "reason": words or why,
            "evidence_ids": ids,
        }
    )


def _today(message: Message) -> date:
    return message.at.astimezone(zone_of(message)).date()


class _Bound(NamedTuple):
    """The last moment that something can mean, what says so, and the day where it says no more."""

    latest: datetime
    words: str
    page: str
    day: date | None


def _is_long_past(at: datetime, told: Sequence[tuple[Evidence, Stance]]) -> bool:
    """Whether every page that supports it is old, and none tells of a day that is still to come."""
    supporting = [pair for pair in told if pair[1].label == "supports"]
    dates = [
        until[0] for each, stance in supporting if (until := _published(each.document, stance))
    ]
    return len(dates) == len(supporting) > 0 and max(dates) < at - _LONG


def _by_evidence(at: datetime, told: Sequence[tuple[Evidence, Stance]]) -> _Bound | None:
    """What bounds the event's age by the pages that tell it, what dates it, and which page."""
    supporting = [pair for pair in told if pair[1].label == "supports"]
    partly = [pair for pair in told if pair[1].label == "qualifies"]
    bounds: list[_Bound] = []
    published = sorted(
        (
            _Bound(until[0], until[1], each.id, until[2])
            for each, stance in supporting or partly
            if (until := _published(each.document, stance))
        ),
        key=lambda bound: bound[:3],
    )
    if published:
        # Each supporting page tells the event, so the first dates it; of pages that tell only a
        # part, some tell another event, so only the last is sure.
        bounds.append(published[0] if supporting else published[-1])
    quoted = sorted(
        (
            _Bound(one.latest, one.words, each.id, one.day)
            for each, stance in supporting
            if (one := _quoted(each.document, stance)) and not one.planned and one.latest <= at
        ),
        key=lambda bound: bound[:3],
    )
    if quoted:
        bounds.append(quoted[-1])
    return min(bounds, key=lambda bound: bound[:3], default=None)


def _published(document: Document, stance: Stance) -> tuple[datetime, str, date | None] | None:
    """The last moment at which the page can have told it, its day in words, and that day where no
    time is known."""
    when = published(document)
    if when is None:
        return None
    last = when
    if is_day(when):
        last = when + timedelta(days=1) + _LAST_ZONE
    told = _quoted(document, stance)
    if told is not None and told.latest > last:
        # A page that is kept up to date, or tells of a day to come, is older than the event.
        return told.latest, told.words, told.day
    return last, when.date().isoformat(), when.date() if is_day(when) else None


def _quoted(document: Document, stance: Stance) -> Dated | None:
    """The day that the quoted sentence gives, read from when its page appeared."""
    when = published(document)
    if when is None or not stance.quote:
        return None
    return dated(stance.quote, when, page_zone(document))


def _age(at: datetime, latest: datetime) -> float:
    return max(0.0, (at - latest) / _HOUR)
