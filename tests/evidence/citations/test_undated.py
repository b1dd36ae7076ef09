"""A quoted sentence stands without its dates, unless they bound what it says or the next sentence takes it back."""

from __future__ import annotations

import pytest
from tests.evidence.builders import evidence

from groundwire.evidence.citations.checker import check
from groundwire.evidence.citations.undated import is_but_for_dates
from groundwire.model.phrase import phrase

_DENIAL = "Tollan Motors denied on 6 June 2023 that it would close the Askerby plant. No job there is in danger, it said."
_ZH = "托兰汽车于2023年6月6日否认将关闭阿斯克比工厂。公司说，当地没有岗位受到威胁。"
_HANT = "托蘭汽車2023年6月6日否認將關閉阿斯克比工廠。公司說，當地沒有職位受到威脅。"


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Tollan Motors denied that it would close the Askerby plant", _DENIAL),
        ("Corvane agreed to buy Brightwell Foods for $3.4 billion.",
         "Corvane agreed on 2 March 2021 to buy Brightwell Foods for $3.4 billion. Shareholders must vote on the offer."),
        ("The board prohibited the purchase.",
         "The board prohibited the purchase on Monday, 8 November 2021. Prices of oats would rise, it said."),
        ("托兰汽车否认将关闭阿斯克比工厂。", _ZH),
        ("托蘭汽車否認將關閉阿斯克比工廠。", _HANT),
        ("托兰汽车否认将关闭阿斯克比工厂。", _HANT),
    ],
)  # fmt: skip
def test_a_quoted_sentence_stands_without_its_dates(sentence: str, quote: str) -> None:
    page = evidence(quote)
    assert check(sentence, [(1, quote)], {1: (page, page.passages[0])}).result == "supported"


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Tollan Motors will close the Askerby plant.",
         "Tollan Motors will close the Askerby plant on 9 June. This report was later called false by the company."),
        ("托兰汽车宣布将关闭阿斯克比工厂。", "托兰汽车6月6日宣布将关闭阿斯克比工厂。该消息随后被公司证实为谣言。"),
        ("托蘭汽車宣布將關閉阿斯克比工廠。", "托蘭汽車6月6日宣布將關閉阿斯克比工廠。該消息隨後被公司證實為謠言。"),
    ],
)  # fmt: skip
def test_what_the_next_quoted_sentence_takes_back_does_not_stand(sentence: str, quote: str) -> None:
    page = evidence(quote)
    checked = check(sentence, [(1, quote)], {1: (page, page.passages[0])})
    assert checked.problems == (phrase("problem.withdrawn"),)


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("theplantiskeptclosed", "The plant is kept closed until March 2024."),
        ("theplantdidnotopen", "The plant did not open in 2024."),
        ("theplantopened", "The plant opened before 2024."),
        ("itgrewfrom", "It grew from 2019 to 2021."),
        ("itmetonandtuesday", "It met on 3 May 2021 and Tuesday."),
        ("工厂停产", "工厂在2024年3月前停产。"),
        ("工厂停产", "工厂自2024年3月停产。"),
        ("工廠停產", "工廠截至2024年3月停產。"),
        ("工厂未开工", "工厂2024年未开工。"),
    ],
)
def test_a_date_that_bounds_what_is_said_stays(said: str, quoted: str) -> None:
    assert not is_but_for_dates(said, quoted)


def test_any_of_its_dates_may_be_left_out() -> None:
    quoted = "On 2 May 2021 it agreed, in March 2022 it paid."
    for said in ("itagreedinmarch2022itpaid", "on2may2021itagreeditpaid", "itagreeditpaid"):
        assert is_but_for_dates(said, quoted)
