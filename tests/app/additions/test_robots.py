"""robots.txt: read once per host, obeyed, recorded; and the pause between two pages."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.app import App, open_app
from groundwire.app.additions.web import WantedPages, add_url
from groundwire.app.exports import replay_run
from groundwire.fetch.robots import LONGEST_DELAY, Robots
from groundwire.gateway.call import Scope
from groundwire.gateway.guard import AddressPolicy
from groundwire.gateway.limits import Limit, Limits
from groundwire.jobs.sections import Settings
from groundwire.model.call import CallRecord, Lease
from groundwire.model.run import Run
from groundwire.words import words
from tests.app.additions.conftest import settings_for
from tests.app.additions.site import Site, page, serving

NOW = datetime(2026, 11, 16, tzinfo=UTC)
RULES = "User-agent: *\nDisallow: /private/\nAllow: /private/open\n\nUser-agent: Groundwire\nDisallow: /ours/\nDisallow: /private/\nAllow: /private/open\n"


async def read(app: App, url: str, **more: Any) -> Run:
    return await app.tool("read", url=url, **more)


def code(run: Run) -> str:
    error = (run.result or {}).get("error")
    return "ok" if error is None else str(error["code"])


@pytest.mark.parametrize(
    ("path", "outcome"),
    [
        ("/open", "ok"),
        ("/private/a", "robots"),
        ("/private/open/a", "ok"),
        ("/ours/a", "robots"),
    ],
)
async def test_rules_are_obeyed(app: App, site: Site, path: str, outcome: str) -> None:
    site.give("/robots.txt", RULES, "text/plain")
    url = site.give(path, page("A page"))
    run = await read(app, url)
    assert code(run) == outcome
    assert (path in site.requested) == (outcome == "ok")
    if outcome == "robots":
        assert run.result is not None
        assert words("en").failure(run.result["error"]) == (
            "robots.txt of 127.0.0.1 does not allow it"
        )


async def test_a_person_can_ignore_them(app: App, site: Site) -> None:
    site.give("/robots.txt", RULES, "text/plain")
    url = site.give("/private/a", page("A page"))
    assert code(await read(app, url, ignore_robots=True)) == "ok"
    assert (await add_url(app, url, WantedPages(ignore_robots=True))).failed == ()
    assert [each.code for each in (await add_url(app, url, WantedPages())).failed] == ["robots"]


async def test_a_setting_turns_them_off(tmp_path: Path, site: Site) -> None:
    site.give("/robots.txt", RULES, "text/plain")
    values = settings_for(tmp_path, site, **{"fetch.robots": False})
    loaded = Settings.load(values, cwd=tmp_path, env={"HOME": str(tmp_path)})
    async with open_app(loaded) as app:
        assert code(await read(app, site.give("/private/a", page("A page")))) == "ok"
    assert site.requested == ["/private/a"]


@pytest.mark.parametrize(
    ("status", "body", "outcome"),
    [
        (404, "", "ok"),
        (410, "", "ok"),
        (401, "", "ok"),  # RFC 9309: any 4xx is "unavailable", and nothing is forbidden
        (403, "Disallow: /", "ok"),
        (200, "<html><body>Not found</body></html>", "ok"),
        (200, "User-agent: *\nDisallow: /", "robots"),
        (500, "", "server"),  # the rules are not known, so the page is not read
        (503, "", "server"),
        (429, "", "rate_limit"),
    ],
)
async def test_what_the_answer_means(
    app: App, site: Site, status: int, body: str, outcome: str
) -> None:
    site.give("/robots.txt", body, "text/plain", status)
    assert code(await read(app, site.give("/a", page("A page")))) == outcome
    assert ("/a" in site.requested) == (outcome == "ok")


async def test_they_are_read_once_a_day_for_all_runs(app: App, site: Site) -> None:
    site.give("/robots.txt", RULES, "text/plain")
    for name in ("a", "b", "c"):
        assert code(await read(app, site.give(f"/{name}", page(f"Page {name}")))) == "ok"
    assert site.requested.count("/robots.txt") == 1
    runs = await app.runs.recent(limit=10)
    for run in runs:
        records = await app.store.ledger.records(run.id)
        assert [_place(each) for each in records if each.provider == "robots"] == ["/robots.txt"]


def _place(record: CallRecord) -> str:
    return "/" + str(record.request["url"]).rpartition("/")[2]


async def test_a_replay_obeys_what_was_recorded(app: App, site: Site) -> None:
    site.give("/robots.txt", RULES, "text/plain")
    blocked = await read(app, site.give("/private/a", page("A page")))
    fine = await read(app, site.give("/a", page("A page")))
    site.give("/robots.txt", "", "text/plain")
    before = list(site.requested)
    for run in (blocked, fine):
        assert (await replay_run(app, run)).identical
    assert site.requested == before


async def test_a_run_of_before_robots_replays_without_them(app: App, site: Site) -> None:
    run = await read(app, site.give("/a", page("A page")))
    fetch = {name: value for name, value in run.settings["fetch"].items() if name != "robots"}
    older = run.model_copy(update={"settings": {**run.settings, "fetch": fetch}})
    assert (await replay_run(app, older)).identical


class FixedGateway:
    """Answers every read of robots.txt with one text."""

    def __init__(self, rules: str) -> None:
        self.rules = rules

    async def call(self, scope: Scope, call: Any, send: Any) -> Any:
        return SimpleNamespace(response={"status": 200, "rules": self.rules})


@pytest.mark.parametrize(
    ("host", "rules", "rest"),
    [
        ("news.example", "", 0.5),
        ("news.example", "User-agent: *\nCrawl-delay: 2", 2.0),
        ("news.example", "User-agent: *\nCrawl-delay: 0.1", 0.5),
        ("news.example", "User-agent: *\nCrawl-delay: 3600", LONGEST_DELAY),
        ("127.0.0.1", "", 0.0),  # one's own machine
        ("10.1.2.3", "", 0.0),
        ("localhost", "", 0.0),
        ("127.0.0.1", "User-agent: *\nCrawl-delay: 1", 1.0),
        ("8.8.8.8", "", 0.5),
    ],
)
async def test_the_rest_between_two_pages_of_a_host(host: str, rules: str, rest: float) -> None:
    paces: list[tuple[str, str, float]] = []
    robots = Robots(
        FixedGateway(rules),  # type: ignore[arg-type]
        None,  # type: ignore[arg-type]
        AddressPolicy(),
        pace=lambda kind, lane, seconds: paces.append((kind, lane, seconds)),
        delay=0.5,
    )
    lease = Lease(run_id="r", fence=1, attempt=1)
    await robots.check(Scope(lease, NOW, caps=lambda _now: ()), f"https://{host}/a")
    assert paces == [("fetch", host, rest)]


async def test_turns_of_a_lane_keep_their_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(round(seconds, 1))

    monkeypatch.setattr(asyncio, "sleep", sleep)
    limits = Limits({}, {"fetch": Limit(at_once=2)})
    limits.pace("fetch", "news.example", 2.0)
    for _ in range(3):
        await limits.turn("fetch", "news.example")
    await limits.turn("fetch", "other.example")
    assert waited == [0.0, 2.0, 4.0]


@pytest.mark.parametrize(("rules", "outcome"), [("", "ok"), (RULES, "robots")])
async def test_a_redirect_to_another_host_obeys_that_hosts_rules(
    tmp_path: Path, site: Site, rules: str, outcome: str
) -> None:
    with serving("127.0.0.2") as other:
        other.give("/robots.txt", rules, "text/plain")
        other.give("/private/a", page("Elsewhere"))
        url = site.give("/go", "", status=302, Location=f"{other.url}/private/a")
        values = settings_for(tmp_path, site)
        values["fetch.allow_ports"] = [int(site.port), int(other.port)]
        loaded = Settings.load(values, cwd=tmp_path, env={"HOME": str(tmp_path)})
        async with open_app(loaded) as app:
            run = await read(app, url)
            assert (await replay_run(app, run)).identical
        assert code(run) == outcome
        assert ("/private/a" in other.requested) == (outcome == "ok")
        if outcome == "ok" and run.result is not None:
            document = run.result["output"]["document"]
            assert document["canonical_url"] == f"{other.url}/private/a"


async def test_redirects_between_hosts_end(tmp_path: Path, site: Site) -> None:
    with serving("127.0.0.2") as other:
        url = site.give("/a", "", status=301, Location=f"{other.url}/b")
        other.give("/b", "", status=301, Location=url)
        values = settings_for(tmp_path, site)
        values["fetch.allow_ports"] = [int(site.port), int(other.port)]
        loaded = Settings.load(values, cwd=tmp_path, env={"HOME": str(tmp_path)})
        async with open_app(loaded) as app:
            run = await read(app, url)
        assert code(run) == "unreadable"
        assert len(site.pages()) + len(other.pages()) <= 8


async def test_a_redirect_with_a_secret_in_it_is_followed_and_not_recorded(
    tmp_path: Path, site: Site
) -> None:
    with serving("127.0.0.2") as other:
        other.give("/file?token=planted-secret", page("Signed"))
        url = site.give("/go", "", status=302, Location=f"{other.url}/file?token=planted-secret")
        values = settings_for(tmp_path, site)
        values["fetch.allow_ports"] = [int(site.port), int(other.port)]
        loaded = Settings.load(values, cwd=tmp_path, env={"HOME": str(tmp_path)})
        async with open_app(loaded) as app:
            run = await read(app, url)
            records = await app.store.ledger.records(run.id)
        assert code(run) == "ok"
        assert "planted-secret" not in str(records) + str(run.result)
