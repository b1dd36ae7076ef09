"""The user's feeds as a provider: own relevance, time, and failures of single feeds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.app.additions.site import Site, serving

from groundwire.app import open_app
from groundwire.errors import Malformed, Missing, OutsideFailure, Timeout
from groundwire.gateway.call import Scope
from groundwire.jobs.sections import Settings
from groundwire.model.call import Lease
from groundwire.model.feed import Feed, FeedEntry, FeedLink, Outline
from groundwire.model.query import Query, SearchReport
from groundwire.search.provider import ProviderAnswer
from groundwire.search.providers.feeds import Options, Provider, excerpt, matching_hits

NOW = datetime(2023, 3, 16, 8, 0, tzinfo=UTC)
SCOPE = Scope(lease=Lease(run_id="r", fence=1, attempt=1), now=NOW, caps=lambda _now: ())


def entry(name: str, title: str, text: str = "", days: int | None = 1, url: str = "") -> FeedEntry:
    at = None if days is None else NOW - timedelta(days=days)
    place = url or f"https://news.example/{name}"
    return FeedEntry(id=name, title=title, url=place, published=at, summary_text=text)


FEED = Feed(
    title="News",
    url="https://news.example/feed",
    entries=(
        entry("old", "USDC loses its peg", "Circle holds deposits at a failed bank.", days=90),
        entry("new", "USDC loses its peg", "Circle holds deposits at a failed bank.", days=1),
        entry("zh", "USDC脱锚", "发行方Circle称33亿美元储备存放在硅谷银行。", days=2),
        entry("hant", "USDC脫鈎", "發行方Circle稱33億美元儲備存放在矽谷銀行。", days=2),
        entry("other", "A tram line opens", "The city paid for it."),
        entry("unlinked", "USDC peg", url=" "),
        entry("undated", "USDC peg and Circle", days=None),
    ),
)


def names(query: Query) -> list[str]:
    return [hit.url.rpartition("/")[2] for hit in matching_hits([FEED], query, NOW)]


def test_the_best_come_first_and_the_newest_among_equals() -> None:
    found_names = names(Query(text="USDC peg Circle bank", max_results=10))
    assert found_names[:2] == ["new", "old"]
    assert "other" not in found_names
    assert "unlinked" not in found_names


@pytest.mark.parametrize(
    ("query", "name"), [("USDC 脱锚 硅谷银行", "zh"), ("USDC 脫鈎 矽谷銀行 儲備", "hant")]
)
def test_chinese_in_both_scripts(query: str, name: str) -> None:
    assert name in names(Query(text=query))[:2]


def test_the_time_range_is_kept() -> None:
    recent = names(Query(text="USDC peg Circle", time_range="week", max_results=10))
    assert "old" not in recent
    assert {"new", "undated"} <= set(recent)
    assert names(Query(text="USDC peg", time_range="2022-12-01/2022-12-31")) == ["old", "undated"]


def test_limits_of_sites_and_numbers_are_kept() -> None:
    assert names(Query(text="USDC peg", exclude_domains=("news.example",))) == []
    assert len(names(Query(text="USDC peg Circle", max_results=1))) == 1


def test_a_long_text_is_shown_where_it_bears_on_the_question() -> None:
    text = "\n".join(["The weather was fine that day in the valley."] * 40 + ["USDC lost its peg."])
    assert excerpt("USDC peg", text) == "USDC lost its peg."
    assert len(excerpt("weather", text)) <= 600


class Shelf:
    """Feeds by address; an exception is raised."""

    def __init__(self, **given: Feed | OutsideFailure | Outline) -> None:
        self.given = given
        self.requested: list[str] = []

    async def feed(self, scope: Scope, url: str) -> Feed:
        return self._get(url)

    async def outline(self, scope: Scope, place: str) -> Outline:
        return self._get(place)

    def _get(self, url: str) -> Any:
        self.requested.append(url)
        value = self.given[url.rpartition("/")[2]]
        if isinstance(value, OutsideFailure):
            raise value
        return value


async def searched(
    shelf: Shelf, text: str, urls: Sequence[str] = (), opml: str | None = None
) -> ProviderAnswer:
    ground: Any = SimpleNamespace(feeds=shelf)
    provider = Provider(Options(urls=tuple(urls), opml=opml))
    return await provider.search(ground, SCOPE, Query(text=text), "")


async def test_one_feed_that_fails_is_named_while_another_answers() -> None:
    shelf = Shelf(good=FEED, bad=Timeout("too slow"))
    urls = ["https://a.example/good", "https://b.example/bad"]
    answer = await searched(shelf, "USDC peg", urls)
    assert answer.hits
    assert [(each.provider, each.code) for each in answer.failures] == [
        ("feeds b.example", "timeout")
    ]


async def test_all_failing_is_a_failure_and_nothing_found_is_not() -> None:
    urls = ["https://a.example/one", "https://b.example/two"]
    with pytest.raises(Missing):
        await searched(Shelf(one=Missing(), two=Malformed()), "USDC", urls)
    empty = Shelf(one=Feed(title="", url=urls[0]))
    assert (await searched(empty, "USDC", urls[:1])).hits == []


async def test_an_outline_adds_its_feeds() -> None:
    link = FeedLink(title="", url="https://a.example/good")
    shelf = Shelf(good=FEED, list=Outline(title="", feeds=(link,)))
    assert (await searched(shelf, "USDC peg", opml="https://a.example/list")).hits
    with pytest.raises(Missing):
        await searched(Shelf(list=Missing()), "USDC", opml="https://a.example/list")


def test_it_is_off_until_a_feed_is_named() -> None:
    assert Provider(Options()).lacks() == "GROUNDWIRE_SEARCH__PROVIDERS__FEEDS__URLS"
    named = Options.model_validate({"urls": "https://a.example/f, https://b.example/f"})
    assert named.urls == ("https://a.example/f", "https://b.example/f")
    assert Provider(named).lacks() is None


def _rss(title: str) -> str:
    text = f"{title}: the stablecoin fell to 87 cents after a bank failed."
    return (
        '<rss version="2.0"><channel><title>F</title><item><title>USDC loses its peg</title>'
        f"<link>https://news.example/{title}</link><description>{text}</description></item>"
        "</channel></rss>"
    )


async def _search(home: Path, site: Site, urls: str, count: int = 1) -> list[SearchReport]:
    values = {
        "home": str(home),
        "fetch.allow_private": ["127.0.0.0/8"],
        "fetch.allow_ports": [int(site.port)],
        "search.chain": ["feeds", "archive"],
        "search.providers.feeds.urls": urls,
    }
    loaded = Settings.load(values, cwd=home, env={"HOME": str(home)})
    async with open_app(loaded) as app:
        runs = [await app.tool("search", query="USDC peg") for _ in range(count)]
    return [SearchReport.model_validate((run.result or {})["output"]) for run in runs]


async def test_feeds_are_read_through_the_gateway_and_shared_between_runs(tmp_path: Path) -> None:
    with serving() as site:
        one = site.give("/one", _rss("one"), "text/xml")
        reports = await _search(tmp_path, site, f"{one},{site.url}/gone", count=2)
        assert site.requested.count("/one") == 1  # the second run shares what the first read
    for report in reports:
        assert [hit.url for hit in report.hits] == ["https://news.example/one"]
        assert [each.provider for each in report.failures] == ["feeds 127.0.0.1"]
        assert not report.failed
    assert reports[0].hits[0].provider == "feeds"


async def test_a_file_of_feeds_is_a_recorded_read_and_one_that_is_gone_a_failure(
    tmp_path: Path,
) -> None:
    """The file may change while a run goes on (rule a); where it lies is not in the record."""
    file = tmp_path / "mine.opml"
    with serving() as site:
        one = site.give("/one", _rss("one"), "text/xml")
        file.write_text(f'<opml version="2.0"><body><outline xmlUrl="{one}"/></body></opml>')
        values = {
            "home": str(tmp_path),
            "fetch.allow_private": ["127.0.0.0/8"],
            "fetch.allow_ports": [int(site.port)],
            "search.chain": ["feeds"],
            "search.providers.feeds.opml": str(file),
        }
        loaded = Settings.load(values, cwd=tmp_path, env={"HOME": str(tmp_path)})
        async with open_app(loaded) as app:
            run = await app.tool("search", query="USDC peg")
            records = await app.store.ledger.records(run.id)
            file.unlink()
            later = await app.tool("search", query="USDC peg")
    assert run.result is not None and later.result is not None
    assert [hit["url"] for hit in run.result["output"]["hits"]] == ["https://news.example/one"]
    (read,) = [each for each in records if (each.kind, each.provider) == ("read", "feeds")]
    assert [link["url"] for link in (read.response or {})["outline"]["feeds"]] == [one]
    assert str(file) not in read.model_dump_json()
    assert later.result["status"] == "failed"
    assert [each["code"] for each in later.result["output"]["failures"]] == ["unreadable"]
