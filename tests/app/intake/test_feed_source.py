"""Feeds as a source: each entry once, conditional GET, one broken feed stops no other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from groundwire.app import App
from groundwire.app.intake.door import Door
from groundwire.app.intake.feeds import LONGEST_WAIT, Feeds
from groundwire.words import words
from tests.app.additions.site import Site

from .conftest import Opened

RSS = "application/rss+xml"
Item = tuple[str, str, str]


def rss(items: Sequence[Item]) -> str:
    body = "".join(
        f"<item><guid isPermaLink='false'>{item_id}</guid><title>{title}</title>"
        f"<description>{text}</description>"
        f"<pubDate>Mon, 16 Nov 2026 0{at % 10}:00:00 GMT</pubDate></item>"
        for at, (item_id, title, text) in enumerate(items)
    )
    return (
        f"<?xml version='1.0'?><rss version='2.0'><channel><title>F</title>{body}</channel></rss>"
    )


ITEMS: list[Item] = [
    ("1", "USDC depegs", "Circle held reserves at Silicon Valley Bank."),
    ("2", "交易所遭攻击", "黑客盗走四千万美元的资产。"),
    ("3", "證監會發布新規", "交易平台須於明年申請牌照。"),
]


async def texts_of(app: App) -> list[str]:
    runs = await app.runs.recent(100, "verify")
    return sorted(str(run.input["text"]) for run in runs)


@pytest.fixture
def port(site: Site) -> list[int]:
    return [int(site.port)]


async def test_each_entry_is_one_message_with_its_own_id_and_time(
    opened: Opened, site: Site, port: list[int]
) -> None:
    url = site.give("/rss", rss(ITEMS), RSS)
    async with opened(fetch__allow_ports=port) as app:
        door = Door(app)
        feeds = Feeds(app, door, [url], 120)
        await feeds.once()
        await door.idle()
        runs = list(await app.runs.recent(10, "verify"))
        assert await texts_of(app) == sorted(f"{title}\n{text}" for _, title, text in ITEMS)
        assert all(run.input["source"] == f"feed:{url}" for run in runs)
        assert all(str(run.input["published_at"]).startswith("2026-11-16T0") for run in runs)
        assert {run.input["language"] for run in runs} == {"en", "zh", "zh-Hant"}
        assert not feeds.broken


async def test_a_second_look_asks_conditionally_and_brings_only_what_is_new(
    opened: Opened, site: Site, port: list[int]
) -> None:
    url = site.give("/rss", rss(ITEMS[:2]), RSS, ETag='"a"')
    async with opened(fetch__allow_ports=port) as app:
        door = Door(app)
        feeds = Feeds(app, door, [url], 120)
        await feeds.once()
        await feeds.once()  # 304
        assert door.counts.new == 2
        site.give("/rss", rss(ITEMS), RSS, ETag='"b"')
        await feeds.once()
        await door.idle()
        assert door.counts.new == door.counts.received == 3
        assert site.pages() == ["/rss"] * 3
        # A look that brought nothing leaves no run behind.
        assert len(list(await app.runs.recent(100, "tool"))) == 2


async def test_after_a_restart_nothing_comes_twice_and_nothing_is_missing(
    opened: Opened, site: Site, port: list[int]
) -> None:
    url = site.give("/rss", rss(ITEMS[:2]), RSS)
    for number in (2, 3):
        site.give("/rss", rss(ITEMS[:number]), RSS)
        async with opened(fetch__allow_ports=port) as app:
            door = Door(app)
            await Feeds(app, door, [url], 120).once()
            await door.idle()
    async with opened() as app:
        assert len(await texts_of(app)) == 3


async def test_an_entry_that_was_changed_is_a_message_of_its_own(
    opened: Opened, site: Site, port: list[int]
) -> None:
    url = site.give("/rss", rss(ITEMS[:1]), RSS)
    async with opened(fetch__allow_ports=port) as app:
        door = Door(app)
        feeds = Feeds(app, door, [url], 120)
        await feeds.once()
        site.give("/rss", rss([("1", "Correction: USDC holds its peg", "Circle denies it.")]), RSS)
        await feeds.once()
        await feeds.once()
        await door.idle()
        assert len(await texts_of(app)) == door.counts.new == 2


async def test_entries_without_a_word_are_passed_over_and_long_ones_shortened(
    opened: Opened, site: Site, port: list[int]
) -> None:
    url = site.give("/rss", rss([("1", "", ""), ("2", "Long", "word " * 9_000)]), RSS)
    async with opened(fetch__allow_ports=port) as app:
        door = Door(app)
        await Feeds(app, door, [url], 120).once()
        await door.idle()
        (text,) = await texts_of(app)
        assert len(text) <= 20_000


async def test_one_broken_feed_stops_no_other_and_is_named(
    opened: Opened, site: Site, port: list[int]
) -> None:
    good = site.give("/rss", rss(ITEMS), RSS)
    bad = [
        site.give("/gone", "no", status=410),
        site.give("/page", "<html><body>no feed here</body></html>"),
        site.give("/odd", "<rss><channel><item>", RSS),
        f"{site.url}/missing",
        "http://127.0.0.1:1/rss",
    ]
    async with opened(fetch__allow_ports=[*port, 1]) as app:
        door = Door(app)
        feeds = Feeds(app, door, [*bad[:3], good, *bad[3:]], 120)
        await feeds.once()
        await door.idle()
        assert door.counts.new == 3
        assert set(feeds.broken) >= {bad[0], bad[1], bad[3], bad[4]}
        assert good not in feeds.broken
        assert all(feeds.broken.values())
        site.give("/gone", rss(ITEMS[:1]), RSS)
        await feeds.once()
        await door.idle()
        assert bad[0] not in feeds.broken


async def test_a_feed_that_fails_is_asked_less_and_less_often_up_to_half_an_hour(
    opened: Opened, site: Site, port: list[int]
) -> None:
    url = f"{site.url}/missing"
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 6:
            site.give("/missing", rss(ITEMS), RSS)
        if len(pauses) == 8:
            raise asyncio.CancelledError

    async with opened(fetch__allow_ports=port) as app:
        door = Door(app)
        feeds = Feeds(app, door, [url], 120, sleep)
        with pytest.raises(asyncio.CancelledError):
            await feeds._listen(url)  # pyright: ignore[reportPrivateUsage]
        assert pauses == [240, 480, 960, LONGEST_WAIT, LONGEST_WAIT, LONGEST_WAIT, 120, 120]
        assert not feeds.broken
        await door.idle()


async def test_a_feed_that_asks_to_wait_longer_is_left_alone_so_long(
    opened: Opened, site: Site, port: list[int]
) -> None:
    url = site.give("/rss", "slow down", "text/plain", status=429, Retry_After="4000")
    async with opened(fetch__allow_ports=port) as app:
        assert await Feeds(app, Door(app), [url], 120).poll(url) == pytest.approx(4000)


async def test_offline_no_feed_is_asked_and_it_says_so(opened: Opened, site: Site) -> None:
    url = site.give("/rss", rss(ITEMS), RSS)
    async with opened(offline=True) as app:
        feeds = Feeds(app, Door(app), [url], 120)
        await feeds.once()
        assert "ffline" in words("en").stored(feeds.broken[url])
        assert site.requested == []
