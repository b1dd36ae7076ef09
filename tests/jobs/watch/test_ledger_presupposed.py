"""What goes on about something known, without its words; and what is not worth telling as new."""

from __future__ import annotations

import pytest
from watch_days import Days, page


def told(one: str, other: str) -> list[tuple[str, str, str]]:
    days = Days()
    first = page("harbour", 1, one)
    days.look(1, first)
    return [(e[0], e[2], e[3]) for e in days.look(3, first, page("meridian", 3, other))]


@pytest.mark.parametrize(
    ("one", "other", "change"),
    [
        (
            "The Norvale fire has burned 6,400 hectares since Sunday.",
            "The Norvale fire grew to 8,100 hectares overnight.",
            ("changed", "6,400 hectares", "8,100 hectares"),
        ),
        (
            "因强风，Norvale今天全面停驶。",
            "Norvale今早恢复营运。",
            ("changed", "停驶", "恢复"),
        ),
        (
            "因強風，Norvale今天全面停駛。",
            "Norvale今早恢復營運。",
            ("changed", "停駛", "恢復"),
        ),
        (
            "Norvale's trams have been halted by the storm.",
            "Norvale resumed this morning.",
            ("changed", "halted", "resumed"),
        ),
        (
            "The chamber passed the Norvale bill on Monday.",
            "The governor signed the Norvale bill into law on Saturday.",
            ("changed", "passed", "signed"),
        ),
        (
            "Norvale 的董事长是方志豪。",
            "Norvale 董事长方志豪下台，由许雅婷接掌。",
            ("changed", "方志豪", "许雅婷"),
        ),
        (
            "Norvale 的董事長是方志豪。",
            "Norvale 董事長方志豪下台，由許雅婷接掌。",
            ("changed", "方志豪", "許雅婷"),
        ),
        (
            "Norvale's board chair is Hana Ito.",
            "Hana Ito is stepping down at Norvale, and Ana Li takes over.",
            ("changed", "Hana Ito", "Ana Li"),
        ),
        (
            "Norvale 的员工今天起罢工。",
            "双方达成协议，Norvale 员工的罢工结束。",
            ("changed", "罢工", "结束"),
        ),
        (
            "Norvale 的員工今天起罷工。",
            "雙方達成協議，Norvale 員工的罷工結束。",
            ("changed", "罷工", "結束"),
        ),
    ],
)
def test_what_presupposes_a_claim_changes_it(
    one: str, other: str, change: tuple[str, str, str]
) -> None:
    found = told(one, other)
    assert change in found
    assert change[2] not in {after for kind, _, after in found if kind == "new"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Norvale has suspended its trams.", "Norvale has resumed its ferry service."),
        ("Norvale 暂停了电车。", "Norvale 恢复了渡轮服务。"),
        ("Norvale 暫停了電車。", "Norvale 恢復了渡輪服務。"),
        ("Norvale's price is $3 million.", "Norvale's debt has climbed to $4 million."),
        ("Norvale 的售价为300万元。", "Norvale 的负债已增至400万元。"),
        ("Norvale has 400 shops.", "The number of Norvale staff has risen to 500."),
    ],
)
def test_what_can_be_of_something_else_changes_nothing(one: str, other: str) -> None:
    assert {each[0] for each in told(one, other)} == {"new"}


@pytest.mark.parametrize(
    "other",
    [
        "Ana Li was formerly finance chief of Norvale.",
        "许雅筑曾在 Norvale 担任财务主管。",
        "許雅筑曾在 Norvale 擔任財務主管。",
    ],
)
def test_a_former_post_is_no_news(other: str) -> None:
    assert told("Norvale has 40 trams.", other) == []


@pytest.mark.parametrize(
    ("other", "after"),
    [
        (
            "Orvane has offered €2 billion for Norvale, three weeks after it swallowed Kestrel for €300 million.",
            "€2 billion",
        ),
        ("Norvale 月客流降到八成，罢工前就已经走弱。", "八成"),
        ("Norvale 月客流降到八成，罷工前就已經走弱。", "八成"),
    ],
)
def test_background_is_not_told_beside_the_news(other: str, after: str) -> None:
    assert [(kind, value) for kind, _, value in told("Norvale has 40 trams.", other)] == [
        ("new", after)
    ]


def test_who_leads_a_round_does_not_lead_the_subject() -> None:
    found = told(
        "Norvale has 40 trams.", "Norvale raised $250 million in a Series C led by Orvane."
    )
    assert [after for *_, after in found] == ["$250 million"]


def test_a_page_tells_acts_only_where_it_leads_with_them() -> None:
    text = "Norvale opened a depot on Monday. Ana Li thanked Orvane at Norvale's party."
    assert [after for *_, after in told("Norvale has 40 trams.", text) if not after] == []
