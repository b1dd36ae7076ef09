"""Every row of the self-healing table, met through the stubs: one recovery fails, and the next is tried."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lab.stubs.faults import (
    Fault,
    Rule,
    empty,
    error,
    malformed,
    rate_limited,
    slow,
    unauthorized,
    wrong_schema,
)
from lab.stubs.harness import StubReply
from tests.jobs.watch.watch_world import FIRST, WITH_MODEL, WatchWorld, desk, page, thoughts, watch

from groundwire.app.exports import export
from groundwire.jobs.watch.result import WatchResult

TWO: dict[str, object] = {
    "search.chain": ["tavily", "brave"],
    "search.providers.brave.api_key": "brave-frozen",
    "search.providers.brave.per_second": 1000,
}
SHORT: dict[str, object] = {"search.timeout": 0.2}


def tried(result: WatchResult, part: str = "search") -> list[tuple[str, str, str]]:
    return [(e.error, e.tried, e.outcome) for e in result.recovered if e.part == part]


@pytest.mark.parametrize(
    ("fault", "code", "more"),
    [
        (rate_limited(0.0), "rate_limit", {}),
        (error(503), "server", {}),
        (slow(3600.0), "timeout", SHORT),
        (malformed(), "malformed", {}),
        (unauthorized(), "auth", {}),
    ],
)
async def test_where_a_retry_does_not_help_the_next_provider_answers(
    fault: Fault, code: str, more: dict[str, object], tmp_path: Path
) -> None:
    """429, 5xx, timeouts and spoilt answers are asked for again first; a refused key is not."""
    world = WatchWorld()
    world.fails(Rule(fault, stub="tavily"))
    async with desk(tmp_path, world, **TWO, **more) as app:
        result, _, events = await watch(app, max_steps=1)
    assert result.claims
    assert (code, "brave", "worked") in tried(result)
    assert any(each.code == code for each in result.degraded)
    told = [each["thought"]["params"]["failure"]["code"] for each in thoughts(events, "recovering")]
    assert f"failure.{code}" in told
    assert result.status == "degraded"


async def test_a_failure_that_passes_is_asked_again_and_costs_nothing_more(tmp_path: Path) -> None:
    world = WatchWorld()
    world.fails(Rule(rate_limited(0.0), stub="tavily", first=1))
    async with desk(tmp_path, world, **TWO) as app:
        result, _, events = await watch(app, max_steps=1)
    assert ("rate_limit", "retry", "worked") in tried(result)
    assert world.asked("brave") == 0
    assert result.status == "complete"
    assert thoughts(events, "recovering")


async def test_an_empty_search_is_simplified_translated_and_moved_in_turn(tmp_path: Path) -> None:
    world = WatchWorld()
    world.fails(Rule(empty(), stub="tavily", first=6))
    async with desk(tmp_path, world) as app:
        result, _, events = await watch(app, platforms=("news",), days=5, max_steps=1)
    steps = [(name, outcome) for code, name, outcome in tried(result) if code == "empty"]
    assert any(outcome == "worked" for _, outcome in steps)
    assert result.claims
    told = [each["action"]["code"] for each in thoughts(events, "recovering")]
    assert told == [f"recovery.tried.{name}" for name, _ in steps], "each is a step, once"


async def test_what_nothing_helps_is_a_named_gap(tmp_path: Path) -> None:
    """A platform that cannot be had, and a sub-task without anything, are named; nothing is invented."""
    world = WatchWorld()
    world.fails(Rule(empty(), stub="tavily"))
    async with desk(tmp_path, world) as app:
        result, _, _ = await watch(app, platforms=("zhihu",), max_steps=1)
    ways: dict[str, list[str]] = {}
    for each in result.recovered:
        assert (each.error, each.outcome) == ("empty", "failed")
        ways.setdefault(each.subject, []).append(each.tried)
    order = ["simpler", "language", "place"]
    assert order in ways.values()
    assert all([name for name in order if name in each] == each for each in ways.values())
    assert result.claims == ()
    assert result.summary == ()
    assert any(each.params.get("platform") for each in result.gaps)
    assert result.status == "complete", "nothing found is no failure"


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (StubReply(403, b"", "text/html"), "refused"),
        (StubReply(403, b"", "text/html", (("cf-mitigated", "challenge"),)), "captcha"),
    ],
)
async def test_a_page_that_is_refused_leaves_its_snippet(
    reply: StubReply, code: str, tmp_path: Path
) -> None:
    world = WatchWorld()
    world.refusing = {"www.harbour.example": reply}
    async with desk(tmp_path, world) as app:
        result, _, events = await watch(app, max_steps=1)
    kept = next(each for each in result.evidence if "harbour" in each.url)
    assert kept.kind == "snippet"
    assert (code, "snippet", "worked") in tried(result, "page")
    assert thoughts(events, "recovering")


@pytest.mark.parametrize("fault", [wrong_schema(), malformed(), error(500), Fault("refusal")])
async def test_a_model_that_fails_leaves_the_embedded_reasoner(
    fault: Fault, tmp_path: Path
) -> None:
    world = WatchWorld()
    world.fails(Rule(fault, stub="model"))
    async with desk(tmp_path, world, **WITH_MODEL) as app:
        result, _, events = await watch(app, max_steps=1)
    assert result.claims
    assert result.reasoner == "embedded"
    assert any(each.part.startswith("model:") for each in result.degraded)
    told = [each["tool_calls"] for each in thoughts(events, "recovering")]
    assert ["model: watch/plan_watch"] in told
    assert {e.subject for e in result.recovered if e.part == "model"} == {
        call.removeprefix("model: ") for (call,) in told if call.startswith("model: ")
    }


async def test_a_run_that_could_see_nothing_fails_and_goes_on_when_asked(tmp_path: Path) -> None:
    """It keeps what it has, can be exported, and repeats no call that was answered."""
    world = WatchWorld()
    world.fails(Rule(error(503), stub="tavily"))
    async with desk(tmp_path, world) as app:
        run = await app.submit("watch", {"command": "Monitor Velmora"})
        failed = await app.finished(run.id)
        exported = await export(app, failed, "md")
    world.turn(1)
    async with desk(tmp_path, world) as app:  # a breaker leaves alone what failed in that process
        await app.resume(failed)
        again = await app.finished(run.id)
        paid = [each for each in await app.store.ledger.records(run.id) if each.kind == "search"]
    assert failed.state == "failed"
    result = WatchResult.model_validate(failed.result)
    assert (result.end, result.state.current_phase, result.plan != ()) == ("failed", "failed", True)
    assert exported.data
    assert again.state in ("complete", "degraded")
    assert WatchResult.model_validate(again.result).claims
    assert len({(each.attempt, each.key) for each in paid}) == len(paid)


async def test_a_failed_search_says_nothing_of_its_claims(tmp_path: Path) -> None:
    world = WatchWorld(FIRST, failing=(2,))
    async with desk(tmp_path, world) as app:
        first, run, _ = await watch(app, 1)
        world.turn(2)
        second, _, _ = await watch(app, 2, previous=run.id)
    assert second.changes == ()
    assert not second.alert
    assert {each.id for each in second.claims} == {each.id for each in first.claims}
    assert any(each.why == "watch.gap.failed" for each in second.gaps)
    assert json.dumps(second.model_dump(mode="json"))


@pytest.mark.parametrize(
    "text",
    [
        "Otherco sells its plant; the price was not told.",
        "别家公司公布了最新消息和价格。",
        "別家公司公布了最新消息和價格。",
    ],
)
async def test_pages_about_others_are_nothing_found(text: str, tmp_path: Path) -> None:
    """An engine gives the nearest it has: what does not name the subject is no find."""
    language = "en" if text.isascii() else "zh"
    async with desk(
        tmp_path, WatchWorld([page("other.example", 1, text, language=language)])
    ) as app:
        result, _, _ = await watch(app, max_steps=1)
    assert result.evidence == ()
    assert {each.what for each in result.gaps} >= {each.task for each in result.plan}
    assert ("empty", "simpler", "failed") in tried(result)
