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


_PUT_RIGHT = (
    (
        "Norvale will cut 500 jobs.",
        "Correction: g wrongly reported that Norvale would cut 500 jobs; it will cut 50.",
    ),
    ("Norvale将裁员500人。", "更正：本报此前误报Norvale将裁员500人，实际将裁员50人。"),
    ("Norvale將裁員500人。", "更正：本報先前誤報Norvale將裁員500人，實際將裁員50人。"),
)
_CARRIED_OUT = (
    (
        "Norvale will open its plant in Gotha on 5 October.",
        "Norvale opened its plant in Gotha on Monday.",
    ),
    ("Norvale将于10月5日在哥达开设工厂。", "Norvale周一在哥达开设了工厂。"),
    ("Norvale將於10月5日在哥達開設工廠。", "Norvale週一在哥達開設了工廠。"),
)


@pytest.mark.parametrize(("before", "after"), _PUT_RIGHT)
def test_what_a_house_puts_right_is_one_change(before: str, after: str) -> None:
    days = Days()
    days.look(1, page("g", 1, before))
    changes = [(kind, new) for kind, _, _, new in days.look(2, page("g", 2, after))]
    assert changes == [("changed", "50")]


@pytest.mark.parametrize(("plan", "deed"), _CARRIED_OUT)
def test_a_plan_carried_out_is_confirmed_and_nothing_new(plan: str, deed: str) -> None:
    days = Days()
    days.look(1, page("a", 1, plan))
    changes = [(kind, reason) for kind, reason, *_ in days.look(5, page("b", 5, deed))]
    assert changes == [("confirmed", "as_planned")]
