"""When a standing run is due, by the clock on the wall of its zone, and when people may be told.

What a clock shows twice, when summer ends, happens at the first of the two; what it never shows,
when summer begins, happens at the next moment that it does.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from croniter import croniter
from croniter.croniter import CroniterError

from groundwire.errors import InputError
from groundwire.language.time.recurrence import quiet_hours, recurrence
from groundwire.model.schedule import QuietHours, Recurrence, Schedule

LEAST, MOST = timedelta(minutes=1), timedelta(days=366)
_SPAN = timedelta(days=1)
_LONGEST = 80  # characters of a rule


def rule_of(text: str, zone: str, now: datetime) -> Recurrence:
    """Read a rule as people write it; what never comes, or too often, is refused in one sentence."""
    found = recurrence(text) if len(text) <= _LONGEST else None
    if found is None:
        raise InputError("schedule.no_rule", text=text[:40], hint="hint.schedule_rule")
    if found.seconds:
        if not LEAST.total_seconds() <= found.seconds <= MOST.total_seconds():
            raise InputError("schedule.too_often_or_seldom", text=text[:40])
        return found
    try:
        _by_cron(found.cron, ZoneInfo(zone), now)
    except CroniterError as error:
        raise InputError("schedule.never_fires", text=text[:40]) from error
    return found


def quiet_of(text: str) -> QuietHours | None:
    """Read quiet hours as people write them; "" is none."""
    if not text.strip():
        return None
    found = quiet_hours(text) if len(text) <= _LONGEST else None
    if found is None:
        raise InputError("schedule.no_quiet", text=text[:40], hint="hint.schedule_quiet")
    return found


def next_due(schedule: Schedule, after: datetime) -> datetime:
    """Return the first moment after another at which a standing run is due."""
    return due_after(schedule.recurrence, schedule.zone, schedule.created_at, after)


def due_after(rule: Recurrence, zone: str, since: datetime, after: datetime) -> datetime:
    if rule.seconds:
        length = timedelta(seconds=rule.seconds)
        return since + max((after - since) // length + 1, 1) * length
    return _by_cron(rule.cron, ZoneInfo(zone), after)


def told_from(quiet: QuietHours | None, zone: str, at: datetime) -> datetime:
    """Return the moment from which people may be told of what is known at another."""
    if quiet is None:
        return at
    local = at.astimezone(ZoneInfo(zone))
    clock = local.time()
    past_midnight = quiet.begin > quiet.end
    held = (
        clock >= quiet.begin or clock < quiet.end
        if past_midnight
        else quiet.begin <= clock < quiet.end
    )
    if not held:
        return at
    day = local.date() + (_SPAN if past_midnight and clock >= quiet.begin else timedelta())
    return max(at, _moment(datetime.combine(day, quiet.end), ZoneInfo(zone)))


def _by_cron(cron: str, zone: ZoneInfo, after: datetime) -> datetime:
    # Walked on the wall, without a zone: the clock's jumps are ours to decide.
    walk = croniter(cron, after.astimezone(zone).replace(tzinfo=None))
    while True:
        due = _moment(walk.get_next(datetime), zone)
        if due > after:
            return due


def _moment(wall: datetime, zone: ZoneInfo) -> datetime:
    """Return when a clock shows this: the first time, or the first time that is later."""
    at = wall.replace(tzinfo=zone).astimezone(UTC)
    if at.astimezone(zone).replace(tzinfo=None) == wall:
        return at
    # The clock jumped over it: `early` is before the jump, `at` after it.
    early = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    offset = early.astimezone(zone).utcoffset()
    while at - early > timedelta(seconds=1):
        middle = early + (at - early) / 2
        before = middle.astimezone(zone).utcoffset() == offset
        early, at = (middle, at) if before else (early, middle)
    return at.replace(microsecond=0)


def day_ends(day: date, zone: str) -> datetime:
    """Return the last moment of a day in a zone."""
    return _moment(datetime.combine(day + _SPAN, time()), ZoneInfo(zone)) - timedelta.resolution
