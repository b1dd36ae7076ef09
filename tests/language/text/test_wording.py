"""Words are compared across inflection, script and language."""

from __future__ import annotations

import pytest

from groundwire.language.text.stems import stem
from groundwire.language.text.wording import (
    Wording,
    is_proper,
    related_spans,
    stemmed,
    synonym,
    translation,
    variants,
)


@pytest.mark.parametrize(
    "words",
    [
        ("depeg", "depegged", "depegging", "depegs"),
        ("release", "released", "releases", "releasing"),
        ("price", "prices", "priced", "pricing"),
        ("deny", "denies"),
        ("founded", "founding"),
        ("stop", "stopped"),
        ("loss", "losses"),
        ("reserve", "reserves"),
    ],
)
def test_forms_of_a_word_have_one_stem(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("found", "founded"), ("us", "use"), ("bus", "bu"), ("ring", "r"), ("is", "i")],
)
def test_other_words_keep_theirs(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["稳定币", "0.88", "$3.3", "r1", "usdc", "ng", "sing", "bed"])
def test_what_is_no_inflected_word_stays(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("USDC depegged on Saturday.", "depeg"),
        ("Regulators closed Silicon Valley Bank.", "Silicon Valley Bank"),
        ("矽谷銀行被關閉", "矽谷银行"),
        ("穩定幣脫鈎", "脱钩"),
        ("it lost its peg", "lost its peg"),
        ("a one-dollar peg", "one dollar peg"),
        ("Circle's reserves", "reserve"),
    ],
)
def test_a_text_has_a_word_in_any_form(text: str, name: str) -> None:
    assert Wording(text).has(stemmed(name))


@pytest.mark.parametrize(
    ("text", "name"),
    [("pegasus", "peg"), ("Silicon Valley", "Silicon Valley Bank"), ("银", "银行"), ("行", "行为")],
)
def test_a_part_of_a_word_is_not_the_word(text: str, name: str) -> None:
    assert not Wording(text).has(stemmed(name))


def test_a_single_character_is_found_as_a_word_only() -> None:
    assert not Wording("银行业").has("业")
    assert Wording("USDC").has_any(("x", "usdc"))
    assert not Wording("USDC").has_any(())


@pytest.mark.parametrize(
    ("name", "proper"),
    [
        ("硅谷银行", True),
        ("Nvidia", True),
        ("nvidia", True),
        ("稳定币", False),
        ("fall", False),
        ("qwertz", False),
    ],
)
def test_names_are_told_from_common_words(name: str, proper: bool) -> None:
    assert is_proper(name) is proper


def test_names_are_followed_across_regions_and_common_words_are_not() -> None:
    assert "硅谷银行" in variants("矽谷银行")
    assert "辉达" in variants("英伟达")
    assert "listing" not in variants("release")


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        ("脱锚", "en", "depeg"),
        ("硅谷银行", "en", "Silicon Valley Bank"),
        ("Nvidia", "zh", "英伟达"),
        ("founded", "zh", "成立"),
        ("qwertz", "zh", ""),
    ],
)
def test_translations_come_from_the_lists_or_not_at_all(
    word: str, language: str, expected: str
) -> None:
    assert translation(word, language) == expected


def test_related_words_are_found_in_chinese_and_in_phrases() -> None:
    text = "Circle卡在硅谷银行, set up in 2018"
    assert [text[start:end] for start, end in related_spans(text)] == ["卡在", "set up"]


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        ("脱锚", "zh", "脱钩"),
        ("lose its peg", "en", "depeg"),
        ("发布", "zh", ""),  # 上线 shares a second meaning only
        ("qwertz", "en", ""),
        ("矿井", "zh", ""),
    ],
)
def test_another_word_in_the_same_language(word: str, language: str, expected: str) -> None:
    assert synonym(word, language) == expected


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("notice", "say"),  # through "announcement"
        ("申请", "生效"),  # through "apply"
        ("conversion", "exchange"),  # a place of trade, too
    ],
)
def test_relatives_of_a_synonym_are_no_relatives(word: str, other: str) -> None:
    assert other not in variants(word)


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        ("failed", "zh", ""),  # neither 倒闭 nor 关闭: who failed to vote closed nothing
        ("fired", "zh", ""),  # no 火灾
        ("fire", "zh", "火灾"),
        ("prices", "zh", "价格"),
        ("raise", "zh", "上调"),  # not 融资: taxes are raised, too
        ("lost", "zh", "损失"),  # not 下跌
        ("attack", "zh", "攻击"),
        ("strike", "zh", "罢工"),
        ("疫苗", "en", "vaccine"),
        ("裁員", "en", "layoffs"),
        ("qwertz", "zh", ""),
    ],
)
def test_a_word_is_translated_by_its_main_sense(word: str, language: str, expected: str) -> None:
    assert translation(word, language) == expected
