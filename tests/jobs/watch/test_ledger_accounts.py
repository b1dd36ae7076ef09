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


_OF_ANOTHER = (
    (
        "Norvale's chief executive is Ana Li.",
        "Norvale signed a deal with Orvane; Orvane's chief executive is Tom Wu.",
    ),
    ("Norvale首席执行官是李安。", "Norvale与奥凡签署协议，奥凡首席执行官由王明担任。"),
    ("Norvale執行長是李安。", "Norvale與奧凡簽署協議，奧凡執行長由王明擔任。"),
)
_OWN = (
    ("Norvale首席执行官是李安。", "Norvale公司宣布，公司首席执行官由王明担任。"),
    ("Norvale執行長是李安。", "Norvale宣布，執行長由王明擔任。"),
    ("Norvale's chief executive is Ana Li.", "Norvale's chief executive is Tom Wu."),
)
_ROUGH = (
    ("Norvale's revenue was about $593 million.", "Norvale's revenue was roughly $589 million."),
    ("Norvale营收约5.93亿美元。", "Norvale营收约5.89亿美元。"),
    ("Norvale營收約5.93億美元。", "Norvale營收約5.89億美元。"),
    (
        "Norvale市值蒸发约5930亿美元。",
        "A sell-off wiped roughly $589 billion off Norvale's market value.",
    ),
    ("Norvale市值蒸發約5930億美元。", "Norvale市值蒸發約5890億美元。"),
)
_TO_COME = (
    "Norvale应用自10月1日起暂停新的下载，待按照《个人信息保护法》完成整改后再恢复服务。",
    "Norvale應用程式自10月1日起暫停新的下載，待依個人資料保護法完成改善後再恢復服務。",
    "Norvale has suspended its service and will restore it once it has made the changes.",
)


@pytest.mark.parametrize(("before", "after"), _OF_ANOTHER)
def test_the_office_of_another_changes_nothing(before: str, after: str) -> None:
    days = Days()
    days.look(1, page("a", 1, before))
    changes = days.look(2, page("b", 2, after))
    assert {kind for kind, *_ in changes} <= {"new"}
    assert not any("王明" in new or "Wu" in new for *_, new in changes)


@pytest.mark.parametrize(("before", "after"), _OWN)
def test_the_office_of_the_subject_changes(before: str, after: str) -> None:
    days = Days()
    days.look(1, page("a", 1, before))
    assert [kind for kind, *_ in days.look(2, page("b", 2, after))] == ["changed"]


@pytest.mark.parametrize(("before", "after"), _ROUGH)
def test_two_rough_figures_of_one_thing_are_no_contradiction(before: str, after: str) -> None:
    days = Days()
    days.look(1, page("a", 1, before))
    assert days.look(2, page("b", 2, after)) == []


@pytest.mark.parametrize("text", _TO_COME)
def test_what_is_to_end_on_a_condition_is_not_over(text: str) -> None:
    days = Days()
    days.look(1, page("a", 1, text))
    assert days.ledger is not None
    assert "restored" not in {each.key for each in days.ledger.claims}
