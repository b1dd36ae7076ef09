"""Feeds: every form is read, every oddity is tolerated, and what is no feed is refused by its type."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from groundwire.errors import Malformed, OutsideFailure, Unreadable
from groundwire.fetch.feeds import named_feeds, read_feed, read_opml
from groundwire.fetch.jobs import list_kind
from groundwire.model.feed import Feed

URL = "https://news.example/feeds/all.xml"
RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>Velmora Post</title><link>https://news.example/</link><language>en-gb</language>
<item><title>Bridge &amp; tram open</title><link>/2021/05/bridge</link><guid>b-1</guid>
<pubDate>Tue, 04 May 2021 10:00:00 +0200</pubDate><dc:creator>Ada Ruiz</dc:creator>
<description>&lt;p&gt;The bridge is &lt;b&gt;open&lt;/b&gt;.&lt;/p&gt;</description>
<content:encoded><![CDATA[<p>The bridge opened.</p><script>steal()</script>
<p>It cost 212&nbsp;million.</p>]]></content:encoded></item>
<item><title>No link here</title><pubDate>some day in May</pubDate>
<description>A note without an address.</description></item>
<item><title>Mail</title><link>javascript:alert(1)</link></item>
</channel></rss>"""
ATOM = """<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://blog.example/posts/">
<title type="html">Notes &amp;amp; news</title><link rel="self" href="/feed.atom"/>
<link rel="alternate" href="https://blog.example/"/>
<entry><id>tag:blog.example,2024:1</id><title>Rates cut</title>
<link rel="alternate" href="rates"/><published>2024-02-01T09:00:00Z</published>
<updated>2024-02-02T10:30:00Z</updated><author><name>Lin Wei</name></author>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Rates were cut.</p>
<p>By <em>half</em> a point.</p></div></content></entry></feed>"""
RDF = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://old.example/"><title>Old news</title>
<link>https://old.example/</link></channel>
<item rdf:about="https://old.example/1"><title>First</title><link>https://old.example/1</link>
<dc:date>2005-03-01</dc:date><description>Something happened.</description></item></rdf:RDF>"""
JSON = """{"version": "https://jsonfeed.org/version/1.1", "title": "JSON notes",
"home_page_url": "https://json.example/", "items": [
{"id": 7, "url": "/seven", "title": "Seven", "content_html": "<p>Seven <i>things</i>.</p>",
 "date_published": "2024-06-01T08:00:00+08:00", "authors": [{"name": "Mo"}]},
{"id": "8", "external_url": "https://other.example/8", "content_text": "Plain & simple"}]}"""
CHINESE = """<?xml version="1.0" encoding="{encoding}"?>
<rss version="2.0"><channel><title>{title}</title><link>https://zh.example/</link>
<item><title>{headline}</title><link>https://zh.example/a/1</link>
<pubDate>2024年5月1日 下午3:20</pubDate><description><![CDATA[<p>{text}</p>]]></description></item>
</channel></rss>"""
SIMPLIFIED = {
    "title": "财经快讯",
    "headline": "央行宣布下调存款准备金率",
    "text": "中国人民银行决定，自五月五日起下调金融机构存款准备金率零点五个百分点。",
}
TRADITIONAL = {
    "title": "財經快訊",
    "headline": "央行宣布下調存款準備金率",
    "text": "中國人民銀行決定，自五月五日起下調金融機構存款準備金率零點五個百分點。",
}


def read(text: str | bytes, kind: str = "", url: str = URL) -> Feed:
    body = text.encode() if isinstance(text, str) else text
    return read_feed(body, kind, url, date(2026, 11, 16))


def test_rss_with_its_html_as_text_and_links_resolved() -> None:
    feed = read(RSS)
    first, unlinked, scripted = feed.entries
    assert (feed.title, feed.home) == ("Velmora Post", "https://news.example/")
    assert first.title == "Bridge & tram open"
    assert first.url == "https://news.example/2021/05/bridge"
    assert first.published == datetime(2021, 5, 4, 8, tzinfo=UTC)
    assert first.author == "Ada Ruiz"
    assert first.summary_text == "The bridge is open."
    assert first.content_text == "The bridge opened.\nIt cost 212 million."
    assert first.text == first.content_text
    assert (unlinked.url, unlinked.published) == ("", None)
    assert scripted.url == ""


def test_atom_with_xhtml_and_a_base_of_its_own() -> None:
    feed = read(ATOM)
    (entry,) = feed.entries
    assert feed.title == "Notes & news"
    assert entry.url == "https://blog.example/posts/rates"
    assert entry.content_text == "Rates were cut.\nBy half a point."
    assert entry.published == datetime(2024, 2, 1, 9, tzinfo=UTC)
    assert entry.updated == datetime(2024, 2, 2, 10, 30, tzinfo=UTC)
    assert entry.author == "Lin Wei"


def test_rdf() -> None:
    (entry,) = read(RDF).entries
    assert entry.url == "https://old.example/1"
    assert entry.published == datetime(2005, 3, 1, tzinfo=UTC)


def test_json_feed() -> None:
    feed = read(JSON, "application/feed+json", "https://json.example/feed.json")
    seven, eight = feed.entries
    assert (seven.id, seven.url, seven.author) == ("7", "https://json.example/seven", "Mo")
    assert seven.content_text == "Seven things."
    assert seven.published == datetime(2024, 6, 1, 0, tzinfo=UTC)
    assert (eight.url, eight.content_text) == ("https://other.example/8", "Plain & simple")


@pytest.mark.parametrize(
    ("words", "encoding", "declared"),
    [
        (SIMPLIFIED, "utf-8", "utf-8"),
        (SIMPLIFIED, "gb18030", "gb2312"),
        (SIMPLIFIED, "gb18030", "utf-8"),  # it lies
        (SIMPLIFIED, "utf-16", "utf-16"),
        (TRADITIONAL, "utf-8", "utf-8"),
        (TRADITIONAL, "big5", "big5"),
        (TRADITIONAL, "utf-8-sig", "big5"),  # the mark is stronger
    ],
)
def test_chinese_feeds_in_their_encodings(
    words: dict[str, str], encoding: str, declared: str
) -> None:
    text = CHINESE.format(encoding=declared, **words)
    feed = read(text.encode(encoding))
    assert feed.title == words["title"]
    assert feed.entries[0].title == words["headline"]
    assert feed.entries[0].summary_text == words["text"]
    assert feed.entries[0].published == datetime(2024, 5, 1, 15, 20, tzinfo=UTC)


def test_names_of_html_in_xml_are_characters() -> None:
    text = RSS.replace("Bridge &amp; tram", "Caf&eacute;&nbsp;&mdash; bridge")
    assert read(text).entries[0].title == "Café — bridge open"


def test_a_feed_without_entries_is_empty_and_a_cut_one_is_refused() -> None:
    head = RSS[: RSS.index("<item>")]
    assert read(head + "</channel></rss>").entries == ()
    with pytest.raises(Malformed):
        read(head)


def test_a_feed_cut_in_the_middle_keeps_its_whole_entries() -> None:
    feed = read(RSS[: RSS.index("<description>A note")])
    assert feed.entries[0].title == "Bridge & tram open"


BILLION = """<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
<rss version="2.0"><channel><title>&b;</title></channel></rss>"""
EXTERNAL = """<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<rss version="2.0"><channel><title>&x;</title></channel></rss>"""


@pytest.mark.parametrize("text", [BILLION, EXTERNAL, EXTERNAL.replace("rss [", "feed [")])
def test_entities_are_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="document type"):
        read(text)


def test_a_doctype_that_only_names_a_dtd_is_passed_over() -> None:
    named = '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://x.example/rss.dtd">'
    text = RSS.replace("<rss version", f"{named}\n<rss version", 1)
    assert len(read(text).entries) == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "<html><body><p>Sign in to read</p></body></html>",
        "<opml version='2.0'></opml>",
        "not xml at all",
        "{",
        '{"items": 7}',
        '{"version": "https://jsonfeed.org/version/1", "items": 7}',
        '{"version": "https://jsonfeed.org/version/1", "items": ["a"]}',
        "<rss",
        "<rss version='2.0'><channel><item><title>half",
        b"\x00\x01\x02\x03" * 400,
        b"%PDF-1.7 nothing",
    ],
)
def test_what_is_no_feed_is_refused_and_never_an_empty_feed(text: str | bytes) -> None:
    try:
        feed = read(text)
    except (Malformed, Unreadable):
        return
    assert feed.entries


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (RSS.encode(), "feed"),
        (ATOM.encode(), "feed"),
        (RDF.encode(), "feed"),
        (JSON.encode(), "feed"),
        (("\ufeff" + RSS).encode(), "feed"),
        (RSS.encode("utf-16"), "feed"),
        (BILLION.encode(), "feed"),
        (b"<?xml version='1.0'?><!-- x --><opml/>", "outline"),
        (b"<urlset/>", "sitemap"),
        (b"<sitemapindex/>", "sitemap"),
        (b"<html><head><title>rss feed</title></head></html>", None),
        (b"<!doctype html><p>about <rss></p>", None),
        (b'{"title": "x"}', None),
        (b"plain words", None),
        (b"", None),
    ],
)
def test_what_a_body_is_shows_at_its_beginning(body: bytes, kind: str | None) -> None:
    assert list_kind(body) == kind


OPML = """<?xml version="1.0" encoding="UTF-8"?><opml version="2.0"><head><title>我的订阅</title></head>
<body><outline text="News"><outline type="rss" text="Post" xmlUrl="https://a.example/rss"/>
<outline text="Same" xmlUrl="https://a.example/rss"/><outline text="財經" xmlurl="https://b.example/f"/>
<outline text="A folder"/><outline text="bad" xmlUrl="file:///etc/passwd"/></outline></body></opml>"""


def test_opml_lists_each_feed_once() -> None:
    outline = read_opml(OPML.encode())
    assert outline.title == "我的订阅"
    assert [(each.title, each.url) for each in outline.feeds] == [
        ("Post", "https://a.example/rss"),
        ("財經", "https://b.example/f"),
    ]


@pytest.mark.parametrize(
    "text", ["<opml/>", "<rss/>", "words", EXTERNAL.replace("rss", "opml"), "<opml><body>"]
)
def test_an_opml_without_feeds_is_refused(text: str) -> None:
    with pytest.raises((Malformed, Unreadable)):
        read_opml(text.encode())


def test_a_page_names_its_feed() -> None:
    page = (
        '<html><head><link rel="stylesheet" href="/a.css">'
        '<link rel="alternate" type="application/rss+xml" title="All" href="/feed.xml">'
        '<link rel="alternate" type="application/rss+xml" title="Comments" href="/c.xml"></head>'
    )
    outline = named_feeds(page.encode(), "text/html", "https://site.example/blog/")
    assert [each.url for each in outline.feeds] == ["https://site.example/feed.xml"]
    with pytest.raises(Malformed):
        named_feeds(b"<html><head></head></html>", "text/html", "https://site.example/")


def test_recorded_feeds_are_read_or_refused_by_type(payloads: Path) -> None:
    """Against recorded feeds, where they are at hand; they are not part of this repository."""
    outcomes: dict[str, int] = {}
    for file in sorted((payloads / "feeds").iterdir()):
        try:
            feed = read(file.read_bytes())
            outcomes["read"] = outcomes.get("read", 0) + bool(feed.entries)
        except OutsideFailure as error:
            outcomes[error.code] = outcomes.get(error.code, 0) + 1
    assert sum(outcomes.values()) == len(list((payloads / "feeds").iterdir()))
    assert outcomes["read"] >= 60
