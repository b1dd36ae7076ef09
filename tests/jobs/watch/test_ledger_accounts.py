"""What a sentence says beside its value: when it was said, what it puts right, whose it is, what is still to come."""

from __future__ import annotations

import pytest

from tests.jobs.watch.watch_days import Days, page

_SAID_BEFORE = (
    ("Norvale's price is $199.", "Norvale's price is $149, it said in March 2026."),
    ("Norvale的价格为199元。", "Norvale在2026年3月表示，其价格为149元。"),
    ("Norvale的價格為199元。", "Norvale在2026年3月表示，其價格為149元。"),
)


@pytest.mark.parametrize(("before", "after"), _SAID_BEFORE)
def test_what_was_said_months_ago_changes_nothing_back(before: str, after: str) -> None:
    days = Days()
    days.look(1, page("a", 1, before))
    assert days.look(2, page("b", 2, after)) == []
