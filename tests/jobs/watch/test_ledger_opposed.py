"""What stands against a claim, when it counts, and when it ends: by the reader's word, and by weight."""

from __future__ import annotations

import pytest
from watch_days import Days, page

from groundwire.model.source import Evidence, Tier

TALKS = {
    "en": (
        "Norvale is in talks to buy its rival Tessel Trust, two people said.",
        "Norvale is not in talks to buy Tessel Trust, it said in a statement.",
    ),
    "zh": (
        "知情人士说，Norvale与泰索信托签署了合并协议。",
        "Norvale声明，没有与泰索信托签署合并协议。",
    ),
    "zh-Hant": (
        "知情人士說，Norvale 與泰索信託簽署了合併協議。",
        "Norvale 聲明，沒有與泰索信託簽署合併協議。",
    ),
}


def ranked(item: Evidence, tier: Tier) -> Evidence:
    return item.model_copy(update={"tier": tier})


@pytest.mark.parametrize(
    ("said", "denied", "again"),
    [
        (
            "Norvale has 500 employees.",
            "Norvale denied that it has 500 employees.",
            "Norvale now says: it employs 500 people.",
        ),
        (
            "Norvale有500名员工。",
            "记者致电查询，Norvale否认员工有500人。",
            "经核实，Norvale员工共500人。",
        ),
        (
            "Norvale 有500名員工。",
            "記者致電查詢，Norvale 否認員工有500人。",
            "經查證，Norvale 員工共500人。",
        ),
    ],
)
def test_who_denied_it_and_says_it_now_denies_it_no_more(
    said: str, denied: str, again: str
) -> None:
    days = Days()
    first, against = page("harbour", 1, said), page("post", 3, denied)
    days.look(1, first)
    assert [each[0] for each in days.look(3, first, against)] == ["contested"]
    days.look(5, first, against, page("post", 5, again))
    assert days.states == [("standing", days.states[0][1])]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Norvale has 500 employees.", "Norvale has 350 employees."),
        ("Norvale有500名员工。", "Norvale有350名员工。"),
        ("Norvale 有500名員工。", "Norvale 有350名員工。"),
    ],
)
def test_who_did_it_and_another_outweigh_one_lesser_page(right: str, wrong: str) -> None:
    lesser = page("zeta", 1, wrong)
    own, other = page("norvale", 1, right), page("harbour", 1, f"{right} We have counted.")
    days = Days()
    days.look(1, ranked(own, "primary"), other, lesser)
    assert days.states == [("standing", "500")]
    days = Days()
    days.look(1, own, lesser)
    assert [state for state, _ in days.states] == ["contested"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Norvale released the Aurin on 20 May 2026.", "Norvale released the Aurin on 22 May 2026."),
        ("Norvale于2026年5月20日发布奥林手机。", "Norvale于2026年5月22日发布奥林手机。"),
        ("Norvale 於2026年5月20日發布奧林手機。", "Norvale 於2026年5月22日發布奧林手機。"),
    ],
)  # fmt: skip
def test_two_days_of_one_thing_that_happened_cannot_both_be(one: str, other: str) -> None:
    days = Days()
    days.look(4, page("harbour", 1, one), page("meridian", 3, other))
    assert [state for state, _ in days.states] == ["contested"]


@pytest.mark.parametrize(
    ("under", "over"),
    [
        ("Norvale's token fell below $1.", "Norvale's token rose above $0.98."),
        ("Norvale代币价格跌破1美元。", "Norvale代币价格回到0.98美元以上。"),
        ("Norvale 代幣價格跌破1美元。", "Norvale 代幣價格回到0.98美元以上。"),
    ],
)
def test_bounds_that_both_hold_are_no_contradiction(under: str, over: str) -> None:
    days = Days()
    days.look(1, page("harbour", 1, under), page("meridian", 1, over))
    assert "contested" not in [state for state, _ in days.states]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "Norvale belongs to Stannard Metals, which bought it in 2019, and Ann Lee visited it.",
            "Norvale belongs to Stannard Metals, the company that bought it in 2019.",
        ),
        ("Norvale隶属于斯坦纳金属，该公司2019年买下它。", "Norvale隶属于斯坦纳金属，后者于2019年将其买下。"),
        ("Norvale 隸屬於斯坦納金屬，該公司2019年買下它。", "Norvale 隸屬於斯坦納金屬，後者於2019年將其買下。"),
    ],
)  # fmt: skip
def test_a_page_that_says_it_in_other_words_has_not_lost_it(before: str, after: str) -> None:
    days = Days()
    days.look(1, page("harbour", 1, before))
    assert "withdrawn" not in [each[0] for each in days.look(5, page("harbour", 1, after))]


@pytest.mark.parametrize(
    ("said", "copy"),
    [
        ("Norvale sells for $249.", "Harbour says Norvale does not sell for $249 any more."),
        ("Norvale售价249美元。", "Harbour 称，Norvale已不再卖249美元。"),
        ("Norvale 售價249美元。", "Harbour 稱，Norvale 已不再賣249美元。"),
    ],
)
def test_no_other_page_takes_back_for_its_source(said: str, copy: str) -> None:
    days = Days()
    first = page("harbour", 1, said, publisher="Harbour")
    days.look(1, first)
    assert "withdrawn" not in [each[0] for each in days.look(3, first, page("post", 3, copy))]


def test_a_state_beside_a_figure_of_its_clause_is_told_once() -> None:
    days = Days()
    days.look(1)
    days.look(2, page("harbour", 2, "Norvale has 500 employees."))
    found = days.look(3, page("post", 3, "Norvale was hit by a leak of 35,000 addresses."))
    assert [each[0] for each in found] == ["new"]


@pytest.mark.parametrize("language", TALKS)
def test_a_denial_of_an_act_stands_against_it(language: str) -> None:
    said, denied = TALKS[language]
    days = Days()
    first = page("harbour", 1, said)
    days.look(1, first)
    days.look(3, first, page("norvale", 3, denied))
    assert "contested" in [state for state, _ in days.states]


@pytest.mark.parametrize(
    ("said", "copy"),
    [
        ("Norvale employs 500 people.", "[Harbour] Norvale employs 500 people in all."),
        ("Norvale有500名员工。", "【港湾讯】Norvale现有500名员工。"),
        ("Norvale 有500名員工。", "港灣指出，Norvale 現有500名員工。"),
    ],
)
def test_a_copy_with_a_credit_in_brackets_confirms_nothing(said: str, copy: str) -> None:
    days = Days()
    name = {"[": "Harbour", "【": "港湾", "港": "港灣"}[copy[0]]
    first = page("harbour", 1, said, publisher=name)
    days.look(1, first)
    assert days.look(3, first, page("post", 3, copy)) == []
