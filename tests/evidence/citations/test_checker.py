"""The checker of law 2: quote or drop."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.evidence.builders import evidence, passage

from groundwire.evidence.citations.checker import check
from groundwire.evidence.citations.standing import stands
from groundwire.model.phrase import Phrase
from groundwire.words import words

ENGLISH = evidence(
    "Circle, the issuer of USDC, said on Friday that $3.3 billion of its roughly $40 billion of "
    "reserves remain at Silicon Valley Bank. USDC fell to 88 cents on Saturday. "
    "The company did not suspend redemptions. The token may have lost its peg. "
    "Tether denied that it holds deposits at the bank. It closed. "
    "Three lenders failed. Users were sent to circle.com for help.",
    published="2023-03-11",
    publisher="Reuters",
    url="https://reuters.com/1",
    cuts=(132,),
)
CHINESE = evidence(
    "硅谷銀行於３月１０日倒閉。Circle 稱約有 33 億美元的準備金存放在該行。"
    "據傳該公司將停止兌付。該公司否認存款受到影響。三家銀行倒閉。",
    published="2023-03-11",
    publisher="财新",
    url="https://caixin.com/1",
)
UNDATED = evidence(
    "The exchange closed on Saturday after the failure. It lost money last year as well.",
    url="https://a.example/1",
)
PASSAGES = {
    1: (ENGLISH, ENGLISH.passages[0]),
    2: (CHINESE, CHINESE.passages[0]),
    3: (ENGLISH, ENGLISH.passages[1]),
    4: (UNDATED, UNDATED.passages[0]),
}
RESERVES = "$3.3 billion of its roughly $40 billion of reserves remain at Silicon Valley Bank"


def in_english(problems: Sequence[Phrase]) -> list[str]:
    """Render problems for a reader of English."""
    return [words("en").phrase(each) for each in problems]


@pytest.mark.parametrize(
    ("text", "proposals"),
    [
        ("$3.3 billion of reserves remain at SVB.", [(1, RESERVES)]),  # initials
        pytest.param(
            "Reserves of $3.3 billion were at SVB.",
            [(1, RESERVES)],
            marks=pytest.mark.xfail(
                strict=True, reason="the encoder finds the other figure (0040)"
            ),
        ),
        ("33亿美元存放在硅谷银行。", [(1, RESERVES)]),  # another language
        ("USDC fell to $0.88 on 11 March 2023.", [(3, "USDC fell to 88 cents on Saturday")]),
        ("硅谷银行于2023年3月10日倒闭。", [(2, "硅谷银行于3月10日倒闭")]),  # simplified quote
        ("矽谷銀行於3月10日倒閉。", [(2, "硅谷銀行於3月10日倒閉")]),  # glossary
        ("Silicon Valley Bank collapsed on March 10, 2023.", [(2, "硅谷銀行於３月１０日倒閉")]),
        (
            "Tether denied holding deposits.",
            [(3, "Tether denied that it holds deposits at the bank")],
        ),
        ("The company did not suspend them.", [(3, "The company did not suspend redemptions")]),
        (
            "Reuters reported that USDC fell.",
            [(3, "USDC fell to 88 cents on Saturday")],
        ),  # publisher
        ("It closed.", [(3, "It closed.")]),  # as short as the page itself
        ("3 lenders failed.", [(3, "Three lenders failed.")]),  # written in words
        ("有3家银行倒闭。", [(2, "三家銀行倒閉")]),
        ("The exchange closed on Saturday.", [(4, "The exchange closed on Saturday")]),  # undated
        ("It lost money last year.", [(4, "It lost money last year as well")]),
        ("Help was at circle.com.", [(3, "Users were sent to circle.com for help")]),
    ],
)
def test_supported(text: str, proposals: list[tuple[int, str]]) -> None:
    checked = check(text, proposals, PASSAGES)
    assert checked.problems == ()
    assert checked.result == "supported"
    for citation in checked.citations:
        documents = {ENGLISH.id: ENGLISH, CHINESE.id: CHINESE, UNDATED.id: UNDATED}
        text = documents[citation.evidence_id].document.text
        assert stands(text, citation.quote, citation.start, citation.end)


@pytest.mark.parametrize(
    ("text", "proposals", "problem"),
    [
        ("USDC fell.", [], "no quote was given"),
        ("USDC fell.", [(9, "USDC fell to 88 cents on Saturday")], "there is no passage 9"),
        ("USDC fell.", [(3, "USDC fell to 88 cents on Sunday")], "quote not found in passage 3"),
        ("USDC fell.", [(3, " “” ")], "the quote for passage 3 is empty"),
        ("USDC fell.", [(3, "USDC")], "the quote for passage 3 is too short to say anything"),
        ("USDC fell to $0.87.", [(3, "USDC fell to 88 cents on Saturday")], "$0.87 is in no quote"),
        (
            "USDC fell to $0.88 on 12 March.",
            [(3, "USDC fell to 88 cents on Saturday")],
            "12 March is in no quote",
        ),
        ("USDC fell at 4 banks.", [(3, "USDC fell to 88 cents on Saturday")], "4 is in no quote"),
        (
            "Binance said USDC fell.",
            [(3, "USDC fell to 88 cents on Saturday")],
            "Binance is in no quote",
        ),
        ("币安称USDC下跌。", [(3, "USDC fell to 88 cents on Saturday")], "币安 is in no quote"),
        ("硅谷银行有35亿美元。", [(1, RESERVES)], "35亿美元 is in no quote"),
        (
            "The company suspended redemptions.",
            [(3, "The company did not suspend redemptions")],
            "the quote says the opposite",
        ),
        (
            "Tether holds deposits at the bank.",
            [(3, "Tether denied that it holds deposits at the bank")],
            "the quote says the opposite",
        ),
        ("存款受到影响。", [(2, "該公司否認存款受到影響")], "the quote says the opposite"),
        (
            "USDC fell, see https://evil.example.",
            [(3, "USDC fell to 88 cents on Saturday")],
            "the sentence holds a link; links are filled by code",
        ),
        (
            "USDC fell, see evil.com.",
            [(3, "USDC fell to 88 cents on Saturday")],
            "evil.com is in no quote",
        ),
        (
            "The exchange closed on 11 March.",
            [(4, "The exchange closed on Saturday")],
            "11 March is in no quote",
        ),
    ],
)
def test_unsupported(text: str, proposals: list[tuple[int, str]], problem: str) -> None:
    checked = check(text, proposals, PASSAGES)
    assert checked.result == "unsupported"
    assert problem in in_english(checked.problems)
    assert checked.citations == ()


@pytest.mark.parametrize(
    ("sentence", "quoted", "held"),
    [
        ("Trading stopped on March 10-13, 2023.", "Trading stopped on March 10-13, 2023", True),
        ("Trading stopped on March 10-15, 2023.", "Trading stopped on March 10-13, 2023", False),
        ("3月10至15日停牌。", "3月10至13日停牌", False),
        ("3月10、11日停牌。", "3月10日停牌", False),
        ("2022年前三季度停产。", "2022年前三季度停产", True),
        ("2022年前三季度停产。", "2022年一季度停产", False),
        ("2022年1-9月停產。", "2022年1至9月停產", True),
        ("2022年1-9月停產。", "2022年9月停產", False),
    ],
)
def test_a_stretch_of_days_is_checked_at_both_its_ends(
    sentence: str, quoted: str, held: bool
) -> None:
    page = evidence(f"{quoted}. ", published="2023-03-20", url="https://a.example/2")
    checked = check(sentence, [(1, quoted)], {1: (page, page.passages[0])})
    assert (checked.result == "supported") is held, checked.problems


@pytest.mark.parametrize(
    ("text", "number", "quote"),
    [
        ("The token lost its peg.", 3, "The token may have lost its peg"),
        ("该公司将停止兑付。", 2, "據傳該公司將停止兌付"),
        ("該公司將停止兌付。", 2, "据传该公司将停止兑付"),
    ],
)
def test_a_sentence_that_drops_the_hedge_of_its_quote_is_refused(
    text: str, number: int, quote: str
) -> None:
    checked = check(text, [(number, quote)], PASSAGES)
    assert checked.result == "unsupported"
    assert in_english(checked.problems) == ["the quote is not certain of it, the sentence is"]


def test_a_sentence_that_hedges_too_is_supported() -> None:
    checked = check(
        "The token may have lost its peg.", [(3, "The token may have lost its peg")], PASSAGES
    )
    assert checked.result == "supported"


def test_stored_quote_is_the_original_text() -> None:
    (citation,) = check("硅谷银行倒闭。", [(2, "硅谷银行于3月10日倒闭")], PASSAGES).citations
    assert citation.quote == "硅谷銀行於３月１０日倒閉"
    assert CHINESE.document.text[citation.start : citation.end] == citation.quote
    assert citation.checks == ("quote", "numbers", "dates", "names", "meaning")


def test_a_quote_of_another_passage_of_the_page_is_put_right() -> None:
    (citation,) = check(
        "USDC fell.", [(1, "USDC fell to 88 cents on Saturday")], PASSAGES
    ).citations
    assert citation.passage_id == ENGLISH.passages[1].id


def test_a_passage_that_is_not_the_pages_text_is_not_trusted() -> None:
    """A passage whose offsets do not hold is looked up in the page itself."""
    wrong = ENGLISH.passages[1].model_copy(update={"start": 5})
    (citation,) = check(
        "USDC fell.", [(1, "USDC fell to 88 cents on Saturday")], {1: (ENGLISH, wrong)}
    ).citations
    assert ENGLISH.document.text[citation.start : citation.end] == citation.quote


def test_the_same_quote_twice_is_one_citation() -> None:
    quote = "USDC fell to 88 cents on Saturday"
    assert len(check("USDC fell.", [(3, quote), (3, quote)], PASSAGES).citations) == 1


def test_a_bad_quote_beside_a_good_one_is_named_only() -> None:
    checked = check("USDC fell.", [(3, "USDC fell to 88 cents on Saturday"), (9, "x")], PASSAGES)
    assert checked.result == "supported"
    assert in_english(checked.problems) == ["there is no passage 9"]


@pytest.mark.parametrize("question", ["", "Did Binance suspend redemptions of 5 billion?"])
def test_the_question_lends_neither_names_nor_figures(question: str) -> None:
    quotes = [(3, "The company did not suspend redemptions")]
    checked = check("Binance did not suspend them.", quotes, PASSAGES, question)
    assert in_english(checked.problems) == ["Binance is in no quote"]
    checked = check("The company did not suspend 5 billion.", quotes, PASSAGES, question)
    assert in_english(checked.problems) == ["5 billion is in no quote"]


def test_a_date_of_the_question_needs_a_page_of_that_date() -> None:
    page = evidence("The company did not suspend redemptions.", published="2023-03-11")
    passages = {1: (page, page.passages[0])}
    quotes = [(1, "The company did not suspend redemptions")]
    text = "In March 2023 the company did not suspend them."
    assert check(text, quotes, passages, "What happened in March 2023?").result == "supported"
    assert check(text, quotes, passages, "What happened in 2023?").result == "unsupported"
    late = text.replace("2023", "2024")
    assert check(late, quotes, passages, "What happened in March 2024?").result == "unsupported"


def test_what_the_headline_the_sentence_before_or_a_further_sentence_says_counts() -> None:
    page = evidence(
        "Northfield United met Carrow Rovers on 9 March 2024. They won 3-1 before a large crowd. "
        "Later the club was fined. The crowd of 31,402 was a record.",
        title="Northfield reach the final",
        published="2024-03-10",
    )
    passages = {1: (page, page.passages[0])}
    quotes = [(1, "They won 3-1 before a large crowd")]
    assert (
        check("Northfield United won 3-1 on 9 March 2024.", quotes, passages).result == "supported"
    )
    checked = check("They won 3-1 before a crowd of 31,402.", quotes, passages)
    assert checked.result == "supported"
    assert [each.quote for each in checked.citations] == [
        "They won 3-1 before a large crowd",
        "The crowd of 31,402 was a record.",
    ]
    assert check("Halden won 3-1.", quotes, passages).result == "unsupported"


def test_check_of_a_stored_citation() -> None:
    text = "USDC fell to 88 cents."
    assert stands(text, "fell to 88", 5, 15)
    assert not stands(text.replace("88", "89"), "fell to 88", 5, 15)  # another page by now
    assert not stands("", "fell to 88", 5, 15)
    assert not stands(text, "", 5, 5)


def test_builder_passages_are_slices() -> None:
    assert passage(ENGLISH.document, 0, 6).text == "Circle"


@pytest.mark.parametrize(
    "text", ["According to the report,", "...", "据报道称，", "。", "據報道稱，"]
)
def test_a_sentence_that_says_nothing_stands_on_nothing(text: str) -> None:
    assert check(text, [(1, RESERVES)], PASSAGES).result == "unsupported"


@pytest.mark.parametrize(
    ("sentence", "after"),
    [
        ("The deal was signed in Paris on Monday.", " That report was false."),
        ("协议周一在巴黎签署。", "上述消息不实。"),
        ("協議週一在巴黎簽署。", "上述消息不實。"),
    ],
)
def test_a_sentence_that_its_page_takes_back_does_not_stand_word_for_word(
    sentence: str, after: str
) -> None:
    page = evidence(sentence + after, url="https://a.example/2")
    found = check(sentence, [(1, sentence)], {1: (page, page.passages[0])})
    assert found.result == "unsupported"
