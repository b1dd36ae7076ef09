"""The words that carry a query, in three scripts."""

from __future__ import annotations

import pytest

from groundwire.search.phrasing import keywords


@pytest.mark.parametrize(
    ("text", "most", "words"),
    [
        ("Why did Silicon Valley Bank collapse in March 2023?", 5, ["Silicon Valley Bank", "collapse"]),
        ("硅谷银行为什么在2023年3月倒闭？", 5, ["硅谷银行", "倒闭"]),
        ("矽谷銀行為什麼倒閉？", 5, ["矽谷銀行", "倒閉"]),
        # the weightiest are kept, in the order of the query
        ("collapse risk of Tether according to analysts", 2, ["collapse", "Tether"]),
        # a query of nothing but figures is taken as it is
        ("$0.88 2023", 5, ["$0.88", "2023"]),
        ("USDC USDC", 5, ["USDC"]),
    ],
)  # fmt: skip
def test_names_and_words_without_dates_figures_and_question_words(
    text: str, most: int, words: list[str]
) -> None:
    assert keywords(text, most) == words
