"""How old an event was when a message reported it, and whether the message is news at all.

Every age here is the least that is certain: a day without a time counts from its end, a page's
date without a time from its end in the last time zone. To take an old event for fresh costs less
than the reverse. No age is finer than what it is counted between: where the message or what dates
the event has only a day, days are counted; where only a week or a month is named, at least so many.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from groundwire.evidence.messages.impression import message_kind
from groundwire.evidence.pages.presence import is_day, published
from groundwire.jobs.verify.event_dates import Dated, dated, zone_of
from groundwire.jobs.verify.feature_types import Timeliness
from groundwire.language.time.expressions import expressions
from groundwire.model.message import Message
from groundwire.model.source import Document, Evidence
from groundwire.model.stance import Stance

_SECOND = timedelta(seconds=1)
_HOUR = timedelta(hours=1)
_NOON = time(12)
_DAY = 24
_LONG = timedelta(days=30)
_LAST_ZONE = timedelta(hours=12)  # where a day ends last, behind UTC


def timeliness(message: Message, reports: Sequence[tuple[Evidence, Stance]] = ()) -> Timeliness:
    """Compute the event's age at the message's time, by its text and by what was found.

    Both are lower bounds, so the higher counts. A day to come that the message names makes the
    event planned, unless all who report it did so long ago, of a day that has passed: then an old
    message is going round again with its "next week".
    """
    kind, words = message_kind(message.text)
    zone = zone_of(message)
    only_day = _only_day(message.at, zone)
    at = message.at if only_day is None else datetime.combine(only_day, _NOON, zone)
    stated = dated(message.text, at, zone)
    own = None if stated is None or stated.planned else _bound(stated)
    found = _by_evidence(at, reports, _stretches(message.text, at, zone))
    planned = stated is not None and stated.planned and not _is_long_past(at, reports)
    age, by, why, day, bound = None, "nobody", "", None, None
    if planned and stated is not None:
        age, by, why = 0.0, "message", stated.words
    elif bound := max(
        filter(None, (own, found)), key=lambda each: _age(at, each.latest), default=None
    ):
        by = "message" if bound is own else "evidence"
        age, why, day = _age(at, bound.latest), bound.words, bound.day
        if day is None and only_day is not None and not bound.counted:
            day = bound.latest.astimezone(zone).date()
    if kind == "retrospective":
        by = "message"  # a look back says itself that the event is past
        age = None if age is None or age <= _DAY else age  # 一年前的今天 is no day of today
    return Timeliness.model_validate(
        {
            "age_hours": None if age is None else round(age, 4),
            "kind": kind,
            "dated_by": by,
            "admitted": own is not None
            and _age(at, own.latest) > _DAY
            and _is_borne_out(stated, found),
            "planned": planned,
            "days": None if day is None else max(0, (at.astimezone(zone).date() - day).days),
            "coarse": bound is not None and bound.coarse,
            "reason": words or why,
            "evidence_ids": (bound.page,) if bound is not None and bound.page else (),
        }
    )


def _is_borne_out(stated: Dated | None, found: _Bound | None) -> bool:
    """Tell whether nobody dates the event before the time that the message gives it."""
    begin = stated.begin if stated else None
    return begin is not None and (found is None or found.latest >= begin)


class _Bound(NamedTuple):
    """The latest moment that something can mean, the words for it, and the page that has them."""

    latest: datetime
    words: str
    page: str = ""  # "": the message
    day: date | None = None  # the last that it can mean, where nothing finer is said
    coarse: bool = False  # no day is named, only a longer stretch of time
    counted: bool = False  # back from the message: as fine as it is told, whenever that was


def _only_day(at: datetime, zone: tzinfo) -> date | None:
    """Return the day of a moment where only that is known: it is kept as its first or last second."""
    for local in (at.astimezone(UTC), at.astimezone(zone)):
        if time(0) in (local.time(), (local + _SECOND).time()):
            return local.date()
    return None


def _bound(one: Dated, page: str = "", *, by_day: bool = False) -> _Bound:
    """Return what a text bounds; `by_day`: only the day is known on which it was told."""
    counted = one.begin is None or one.begin == one.latest
    day = one.day
    if day is None and (one.coarse or by_day):
        # The end of a stretch of time is the first moment after it.
        day = (one.latest if counted else one.latest - _SECOND).date()
    return _Bound(one.latest, one.words, page, day, one.coarse, counted and not page)


def _is_long_past(at: datetime, reports: Sequence[tuple[Evidence, Stance]]) -> bool:
    """Tell whether every supporting page is old, and none speaks of a day still to come."""
    supporting = [pair for pair in reports if pair[1].label == "supports"]
    dates = [bound.latest for each, stance in supporting if (bound := _published(each, stance))]
    return len(dates) == len(supporting) > 0 and max(dates) < at - _LONG


def _stretches(text: str, at: datetime, zone: tzinfo) -> frozenset[tuple[date, date]]:
    """List the stretches of time that a message names, by their days."""
    return frozenset(
        (each.begin.date(), each.finish.date())
        for each in expressions(text, at, zone)
        if each.begin is not None and each.finish is not None
    )


def _by_evidence(
    at: datetime,
    reports: Sequence[tuple[Evidence, Stance]],
    named: frozenset[tuple[date, date]],
) -> _Bound | None:
    """Find the page that bounds the event's age, and what dates it.

    A month or year that the message `named` too is what its figures are counted over, or its own
    admission: no page makes the news older by repeating it.
    """
    # A page that reports a part may be about another event: it dates nothing.
    supporting = [pair for pair in reports if pair[1].label == "supports"]
    page_bounds = [bound for each, stance in supporting if (bound := _published(each, stance))]
    quoted = [
        _bound(one, each.id, by_day=_is_day(each))
        for each, stance in supporting
        if (one := _quoted(each.document, stance))
        and not one.planned
        and _has_begun(one, at)
        and not _is_named(one, named)
    ]
    # Each page reports the event, so the first dates it.
    bounds = sorted(page_bounds, key=_order)[:1] + sorted(quoted, key=_order)[-1:]
    return min(bounds, key=_order, default=None)


def _has_begun(one: Dated, at: datetime) -> bool:
    """Tell whether a time is no later than the message: a day that is not over yet dates news of that day."""
    return (one.latest if one.begin is None else one.begin) <= at


def _is_named(one: Dated, named: frozenset[tuple[date, date]]) -> bool:
    return one.coarse and one.begin is not None and (one.begin.date(), one.latest.date()) in named


def _order(bound: _Bound) -> tuple[datetime, str, str]:
    return bound.latest, bound.words, bound.page


def _published(page: Evidence, stance: Stance) -> _Bound | None:
    """Return the last moment at which the page can have reported it, and its day."""
    when = published(page.document)
    if when is None:
        return None
    last = when + timedelta(days=1) + _LAST_ZONE if is_day(when) else when
    quoted = _quoted(page.document, stance)
    # A page that says "this week" tells what has happened by then.
    running = quoted is not None and quoted.coarse and quoted.begin and quoted.begin <= last
    if quoted is not None and quoted.latest > last and not running:
        # The page is older than its event: it is kept up to date, or announces a day to come.
        return _bound(quoted, page.id, by_day=is_day(when))
    day = when.date()
    return _Bound(last, day.isoformat(), page.id, day if is_day(when) else None)


def _is_day(page: Evidence) -> bool:
    when = published(page.document)
    return when is not None and is_day(when)


def _quoted(document: Document, stance: Stance) -> Dated | None:
    """Return the day that the quoted sentence gives, relative to when its page appeared."""
    when = published(document)
    if when is None or not stance.quote:
        return None
    return dated(stance.quote, when, when.tzinfo or UTC)


def _age(at: datetime, latest: datetime) -> float:
    return max(0.0, (at - latest) / _HOUR)
