"""Canonical addresses, registrable domains, and secrets taken out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import InputError
from groundwire.evidence.sources.urls import (
    canonical_url,
    host_of,
    matches_domain,
    registrable_domain,
    scrub_url,
)


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTP://News.Example.COM:80/a", "http://news.example.com/a"),  # case, default port
        ("https://a.example:8443/a", "https://a.example:8443/a"),
        ("https://a.example", "https://a.example/"),
        ("https://a.example/a/#part", "https://a.example/a"),  # fragment, trailing slash
        ("https://a.example//a///b", "https://a.example/a/b"),
        ("https://a.example/?b=2&a=1", "https://a.example/?a=1&b=2"),  # order
        ("https://a.example/?utm_source=x&fbclid=1&spm=2&id=3", "https://a.example/?id=3"),
        ("https://a.example/%e4%b8%ad%7E", "https://a.example/%E4%B8%AD~"),  # encoding
        ("https://a.example/中", "https://a.example/%E4%B8%AD"),
        ("https://a.example/a%2fb", "https://a.example/a%2Fb"),  # an encoded slash is no slash
        ("https://a.example/?q=a b".replace(" ", "+"), "https://a.example/?q=a%20b"),
        ("https://例子.测试/", "https://xn--fsqu00a.xn--0zwm56d/"),
        ("https://en.m.wikipedia.org/wiki/A", "https://en.wikipedia.org/wiki/A"),
        ("https://m.wikipedia.org/wiki/A", "https://wikipedia.org/wiki/A"),
        ("https://m.youtube.com/watch?v=1", "https://www.youtube.com/watch?v=1"),
        ("https://m.unknown.example/a", "https://m.unknown.example/a"),  # not known to be safe
        ("https://m.weibo.cn/status/1", "https://m.weibo.cn/status/1"),
        ("https://a.example/a/../b", "https://a.example/b"),  # dot segments
        ("https://a.example/a/./b/%2e%2e/c", "https://a.example/a/c"),
        ("https://a.example/../../b/..", "https://a.example/"),
        ("https://a.example/a/.hidden/..x", "https://a.example/a/.hidden/..x"),
        ("https://a.example/新闻/../新聞", "https://a.example/%E6%96%B0%E8%81%9E"),
        ("https://[::1]:8443/x", "https://[::1]:8443/x"),
        ("https://user:pass@a.example/", "https://a.example/"),
        ("https://a.example./", "https://a.example/"),
    ],
)
def test_canonical(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical
    assert canonical_url(canonical) == canonical


@pytest.mark.parametrize(
    "url",
    [
        "", "a.example/x", "ftp://a.example/", "javascript:alert(1)", "http://", "http://a b.example/",
        "http://[::1/", "http://a.example:port/", "http://-a.example/", "http://[zz::1]/",
        "http://\u2488.example/", "http://a..example/", "http://xn--\u00e9.example/",
    ],
)  # fmt: skip
def test_malformed_is_refused(url: str) -> None:
    with pytest.raises(InputError):
        canonical_url(url)


def test_a_refusal_does_not_repeat_credentials() -> None:
    with pytest.raises(InputError) as caught:
        canonical_url("ftp://user:secret@a.example/")
    assert "secret" not in str(caught.value)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        once = canonical_url(f"https://a.example/{text}")
    except InputError:
        return
    assert canonical_url(once) == once


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("https://www.sec.gov/news", "sec.gov"),
        ("finance.sina.com.cn", "sina.com.cn"),
        ("a.b.example", "b.example"),
        ("a.example:8080/path", "a.example"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("https://[::1]/", "::1"),
        ("[::1]", "::1"),
        ("localhost", "localhost"),
        ("co.uk", "co.uk"),
    ],
)
def test_registrable_domain(text: str, domain: str) -> None:
    assert registrable_domain(text) == domain


@pytest.mark.parametrize(
    ("url", "domain", "matches"),
    [
        ("https://sec.gov/a", "sec.gov", True),
        ("https://www.sec.gov/a", "SEC.gov", True),
        ("https://www.sec.gov/a", "*.sec.gov", True),
        ("https://notsec.gov/a", "sec.gov", False),
        ("https://notsec.gov.evil.example/", "sec.gov", False),
        ("https://sec.gov.evil.example/", "sec.gov", False),
        ("https://evil.example/sec.gov", "sec.gov", False),
    ],
)
def test_domains_match_by_label(url: str, domain: str, matches: bool) -> None:
    assert matches_domain(url, domain) is matches


@pytest.mark.parametrize(
    ("url", "scrubbed"),
    [
        ("https://u:p@a.example/x", "https://a.example/x"),
        ("https://a.example/x?api_key=1&q=2&token=3", "https://a.example/x?q=2"),
        ("https://a.example/?apikey=1&X-Amz-Signature=2&sig=3", "https://a.example/"),
        ("https://a.example/?access%5Ftoken=1&monkey=2", "https://a.example/?monkey=2"),
        ("https://a.example/#access_token=9", "https://a.example/"),
        ("https://a.example:8080/?q=1#part", "https://a.example:8080/?q=1#part"),
        ("https://[::1]/?password=1", "https://[::1]/"),
    ],
)
def test_secrets_are_taken_out(url: str, scrubbed: str) -> None:
    assert scrub_url(url) == scrubbed


def test_a_bad_host_is_refused() -> None:
    with pytest.raises(InputError):
        registrable_domain("zz::1")


def test_host() -> None:
    assert host_of("https://User@WWW.Example.com:1/x") == "www.example.com"
