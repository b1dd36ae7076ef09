"""Similarity lies in [0, 1], is the sum of its parts, and knows names in both languages."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.evidence.memory.beliefs import belief
from groundwire.evidence.memory.similarity import (
    names_of,
    recency,
    similarity,
    subject_match,
    wordings,
)
from groundwire.model.claim import Claim

from .make import NOON

SHARE = st.floats(0, 1, allow_nan=False)


@given(st.none() | SHARE, st.none() | SHARE, SHARE, st.none() | SHARE)
def test_the_whole_is_the_sum_of_its_parts(text, subject, recent, embedding):
    found = similarity(text=text, subject=subject, recency=recent, embedding=embedding)
    assert 0 <= found.total <= 1
    assert sum(part.weight for part in found.parts) == pytest.approx(1, abs=1e-5)
    assert found.total == pytest.approx(sum(p.value * p.weight for p in found.parts), abs=1e-5)
    given_parts = {"text": text, "subject": subject, "recency": recent, "embedding": embedding}
    present = [name for name, value in given_parts.items() if value is not None]
    assert sorted(part.name for part in found.parts) == sorted(present)


@given(SHARE, SHARE, SHARE)
def test_more_of_a_part_is_never_less_of_the_whole(text, more, recent):
    low, high = sorted((text, more))
    wholes = [similarity(text=value, subject=None, recency=recent).total for value in (low, high)]
    assert wholes[0] <= wholes[1]


@given(st.integers(-1000, 100_000))
def test_recency_falls_with_age_and_stays_a_share(days: int):
    value = recency(NOON - timedelta(days=days), NOON)
    assert 0 <= value <= 1
    assert recency(NOON - timedelta(days=days + 1), NOON) <= value


@pytest.mark.parametrize(
    ("name", "text", "least"),
    [
        ("Silicon Valley Bank", "硅谷银行在2023年3月倒闭。", 1.0),
        ("硅谷银行", "Silicon Valley Bank failed in March 2023.", 1.0),
        ("矽谷銀行", "硅谷银行在2023年3月倒闭。", 1.0),
        ("港燈銀行", "港灯银行的利率为4.2%。", 1.0),
        ("Circle", "USDC fell because Circle held reserves there.", 0.5),
    ],
)
def test_a_name_counts_in_either_language_and_script(name: str, text: str, least: float):
    found = subject_match([name], belief(Claim(text=text)))
    assert found is not None and found >= least


def test_another_name_counts_for_nothing_and_no_name_is_no_part():
    claim = belief(Claim(text="港灯银行的利率为4.2%。"))
    assert subject_match(["海角银行"], claim) == 0
    assert subject_match([], claim) is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("硅谷银行倒闭的原因", "Silicon Valley Bank"),
        ("矽谷銀行倒閉的原因", "Silicon Valley Bank"),
        ("Why did Silicon Valley Bank fail?", "硅谷银行"),
    ],
)
def test_a_question_is_also_put_in_the_other_language(question: str, expected: str):
    first, second = wordings(question)
    assert first == question
    assert expected in second


def test_a_question_that_cannot_be_translated_is_put_as_it_is():
    assert wordings("Zyxomorph Quelth") == ("Zyxomorph Quelth",)
    assert names_of("What is the rate of Harbor Light Bank?") == ("Harbor Light Bank",)
