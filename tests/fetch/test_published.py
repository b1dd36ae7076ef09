"""The day of publication and how it is known: stated outright first, derived from the text last."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.fetch.metadata import read_metadata
from groundwire.fetch.tree import parse

LATEST = date(2026, 6, 1)
PLAIN = "https://news.example.com/rates"
EN = "<p>The central bank lowered its reserve ratio by half a point, its second cut this year.</p>"
ZH = "<p>央行将存款准备金率下调零点五个百分点，这是今年以来第二次下调。</p>"


def page(head: str = "", top: str = "", text: str = EN, end: str = "", lang: str = "en") -> str:
    return (
        f"<!doctype html><html lang='{lang}'><head><title>Rates</title>{head}</head><body>"
        f"<nav><a href='/'>Home</a></nav><article><h1>Rates cut</h1>{top}{text * 6}</article>"
        f"{end}</body></html>"
    )


def about(html: str, url: str = PLAIN) -> tuple[str | None, str]:
    found = read_metadata(parse(html), url, LATEST)
    return found.published_at, found.published_how


def linked(data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


@pytest.mark.parametrize(
    ("head", "when", "how"),
    [
        # Linked data, at the top or in a graph
        (linked({"@type": "NewsArticle", "datePublished": "2026-03-04T23:30:00+08:00"}),
         "2026-03-04T23:30:00+08:00", "declared"),
        (linked({"@graph": [{"@type": "Article", "datePublished": "2026-03-04"}]}),
         "2026-03-04", "declared"),
        (linked([{"@type": "WebPage"}, {"@type": "Article", "datePublished": "2026-03-03T10:00:00Z"}]),
         "2026-03-03T10:00:00+00:00", "declared"),
        # Metas
        ('<meta property="article:published_time" content="2026-03-02 08:00">',
         "2026-03-02", "declared"),
        ('<meta name="PubDate" content="2026年3月1日">', "2026-03-01", "declared"),
        ('<meta name="publishdate" content="2026-03-01">', "2026-03-01", "declared"),
        # The first publication, not the change
        ('<meta property="article:modified_time" content="2026-03-09">'
         '<meta property="article:published_time" content="2026-03-02">',
         "2026-03-02", "declared"),
        (linked({"@type": "Article", "dateModified": "2026-03-09", "datePublished": "2026-03-02"}),
         "2026-03-02", "declared"),
        # What says nothing, or what cannot be, leaves it to the address
        ('<script type="application/ld+json">{ broken</script>', "2026-03-05", "url"),
        ('<meta property="article:published_time" content="2031-01-01">', "2026-03-05", "url"),
        ("", "2026-03-05", "url"),
    ],
)  # fmt: skip
def test_what_is_declared_comes_first_then_the_address(head: str, when: str, how: str) -> None:
    assert about(page(head), "https://news.example.com/2026/03/05/rates") == (when, how)


@pytest.mark.parametrize(
    ("url", "when"),
    [
        ("https://e.com/2026/03/05/rates", "2026-03-05"),
        ("https://e.com/2026/3/5/", "2026-03-05"),
        ("https://e.com/news/2026-03-05-rates.html", "2026-03-05"),
        ("https://e.com/a/20260305/rates.html", "2026-03-05"),
        ("https://e.com/2026/13/05/rates", None),
        ("https://e.com/2027/03/05/rates", None),  # has not come yet
        ("https://e.com/id/20260305123", None),
        ("https://e.com/2026/rates", None),
    ],
)
def test_a_day_in_the_address(url: str, when: str | None) -> None:
    assert about(page(), url) == ((when, "url") if when else (None, "unknown"))


def test_a_canonical_address_counts_too() -> None:
    head = '<link rel="canonical" href="https://e.com/2026/03/05/rates">'
    assert about(page(head)) == ("2026-03-05", "url")


@pytest.mark.parametrize(
    ("top", "when"),
    [
        # English and its kin
        ("<span>March 4, 2026</span>", "2026-03-04"),
        ("<span>4 Mar 2026</span>", "2026-03-04"),
        ("<p class='byline'>By A. Writer | <b>Mar. 4, 2026</b> 10:20 AM</p>", "2026-03-04"),
        ("<p>Posted on: 4 March 2026 by admin</p>", "2026-03-04"),
        ("<span>04.03.2026</span>", "2026-03-04"),
        ("<time datetime='2026-03-04'>Wednesday</time>", "2026-03-04"),
        ("<div class='post-date'><i>04</i> <i>Mar</i> <i>2026</i></div>", "2026-03-04"),
        # Simplified Chinese
        ("<span>发布时间：2026-03-04 10:20</span>", "2026-03-04"),
        ("<span>2026年03月04日 来源：新华社</span>", "2026-03-04"),
        ("<div class='info'><span>来源：新华社</span> <span>2026年03月04日 08:15</span></div>", "2026-03-04"),
        ("<div class='source'>来源：新华网 时间：2026/03/04 作者：李雷</div>", "2026-03-04"),
        ("<div id='pubtime'>2026-03-04 08:15:00</div>", "2026-03-04"),
        ("<p>发表于 2026年3月4日</p>", "2026-03-04"),
        # Traditional Chinese
        ("<span>發布於 2026/3/4</span>", "2026-03-04"),
        ("<span>發佈時間：2026.03.04</span>", "2026-03-04"),
        ("<div class='article-info'>記者王小明／台北報導 2026年3月4日</div>", "2026-03-04"),
        ("<p class='date'>民國115年3月4日</p>", "2026-03-04"),
        ("<span class='time'>2026/03/04 10:20</span>", "2026-03-04"),
    ],
)  # fmt: skip
def test_a_date_that_stands_alone_counts_when_none_is_declared(top: str, when: str) -> None:
    for text, lang in ((EN, "en"), (ZH, "zh")):
        assert about(page(top=top, text=text, lang=lang)) == (when, "text")


@pytest.mark.parametrize(
    "rest",
    [
        "<footer>Page made on 2019-01-02</footer>",
        "<div class='related'><span class='date'>2019-01-02</span></div>",
        "<div class='comments'><p><time datetime='2026-05-02T10:00:00Z' pubdate>May</time></p></div>",
        "<aside><span class='date'>2019-01-02</span></aside>",
        "<div class='hotnews'><li>2019-01-02</li></div>",
    ],
)
def test_dates_of_comments_and_other_articles_do_not_count(rest: str) -> None:
    top = "<p class='meta'>March 4, 2026</p>"
    assert about(page(top=top, end=rest)) == ("2026-03-04", "text")
    assert about(rest.join(page(top=top).split("<nav>", 1))) == ("2026-03-04", "text")


@pytest.mark.parametrize(
    "top",
    [
        "<p>Updated: March 9, 2026</p><p>Published: March 4, 2026</p>",
        "<p>更新时间：2026-03-09</p><p>发布时间：2026-03-04</p>",
        "<p>更新時間：2026-03-09</p><p>發布時間：2026-03-04</p>",
        "<span class='updated'>2026-03-09</span><span class='published'>2026-03-04</span>",
    ],
)
def test_the_first_publication_is_preferred_to_the_change(top: str) -> None:
    assert about(page(top=top)) == ("2026-03-04", "text")


@pytest.mark.parametrize("kind", ["VideoObject", "ImageObject", "Comment"])
def test_the_day_of_a_part_is_not_that_of_the_article(kind: str) -> None:
    part = linked({"@type": kind, "uploadDate": "2019-01-02", "dateCreated": "2019-01-02"})
    article = linked({"@type": ["NewsArticle"], "datePublished": "2026-03-04"})
    byline = "<div class='byline'>By A. Person, March 4, 2026</div>"
    assert about(page(part + article)) == ("2026-03-04", "declared")
    assert about(page(part, byline)) == ("2026-03-04", "text")
    # Where nothing else has a day, the page is about the clip.
    assert about(page(part)) == ("2019-01-02", "declared")


def test_an_element_that_says_so_is_a_declaration() -> None:
    top = "<span itemprop='datePublished' content='2026-03-04'>yesterday</span>"
    assert about(page(top=top)) == ("2026-03-04", "declared")
    assert about(page(top="<time datetime='2026-03-04' pubdate>4 March</time>")) == (
        "2026-03-04",
        "declared",
    )


def test_the_text_is_preferred_to_a_meta_that_only_says_date() -> None:
    head = '<meta name="date" content="2026-03-09">'
    assert about(page(head, "<p class='date'>2026-03-04</p>")) == ("2026-03-04", "text")
    assert about(page(head)) == ("2026-03-09", "metadata")


def test_a_script_counts_if_it_names_one_day_only() -> None:
    one = '<script>var page = {"publishTime": "2026-03-04 08:00:00", "id": 7};</script>'
    assert about(page(one)) == ("2026-03-04", "metadata")
    two = one + '<script>var other = {"publishTime": "2026-03-01 08:00:00"};</script>'
    assert about(page(two))[1] != "metadata"


def test_a_change_is_better_than_nothing_and_says_so() -> None:
    head = '<meta property="og:updated_time" content="2026-03-09">'
    assert about(page(head))[0] == "2026-03-09"
    assert about(page(head))[1] != "declared"


def test_a_page_without_a_date_has_none() -> None:
    assert about(page()) == (None, "unknown")
    assert about(page(text=ZH, lang="zh")) == (None, "unknown")
    # No first of January out of a copyright line.
    assert about(page(end="<footer>Copyright 2026 Example</footer>")) == (None, "unknown")
    assert about(page(end="<footer>版权所有 © 2026</footer>")) == (None, "unknown")


@pytest.mark.parametrize(
    ("lang", "url", "when"),
    [
        ("en", "https://e.com/a", "2026-03-04"),
        ("en-US", "https://e.com/a", "2026-03-04"),
        ("en-GB", "https://e.com/a", "2026-04-03"),
        ("en", "https://e.co.uk/a", "2026-04-03"),
        ("de", "https://e.com/a", "2026-04-03"),
    ],
)
def test_numbers_are_read_as_the_country_of_the_page_writes_them(
    lang: str, url: str, when: str
) -> None:
    assert about(page(top="<p class='date'>03/04/2026</p>", lang=lang), url)[0] == when


@pytest.mark.parametrize(
    ("head", "url", "when"),
    [
        # The same moment in the page's own zone
        (linked({"@type": "Article", "datePublished": "2026-03-04T22:35:29-08:00"}),
         PLAIN, "2026-03-04T22:35:29-08:00"),
        # The day of the address, one zone away
        ("", "https://e.com/2026/03/04/rates", "2026-03-04T23:35:29-07:00"),
        # Too far for a zone, or the same day: as it was
        ("", "https://e.com/2026/03/02/rates", "2026-03-05T06:35:29+00:00"),
        ("", "https://e.com/2026/03/05/rates", "2026-03-05T06:35:29+00:00"),
        ("", PLAIN, "2026-03-05T06:35:29+00:00"),
    ],
)  # fmt: skip
def test_a_moment_in_utc_is_given_the_day_that_the_page_shows(
    head: str, url: str, when: str
) -> None:
    meta = '<meta property="article:published_time" content="2026-03-05T06:35:29+00:00">'
    assert about(page(meta + head), url) == (when, "declared")


def test_no_page_loads_dateparser() -> None:
    """Its languages take two seconds and forty megabytes of a worker."""
    html = page(end="<div>Some 31/12/2025 words, 3 Tage her, 5 mai</div>")
    code = (
        "import sys\nfrom datetime import date\n"
        "from groundwire.fetch.metadata import read_metadata\nfrom groundwire.fetch.tree import parse\n"
        f"read_metadata(parse({html!r}), {PLAIN!r}, date(2026, 6, 1))\n"
        "assert 'htmldate' in sys.modules\nassert 'dateparser' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["<time datetime='2026-13-45'>", "2026年3月4日", "<p class='date'>", "</p>", "\x0b", "&#0;",
             "<meta name=date content='x'>", "<h1>", "12/12/12", "<script>{'publishTime':'2", "</script>",
             "<!--", "-->", "<abbr class='published' title='2026-03-04'>", "１２月", "2099-01-01"]
        ),
        max_size=20,
    )
)  # fmt: skip
def test_broken_pages_can_be_read_and_nothing_lies_ahead(parts: list[str]) -> None:
    when, _how = about("<html><body>x" + "".join(parts))
    assert when is None or date.fromisoformat(when[:10]) <= LATEST
