"""Our own labels in traditional characters."""

from __future__ import annotations

import pytest

from groundwire.language.text.script import in_script, language_of_question, traditional


@pytest.mark.parametrize(
    ("simple", "old"),
    [
        ("读到的网页都没有提到", "讀到的網頁都沒有提到"),
        ("后来的干净网页", "後來的乾淨網頁"),  # by phrase: 后 and 干 have several forms
        ("把回答存为报告", "把回答存為報告"),
        ("USDC 33", "USDC 33"),
        ("", ""),
    ],
)
def test_phrases_come_before_characters(simple: str, old: str) -> None:
    assert traditional(simple) == old


@pytest.mark.parametrize(
    ("detected", "answered"),
    [("zh", "zh"), ("zh-Hant", "zh-Hant"), ("en", "en"), ("fr", "en"), ("und", "en"), ("ja", "en")],
)
def test_a_question_is_answered_in_its_script_or_in_english(detected: str, answered: str) -> None:
    assert language_of_question(detected) == answered


@pytest.mark.parametrize(
    ("language", "word"), [("zh", "黑客攻击"), ("zh-Hant", "黑客攻擊"), ("en", "黑客攻击")]
)
def test_our_words_are_searched_for_in_the_script_of_the_message(language: str, word: str) -> None:
    assert in_script(("黑客攻击",), language) == (word,)
