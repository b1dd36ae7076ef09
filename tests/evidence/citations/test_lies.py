"""How a quote can be real and the sentence false all the same: cuts, frames, borrowed names."""

from __future__ import annotations

import pytest
from tests.evidence.builders import evidence

from groundwire.evidence.citations.checker import check
from groundwire.model.claim import Checked
from groundwire.model.phrase import phrase


def check_lie(
    sentence: str, page: str, quote: str, *, title: str = "", question: str = ""
) -> Checked:
    source = evidence(page, published="2023-03-11", publisher="X Wire", title=title)
    return check(sentence, [(1, quote)], {1: (source, source.passages[0])}, question)


CUT = phrase("problem.cut", n=1)
SHORT = phrase("problem.too_short", n=1)


@pytest.mark.parametrize(
    ("page", "quote"),
    [
        ("The company was unaffected by the failure of the bank.", "affected by the failure of the bank"),
        ("Circle kept $13.3 billion at Silicon Valley Bank.", "3.3 billion at Silicon Valley Bank"),
        ("Circle lost $3.3 billion in the failure.", "Circle lost $3.3"),
        ("Circle kept money at Silicon Valley Bank.", "Circle kept money at Silicon Vall"),
        ("公司披露损失15亿元，将由股东承担。", "5亿元，将由股东承担"),
        ("官方称共有3万亿元资金受到影响。", "官方称共有3万"),
        ("公司于2023年3月11日公布損失15億元。", "公司于2023年3月1"),
    ],
)  # fmt: skip
def test_a_quote_cut_inside_a_word_or_a_figure_is_refused(page: str, quote: str) -> None:
    checked = check_lie(page, page, quote)
    assert checked.result == "unsupported"
    assert checked.problems[0] in (CUT, SHORT)


@pytest.mark.parametrize(
    ("sentence", "page", "quote"),
    [
        (
            "Tether is exposed to Silicon Valley Bank.",
            "Tether is not exposed to Silicon Valley Bank in any way.",
            "exposed to Silicon Valley Bank in any way",
        ),
        (
            "Circle is insolvent.",
            "The claim that Circle is insolvent and cannot pay is false.",
            "Circle is insolvent and cannot pay",
        ),
        (
            "Circle received a Wells notice.",
            "A hoax circulated that Circle received a Wells notice.",
            "Circle received a Wells notice",
        ),
        ("Circle收到了韦尔斯通知。", "Circle并未收到证交会的韦尔斯通知。", "收到证交会的韦尔斯通知"),
        ("Circle已经破产。", "网传Circle已经破产并停止兑付的说法是谣言。", "Circle已经破产并停止兑付"),
        ("Circle已經破產。", "網傳Circle已經破產並停止兌付的說法是謠言。", "Circle已經破產並停止兌付"),
    ],
)  # fmt: skip
def test_the_sentence_around_the_quote_decides(sentence: str, page: str, quote: str) -> None:
    assert phrase("problem.opposite") in check_lie(sentence, page, quote).problems


@pytest.mark.parametrize(
    ("sentence", "page"),
    [
        (
            "USDC fell below its peg.",
            "USDC fell below its peg because Circle could not redeem it over the weekend and did not fall further on Monday.",
        ),
        ("USDC跌破1美元。", "USDC跌破1美元，因为周末银行不营业，不少持有者抛售，价格未跌破0.85美元。"),
        ("USDC跌破1美元。", "USDC跌破1美元，因為週末銀行不營業，價格未跌破0.85美元。"),
        (
            "Circle held $3.3 billion at SVB.",
            "Circle, which could face redemptions, held $3.3 billion at SVB.",
        ),
        ("The toll was 33.", "The toll was thirty-three after the storm passed."),
    ],
)  # fmt: skip
def test_another_clause_does_not_decide(sentence: str, page: str) -> None:
    assert check_lie(sentence, page, page).result == "supported"


PAGE = "Circle issues the token. The company held $3.3 billion at Silicon Valley Bank."
QUOTE = "The company held $3.3 billion at Silicon Valley Bank"


def test_the_sentence_before_and_the_title_say_who_the_company_is() -> None:
    claim = "{} held $3.3 billion at Silicon Valley Bank."
    assert check_lie(claim.format("Circle"), PAGE, QUOTE).result == "supported"
    assert check_lie(claim.format("Tether"), PAGE, QUOTE).problems[0] == phrase(
        "problem.absent", what="Tether"
    )
    untold = PAGE.removeprefix("Circle issues the token. ")
    assert check_lie(claim.format("Circle"), untold, QUOTE).result == "unsupported"
    assert (
        check_lie(claim.format("Circle"), untold, QUOTE, title="Circle and SVB").result
        == "supported"
    )


def test_a_title_does_not_replace_a_name_that_the_quote_has() -> None:
    page = "Circle held $3.3 billion at Silicon Valley Bank."
    checked = check_lie(
        "Tether held $3.3 billion at Silicon Valley Bank.", page, page, title="Tether and Circle",
        question="Did Tether hold deposits?",
    )  # fmt: skip
    assert checked.problems[0] == phrase("problem.absent", what="Tether")


@pytest.mark.parametrize(
    ("sentence", "result"),
    [
        ("X Wire reported that the exchange was hacked.", "supported"),
        ("According to X Wire, the exchange was hacked.", "supported"),
        ("X Wire was hacked.", "unsupported"),
    ],
)
def test_the_publisher_counts_only_as_the_one_who_reports(sentence: str, result: str) -> None:
    page = "The exchange was hacked and lost all customer money."
    assert check_lie(sentence, page, page).result == result


def test_a_figure_and_its_subject_share_one_quote() -> None:
    one = evidence("USDC fell below its peg on Saturday night.", url="https://a.example/1")
    two = evidence("Nvidia shares fell 17% on Monday morning.", url="https://b.example/2")
    passages = {1: (one, one.passages[0]), 2: (two, two.passages[0])}
    quotes = [(1, one.document.text), (2, two.document.text)]
    assert check("USDC fell 17%.", quotes, passages).result == "unsupported"
    both = "USDC fell below its peg, and Nvidia shares fell 17%."
    assert check(both, quotes, passages).result == "supported"


@pytest.mark.parametrize(
    "text",
    ["Go to usdc-claim.top to redeem USDC.", "USDC fell, see evil[.]com.", "兑付请见circle-claim.finance。"],
)  # fmt: skip
def test_an_address_of_any_kind_needs_a_quote_that_has_it(text: str) -> None:
    page = "USDC fell below its peg and can be redeemed on the official page."
    assert check_lie(text, page, page).result == "unsupported"


def test_a_name_in_another_script_that_no_list_knows_cannot_be_decided() -> None:
    page = "Liu Dehai founded the fund in Hangzhou."
    assert check_lie("刘德海创立了该基金。", page, page).result == "qualified"
