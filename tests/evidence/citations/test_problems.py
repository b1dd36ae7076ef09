"""Problems in the reader's language."""

from __future__ import annotations

import pytest

from groundwire.evidence.reading.problems import problem
from groundwire.words import words


@pytest.mark.parametrize(
    ("name", "params", "en", "zh", "hant"),
    [
        ("no_quote", {}, "no quote was given", "没有给出引文", "沒有給出引文"),
        ("no_passage", {"n": 9}, "there is no passage 9", "没有第9段", "沒有第9段"),
        ("absent", {"what": "12 %"}, "12 % is in no quote", "引文中没有12 %", "引文中沒有12 %"),
        # What a sentence says is put in as it is, whatever it looks like.
        (
            "absent",
            {"what": "{0} 33亿"},
            "{0} 33亿 is in no quote",
            "引文中没有{0} 33亿",
            "引文中沒有{0} 33亿",
        ),
        (
            "other",
            {},
            "the quote is about something else",
            "引文说的是另一回事",
            "引文說的是另一回事",
        ),
        (
            "apart",
            {"what": "17%", "whom": "USDC"},
            "no one quote says 17% of USDC",
            "没有一处引文说17%是USDC的",
            "沒有一處引文說17%是USDC的",
        ),
    ],
)
def test_texts(name: str, params: dict[str, str | int], en: str, zh: str, hant: str) -> None:
    found = problem(name, **params)
    assert [words(each).phrase(found) for each in ("en", "zh", "zh-Hant")] == [en, zh, hant]


def test_what_is_not_known_stays_as_it_is() -> None:
    """A sentence of an older version is shown as it was stored."""
    assert words("zh").phrase("something new") == "something new"


def test_several_are_joined_as_the_language_does() -> None:
    both = (problem("no_quote"), problem("no_passage", n=2))
    assert words("en").phrases(both) == "no quote was given; there is no passage 2"
    assert words("zh").phrases(both) == "没有给出引文；没有第2段"
    assert words("zh-Hant").phrases(both) == "沒有給出引文；沒有第2段"
