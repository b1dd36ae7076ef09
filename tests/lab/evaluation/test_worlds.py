"""A frozen world answers for the whole outside, and misbehaves as it is told."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from lab.evaluation.scenarios import Scenario, read_scenarios, scenario_files
from lab.evaluation.worlds import Weather, World

from groundwire.app import open_app
from groundwire.app.clients import Clients
from groundwire.errors import InputError
from groundwire.gateway.transport import CappedTransport, GuardedTransport
from groundwire.jobs.sections import Settings

ROOT = Path(__file__).resolve().parents[3]
NOW = "2025-06-03T09:25:00Z"


def page(url: str, title: str, text: str, at: str | None = "2025-06-03T08:00:00Z") -> Any:
    return {"url": url, "title": title, "publisher": "P", "published_at": at, "text": text}


WEB = [
    page("https://www.one.example/a/", "Nova Bridge drained", "Nova Bridge lost $41 million."),
    page("https://two.example/b", "Nova 跨链桥被盗", "据报道，Nova 跨链桥被盗四千一百万美元。"),
    page("http://three.example/c?id=7", "Weather", "It rains in Lisbon today.", None),
]


def scenario(**more: Any) -> Scenario:
    values: dict[str, Any] = {
        "id": "en-test-001",
        "kind": "test",
        "message": {"text": "Nova Bridge was drained of $41 million", "language": "en"},
        "now": NOW,
        "web": WEB,
        "expect": {"verdict": "supported", "event_type": "hack"},
    }
    return Scenario.model_validate({**values, **more})


async def answered(world: World, method: str, url: str, **more: Any) -> httpx2.Response:
    async with httpx2.AsyncClient(transport=world.transport) as client:
        return await client.request(method, url, **more)


async def search(world: World, query: str, **more: Any) -> list[dict[str, Any]]:
    body = {"query": query, "max_results": 5, **more}
    headers = {"authorization": "Bearer k"}
    response = await answered(
        world, "POST", "https://api.tavily.com/search", json=body, headers=headers
    )
    assert response.status_code == 200, response.text
    return response.json()["results"]


async def test_a_search_finds_the_pages_that_share_its_words_best_first() -> None:
    found = await search(World(scenario()), "Nova Bridge drained $41 million")
    assert [each["url"] for each in found] == ["https://www.one.example/a/", WEB[1]["url"]]
    assert found[0]["score"] > 0.5


async def test_a_query_in_two_languages_finds_the_pages_of_both() -> None:
    found = await search(World(scenario()), "Nova Bridge hack 黑客 被盗 跨链桥 官方 公告")
    assert {each["url"] for each in found} == {WEB[0]["url"], WEB[1]["url"]}
    assert all(each["score"] > 0.2 for each in found)


@pytest.mark.parametrize(
    ("limits", "urls"),
    [
        ({"include_domains": ["one.example"]}, [WEB[0]["url"]]),
        ({"exclude_domains": ["one.example"]}, [WEB[1]["url"]]),
        ({"include_domains": ["nowhere.example"]}, []),
    ],
)
async def test_a_search_keeps_to_its_domains(limits: Any, urls: list[str]) -> None:
    found = await search(World(scenario()), "Nova Bridge", **limits)
    assert [each["url"] for each in found] == urls


async def test_a_page_is_html_at_its_own_address_with_nothing_of_another() -> None:
    world = World(scenario())
    for each in WEB:
        response = await answered(world, "GET", each["url"])
        assert response.status_code == 200
        assert each["text"].split(".")[0] in response.text
    first = (await answered(world, "GET", WEB[0]["url"])).text
    assert 'content="2025-06-03T08:00:00Z"' in first
    assert "Lisbon" not in first
    assert (await answered(world, "GET", "https://two.example/none")).status_code == 404
    robots = await answered(world, "GET", "https://two.example/robots.txt")
    assert robots.status_code == 200


async def test_a_host_outside_of_the_world_cannot_be_reached() -> None:
    with pytest.raises(httpx2.ConnectError):
        await answered(World(scenario()), "GET", "https://elsewhere.example/")


async def test_markets_say_what_the_scenario_says() -> None:
    world = World(scenario(price={"BTC": 50_000}, price_before={"BTC": 62_500}))
    url = "https://api.coingecko.com/api/v3/simple/price?ids=bitcoin"
    coin = (await answered(world, "GET", url)).json()["bitcoin"]
    assert coin["usd"] == 50_000
    assert coin["usd_24h_change"] == pytest.approx(-20)


async def test_chains_say_what_the_scenario_says() -> None:
    hack = {"name": "Nova Bridge", "date": "2025-06-03", "amount": 41e6}
    world = World(
        scenario(onchain={"hacks": [hack], "tvl": {"Nova Bridge": {"now": 3, "day_before": 44}}})
    )
    listed = (await answered(world, "GET", "https://api.llama.fi/hacks")).json()
    assert [(row["name"], row["amount"]) for row in listed] == [("Nova Bridge", 41e6)]
    locked = (await answered(world, "GET", "https://api.llama.fi/protocol/nova-bridge")).json()
    assert [point["totalLiquidityUSD"] for point in locked["tvl"]][-2:] == [44, 3]


@pytest.mark.parametrize(
    ("down", "url", "status"),
    [
        ("search", "https://api.tavily.com/search", 503),
        ("pages", "https://two.example/b", 403),
        ("price", "https://api.coingecko.com/api/v3/simple/price", 503),
        ("price", "https://api.binance.com/api/v3/ticker/24hr", 503),
        ("onchain", "https://api.llama.fi/hacks", 503),
        ("onchain", "https://stablecoins.llama.fi/stablecoins", 503),
        ("model", "https://api.openai.com/v1/chat/completions", 503),
    ],
)
async def test_what_is_down_refuses(down: str, url: str, status: int) -> None:
    assert (await answered(World(scenario(down=[down])), "GET", url)).status_code == status


async def test_pages_that_are_down_are_still_found() -> None:
    assert await search(World(scenario(down=["pages"])), "Nova Bridge")


async def _outcomes(weather: Weather) -> list[str]:
    world = World(scenario(), weather)
    for number in range(300):
        try:
            await answered(world, "GET", f"https://two.example/{number}")
        except httpx2.TransportError:
            continue
    return [call.outcome for call in world.desk.log.calls]


async def test_a_share_of_all_calls_fails_in_every_way_and_always_the_same() -> None:
    weather = Weather(faults=0.2)
    first = await _outcomes(weather)
    assert first == await _outcomes(weather)
    assert first != await _outcomes(Weather(faults=0.2, seed=1))
    failed = [each for each in first if each != "http_404"]
    assert 40 <= len(failed) <= 80
    assert set(failed) == {"rate_limited", "error", "ReadTimeout", "malformed", "ReadError"}


# --- nothing but code brings a world --------------------------------------------------------


@pytest.mark.parametrize("offline", [False, True])
async def test_without_a_world_every_client_is_guarded(tmp_path: Path, offline: bool) -> None:
    loaded = Settings.load({"home": str(tmp_path), "offline": offline}, cwd=tmp_path, env={})
    async with open_app(loaded) as app:
        clients = app.outside.clients
        for client in (clients.apis, clients.pages):
            assert isinstance(client._transport, GuardedTransport)
        lent = clients.models._transport
        assert isinstance(lent, CappedTransport)
        assert isinstance(lent._inner, GuardedTransport)


def _worldly(tree: ast.AST) -> Iterator[ast.Call]:
    """Find the calls that hand over a world."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            keywords = {each.arg for each in node.keywords}
            if (name == "Clients" and len(node.args) + len(keywords) > 1) or "world" in keywords:
                yield node


