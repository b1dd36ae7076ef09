"""A declared name counts only where the domain confirms it."""

from __future__ import annotations

import pytest

from groundwire.evidence.data import data_lines
from groundwire.evidence.sources.publishers import (
    is_vouched_for,
    named_sources,
    publisher_at,
    shown_publisher,
)
from groundwire.evidence.sources.urls import host_of
from groundwire.language.text.lexicon import low_form
from groundwire.words import LANGUAGES, words


@pytest.mark.parametrize(
    ("name", "domain", "expected"),
    [
        ("Reuters", "reuters.com", True),
        ("路透社", "reuters.com", True),
        ("路透社", "evil.com", False),
        ("Reuters", "evil.com", False),
        ("Reuters", "reuters.co", False),  # looks like it
        ("Reuters News", "reuters-news.com", False),
        ("財聯社", "cls.cn", True),
        ("财联社", "sohu.com", False),
        ("Circle", "circle.com", True),  # the domain says it
        ("The Aske Courier", "askecourier.example", True),
        ("evil.com", "evil.com", True),
        ("Courier", "evil.com", False),
        ("AP", "apple.com", False),
        ("某某报", "evil.com", False),
        ("", "evil.com", False),
    ],
)
def test_who_may_bear_a_name(name: str, domain: str, expected: bool) -> None:
    assert is_vouched_for(name, domain) is expected


@pytest.mark.parametrize(
    ("name", "url", "expected"),
    [
        ("Reuters", "https://www.reuters.com/a", "Reuters"),
        ("Reuters", "https://news.evil.com/a", "Reuters (evil.com)"),
        ("新华社", "https://a.evil.cn/b", "新华社 (evil.cn)"),
        ("新華社", "https://news.cn/b", "新華社"),
        ("publisher.local_file", "https://f00.invalid/a.txt", "local file"),
        ("local file", "https://f00.invalid/a.txt", "local file"),  # of an older version
        ("publisher.local_file", "https://a.example/b", "local file (a.example)"),
        ("a file", "files/one.txt", "a file"),
    ],
)
def test_the_domain_stands_beside_a_name_that_it_does_not_bear_out(
    name: str, url: str, expected: str
) -> None:
    assert shown_publisher(name, url, words("en")) == expected


@pytest.mark.parametrize("stored", ["publisher.local_file", "local file"])
def test_a_file_that_names_nobody_is_told_in_the_readers_words(stored: str) -> None:
    names = [
        shown_publisher(stored, "https://f00.invalid/a.txt", words(each)) for each in LANGUAGES
    ]
    assert names == ["local file", "本地文件", "本機檔案"]


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("www.reuters.com", "Reuters"),
        ("cn.nytimes.com", "New York Times"),
        ("abcnews.go.com", "ABC News"),
        ("espn.go.com", None),  # another tenant of go.com
        ("nature.com", "Nature"),
        ("evil.example", None),
    ],
)
def test_the_name_on_a_host(host: str, name: str | None) -> None:
    assert publisher_at(host) == name


@pytest.mark.parametrize(
    ("text", "domains"),
    [
        ("According to the South China Morning Post, it closed", ["scmp.com"]),
        ("据南华早报报道，公司已关闭", ["scmp.com"]),
        ("據南華早報報導，公司已關閉", ["scmp.com"]),
        ("据环球时报援引彭博社消息", ["bloomberg.com", "globaltimes.cn"]),
        ("據中央社報導，聯合報也披露", ["cna.com.tw", "udn.com"]),
        ("citing The Korea Herald and via Nikkei Asia", ["koreaherald.com", "nikkei.com"]),
        # a common word is not looked for
        ("according to the independent commission", []),
        ("According to the Atlantic hurricane centre", []),
        ("According to nature itself", []),
        ("据今日美国股市消息", []),
        # a longer word is something else
        ("据该声明报道", []),
        ("據該聲明報導", []),
        ("据理财新规消息", []),
        ("据两部门联合报告称", []),
        ("据基金十日消息", []),
        # named, but not as a source
        ("Reuters moved its office.", []),
        ("彭博社搬了办公室。", []),
    ],
)
def test_whom_a_text_names_as_its_source(text: str, domains: list[str]) -> None:
    assert sorted(named_sources(low_form(text))) == domains


def test_publishers_are_sorted_and_each_domain_and_name_stands_once() -> None:
    lines = [line.split("\t") for line in data_lines("publishers.tsv")]
    domains = [domain for cell, _ in lines if cell != "-" for domain in cell.split("|")]
    assert [cell for cell, _ in lines] == sorted((cell for cell, _ in lines), key=_last)
    assert len(domains) == len(set(domains)) > 500
    assert all(host_of(f"https://{domain}/") == domain for domain in domains)
    names = [low_form(name) for _, cell in lines for name in cell.split("|")]
    looked_for = [name for name in names if not name.endswith("*")]
    assert len(looked_for) == len(set(looked_for))


def _last(cell: str) -> tuple[bool, str]:
    return cell == "-", cell


def test_every_publisher_has_a_tier() -> None:
    """By one of its domains: go.com is there only as the house of abcnews.go.com."""
    tiers = {line.split("\t")[0] for line in data_lines("tiers.tsv")}
    cells = [line.split("\t")[0] for line in data_lines("publishers.tsv")]
    assert [cell for cell in cells if cell != "-" and not tiers & set(cell.split("|"))] == []
