"""How far evidence is believed: ordered by tier, lowered by flags."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence.builders import evidence

from groundwire.evidence.sources.credibility import credibility
from groundwire.model.source import Evidence, EvidenceKind, Tier

FLAGS = [
    "analyst",
    "correction",
    "injection",
    "opinion",
    "retraction",
    "sample",
    "satire",
    "snippet",
]


def page(
    tier: Tier = "wire", *flags: str, kind: EvidenceKind = "page", day: str | None = "2023-03-11"
) -> Evidence:
    return evidence("text", tier=tier, kind=kind, flags=flags, published=day)


@given(
    st.sampled_from(get_args(Tier)),
    st.lists(st.sampled_from(FLAGS), unique=True),
    st.sampled_from(get_args(EvidenceKind)),
    st.sampled_from(["2023-03-11", None]),
)
def test_nothing_raises_it_over_its_tier(
    tier: Tier, flags: list[str], kind: EvidenceKind, day: str | None
) -> None:
    found = credibility(page(tier, *flags, kind=kind, day=day))
    assert 0 <= found <= credibility(page(tier)) <= 1


@given(st.permutations(FLAGS[:4]))
def test_the_order_of_flags_does_not_matter(flags: list[str]) -> None:
    assert credibility(page("wire", *flags)) == credibility(page("wire", *sorted(flags)))


def test_tiers_are_ordered() -> None:
    order: list[Tier] = [
        "primary", "wire", "established", "trade", "aggregator", "unknown", "social", "satire",
    ]  # fmt: skip
    scores = [credibility(page(tier)) for tier in order]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


@pytest.mark.parametrize("flag", ["injection", "retraction", "opinion"])
def test_a_flag_lowers_it(flag: str) -> None:
    assert credibility(page("wire", flag)) < credibility(page("wire"))


def test_a_sample_is_not_lowered_satire_is_nothing_and_a_snippet_counts_once() -> None:
    plain = credibility(page("wire"))
    assert credibility(page("wire", "sample")) == plain
    assert credibility(page("wire", "satire")) == 0
    once = credibility(page("wire", kind="snippet"))
    assert once == credibility(page("wire", "snippet", kind="snippet"))
    assert 0 < once < plain


def test_a_page_without_a_date_is_lowered_a_little() -> None:
    assert credibility(page("wire", day=None)) < credibility(page("wire"))
