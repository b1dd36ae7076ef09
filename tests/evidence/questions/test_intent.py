"""A question taken apart: what it asks for and what it is about."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.evidence.questions.facets import any_of
from groundwire.evidence.questions.intent import LONGEST, parse_question


@pytest.mark.parametrize(
    ("question", "facets"),
    [
        ("USDC为什么会脱锚？", ("why",)),
        ("USDC為何脫鈎？", ("why",)),
        ("USDC脱锚的原因是什么？", ("why",)),
        ("Why did USDC depeg?", ("why",)),
        ("What caused the depeg of USDC?", ("why",)),
        ("R1是什么时候发布的？", ("when",)),
        ("R1何時發佈？", ("when",)),
        ("When was R1 released?", ("when",)),
        ("蒸发了多少钱？", ("how_much",)),
        ("蒸發了多少錢？", ("how_much",)),
        ("How low did USDC fall?", ("how_much",)),
        ("谁收购了硅谷银行？", ("who",)),
        ("誰收購了矽谷銀行？", ("who",)),
        ("Who is the CEO of Circle?", ("who",)),
        ("DeepSeek的创始人", ("who",)),
        ("DeepSeek在哪里被禁？", ("where",)),
        ("这是真的吗？", ("whether",)),
        ("是否屬實？", ("whether",)),
        ("Did Circle deny it?", ("whether",)),
        ("Is it true that USDC depegged?", ("whether",)),
        ("Could you please tell me when it happened?", ("when",)),
        ("How did regulators react?", ("how",)),
        ("怎么回事？", ("what",)),
        ("USDC", ("what",)),
        ("When and why did USDC depeg?", ("when", "why")),
        ("USDC什么时候脱锚，为什么？", ("when", "why")),
    ],
)
def test_what_a_question_asks_for(question: str, facets: tuple[str, ...]) -> None:
    assert parse_question(question).facets == facets


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("USDC为什么会脱锚？", [("USDC", "name"), ("脱锚", "word")]),
        ("請問穩定幣USDC為何脫鈎？", [("穩定幣", "word"), ("USDC", "name"), ("脫鈎", "word")]),
        ("Why did USDC depeg?", [("USDC", "name"), ("depeg", "word")]),
        ("What is the capital of Mongolia?", [("capital", "word"), ("Mongolia", "name")]),
        ("What did the WHO say?", [("WHO", "name")]),
        ("Explain nvidia's loss", [("nvidia", "name"), ("loss", "word")]),
        (
            "Was it 33亿美元 on 10 March 2023?",
            [("33亿美元", "figure"), ("10 March 2023", "date")],
        ),
        ("量子计算机的温度是多少？", [("量子", "word"), ("计算机", "word"), ("温度", "word")]),
        ("See https://evil.example/USDT about USDC", [("USDC", "name")]),
        ("USDC and USDC and usdc", [("USDC", "name")]),
        ("let us see a US bank", [("see", "word"), ("US", "name"), ("bank", "word")]),
        ("WHY DID SILICON VALLEY BANK FAIL", [("SILICON VALLEY BANK", "name"), ("FAIL", "name")]),
        ("Why Stablecoins Lose Their Peg Now", [("Stablecoins", "word"), ("Lose", "word")]),
        ("？？", []),
        ("", []),
    ],
)
def test_what_a_question_is_about(question: str, terms: list[tuple[str, str]]) -> None:
    found = [(term.written, term.kind) for term in parse_question(question).terms]
    assert [pair for pair in found if pair in terms] == terms
    assert terms or not found


def test_names_and_words_can_be_asked_for_by_kind() -> None:
    parts = parse_question("Why did USDC depeg?")
    assert [term.written for term in parts.of_kind("name")] == ["USDC"]
    assert parts.of_kind("figure", "date") == ()


def test_a_relative_day_is_reckoned_from_the_reference() -> None:
    term = parse_question("What happened to USDC yesterday?", date(2023, 3, 12)).of_kind("date")[0]
    assert term.date is not None and term.date.date == date(2023, 3, 11)


def test_only_the_beginning_of_a_long_question_is_read() -> None:
    assert parse_question("x" * 10 + " " * LONGEST + "USDC").of_kind("name") == ()
    many = parse_question(" ".join(f"Name{number}" for number in range(300)))
    assert 0 < len(many.terms) <= 40
    assert len(parse_question("硅谷" * 1000).terms) == 1


def test_a_pattern_takes_whole_english_words_and_any_chinese() -> None:
    pattern = any_of(("who", "谁"))
    assert pattern.search("whose") is None
    assert pattern.search("是谁说的") is not None
