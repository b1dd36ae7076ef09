"""Terms and weights, without a database."""

from __future__ import annotations

import pytest

from groundwire.store import bm25
from groundwire.store.porter import stem


def test_frequent_terms_are_left_out_only_when_the_budget_is_spent() -> None:
    frequencies = {"the": 900, "usdc": 40, "rare": 2, "none": 0}
    assert bm25.affordable(frequencies, 10_000) == ["rare", "usdc", "the"]
    assert bm25.affordable(frequencies, 100) == ["rare", "usdc"]
    assert bm25.affordable({"the": 900}, 100) == ["the"]
    assert bm25.affordable({"none": 0}, 100) == []


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("hopping", "hop"),
        ("filing", "file"),
        ("happy", "happi"),
        ("sky", "sky"),
        ("relational", "relat"),
        ("hopefulness", "hope"),
        ("adoption", "adopt"),
        ("controlling", "control"),
        ("yielding", "yield"),
        ("probate", "probat"),
        ("cease", "ceas"),
        ("is", "is"),
    ],
)
def test_stems_are_porters(word: str, expected: str) -> None:
    assert stem(word) == expected
