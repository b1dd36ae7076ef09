"""Problems in the reader's language."""

from __future__ import annotations

import pytest

from groundwire.evidence.citations.problems import problem, problem_text, problems_text


@pytest.mark.parametrize(
    ("code", "parts", "english", "chinese"),
    [
        ("no_quote", (), "no quote was given", "没有给出引文"),
        ("no_passage", (9,), "there is no passage 9", "没有第9段"),
        ("absent", ("12 %",), "12 % is in no quote", "引文中没有12 %"),
        ("absent", ("{0} 33亿",), "{0} 33亿 is in no quote", "引文中没有{0} 33亿"),
        ("other", (), "the quote is about something else", "引文说的是另一回事"),
        ("apart", ("17%", "USDC"), "no one quote says 17% of USDC", "没有一处引文说17%是USDC的"),
    ],
)
def test_texts(code: str, parts: tuple[str | int, ...], english: str, chinese: str) -> None:
    assert problem(code, *parts) == english
    assert problem_text(english, "en") == english
    assert problem_text(english, "zh") == problem_text(english, "zh-Hant") == chinese


def test_what_is_not_known_stays_as_it_is() -> None:
    assert problem_text("something new", "zh") == "something new"


def test_several_are_joined_as_the_language_does() -> None:
    both = ("no quote was given", "there is no passage 2")
    assert problems_text(both, "en") == "no quote was given; there is no passage 2"
    assert problems_text(both, "zh") == "没有给出引文；没有第2段"
