"""Sitemaps: pages, indexes, packed files, and the lines of robots.txt."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime

import pytest

from groundwire.errors import Malformed, OutsideFailure, TooLarge, Unreadable
from groundwire.fetch.feeds import read_robots, read_sitemap, unpack_gzip

URL = "https://site.example/sitemap.xml"
PAGES = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
<url><loc> https://site.example/a </loc><lastmod>2024-05-01T08:00:00+08:00</lastmod></url>
<url><loc>/b?x=1&amp;y=2</loc><news:news><news:title>B</news:title></news:news></url>
<url><loc>https://site.example/a</loc></url>
<url><loc>ftp://site.example/c</loc></url><url/></urlset>"""
INDEX = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://site.example/s1.xml.gz</loc></sitemap>
<sitemap><loc>s2.xml</loc></sitemap></sitemapindex>"""


def _in_parts(body: bytes) -> bytes:
    return gzip.compress(body[:60], mtime=0) + gzip.compress(body[60:], mtime=0)


@pytest.mark.parametrize("pack", [lambda body: body, gzip.compress, _in_parts])
def test_pages_are_listed_once_with_when_they_changed(pack) -> None:
    found = read_sitemap(pack(PAGES.encode()), "", URL)
    assert [page.url for page in found.pages] == [
        "https://site.example/a",
        "https://site.example/b?x=1&y=2",
    ]
    assert found.pages[0].changed == datetime(2024, 5, 1, tzinfo=UTC)
    assert found.pages[1].changed is None


def test_an_index_lists_sitemaps() -> None:
    found = read_sitemap(INDEX.encode(), "application/xml", URL)
    assert found.pages == ()
    assert found.sitemaps == ("https://site.example/s1.xml.gz", "https://site.example/s2.xml")


def test_robots_txt_names_sitemaps() -> None:
    text = "User-agent: *\nDisallow: /x\nSitemap: https://site.example/s.xml\nsitemap:/t.xml # two"
    found = read_robots(text.encode(), "text/plain", "https://site.example/robots.txt")
    assert found.sitemaps == ("https://site.example/s.xml", "https://site.example/t.xml")
    with pytest.raises(Malformed):
        read_robots(b"User-agent: *", "", "https://site.example/robots.txt")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<urlset/>", Malformed),
        (b"<rss/>", Malformed),
        (b"", Malformed),
        (gzip.compress(PAGES.encode(), mtime=0)[:60], Malformed),
        (b"\x1f\x8bnot packed at all", Malformed),
        (
            b'<!DOCTYPE urlset [<!ENTITY x "y">]><urlset><url><loc>&x;</loc></url></urlset>',
            Unreadable,
        ),
    ],
)
def test_what_lists_nothing_is_refused(body: bytes, kind: type[OutsideFailure]) -> None:
    with pytest.raises(kind):
        read_sitemap(body, "", URL)


def test_a_bomb_is_not_unpacked() -> None:
    with pytest.raises(TooLarge):
        unpack_gzip(gzip.compress(bytes(5_000_000), mtime=0), most=100_000)
    with pytest.raises(TooLarge):
        unpack_gzip(gzip.compress(bytes(60_000), mtime=0) * 2, most=100_000)
    with pytest.raises(TooLarge):
        unpack_gzip(gzip.compress(b"", mtime=0) * 100_000)
