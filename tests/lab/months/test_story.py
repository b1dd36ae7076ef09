"""Simulated months: what is expected of a watch follows from the pages, and from nothing else."""

from __future__ import annotations

import pytest
from lab.months.month import DAYS, Month
from lab.months.story import tell
from lab.months.web import MonthWorld, evening


@pytest.fixture(params=[(seed, language) for seed in range(6) for language in ("en", "zh")])
def month(request: pytest.FixtureRequest) -> Month:
    return tell(*request.param)


def test_a_seed_tells_the_same_month(month: Month) -> None:
    assert tell(month.seed, month.language) == month


def test_what_is_expected_stands_on_its_pages_that_day(month: Month) -> None:
    pages = {each.url: each for each in month.pages}
    assert len(month.expected) >= 8
    for change in month.expected:
        assert 2 <= change.day <= DAYS
        shown = [pages[url].on(change.day) for url in change.urls]
        if change.kind in ("new", "changed", "confirmed"):
            assert all(
                (each and any(form in each.text for form in change.after))
                or change.about == "licence"
                for each in shown
            )
        if change.kind == "withdrawn":
            gone = [each is None or each.day == change.day for each in shown]
            assert all(gone)


def test_on_a_day_without_changes_nothing_is_expected(month: Month) -> None:
    days = {each.day for each in month.expected}
    assert len(days) < DAYS / 2
    assert days.isdisjoint(month.failing)


def test_the_web_turns_with_its_day(month: Month) -> None:
    world = MonthWorld(month)
    for day in (1, 15, DAYS):
        world.turn(day)
    assert evening(DAYS) > evening(1)
