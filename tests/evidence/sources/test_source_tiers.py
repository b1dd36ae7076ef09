"""Profiles: tiers, owners, countries and languages."""

from __future__ import annotations

import re
from collections import Counter
from typing import get_args

import pytest
from tests.evidence.builders import document

from groundwire.errors import InputError
from groundwire.evidence.data import data_lines
from groundwire.evidence.sources.tiers import owner_of, profile, tier_of
from groundwire.evidence.sources.urls import host_of
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


@pytest.mark.parametrize(
    ("url", "tier"),
    [
        # a party on its own domain, and its visitors
        ("https://www.circle.com/blog", "primary"),
        ("https://www.binance.com/en/support/announcement/1", "primary"),
        ("https://www.binance.com/en/square/post/1", "social"),
        ("https://community.openai.com/t/1", "social"),
        ("https://github.com/openai/whisper", "primary"),
        ("https://github.com/somebody/openai", "social"),
        ("https://x.com/binance/status/1", "social"),  # the platform vouches for nobody
        # reserved suffixes; look-alikes that anybody can register
        ("https://www.csrc.gov.cn/1", "primary"),
        ("https://www.fca.gov.uk/1", "primary"),
        ("https://www.sfc.gov.hk/1", "primary"),
        ("https://www.fsc.gov.tw/1", "primary"),
        ("https://www.esma.europa.eu/1", "primary"),
        ("https://www.fsa.go.jp/1", "primary"),
        ("https://www.economie.gouv.fr/1", "primary"),
        ("https://who.int/1", "primary"),
        ("https://sec.gov.com/1", "unknown"),
        ("https://sec.gov.xyz/1", "unknown"),
        ("https://sec.gov.de/1", "unknown"),  # a country that reserves no gov: anybody can have it
        ("https://sec-gov.com/1", "unknown"),
        ("https://comune.go.it/1", "unknown"),
        # a wire of a government is a wire
        ("https://www.spa.gov.sa/1", "wire"),
        # subdomains that differ from their house
        ("https://finance.sina.com.cn/1", "aggregator"),
        ("https://t.cj.sina.com.cn/1", "social"),
        ("https://zhuanlan.zhihu.com/p/1", "social"),
        ("https://baijiahao.baidu.com/s?id=1", "social"),
        ("https://guba.eastmoney.com/1", "social"),
        ("https://cn.nytimes.com/1", "established"),
        ("https://www.dailymail.co.uk/1", "aggregator"),
        ("https://www.theonion.com/1", "satire"),
        ("https://rt.com/1", "unknown"),
    ],
)
def test_tier_by_who_speaks(url: str, tier: str) -> None:
    assert tier_of(document("text", url=url)) == tier
    assert profile(url).tier == tier


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (
            "https://www.reuters.com/markets/1",
            ("reuters.com", "Reuters", "wire", "Thomson Reuters", "GB", "en"),
        ),
        ("reuters.com", ("reuters.com", "Reuters", "wire", "Thomson Reuters", "GB", "en")),
        (
            "https://finance.sina.com.cn/stock/1",
            ("finance.sina.com.cn", "Sina", "aggregator", "Sina", "CN", "zh"),
        ),
        (
            "https://www.thepaper.cn/1",
            ("thepaper.cn", "The Paper", "established", "Shanghai United Media Group", "CN", "zh"),
        ),
        (
            "https://money.udn.com/1",
            ("udn.com", "United Daily News", "established", "UDN Group", "TW", "zh-Hant"),
        ),
        (
            "https://abcnews.go.com/1",
            ("abcnews.go.com", "ABC News", "established", "Walt Disney", "US", "en"),
        ),
        ("https://espn.go.com/1", ("go.com", "go.com", "unknown", None, "", "")),
        ("https://www.circle.com/1", ("circle.com", "Circle", "primary", None, "", "")),
        ("https://www.moh.gov.sg/1", ("moh.gov.sg", "moh.gov.sg", "primary", None, "SG", "en")),
        ("https://www.gov.br/1", ("www.gov.br", "www.gov.br", "primary", None, "BR", "")),
        ("https://a.b.example/1", ("b.example", "b.example", "unknown", None, "", "")),
    ],
)
def test_profiles(address: str, expected: tuple[str | None, ...]) -> None:
    assert tuple(profile(address).model_dump().values()) == expected


def test_what_is_no_address_has_no_profile() -> None:
    with pytest.raises(InputError):
        profile("not an address")


@pytest.mark.parametrize(
    ("url", "owner"),
    [
        ("https://www.ft.com/1", "Nikkei"),
        ("https://asia.nikkei.com/1", "Nikkei"),
        ("https://www.cnbc.com/1", "Versant"),
        ("https://techcrunch.com/1", "Regent"),
        ("https://timesofindia.indiatimes.com/1", "Bennett Coleman"),
        ("https://a.example/1", None),
        ("some-file", None),
    ],
)
def test_owners(url: str, owner: str | None) -> None:
    assert owner_of(url) == owner


def rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in data_lines(name)]


def test_tiers_are_broad_sorted_and_each_domain_stands_once() -> None:
    domains = [row[0] for row in rows("tiers.tsv")]
    assert len(domains) >= 1000
    assert domains == sorted(set(domains))
    tiers = Counter(row[1] for row in rows("tiers.tsv"))
    assert set(tiers) == set(get_args(Tier))
    assert min(tiers[tier] for tier in ("primary", "wire", "satire")) >= 25
    languages = Counter(row[3] for row in rows("tiers.tsv"))
    assert min(languages["zh"], languages["zh-Hant"]) >= 80


def test_hosts_countries_and_languages_are_valid() -> None:
    for domain, _, country, language in rows("tiers.tsv"):
        assert host_of(f"https://{domain}/") == domain
        assert not domain.startswith("www.")
        assert re.fullmatch(r"[A-Z]{2}|-", country), domain
        assert re.fullmatch(r"[a-z]{2}(?:-Hant)?|-", language), domain


def test_owners_are_sorted_and_every_member_has_a_tier() -> None:
    owners = [row[0] for row in rows("owners.tsv")]
    assert owners == sorted(set(owners))
    tiers = {row[0] for row in rows("tiers.tsv")}
    members = [domain for row in rows("owners.tsv") for domain in row[1].split("|")]
    assert [domain for domain in members if domain not in tiers] == []
    assert len(members) == len(set(members)) > 300


def test_a_subdomain_of_a_listed_domain_has_a_line_only_to_differ() -> None:
    """In tier, country, language, owner or name: a line that says the same is dead weight."""
    listed = {row[0]: row[1:] for row in rows("tiers.tsv")}
    owned = {domain for row in rows("owners.tsv") for domain in row[1].split("|")}
    named = {domain for row in rows("publishers.tsv") for domain in row[0].split("|")}
    for domain, known in listed.items():
        parent = domain.partition(".")[2]
        if parent in listed and domain not in owned | named:
            assert listed[parent] != known, domain
