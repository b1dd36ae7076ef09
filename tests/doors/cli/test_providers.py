"""What `gw providers`, `models` and `doctor` report about providers: rates, limits, keys, probes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from lab.stubs import Fault, Rule, Stubs, running_stubs
from lab.stubs.faults import error, plan_limit, unauthorized

from .conftest import Gw

COLUMNS = 80


@pytest.fixture(scope="module")
def process() -> Iterator[Stubs]:
    with running_stubs("tavily", "ddgs", "gdelt", "searxng", "model", public_urls=True) as stubs:
        yield stubs


@pytest.fixture
def stubs(process: Stubs) -> Stubs:
    process.reset()
    return process


@pytest.fixture
def online(stubs: Stubs) -> dict[str, str]:
    """Build the environment that leads to the stubs, and nowhere else."""
    return {
        "GROUNDWIRE_OFFLINE": "",
        "GROUNDWIRE_SEARCH__CHAIN": "tavily,ddgs",
        "GROUNDWIRE_SEARCH__CACHE_TTL": "0",
        "GROUNDWIRE_MODELS__EXAM": "off",  # as for every app of a whole suite
        "TAVILY_API_KEY": "tvly-planted-0123456789",
        "TAVILY_BASE_URL": stubs.url("tavily"),
        "GROUNDWIRE_SEARCH__PROVIDERS__DDGS__BASE_URL": stubs.url("ddgs"),
    }


def states(gw: Gw, *args: str, **env: str) -> dict[str, dict[str, Any]]:
    result = gw("providers", "--json", *args, **env)
    return {each["name"]: each for each in json.loads(result.out) if "part" not in each}


def test_the_rate_of_each_day_is_shown_and_a_poor_one_warned_of(
    empty: Gw, stubs: Stubs, online: dict[str, str]
) -> None:
    assert empty("search", "USDC peg", **online).code == 0
    stubs.faults(Rule(error(500), stub="tavily"))
    assert empty("search", "USDC depeg", **online).code == 3  # another answered
    found = states(empty, **online)
    assert (found["tavily"]["answered"], found["tavily"]["made"]) == (1, 2)
    assert [(day["answered"], day["made"]) for day in found["tavily"]["days"]] == [(1, 2)]
    assert found["tavily"]["poor"] and not found["ddgs"]["poor"]
    result = empty("providers", **online)
    assert "50%" in result.out and "1/2" in result.out
    assert "tavily answers less than 95 % of its calls" in result.err
    doctor = json.loads(empty("doctor", "--json", **online).out)
    assert "tavily answered 1/2 (50%) of its calls in 7 days" in [
        each["found"] for each in doctor["checks"] if each["state"] == "bad"
    ]


def test_a_used_up_plan_is_off_and_says_until_when(
    empty: Gw, stubs: Stubs, online: dict[str, str]
) -> None:
    stubs.faults(Rule(plan_limit(), stub="tavily"))
    empty("search", "USDC peg", **online)
    tavily = states(empty, **online)["tavily"]
    assert tavily["on"] is False
    assert tavily["why"].startswith("its plan is used up until ")
    assert tavily["until"] is not None
    result = empty("doctor", **online)
    assert result.code == 3
    assert "tavily: its plan is used up until" in result.out
    assert "gw providers --probe" in result.out


def test_a_used_up_plan_is_off_for_every_process_until_a_probe_finds_an_answer(
    empty: Gw, stubs: Stubs, online: dict[str, str]
) -> None:
    stubs.faults(Rule(plan_limit(), stub="tavily"))
    empty("search", "USDC peg", **online)
    stubs.reset()
    again = empty("search", "USDC peg again", **online)
    assert again.code == 3
    assert "tavily is left alone: tavily answered 432" in " ".join(again.out.split())
    assert {call.stub for call in stubs.log()} == {"ddgs"}
    assert empty("providers", "--probe", **online).code == 0
    assert states(empty, **online)["tavily"]["on"] is True
    assert empty("search", "USDC peg at last", **online).code == 0


def test_a_refused_key_is_named_with_what_to_set(
    empty: Gw, stubs: Stubs, online: dict[str, str]
) -> None:
    env = {**online, "TAVILY_API_KEY": "wrong"}
    empty("search", "USDC peg", **env)
    tavily = states(empty, **env)["tavily"]
    assert (tavily["why"], tavily["to_set"]) == ("its key was refused", "TAVILY_API_KEY=…")
    assert "key invalid, set TAVILY_API_KEY" in tavily["trouble"]
    assert "tavily, last: key invalid" in empty("providers", **env).err


def test_a_server_that_refuses_is_not_said_to_have_refused_a_key(
    empty: Gw, stubs: Stubs, online: dict[str, str]
) -> None:
    stubs.faults(Rule(unauthorized(), stub="searxng"))
    settings = {
        "SEARXNG_BASE_URL": stubs.url("searxng"),
        "GROUNDWIRE_SEARCH__CHAIN": "searxng",
    }
    assert empty("search", "USDC peg", **{**online, **settings}).code == 4
    state = states(empty, **{**online, **settings})["searxng"]
    assert (state["on"], state["why"], state["to_set"]) == (True, "it refuses us", "")
    doctor = empty("doctor", **{**online, **settings}).out
    assert "SEARXNG__API_KEY" in "".join(doctor.split())  # as its refusal says, not its address


def test_a_captcha_is_said_to_be_a_pause(empty: Gw, stubs: Stubs, online: dict[str, str]) -> None:
    stubs.faults(Rule(Fault("rate_limited", detail="captcha"), stub="ddgs"))
    empty("search", "USDC peg", **{**online, "GROUNDWIRE_SEARCH__CHAIN": "ddgs"})
    ddgs = states(empty, **online)["ddgs"]
    assert ddgs["on"] is False
    assert ddgs["why"].startswith("it wants a pause until ")


def test_nothing_is_sent_unless_asked_for(empty: Gw, stubs: Stubs, online: dict[str, str]) -> None:
    for command in ("providers", "models", "doctor"):
        assert empty(command, **online).code == 0
    assert stubs.log() == []


def test_a_probe_says_who_is_reachable(empty: Gw, stubs: Stubs, online: dict[str, str]) -> None:
    stubs.faults(Rule(unauthorized(), stub="tavily"))
    result = empty("providers", "--probe", **online)
    assert result.code == 3
    assert "● ddgs" in result.out and "reachable" in result.out
    assert "✕ tavily" in result.out and "key invalid" in result.out
    found = states(empty, "--probe", **online)
    assert found["ddgs"]["probe"]["state"] == "reachable"
    assert found["tavily"]["probe"]["code"] == "auth"
    assert "probe" not in found["archive"]
    # Each is a run of its own, kept as any other.
    run_id = found["ddgs"]["probe"]["run_id"]
    assert run_id.startswith("tool-")
    assert json.loads(empty("show", run_id, "--json", **online).out)["run_id"] == run_id


def test_a_probe_is_never_answered_from_the_cache(
    empty: Gw, stubs: Stubs, online: dict[str, str]
) -> None:
    env = {**online, "GROUNDWIRE_SEARCH__CACHE_TTL": "600"}
    for _ in range(2):
        assert empty("providers", "--probe", **env).code == 0
    assert sum(call.stub == "tavily" for call in stubs.log()) == 2


def test_models_are_probed_each_alone(empty: Gw, stubs: Stubs, online: dict[str, str]) -> None:
    env = {
        **online,
        "OPENAI_API_KEY": "sk-planted-0123456789",
        "OPENAI_BASE_URL": stubs.url("model"),
        "GROUNDWIRE_MODELS__LIGHT": "openai:gpt-4.1-mini",
        "GROUNDWIRE_MODELS__HEAVY": "openai:gpt-4.1",
    }
    found = json.loads(empty("models", "--probe", "--json", **env).out)["probes"]
    assert {each["name"]: each["state"] for each in found} == {
        "openai:gpt-4.1-mini": "reachable",
        "openai:gpt-4.1": "reachable",
    }
    stubs.faults(Rule(unauthorized(), stub="model"))
    result = empty("doctor", "--probe", "--json", **env)
    assert result.code == 3
    probed = {each["name"]: each["state"] for each in json.loads(result.out)["probes"]}
    assert probed["openai:gpt-4.1-mini"] == "key invalid"
    assert probed["tavily"] == probed["ddgs"] == "reachable"


def test_offline_nothing_can_be_probed(empty: Gw) -> None:
    result = empty("providers", "--probe")
    assert (result.code, "GROUNDWIRE_OFFLINE" in result.err) == (2, True)


@pytest.mark.parametrize("command", ["providers", "models", "doctor"])
@pytest.mark.parametrize(
    "env",
    [
        {},
        dict.fromkeys(("TAVILY_API_KEY", "BRAVE_API_KEY", "EXA_API_KEY", "SERPER_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY"), "planted nonsense \t!"),
    ],
    ids=["no key", "nonsense"],
)  # fmt: skip
def test_everything_fits_eighty_columns_with_any_keys_and_shows_none(
    empty: Gw, monkeypatch: pytest.MonkeyPatch, command: str, env: dict[str, str]
) -> None:
    from groundwire.doors.cli import render

    monkeypatch.setattr(render, "WIDEST", COLUMNS)
    result = empty(command, GROUNDWIRE_OFFLINE="", **env)
    assert (result.code, result.err) == (0, "")
    assert "planted" not in result.out
    wide = [line for line in result.out.splitlines() if len(line) > COLUMNS]
    assert wide == []
    # A name that is there to be copied is never broken.
    if command == "providers":
        assert "GROUNDWIRE_SEARCH__PROVIDERS__FEEDS__URLS=…" in result.out


def test_without_a_key_the_default_chain_is_what_needs_none(empty: Gw) -> None:
    found = states(empty, GROUNDWIRE_OFFLINE="")
    on = [name for name, state in found.items() if state["on"]]
    assert on == ["ddgs", "gdelt", "hackernews", "wikipedia", "archive", "github", "reddit"]
    # The last two are asked for their platforms, whatever the chain.
    assert "searches github only" in found["github"]["why"]
    assert "for news" in found["gdelt"]["why"]
    with_key = states(empty, GROUNDWIRE_OFFLINE="", TAVILY_API_KEY="tvly-x-1234567")
    assert next(name for name, state in with_key.items() if state["on"]) == "tavily"


def test_tools_that_measure_are_listed_with_what_to_set(empty: Gw) -> None:
    listed = json.loads(empty("providers", "--json", GROUNDWIRE_OFFLINE="").out)
    tools = {each["name"]: each for each in listed if each.get("part") == "tool"}
    assert [name for name, state in tools.items() if state["on"]] == ["price", "onchain"]
    assert tools["macro"]["to_set"] == "GROUNDWIRE_TOOLS__MACRO__ENABLED=true FRED_API_KEY=…"
    on = {"GROUNDWIRE_TOOLS__MACRO__ENABLED": "true", "FRED_API_KEY": "planted-0123456789"}
    result = empty("providers", GROUNDWIRE_OFFLINE="", **on)
    assert "asks fred" in result.out
    assert "planted" not in result.out
    assert "price, onchain" in empty("doctor", GROUNDWIRE_OFFLINE="").out


def test_the_doctor_says_what_is_wrong_with_an_option_once(empty: Gw) -> None:
    wrong = {"GROUNDWIRE_SEARCH__PROVIDERS__TAVILY__SEARCH_DEPTH": "bogus"}
    result = empty("doctor", **wrong)
    assert (result.code, result.err) == (3, "")
    assert "search.providers.tavily.search_depth" in result.out
    assert "basic, advanced" in " ".join(result.out.split())


def test_a_search_that_failed_says_so_and_resume_tries_again_only_that(
    empty: Gw, stubs: Stubs, online: dict[str, str]
) -> None:
    """Nothing found is done; everything failed is not, whatever reads the exit code."""
    stubs.faults(unauthorized())
    result = empty("search", "USDC peg", **online)
    assert result.code == 4
    assert "tavily (key refused) — tavily: key invalid" in result.out
    assert "Nothing was found" not in result.out  # a failure is no emptiness
    assert "every search failed" in result.err
    assert "gw providers" in result.err  # what to do
    data = json.loads(empty("search", "USDC peg", "--json", **online).out)
    assert (data["status"], data["error"]["code"]) == ("failed", "auth")
    assert len(data["output"]["failures"]) == 2
    stubs.faults(Rule(error(500), stub="ddgs"))
    again = empty("resume", data["run_id"], "--json", **online)
    assert (again.code, json.loads(again.out)["status"]) == (0, "complete"), again.err
    stubs.faults(Fault("empty"))
    alone = {**online, "GROUNDWIRE_SEARCH__CHAIN": "tavily"}
    nothing = empty("search", "USDC peg", **alone)
    assert nothing.code == 0
    assert "Nothing was found" in nothing.out


def test_a_named_provider_without_its_key_is_off_with_a_warning(
    empty: Gw, stubs: Stubs, online: dict[str, str]
) -> None:
    env = {**online, "GROUNDWIRE_SEARCH__CHAIN": "brave,tavily"}
    result = empty("search", "USDC peg", **env)
    assert result.code == 0
    assert "search provider is off" in result.err and "BRAVE_API_KEY" in result.err
    assert {call.stub for call in stubs.log()} == {"tavily"}
