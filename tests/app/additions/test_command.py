"""`gw archive add` with addresses: what it prints, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.additions.site import SENTENCES, Site, page
from tests.doors.cli.conftest import Gw

WHOLE = f"<p>{SENTENCES}</p>" * 12


@pytest.fixture
def gw(tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> Gw:
    monkeypatch.chdir(tmp_path)
    env = {
        "HOME": str(tmp_path),
        "GROUNDWIRE_FETCH__ALLOW_PRIVATE": "127.0.0.0/8",
        "GROUNDWIRE_FETCH__ALLOW_PORTS": site.port,
        "GROUNDWIRE_FETCH__WORKERS": "1",
        "GROUNDWIRE_SEARCH__CHAIN": "archive",
    }
    return Gw(tmp_path / "home", env)


def feed_of(site: Site, count: int) -> str:
    items = "".join(
        f"<item><title>Story {n}</title><link>{site.url}/p/{n}</link>"
        f"<description><![CDATA[{WHOLE} {n}]]></description></item>"
        for n in range(count)
    )
    return site.give(
        "/feed", f'<rss version="2.0"><channel><title>F</title>{items}</channel></rss>', "text/xml"
    )


def test_a_feed_by_its_address(gw: Gw, site: Site) -> None:
    result = gw("archive", "add", feed_of(site, 3), "--limit", "2")
    assert result.code == 0
    assert "2 added · 1 left out by --limit" in result.out
    assert result.err.count("/p/") == 2  # a line each, while it goes on


def test_one_that_fails_is_named_and_is_code_3(gw: Gw, site: Site) -> None:
    good, bad = feed_of(site, 1), f"{site.url}/gone"
    result = gw("archive", "add", good, bad, "--json")
    assert result.code == 3
    found = json.loads(result.out)
    assert (found["new"], [each["what"] for each in found["failed"]]) == (1, [bad])
    assert gw("archive", "add", bad, "https://no host/").code == 4


def test_an_outline_in_a_file_brings_its_feeds(gw: Gw, site: Site, tmp_path: Path) -> None:
    feed = feed_of(site, 2)
    (tmp_path / "mine.opml").write_text(
        f'<opml><body><outline text="x" xmlUrl="{feed}"/></body></opml>'
    )
    assert json.loads(gw("archive", "add", "mine.opml", "--json").out)["new"] == 2


def test_robots_are_obeyed_and_can_be_ignored(gw: Gw, site: Site) -> None:
    site.give("/robots.txt", "User-agent: *\nDisallow: /p/", "text/plain")
    url = site.give("/p/1", page("A page"))
    result = gw("archive", "add", url)
    assert result.code == 4
    assert "robots.txt of 127.0.0.1 does not allow it" in result.err
    assert "--ignore-robots" in gw("read", url).err
    assert gw("read", url, "--ignore-robots").code == 0
    assert gw("archive", "add", url, "--ignore-robots").code == 0