def test_only_evaluations_hand_over_a_world() -> None:
    """Not even settings can: it is an object, and no other module passes one."""
    found = {
        path.relative_to(ROOT).as_posix()
        for source in (ROOT / "src" / "groundwire", ROOT / "lab")
        for path in source.rglob("*.py")
        for _ in _worldly(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == {
        "src/groundwire/app/clients.py",
        "lab/bench/details.py",
        "lab/evaluation/months.py",
        "lab/evaluation/trials.py",
        "lab/evaluation/sitting.py",  # a reader sits its exams where no network is
    }


def test_the_world_of_clients_comes_from_their_caller_alone(tmp_path: Path) -> None:
    settings = Settings.load({"home": str(tmp_path)}, cwd=tmp_path, env={}).settings
    world = World(scenario()).transport
    assert Clients(settings, world).pages._transport is world


# --- the files ------------------------------------------------------------------------------


def written(folder: Path, *rows: Any) -> Path:
    path = folder / "own.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_a_file_of_scenarios_is_known_by_its_first_line(tmp_path: Path) -> None:
    path = written(tmp_path, scenario().model_dump(mode="json"))
    (tmp_path / "pairs.jsonl").write_text('{"claim": "x"}\n')
    assert list(scenario_files(tmp_path)) == [path]
    assert read_scenarios(path) == [scenario()]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"down": ["everything"]}, "down"),
        ({"remembers": []}, "remembers"),
        ({"expect": {"verdict": ["true"]}}, "expect.verdict"),
        ({"expect": {"verdict": "supported", "flags": ["odd"]}}, "expect.flags"),
        ({"now": "2025-06-03T07:00:00Z"}, "published after now"),
        ({"web": [WEB[0], WEB[0]]}, "two pages"),
        ({"web": [{**WEB[0], "url": "ftp://x.example/a"}]}, "web.0.url"),
    ],
)
def test_what_is_wrong_with_a_scenario_is_said_with_its_name(
    tmp_path: Path, changes: Any, expected: str
) -> None:
    row = {**scenario().model_dump(mode="json"), **changes}
    with pytest.raises(InputError, match="en-test-001") as refused:
        read_scenarios(written(tmp_path, row))
    assert expected in str(refused.value)


@pytest.mark.parametrize(
    ("verdicts", "holds"),
    [
        (["supported"], True),
        (["contradicted"], False),
        (["stale"], False),
        (["contradicted", "stale"], False),
        (["qualified"], None),
        (["insufficient"], None),
        (["contested", "contradicted"], None),
        (["supported", "insufficient"], None),
    ],
)
def test_a_message_is_true_or_false_where_its_web_says_so(
    verdicts: Any, holds: bool | None
) -> None:
    assert scenario(expect={"verdict": verdicts}).holds is holds
