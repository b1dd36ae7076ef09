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
    age, by, why, ids, day = None, "nobody", "", (), None
    if planned and own is not None:
        age, by, why = 0.0, "message", own.words
    elif (
        own is not None
        and not own.planned
        and (found is None or _age(message.at, found.latest) <= _age(message.at, own.latest))
    ):
        age, by, why, day = _age(message.at, own.latest), "message", own.words, own.day
    elif found is not None:
        age, by, why, day = _age(message.at, found.latest), "evidence", found.words, found.day
        ids = (found.page,)
    if kind == "retrospective":
        by = "message"  # a look back says itself that the event is past
        age = None if age is None or age <= _DAY else age  # 一年前的今天 is no day of today
    today = message.at.astimezone(zone_of(message)).date()
    return Timeliness.model_validate(
        {
            "age_hours": None if age is None else round(age, 4),
            "kind": kind,
            "dated_by": by,
            "planned": planned,
            "days": None if day is None else max(0, (today - day).days),
            "reason": words or why,
            "evidence_ids": ids,
        }
    )


class _Bound(NamedTuple):
    """The last moment that something can mean, what says so, and the day where it says no more."""

    latest: datetime
    words: str
    page: str
    day: date | None


def _is_long_past(at: datetime, told: Sequence[tuple[Evidence, Stance]]) -> bool:
    """Whether every page that supports it is old, and none tells of a day that is still to come."""
    supporting = [pair for pair in told if pair[1].label == "supports"]
    dates = [bound.latest for each, stance in supporting if (bound := _published(each, stance))]
    return len(dates) == len(supporting) > 0 and max(dates) < at - _LONG


def _by_evidence(at: datetime, told: Sequence[tuple[Evidence, Stance]]) -> _Bound | None:
    """What bounds the event's age by the pages that tell it, what dates it, and which page."""
    supporting = [pair for pair in told if pair[1].label == "supports"]
    partly = [pair for pair in told if pair[1].label == "qualifies"]
    told_by = [
        bound for each, stance in supporting or partly if (bound := _published(each, stance))
    ]
    quoted = [
        _Bound(one.latest, one.words, each.id, one.day)
        for each, stance in supporting
        if (one := _quoted(each.document, stance)) and not one.planned and one.latest <= at
    ]
    # Each supporting page tells the event, so the first dates it; of pages that tell only a part,
    # some tell another event, so only the last is sure.
    ordered = sorted(told_by, key=_order)
    bounds = ordered[:1] if supporting else ordered[-1:]
    bounds += sorted(quoted, key=_order)[-1:]
    return min(bounds, key=_order, default=None)


def _order(bound: _Bound) -> tuple[datetime, str, str]:
    return bound.latest, bound.words, bound.page


def _published(page: Evidence, stance: Stance) -> _Bound | None:
    """The last moment at which the page can have told it, its day in words, and that day where no
    time is known."""
    when = published(page.document)
    if when is None:
        return None
    last = when + timedelta(days=1) + _LAST_ZONE if is_day(when) else when
    told = _quoted(page.document, stance)
    if told is not None and told.latest > last:
        # A page that is kept up to date, or tells of a day to come, is older than the event.
        return _Bound(told.latest, told.words, page.id, told.day)
    day = when.date()
    return _Bound(last, day.isoformat(), page.id, day if is_day(when) else None)


def _quoted(document: Document, stance: Stance) -> Dated | None:
    """The day that the quoted sentence gives, read from when its page appeared."""
    when = published(document)
    if when is None or not stance.quote:
        return None
    return dated(stance.quote, when, page_zone(document))


def _age(at: datetime, latest: datetime) -> float:
    return max(0.0, (at - latest) / _HOUR)
