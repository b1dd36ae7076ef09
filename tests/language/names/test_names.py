"""Names that a sentence asserts, and whether a quote has them."""

from __future__ import annotations

import pytest

from groundwire.evidence.data import data_lines
from groundwire.language.data import words
from groundwire.language.names.glossary import equivalents, groups, known_names, read_groups
from groundwire.language.names.names import has_name, missing_names, name_key, names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Circle said that USDC fell.", ["Circle", "USDC"]),
        ("However, reserves fell at Silicon Valley Bank.", ["Silicon Valley Bank"]),
        ("Reserves fell. Officials said Kraken lost.", ["Kraken"]),
        ("Consequently the deal failed.", []),  # an opener by its ending
        ("DeepSeek trained R1 on H800 and GPT-4 chips.", ["DeepSeek", "R1", "H800", "GPT-4"]),
        ("The CEO, Mr. Allaire, spoke on Friday in March.", ["Allaire"]),
        ('He said "Traders left" in $5 million deals.', []),
        ("DeepSeek发布了R1模型", ["DeepSeek", "R1"]),
        ("硅谷银行倒闭", ["硅谷银行"]),
        ("硅谷銀行倒閉", ["硅谷銀行"]),
        ("某银行有33亿美元", []),  # a currency is an amount
        ("Circle's peg", ["Circle's"]),
        ("在app和web3中", ["web3"]),
        ("", []),
    ],
)
def test_names(text: str, expected: list[str]) -> None:
    found = names(text)
    assert [name.text for name in found] == expected
    assert all(text[name.start : name.end] == name.text for name in found)


@pytest.mark.parametrize(
    ("name", "text", "has"),
    [
        ("Circle's", "Circle said so", True),
        ("Circle", "a circle of circles", True),  # case is no matter, words are
        ("Ring", "Circle is a string", False),
        ("硅谷银行", "Silicon Valley Bank closed", True),
        ("SVB", "硅谷銀行倒閉", True),
        ("矽谷銀行", "硅谷银行倒闭", True),  # two Chinese names that share an English one
        ("DeepSeek-R1", "DeepSeek released R1", True),
        ("Chinese", "中国企业", True),
        ("U.S.", "the United States", True),
        ("American", "美國公司", True),
        ("French", "Germany", False),
    ],
)
def test_has_name(name: str, text: str, has: bool) -> None:
    assert has_name(name, text) is has


def test_initials_stand_for_the_words() -> None:
    assert missing_names("The HBS report", ["by the Harvard Business School"]) == []
    assert missing_names("He left Harvard Business School", ["HBS said"]) == []
    assert missing_names("He left Harvard Business School", ["MIT said"]) == [
        "Harvard",
        "Business",
        "School",
    ]
    assert missing_names("The HBS report", ["nothing"]) == ["HBS"]


def test_one_key_for_all_ways_to_write_a_name() -> None:
    assert name_key("硅谷银行") == name_key("SVB") == name_key("Silicon Valley Bank")
    assert name_key("Kraken Ltd") == "kraken ltd"


def test_glossary_groups_have_both_languages() -> None:
    assert groups()
    assert equivalents("硅谷银行") == ("硅谷银行", "Silicon Valley Bank", "SVB")
    assert equivalents("no such name") == ("no such name",)


def test_glossary_names_are_found_as_words() -> None:
    text = "硅谷银行 SVB SVBX"
    assert [text[start:end] for start, end in known_names(text)] == ["硅谷银行", "SVB"]
    assert known_names("İ SVB") == [(2, 5)]  # whatever small letters do to the length


def test_a_glossary_line_without_both_languages_says_nothing() -> None:
    lines = ["硅谷銀行\tSVB| Silicon Valley Bank ", "坏行", "\tnobody", "硅谷银行\tSVB"]
    assert read_groups(lines) == (("硅谷银行", "SVB", "Silicon Valley Bank"),)


def test_an_absent_data_file_has_no_lines() -> None:
    assert data_lines("no-such-file.tsv") == ()


def test_an_unknown_word_list_is_empty() -> None:
    assert words("no such list") == frozenset()
