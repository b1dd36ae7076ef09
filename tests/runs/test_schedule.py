"""When a standing run is due: distances, clocks on walls, what they show twice and what never."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest

from groundwire.errors import InputError
from groundwire.model.schedule import QuietHours, Recurrence
from groundwire.runs.schedule import day_ends, due_after, rule_of, told_from

NIGHT = QuietHours(begin=time(22), end=time(7))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


SINCE = at("2026-01-01T00:30")


@pytest.mark.parametrize(
    ("after", "due"),
    [
        ("2026-01-01T00:30", "2026-01-01T06:30"),
        ("2026-01-01T06:29:59", "2026-01-01T06:30"),
        ("2026-01-01T06:30", "2026-01-01T12:30"),  # strictly after
        ("2026-01-09T11:00", "2026-01-09T12:30"),  # late: once, on the same grid
        ("2025-06-01T00:00", "2026-01-01T06:30"),  # a clock that went back
    ],
)
def test_a_distance_is_counted_from_when_it_was_made(after: str, due: str) -> None:
    assert due_after(Recurrence(seconds=21_600), "UTC", SINCE, at(after)) == at(due)


@pytest.mark.parametrize(
    ("cron", "zone", "after", "due"),
    [
        ("0 9 * * *", "Asia/Shanghai", "2026-01-01T00:59", "2026-01-01T01:00"),
        ("0 9 * * *", "Asia/Shanghai", "2026-01-01T01:00", "2026-01-02T01:00"),
        ("0 9 * * *", "Europe/Berlin", "2026-03-28T12:00", "2026-03-29T07:00"),  # summer has begun
        # Between 2 and 3 there is nothing: it runs when the clock shows 3, once.
        ("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00", "2026-03-29T01:00"),
        ("30 2 * * *", "Europe/Berlin", "2026-03-29T01:00", "2026-03-30T00:30"),
        ("*/10 2 * * *", "Europe/Berlin", "2026-03-28T12:00", "2026-03-29T01:00"),
        ("*/10 2 * * *", "Europe/Berlin", "2026-03-29T01:00", "2026-03-30T00:00"),
        # The clock shows 2:30 twice: the first time counts.
        ("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00", "2026-10-25T00:30"),
        ("30 2 * * *", "Europe/Berlin", "2026-10-25T00:30", "2026-10-26T01:30"),
        ("0 9 29 2 *", "UTC", "2026-01-01T00:00", "2028-02-29T09:00"),
        # A day that a zone left out as a whole.
        ("0 9 30 12 *", "Pacific/Apia", "2011-12-29T00:00", "2011-12-30T10:00"),
    ],
)
def test_a_clock_on_the_wall_decides(cron: str, zone: str, after: str, due: str) -> None:
    assert due_after(Recurrence(cron=cron), zone, SINCE, at(after)) == at(due)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("every 1s", "schedule.too_often_or_seldom"),
        ("every 400d", "schedule.too_often_or_seldom"),
        ("0 0 30 2 *", "schedule.never_fires"),
        ("99 9 * * *", "schedule.never_fires"),
        ("now and then", "schedule.no_rule"),
        ("every 6h " * 40, "schedule.no_rule"),
    ],
)
def test_what_cannot_be_kept_is_refused_in_one_sentence(text: str, code: str) -> None:
    with pytest.raises(InputError) as refusal:
        rule_of(text, "UTC", SINCE)
    assert refusal.value.says == code
    for language in ("en", "zh", "zh-Hant"):
        assert refusal.value.describe(language) != code


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ("2026-01-01T13:59", "2026-01-01T13:59"),  # 21:59 in Shanghai
        ("2026-01-01T14:00", "2026-01-01T23:00"),  # 22:00: until 7
        ("2026-01-01T18:00", "2026-01-01T23:00"),  # 2 at night
        ("2026-01-01T23:00", "2026-01-01T23:00"),  # 7 in the morning
    ],
)
def test_nobody_is_told_in_quiet_hours(known: str, told: str) -> None:
    assert told_from(NIGHT, "Asia/Shanghai", at(known)) == at(told)
    assert told_from(None, "Asia/Shanghai", at(known)) == at(known)


def test_quiet_hours_may_lie_within_a_day() -> None:
    noon = QuietHours(begin=time(12), end=time(14))
    assert told_from(noon, "UTC", at("2026-01-01T12:30")) == at("2026-01-01T14:00")
    assert told_from(noon, "UTC", at("2026-01-01T14:00")) == at("2026-01-01T14:00")


def test_quiet_hours_end_by_the_clock_on_the_wall_when_summer_begins() -> None:
    assert told_from(NIGHT, "Europe/Berlin", at("2026-03-28T22:00")) == at("2026-03-29T05:00")


def test_a_day_ends_at_midnight_of_its_zone() -> None:
    end = day_ends(date(2026, 3, 3), "Asia/Shanghai")
    assert end < at("2026-03-03T16:00") <= end + (end - at("2026-03-03T15:59:59"))
