"""Addresses into the archive: pages, feeds, outlines and sitemaps, each one small run."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from groundwire.app import App, open_app
from groundwire.app.additions.web import WantedPages, add_url
from groundwire.jobs.sections import Settings
from groundwire.words import words
from tests.app.additions.conftest import settings_for
from tests.app.additions.site import SENTENCES, Site, page

WHOLE = "".join(f"<p>{SENTENCES} Part {n}.</p>" for n in range(10))
XML = "application/xml"


def rss(*items: str, title: str = "Velmora Post") -> str:
    return f'<rss version="2.0"><channel><title>{title}</title>{"".join(items)}</channel></rss>'


def item(title: str, link: str, text: str = "short", day: int = 4) -> str:
    return (
        f"<item><title>{title}</title><link>{link}</link><pubDate>{day:02} May 2021 10:00:00 GMT"
        f"</pubDate><description><![CDATA[{text}]]></description></item>"
    )


async def test_a_page_is_read_once_and_known_the_second_time(app: App, site: Site) -> None:
    url = site.give("/a", page("Bridge opens"), ETag='"1"')
    first = await add_url(app, url, WantedPages())
    again = await add_url(app, url, WantedPages())
    assert (first.new, first.known) == (1, 0)
    assert (again.new, again.known) == (0, 1)
    assert site.requested == ["/robots.txt", "/a", "/a"]  # the second time by its tag
    assert all(agent.startswith("Groundwire/") for agent in site.agents)


async def test_a_feed_is_known_by_its_content_and_each_entry_comes_in(app: App, site: Site) -> None:
    site.give("/p/1", page("Bridge opens"))
    feed = site.give(
        "/feed",
        rss(
            item("Bridge opens", "/p/1"),
            item("The whole story", "/p/2", WHOLE),
            item("Gone", "/p/404"),
            item("Kept by its summary", "/p/403", f"<p>{SENTENCES}</p>"),
            "<item><title>Nothing</title></item>",
        ),
        "text/html",  # many a server does not know better
    )
    added = await add_url(app, feed, WantedPages())
    assert added.new == 3
    assert sorted(each.what for each in added.failed) == ["Nothing", f"{site.url}/p/404"]
    assert "/p/2" not in site.requested  # it stood in the feed
    whole = await app.store.index.by_url(f"{site.url}/p/2")
    assert whole is not None
    assert (whole.publisher, whole.published_how) == ("Velmora Post", "feed")
    assert whole.url == feed
    kept = await app.store.index.by_url(f"{site.url}/p/403")
    assert kept is not None
    assert kept.text == SENTENCES.strip()


async def test_a_feed_does_not_speak_for_another_site(app: App, site: Site) -> None:
    """What it says of a page elsewhere is checked there, and dropped if it cannot be."""
    feed = site.give("/feed", rss(item("Forged", "http://127.0.0.1:9/story", WHOLE)), XML)
    elsewhere = site.give("/other", rss(item("Forged", "https://news.invalid/story", WHOLE)), XML)
    for url in (feed, elsewhere):
        await add_url(app, url, WantedPages())
    assert await app.store.index.by_url("https://news.invalid/story") is None


async def test_the_limit_takes_the_newest_and_counts_the_rest(app: App, site: Site) -> None:
    entries = [item(f"Story {n}", f"/p/{n}", WHOLE + str(n), day=n + 1) for n in range(5)]
    feed = site.give("/feed", rss(*entries), XML)
    added = await add_url(app, feed, WantedPages(limit=2))
    assert (added.new, added.left) == (2, 3)
    assert await app.store.index.by_url(f"{site.url}/p/4") is not None
    assert await app.store.index.by_url(f"{site.url}/p/0") is None


async def test_an_outline_brings_each_of_its_feeds_and_names_the_one_that_fails(
    app: App, site: Site
) -> None:
    site.give("/one", rss(item("One", "/p/1", WHOLE)), XML)
    opml = site.give(
        "/feeds.opml",
        f'<opml><body><outline text="One" xmlUrl="{site.url}/one"/>'
        f'<outline text="没有了" xmlUrl="{site.url}/gone"/></body></opml>',
        XML,
    )
    added = await add_url(app, opml, WantedPages())
    assert added.new == 1
    assert [(each.what, each.code) for each in added.failed] == [("没有了", "not_found")]


async def test_a_page_gives_its_feed_only_when_it_is_asked_for(app: App, site: Site) -> None:
    site.give("/feed", rss(item("One", "/p/1", WHOLE)), XML)
    link = '<link rel="alternate" type="application/rss+xml" href="/feed">'
    home = site.give("/", page("Home", head=link))
    assert (await add_url(app, home, WantedPages())).new == 1
    assert "/feed" not in site.requested
    assert (await add_url(app, home, WantedPages(feed=True))).new == 1
    assert await app.store.index.by_url(f"{site.url}/p/1") is not None


async def test_a_sitemap_index_is_followed_through_packed_files(app: App, site: Site) -> None:
    for n in range(4):
        site.give(f"/p/{n}", page(f"Story {n}"))
    urls = "".join(
        f"<url><loc>{site.url}/p/{n}</loc><lastmod>2024-05-0{n + 1}</lastmod></url>"
        for n in range(4)
    )
    foreign = "<url><loc>https://elsewhere.invalid/x</loc></url>"
    site.give("/one.xml.gz", gzip.compress(f"<urlset>{urls}{foreign}</urlset>".encode()), XML)
    site.give("/broken.xml", "<urlset>", XML)
    site.give(
        "/sitemap.xml",
        f"<sitemapindex><sitemap><loc>{site.url}/broken.xml</loc></sitemap>"
        f"<sitemap><loc>{site.url}/one.xml.gz</loc></sitemap></sitemapindex>",
        XML,
    )
    robots = site.give("/robots.txt", f"Sitemap: {site.url}/sitemap.xml", "text/plain")
    added = await add_url(app, robots, WantedPages(limit=3))
    assert (added.new, added.left) == (3, 1)
    assert dict(added.skipped) == {"skipped.other_site": 1}
    assert [each.what for each in added.failed] == [f"{site.url}/broken.xml"]
    assert "/p/0" not in site.requested  # the oldest


async def test_a_sitemap_that_lists_itself_ends(app: App, site: Site) -> None:
    place = f"{site.url}/loop.xml"
    site.give(
        "/loop.xml", f"<sitemapindex><sitemap><loc>{place}</loc></sitemap></sitemapindex>", XML
    )
    added = await add_url(app, place, WantedPages())
    assert (added.new, added.failed) == (0, ())
    assert len(site.pages()) < 5


async def test_every_read_is_recorded_in_one_run_of_kind_tool(app: App, site: Site) -> None:
    feed = site.give("/feed", rss(item("One", "/p/1"), item("Two", "/p/2")), XML)
    site.give("/p/1", page("One"))
    site.give("/p/2", page("Two"))
    reported: list[str] = []
    await add_url(app, feed, WantedPages(), reported.append)
    (run,) = await app.runs.recent(limit=10)
    assert run.kind == "tool"
    records = await app.store.ledger.records(run.id)
    requested = sorted(str(record.request["url"]).removeprefix(site.url) for record in records)
    assert requested == ["/feed", "/p/1", "/p/2", "/robots.txt"]
    assert len(reported) == 2
    assert "text" not in str(run.result)


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        ("<rss><channel><item>", XML, "malformed"),
        ('<!DOCTYPE rss [<!ENTITY a "b">]><rss><channel/></rss>', XML, "unreadable"),
        ("", "text/html", "unreadable"),
    ],
)
async def test_what_cannot_be_read_is_one_named_failure(
    app: App, site: Site, body: str, kind: str, code: str
) -> None:
    added = await add_url(app, site.give("/x", body, kind), WantedPages())
    assert (added.new, [each.code for each in added.failed]) == (0, [code])


async def test_offline_nothing_is_asked(tmp_path: Path, site: Site) -> None:
    values = settings_for(tmp_path, site, offline=True)
    loaded = Settings.load(values, cwd=tmp_path, env={"HOME": str(tmp_path)})
    async with open_app(loaded) as app:
        added = await add_url(app, site.give("/a", page("A")), WantedPages())
    assert [each.code for each in added.failed] == ["offline"]
    assert site.requested == []


async def test_an_unchanged_feed_is_not_sent_again(app: App, site: Site) -> None:
    feed = site.give("/feed", rss(item("One", "/p/1", WHOLE)), XML, ETag='"v1"')
    first = await add_url(app, feed, WantedPages())
    again = await add_url(app, feed, WantedPages())  # answered with 304
    assert (first.new, again.new, again.known) == (1, 0, 1)
    assert site.pages() == ["/feed", "/feed"]


async def test_a_feed_is_no_page(app: App, site: Site) -> None:
    """A caller who wants a page does not get a list."""
    feed = site.give("/feed", rss(item("One", "/p/1", WHOLE)), XML)
    run = await app.tool("read", url=feed)
    assert run.result is not None
    assert run.result["error"]["code"] == "unreadable"
    assert "feed" in words("en").failure(run.result["error"])
