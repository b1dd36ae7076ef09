"""Tiers and credibility."""

from __future__ import annotations

from typing import get_args

import pytest
from tests.evidence.builders import document, evidence

from groundwire.evidence.glossary import data_lines
from groundwire.evidence.sources import credibility, tier_of
from groundwire.evidence.urls import registrable_domain
from groundwire.model.source import Tier


@pytest.mark.parametrize(
    ("url", "tier"),
    [
        ("https://www.sec.gov/news", "primary"),
        ("https://www.reuters.com/a", "wire"),
        ("https://coindesk.com/a", "trade"),
        ("https://mp.weixin.qq.com/s/1", "social"),  # a listed subdomain wins
        ("https://news.qq.com/1", "aggregator"),
        ("https://www.gov.il/1", "primary"),
        ("https://www.nih.gov/1", "primary"),  # public bodies need no line
        ("https://www.moh.gov.sg/1", "primary"),
        ("https://notsec.gov.evil.example/", "unknown"),
        ("https://a.example/", "unknown"),
        ("some-file", "unknown"),
        ("https://localhost/", "unknown"),
    ],
)
def test_tier_by_domain(url: str, tier: str) -> None:
    assert tier_of(document("text", url=url)) == tier


def test_the_declared_tier_wins() -> None:
    assert tier_of(document("text", url="https://reuters.com/a", tier="primary")) == "primary"


def test_flags_lower_credibility() -> None:
    plain = credibility(evidence("text", tier="wire"))
    assert credibility(evidence("text", tier="primary")) > plain
    assert credibility(evidence("text", tier="wire", kind="snippet")) < plain
    assert credibility(evidence("text", tier="wire", flags=("injection",))) < plain / 2
    assert credibility(evidence("text", tier="wire", flags=("satire",))) == 0
    assert credibility(evidence("text", tier="wire", flags=("sample",))) == plain


def test_a_snippet_is_lowered_once() -> None:
    once = credibility(evidence("text", tier="wire", kind="snippet"))
    assert credibility(evidence("text", tier="wire", kind="snippet", flags=("snippet",))) == once


def test_data_files_hold_real_domains_once() -> None:
    rows = [line.split("\t") for line in data_lines("tiers.tsv")]
    domains = [row[0] for row in rows]
    assert len(domains) == len(set(domains)) > 100
    assert {row[1] for row in rows} <= set(get_args(Tier))
    for row in (line.split("\t") for line in data_lines("owners.tsv")):
        for domain in row[1].split("|"):
            assert registrable_domain(domain) in domain
