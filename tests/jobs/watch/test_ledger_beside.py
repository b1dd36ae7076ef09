"""What stands beside a value: the one before it, what is told in passing, whose it is, and who denies it in two clauses."""

from __future__ import annotations

import pytest
from watch_days import Days, page


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        ("Norvale is sued by 214 growers.", "Norvale now faces 231 growers, up from 214.", "231"),
        ("Norvale 共有86部影片参展。", "Norvale 的片单由86部增加到92部。", "92部"),
        ("Norvale 共有 86 部影片參展。", "Norvale 的片單由 86 部增加到 92 部。", "92 部"),
        ("Norvale's hearing is on 14 October 2026.", "A date of Norvale's has been moved from 14 October to 16 October 2026.", "16 October 2026"),
        ("Norvale 将于2026年11月6日首航。", "Norvale 首航时间改为11月20日。", "11月20日"),
        ("Norvale 將於 2026 年 11 月 6 日首航。", "Norvale 首航時間延到 11 月 20 日。", "11 月 20 日"),
        ("Norvale's coach is Oskar Lind.", "Norvale sacked Oskar Lind. His assistant, Gemma Price, takes charge for now.", "Gemma Price"),
        ("Norvale 的行长是顾维明。", "Norvale 宣布，沈若兰接替顾维明出任行长。", "沈若兰"),
        ("Norvale 的董事長是顧維明。", "Norvale 宣布，董事長由沈若蘭接任，顧維明卸任。", "沈若蘭"),
    ],
)  # fmt: skip
def test_a_claim_is_known_by_the_value_that_is_replaced(one: str, other: str, value: str) -> None:
    days = Days()
    first = page("harbour", 1, one)
    days.look(1, first)
    changes = days.look(3, first, page("meridian", 3, other))
    assert [
        (kind, after.startswith(value.rstrip("部 ")))
        for kind, _, _, after in changes
        if kind != "new"
    ] == [("changed", True)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Norvale costs $119.", "We walked into three shops and paid $119 for Norvale."),
        ("Norvale 的利率为1.35%。", "记者走访 Norvale 三家网点，利率均为1.35%。"),
        ("Norvale 的利率為 1.35%。", "記者走訪 Norvale 三家門市，利率均為 1.35%。"),
        ("Norvale's chief executive is Rui Falcato.", '"No," says Rui Falcato, the chief executive of Norvale.'),
    ],
)  # fmt: skip
def test_what_is_told_in_passing_only_supports(one: str, other: str) -> None:
    days = Days()
    first = page("harbour", 1, one)
    days.look(1, first)
    changes = days.look(3, first, page("meridian", 3, other))
    assert [each[0] for each in changes] == ["confirmed"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Norvale costs $119.", "This review first appeared in June 2026. Norvale costs $149."),
        ("Norvale 售价为119美元。", "本文写于2026年6月。Norvale 售价为149美元。"),
        ("Norvale 售價為 119 美元。", "本文寫於 2026 年 6 月。Norvale 售價為 149 美元。"),
    ],
)
def test_an_old_text_brings_nothing_back(one: str, other: str) -> None:
    days = Days()
    first = page("harbour", 1, one)
    days.look(1, first)
    assert days.look(3, first, page("meridian", 3, other)) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Norvale is to merge; the merger was approved.", "The regulator has not approved Norvale's merger; a post saying that it did was false."),
        ("监管部门批准Norvale的合并。", "监管部门表示，没有批准Norvale的合并，网传获批系谣言。"),
        ("監管部門批准Norvale的合併。", "監管部門表示，沒有批准Norvale的合併，網傳獲批係謠言。"),
    ],
)  # fmt: skip
def test_a_denial_in_two_clauses_denies(one: str, other: str) -> None:
    days = Days()
    first = page("harbour", 1, one)
    days.look(1, first)
    changes = days.look(3, first, page("gov", 3, other))
    assert [each[:2] for each in changes] == [("contested", "denied")]


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("Norvale has 1,800 employees.", "Correction: an earlier version of this article gave the wrong number of stores."),
        ("Norvale有1800名员工。", "更正：本文早前版本把门店数写错了。"),
        ("Norvale有 1,800 名員工。", "更正：本文先前版本把門市數寫錯了。"),
    ],
)  # fmt: skip
def test_a_correction_of_something_else_takes_nothing_back(text: str, more: str) -> None:
    days = Days()
    first = page("harbour", 1, text)
    days.look(1, first)
    assert days.look(2, page("harbour", 1, f"{text} {more}")) == []


@pytest.mark.parametrize(
    ("rumour", "denial"),
    [
        ("Norvale costs $900.", "Norvale denied that it costs $900."),
        ("Norvale 售价为900美元。", "Norvale 否认售价为900美元。"),
        ("Norvale 售價為 900 美元。", "Norvale 否認售價為 900 美元。"),
    ],
)
def test_what_nobody_denies_any_more_stands_again(rumour: str, denial: str) -> None:
    days = Days()
    first, against = page("harbour", 1, rumour), page("meridian", 2, denial)
    days.look(1, first)
    days.look(2, first, against)
    assert [state for state, _ in days.states] == ["contested"]
    days.look(3, first, gone=(against,))
    days.look(4, first, gone=(against,))
    assert [state for state, _ in days.states] == ["standing"]


@pytest.mark.parametrize(
    "denial",
    [
        "Norvale denied that it will launch the Aurin 6 on 17 March 2027.",
        "Norvale 否认将于2027年3月17日推出 Aurin 6。",
        "Norvale 否認將於 2027 年 3 月 17 日推出 Aurin 6。",
    ],
)
def test_a_denial_of_what_nobody_claimed_is_told(denial: str) -> None:
    days = Days()
    first = page("harbour", 1, "Norvale costs $119.")
    days.look(1, first)
    assert [each[0] for each in days.look(2, first, page("meridian", 2, denial))] == ["new"]


def test_a_lost_origin_counts_no_more() -> None:
    """Of two origins one page is gone: the claim stands by the other alone."""
    days = Days()
    one, two = (
        page("harbour", 1, "Norvale costs $119."),
        page("meridian", 1, "Norvale costs $119 now."),
    )
    days.look(1, one, two)
    days.look(2, one, gone=(two,))
    days.look(3, one, gone=(two,))
    assert days.ledger is not None
    assert [len(claim.origins) for claim in days.ledger.claims] == [1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Norvale's chief executive is Ann Lee.", "Norvale signed with Orvane, whose chief executive is Bob Ray."),
        ("Norvale has 3,000 users.", "Analysts expect Norvale to have 20,000 users by 2028."),
        ("Norvale has 12 million users.", "Norvale gave prizes to three users."),
    ],
)  # fmt: skip
def test_what_is_of_others_changes_nothing(one: str, other: str) -> None:
    days = Days()
    first = page("harbour", 1, one)
    days.look(1, first)
    assert "changed" not in [each[0] for each in days.look(3, first, page("meridian", 3, other))]
