"""Scores of timelines agree with those of PyPI tilse 0.2.1, recorded from it on these timelines."""

from __future__ import annotations

from datetime import date

import pytest
from lab.evaluation.alignment import Timeline, date_f1, score
from lab.evaluation.porter import porter

BRIDGE: Timeline = {
    date(2031, 3, 2): [
        "The bridge at Velden opened to trains .",
        "The mayor of Velden cut a ribbon .",
    ],
    date(2031, 5, 9): ["Two trains collided on the bridge , killing three people ."],
    date(2031, 6, 1): ["An inquiry into the collision began ."],
}
OTHER: Timeline = {
    date(2031, 3, 1): ["Velden opened its railway bridge ."],
    date(2031, 5, 9): ["A collision of two trains on the bridge at Velden killed three ."],
    date(2031, 8, 20): ["The inquiry blamed a signal .", "The railway 's director resigned ."],
}
SHORT: Timeline = {date(2031, 5, 9): ["Trains collided ."]}
STRANGE: Timeline = {
    date(2031, 3, 2): ["Nothing here agrees ."],
    date(2031, 12, 31): ["`` Velden '' - the town - celebrated ."],
}


@pytest.mark.parametrize(
    ("made", "reference", "ar1", "ar2"),
    [
        (BRIDGE, OTHER, 0.291704, 0.04),
        (OTHER, BRIDGE, 0.291704, 0.04),
        (SHORT, OTHER, 0.117647, 0.0),
        (OTHER, SHORT, 0.117647, 0.0),
        (STRANGE, BRIDGE, 0.0, 0.0),
        (BRIDGE, BRIDGE, 1.0, 1.0),
    ],
)
def test_the_scores_are_those_of_tilse(
    made: Timeline, reference: Timeline, ar1: float, ar2: float
) -> None:
    found = score(made, reference)
    assert (round(found.ar1, 6), round(found.ar2, 6)) == (ar1, ar2)


def test_dates_count_once() -> None:
    assert score(BRIDGE, OTHER).dates == pytest.approx(1 / 3)
    assert date_f1([], [date(2031, 3, 2)]) == 0.0


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        # As NLTK's own stemmer has them, extensions included.
        ("flies", "fli"), ("dies", "die"), ("died", "die"), ("dying", "die"), ("agreed", "agre"),
        ("hopping", "hop"), ("falling", "fall"), ("filing", "file"), ("relational", "relat"),
        ("controlling", "control"), ("enjoy", "enjoy"), ("happy", "happi"), ("by", "by"),
        ("archaeology", "archaeolog"), ("radically", "radic"), ("adoption", "adopt"), ("news", "news"),
    ],
)  # fmt: skip
def test_words_are_stemmed_as_published(word: str, stem: str) -> None:
    assert porter(word) == stem
