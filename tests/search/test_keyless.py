"""The engines without a key over the real way out: gateway, guarded client, loopback server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import stamina
from lab.stubs import Fault, Rule, Stubs, running_stubs
from lab.stubs.faults import empty, error, lying, malformed

from groundwire.app import open_app
from groundwire.jobs.sections import Settings
from groundwire.model.query import SearchReport

KEYLESS = ("ddgs", "gdelt", "wikipedia", "hackernews")
QUERY = "USDC peg Circle reserve"


@pytest.fixture(scope="module")
def process() -> Iterator[Stubs]:
    with running_stubs(*KEYLESS, "tavily", public_urls=True) as stubs:
        yield stubs


@pytest.fixture
def stubs(process: Stubs) -> Stubs:
    process.reset()
    return process


@pytest.fixture(autouse=True)
def no_pauses() -> Iterator[None]:
    with stamina.set_testing(True, attempts=3, cap=True):
        yield


async def search(
    stubs: Stubs, home: Path, *chain: str, settings: dict[str, Any] | None = None, **fields: Any
) -> SearchReport:
    values: dict[str, Any] = {
        "home": str(home),
        "search.chain": list(chain),
        "search.timeout": 60.0,
        "search.providers.tavily.api_key": "tvly-0123456789",
    }
    for name in (*KEYLESS, "tavily"):
        values[f"search.providers.{name}.base_url"] = stubs.url(name)
    for name in KEYLESS:
        values[f"search.providers.{name}.per_second"] = 1000  # these need no politeness
    values |= settings or {}
    loaded = Settings.load(values, cwd=home, env={"HOME": str(home)})
    async with open_app(loaded) as app:
        run = await app.tool("search", **{"query": QUERY, **fields})
        assert run.result is not None, run.error
        return SearchReport.model_validate(run.result["output"])


CAPTCHA = Fault("rate_limited", detail="captcha")
INSIDE = Fault("rate_limited", detail="inside")
# What all engines have in common is in test_failures; these are their own ways.
FAILURES = [
    *((name, Fault("unauthorized", status=403), "rate_limit", 1) for name in KEYLESS),
    ("ddgs", CAPTCHA, "rate_limit", 1),
    ("ddgs", malformed(), "malformed", 1),
    ("gdelt", INSIDE, "rate_limit", 3),  # it asks for seconds, and gets them
    ("wikipedia", INSIDE, "rate_limit", 3),
    ("wikipedia", Fault("error", detail="inside"), "server", 3),
]


@pytest.mark.parametrize(
    ("name", "fault", "code", "tries"),
    FAILURES,
    ids=[f"{row[0]}-{row[1].kind}-{row[1].status}{row[1].detail}" for row in FAILURES],
)
async def test_a_failure_is_named_and_failed_over_and_never_empty(
    stubs: Stubs, tmp_path: Path, name: str, fault: Fault, code: str, tries: int
) -> None:
    stubs.faults(Rule(fault, stub=name))
    # In its own topic, so that it stands in the place where it was put.
    topic = {"gdelt": "news", "hackernews": "tech"}.get(name, "general")
    report = await search(stubs, tmp_path, name, "tavily", topic=topic)
    assert [(each.provider, each.code) for each in report.failures] == [(name, code)]
    assert report.providers == (name, "tavily", "archive")
    assert {hit.provider for hit in report.hits} == {"tavily"}
    assert sum(call.stub == name for call in stubs.log()) == tries


@pytest.mark.parametrize("name", KEYLESS)
async def test_alone_a_failure_is_a_failed_search_and_nothing_found_is_not(
    stubs: Stubs, tmp_path: Path, name: str
) -> None:
    stubs.faults(Rule(error(500), stub=name))
    assert (await search(stubs, tmp_path / "a", name)).failed
    stubs.faults(Rule(empty(), stub=name))
    report = await search(stubs, tmp_path / "b", name)
    assert (report.failed, report.hits, report.failures) == (False, (), ())


@pytest.mark.parametrize("name", KEYLESS)
async def test_what_is_found_is_whole(stubs: Stubs, tmp_path: Path, name: str) -> None:
    report = await search(stubs, tmp_path, name, max_results=3)
    assert 1 <= len(report.hits) <= 3
    for hit in report.hits:
        assert hit.provider == name
        assert hit.url.startswith("https://")
        assert hit.title and hit.content
        assert 0 < hit.relevance <= 1
    assert report.cached is False


@pytest.mark.parametrize("name", ["ddgs", "wikipedia"])
@pytest.mark.parametrize("query", ["USDC 脱锚 储备", "USDC 脫錨 儲備"])
async def test_chinese_is_asked_in_either_script(
    stubs: Stubs, tmp_path: Path, name: str, query: str
) -> None:
    report = await search(stubs, tmp_path, name, query=query)
    assert not report.failures
    assert {hit.provider for hit in report.hits} == {name}


@pytest.mark.parametrize("name", KEYLESS)
async def test_a_liar_gets_no_hit_past_the_limits(stubs: Stubs, tmp_path: Path, name: str) -> None:
    stubs.faults(Rule(lying(), stub=name))
    report = await search(stubs, tmp_path, name, exclude_domains=["not-asked-for.example"])
    kept = [hit.url for hit in report.hits]
    assert all("not-asked-for.example" not in url for url in kept)
    report = await search(stubs, tmp_path / "b", name, max_results=2)
    assert len(report.hits) <= 2


async def test_an_answer_from_the_cache_is_said_to_be_one(stubs: Stubs, tmp_path: Path) -> None:
    first = await search(stubs, tmp_path, "ddgs")
    again = await search(stubs, tmp_path, "ddgs")
    assert (first.cached, again.cached) == (False, True)
    assert first.hits == again.hits
    assert sum(call.stub == "ddgs" for call in stubs.log()) == 1


async def test_all_at_once_are_fused_and_each_hit_says_who_has_it(
    stubs: Stubs, tmp_path: Path
) -> None:
    report = await search(
        stubs, tmp_path, "tavily", "ddgs", settings={"search.mode": "all"}, max_results=10
    )
    assert report.providers == ("tavily", "ddgs", "archive")
    both = [hit for hit in report.hits if {hit.provider, *hit.also} == {"tavily", "ddgs"}]
    assert both and report.hits[0] in both


async def test_a_site_has_as_many_places_as_are_set(stubs: Stubs, tmp_path: Path) -> None:
    for places in (1, 2):
        report = await search(
            stubs,
            tmp_path / str(places),
            "tavily",
            settings={"search.per_domain": places},
            max_results=20,
        )
        hosts = [hit.url.split("/")[2] for hit in report.hits]
        assert max(hosts.count(host) for host in hosts) <= places
