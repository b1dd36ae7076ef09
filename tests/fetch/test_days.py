"""Dates as pages write them, in many languages; what is no date is left."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.fetch.days import CAN_HOLD_DATE, EARLIEST, find_date, parse_date

LATEST = date(2026, 6, 1)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        # ISO, with and without a time; a time of day counts only with its zone
        ("2026-03-04", "2026-03-04"),
        ("2026-3-4", "2026-03-04"),
        ("2026-03-04 10:20", "2026-03-04"),
        ("2026-03-04T01:00:00-0500", "2026-03-04T01:00:00-05:00"),
        ("2026-03-04T23:30:00+08:00", "2026-03-04T23:30:00+08:00"),
        ("2026-03-04T06:00:00.123Z", "2026-03-04T06:00:00+00:00"),
        ("2026-03-04 06:00:00 UTC", "2026-03-04T06:00:00+00:00"),
        ("2026-03-04T25:00:00Z", "2026-03-04"),
        ("2026-03-04T05:00:00+99:00", "2026-03-04"),
        ("20260304", "2026-03-04"),
        ("20260304T060000Z", "2026-03-04T06:00:00+00:00"),
        ("1772582400", "2026-03-04T00:00:00+00:00"),
        ("1772582400000", "2026-03-04T00:00:00+00:00"),
        # Chinese in both scripts, Japanese, Korean
        ("2026年3月4日", "2026-03-04"),
        ("2026年03月04日 08:30", "2026-03-04"),
        ("发布时间：2026/03/04", "2026-03-04"),
        ("發佈時間：2026.03.04", "2026-03-04"),
        ("民國115年3月4日", "2026-03-04"),
        ("中华民国115年3月4日", "2026-03-04"),
        ("2026년 3월 4일", "2026-03-04"),
        # Named months
        ("March 4, 2026", "2026-03-04"),
        ("Mar. 4 2026", "2026-03-04"),
        ("Wednesday, 4th of March 2026", "2026-03-04"),
        ("4-Mar-2026", "2026-03-04"),
        ("4. März 2026", "2026-03-04"),
        ("4 mars 2026", "2026-03-04"),
        ("1er mars 2026", "2026-03-01"),
        ("4 de marzo de 2026", "2026-03-04"),
        ("4 de março de 2026", "2026-03-04"),
        ("4 maart 2026", "2026-03-04"),
        ("4 марта 2026", "2026-03-04"),
        ("4 marca 2026", "2026-03-04"),
        ("4 Mart 2026", "2026-03-04"),
        # Numbers: the day comes first, unless it cannot
        ("04.03.2026", "2026-03-04"),
        ("4.3.26", "2026-03-04"),
        ("04/03/2026", "2026-03-04"),
        ("03/14/2026", "2026-03-14"),
        ("14/03/2026", "2026-03-14"),
        # The first that is a date wins
        ("2026-02-30, then 2026-03-04", "2026-03-04"),
        ("version 2026.3.4.5", "2026-03-04"),
        # No dates, none that can be believed
        ("2026-02-30", None),
        ("1926-02-03", None),
        ("2027-01-01", None),
        ("4 margin 2026", None),
        ("33.13.2026", None),
        ("9999999999", None),
        ("+86 10 6555 2026", None),
        ("no date", None),
        ("", None),
    ],
)  # fmt: skip
def test_dates_are_read_or_left(text: str, when: str | None) -> None:
    assert parse_date(text, LATEST) == when


def test_numbers_are_read_month_first_where_people_do() -> None:
    assert parse_date("03/04/2026", LATEST, month_first=True) == "2026-03-04"
    assert parse_date("03/04/2026", LATEST) == "2026-04-03"
    # Dots are never written so, and a thirteenth month is none.
    assert parse_date("03.04.2026", LATEST, month_first=True) == "2026-04-03"
    assert parse_date("14/03/2026", LATEST, month_first=True) == "2026-03-14"


@given(st.text(st.sampled_from(list("2026年3月14日-/. :T0ZMarch民國")), max_size=30), st.booleans())
def test_any_text_can_be_read(text: str, month_first: bool) -> None:
    found = find_date(text, LATEST, month_first=month_first)
    if found is not None:
        when, start, end = found
        assert EARLIEST <= date.fromisoformat(when[:10]) <= LATEST
        assert 0 <= start < end <= len(text)


@given(st.dates(EARLIEST, LATEST))
def test_a_date_is_read_back_and_never_sifted_out(day: date) -> None:
    for text in (
        day.isoformat(),
        f"{day.year}年{day.month}月{day.day}日",
        f"{day:%d %B %Y}",
        f"{day:%d.%m.%Y}",
        f"民國{day.year - 1911}年{day.month}月{day.day}日",
    ):
        assert CAN_HOLD_DATE.search(text)
        assert parse_date(text, LATEST) == day.isoformat()
