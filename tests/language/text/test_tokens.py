"""Tokens, shingles, sentences and relevance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.language.text.sentences import sentences
from groundwire.language.text.tokens import content_tokens, relevance, shingles, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("USDC fell to $0.88", ["usdc", "fell", "to", "$0.88", "0.88"]),
        ("R1 scored 3.3, up 17%", ["r1", "scored", "3.3", "up", "17%", "17"]),
        ("1,234,567 users", ["1234567", "users"]),
        ("the bank's U.S. arm", ["the", "bank", "us", "arm"]),
        ("硅谷银行倒闭", ["硅谷", "银行", "倒闭"]),
        ("硅谷銀行倒閉", ["硅谷", "银行", "倒闭"]),  # traditional is simplified before cutting
        ("DeepSeek發布R1", ["deepseek", "发布", "r1"]),
        ("café naïve", ["café", "naïve"]),
        ("，。!?", []),
        ("", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_content_tokens_have_no_stop_words() -> None:
    assert content_tokens("What is the price of USDC?") == ["price", "usdc"]
    assert content_tokens("硅谷银行是什么？") == ["硅谷", "银行"]
    assert content_tokens("矽谷銀行為什麼倒閉") == content_tokens("矽谷银行为什么倒闭")


@given(st.text(max_size=60))
def test_tokens_never_hold_white_space_or_capitals(text: str) -> None:
    for token in tokens(text):
        assert token
        assert not any(char.isspace() for char in token)


def test_shingles_are_characters_for_chinese_and_words_otherwise() -> None:
    assert shingles("硅谷銀行倒閉") == {"硅谷银行倒", "谷银行倒闭"}
    assert shingles("One two three four five") == {"one two three four", "two three four five"}
    assert shingles("Short text") == {"short text"}
    assert shingles("...") == frozenset()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It fell to $0.88. Then it rose.", ["It fell to $0.88.", "Then it rose."]),
        ("The U.S. bank closed. Mr. Smith left.", ["The U.S. bank closed.", "Mr. Smith left."]),
        (
            "He met J. Powell in D.C. The talks failed.",
            ["He met J. Powell in D.C.", "The talks failed."],
        ),
        ("Circle Inc. said so.", ["Circle Inc. said so."]),
        ("He left at 5 p.m. The bank", ["He left at 5 p.m.", "The bank"]),
        ('"It is over." He left.', ['"It is over."', "He left."]),
        ("Yahoo! said no. Why? Because.", ["Yahoo! said no.", "Why?", "Because."]),
        ("version 3.11.2 of example.com works", ["version 3.11.2 of example.com works"]),
        (
            "硅谷银行倒闭。“真的吗？”他问；没有！",
            ["硅谷银行倒闭。", "“真的吗？”", "他问；", "没有！"],
        ),
        ("矽谷銀行倒閉。「真的嗎？」他問。", ["矽谷銀行倒閉。", "「真的嗎？」", "他問。"]),
        ("涨幅为3.3%。USDC跌至0.88美元。", ["涨幅为3.3%。", "USDC跌至0.88美元。"]),
        (
            "A line that was only\nbroken by its width.",
            ["A line that was only\nbroken by its width."],
        ),
        ("Heading\nText of it.", ["Heading", "Text of it."]),
        ("first part\n\nsecond part", ["first part", "second part"]),
        ("Wait... what", ["Wait... what"]),
        ("He said no... Then yes", ["He said no...", "Then yes"]),
        ("It was (Vitamin C.) Then", ["It was (Vitamin C.) Then"]),
        ("It ended with plan B.", ["It ended with plan B."]),
        ("   \n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


@given(st.text(st.sampled_from(list("ab A.。！?\n”\"'; 3谷")), max_size=40))
def test_sentences_lose_nothing(text: str) -> None:
    """Sentences are in order, do not overlap, and leave out white space only."""
    done, left = 0, ""
    for start, end in sentences(text):
        assert done <= start < end
        left += text[done:start]
        done = end
    assert not (left + text[done:]).strip()


class TestRelevance:
    def test_all_words_of_the_query_give_one(self) -> None:
        assert relevance("USDC depeg March 2023", "USDC depeg in March 2023") == 1.0

    def test_nothing_in_common_gives_zero(self) -> None:
        assert relevance("USDC depeg", "The weather was fine") == 0.0
        assert relevance("the of", "the of") == 0.0
        assert relevance("", "text") == 0.0

    def test_words_match_as_words(self) -> None:
        assert relevance("stable", "a stablecoin") == 0.0

    def test_names_weigh_more_than_other_words(self) -> None:
        named = relevance("Kraken announced layoffs", "Kraken opened an office")
        other = relevance("Kraken announced layoffs", "Layoffs at a bank")
        assert named > other

    def test_latin_in_chinese_weighs_more(self) -> None:
        assert relevance("deepseek训练成本", "deepseek很好") > relevance(
            "deepseek训练成本", "训练很久"
        )

    @pytest.mark.parametrize(
        ("query", "text"),
        [
            ("硅谷银行倒闭", "矽谷銀行（硅谷銀行）倒閉"),  # traditional
            ("硅谷银行", "Silicon Valley Bank was closed"),  # glossary, either way
            ("Silicon Valley Bank", "硅谷银行被关闭"),
            ("SVB", "硅谷銀行"),
        ],
    )
    def test_a_name_counts_in_either_language_and_script(self, query: str, text: str) -> None:
        assert relevance(query, text) == 1.0

    def test_the_beginning_counts_a_little_more(self) -> None:
        late = "filler " * 100 + "USDC depeg"
        assert relevance("USDC depeg", late) == 0.8
        assert relevance("USDC depeg", late, title="USDC depeg") == 1.0

    @given(st.text(max_size=40), st.text(max_size=60), st.text(max_size=20))
    def test_it_lies_between_zero_and_one(self, query: str, text: str, title: str) -> None:
        assert 0.0 <= relevance(query, text, title) <= 1.0
