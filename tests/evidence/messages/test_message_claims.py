"""The claims of a message: a table of posts and headlines in both scripts and English."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.evidence.messages.claims import MOST, message_claims
from groundwire.language.text.characters import detect_language

# The first table grew with the rules; the second was written before the present finder, of any field; the third
# after it stood (45 of 55 were right at first sight; two that are still cut short are left out).
_TABLES = ("message_claims.tsv", "whole_claims.tsv", "later_claims.tsv", "joined_claims.tsv")


def rows() -> list[tuple[str, tuple[str, ...]]]:
    lines = [
        line
        for name in _TABLES
        for line in Path(__file__).with_name(name).read_text("utf-8").splitlines()
    ]
    parts = [line.split("\t") for line in lines if line and not line.startswith("# ")]
    return [
        (message.replace(" ¶ ", "\n"), tuple(each for each in claims.split("|") if each))
        for message, claims in parts
    ]


@pytest.mark.parametrize(("message", "claims"), rows())
def test_each_message_of_the_table(message: str, claims: tuple[str, ...]) -> None:
    assert message_claims(message) == claims


def test_the_table_is_large_enough_in_every_language() -> None:
    languages = [detect_language(message) for message, _ in rows()]
    assert len(languages) >= 200
    for language, least in (("en", 100), ("zh", 50), ("zh-Hant", 25)):
        assert languages.count(language) >= least, language


@pytest.mark.parametrize(
    "text", ["", " ", "。", "!!!", "🚀" * 50, "#a #b", "@x", "\n\n\t", "9" * 400]
)
def test_a_message_without_words_claims_nothing(text: str) -> None:
    assert message_claims(text) == ()


def test_a_long_message_gives_few_claims_and_the_first_is_its_first() -> None:
    text = "Nordhaven Airlines cancelled flight 12. Polar Wings bought Colston Trust. " * 400
    claims = message_claims(text)
    assert len(claims) <= MOST
    assert claims[0] == "Nordhaven Airlines cancelled flight 12"


def test_what_is_planned_stays_planned() -> None:
    for message in (
        "Hearing Veltrix is considering layoffs of 1,200 people",
        "听说维拓科技正考虑裁员1200人",
        "聽說維拓科技正考慮裁員1,200人",
    ):
        claim = message_claims(message)[0]
        assert "considering" in claim or "考虑" in claim or "考慮" in claim
