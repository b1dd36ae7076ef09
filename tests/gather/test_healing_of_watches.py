"""The ladders of the self-healing table as a watch climbs them: proxy, other model, three tries, the run's own limit."""

from __future__ import annotations

from typing import Any

import pytest
from lab.stubs import Rule, Stubs
from lab.stubs.faults import bare, captcha, error, unauthorized, wrong_schema
from tests.laws.house import MODEL, NOW, House, ended
from tests.proxies import proxying

from groundwire.app import App
from groundwire.jobs import report_of
from groundwire.jobs.watch.letter import letter_of
from groundwire.jobs.watch.result import WatchResult
from groundwire.model.phrase import Phrase
from groundwire.model.run import Run
from groundwire.words import words

COMMAND = "Monitor USDC"
OTHER_MODEL = "deepseek:deepseek-chat"
OPEN: dict[str, Any] = {"fetch.robots": False, "watch.pages": 2}


async def watch(app: App, **given: Any) -> tuple[Run, WatchResult]:
    run = await app.submit("watch", {"command": COMMAND, "max_steps": 1, **given}, now=NOW)
    done = await ended(app, run.id)
    assert done.result is not None, done.error
    return done, WatchResult.model_validate(done.result)


def tried(result: WatchResult, part: str, subject: str = "") -> list[tuple[str, str, str]]:
    found = (each for each in result.recovered if each.part == part)
    return [
        (each.error, each.tried, each.outcome) for each in found if subject in ("", each.subject)
    ]


def told(result: WatchResult) -> list[str]:
    """List what the thought chain says was tried."""
    steps = [each.action for each in result.steps if each.phase == "recovering"]
    return [
        str(each.params.get("name", each.code.removeprefix("recovery.tried.")))
        for each in steps
        if isinstance(each, Phrase)
    ]


@pytest.mark.parametrize("status", [200, 502])
async def test_a_refused_page_goes_through_the_own_proxy_once_and_then_its_snippet_is_taken(
    house: House, stubs: Stubs, status: int
) -> None:
    stubs.faults(Rule(error(403), stub="web", path="/p/*"))
    async with proxying(status=status) as proxy:
        async with house.open(**OPEN, **{"fetch.proxies": [proxy.url]}) as app:
            _, result = await watch(app)
        targets = len(proxy.targets)
    ways = tried(result, "page")
    assert ways
    assert [each[1:] for each in ways] == [("proxy", "failed"), ("snippet", "worked")] * targets
    assert told(result).count("proxy") == targets


@pytest.mark.parametrize(
    ("calls", "ladder"),
    [
        (1, [("repair", "worked")]),
        (2, [("repair", "failed"), (OTHER_MODEL, "worked")]),
        (
            4,
            [
                ("repair", "failed"),
                (OTHER_MODEL, "failed"),
                ("repair", "failed"),
                ("embedded", "worked"),
            ],
        ),
    ],
)
async def test_a_model_repairs_then_another_is_asked_then_the_embedded_reader(
    house: House, stubs: Stubs, calls: int, ladder: list[tuple[str, str]]
) -> None:
    url, models = stubs.url("model"), [MODEL, OTHER_MODEL]
    house.more |= {
        "models.light": models,
        "models.heavy": models,
        "models.exam": "off",
        "models.providers.openai.base_url": url,
        "models.providers.openai.api_key": "sk-planted",
        "models.providers.deepseek.base_url": url,
        "models.providers.deepseek.api_key": "sk-other",
    }
    stubs.faults(Rule(wrong_schema(), stub="model", first=calls))
    async with house.open(**OPEN) as app:
        _, result = await watch(app)
    ways = tried(result, "model", "watch/plan_watch")
    assert [each[1:] for each in ways] == ladder
    assert told(result)[: len(ladder)] == [name for name, _ in ladder]
    assert 3 <= len(result.plan) <= 5


async def test_what_nobody_has_classified_is_tried_three_times_and_the_run_fails_and_resumes(
    house: House, stubs: Stubs
) -> None:
    stubs.faults(Rule(error(418), stub="tavily"), Rule(error(418), stub="brave"))
    async with house.open(**OPEN, **{"search.chain": ["tavily", "brave"]}) as app:
        run, result = await watch(app)
        sent = [each for each in stubs.log() if each.stub in ("tavily", "brave")]
        records = await app.store.ledger.records(run.id)
    stubs.reset()
    async with house.open(**OPEN) as app:  # a breaker leaves alone what failed in that process
        await app.resume(run)
        again = await ended(app, run.id)
    assert (run.state, result.end, result.state.current_phase) == ("failed", "failed", "failed")
    assert ("unclassified", "retry", "failed") in tried(result, "search")
    assert ("unclassified", "brave", "failed") in tried(result, "search")
    assert max(each.tries for each in records) == 3
    assert sent
    assert again.state in ("complete", "degraded")
    assert WatchResult.model_validate(again.result).evidence


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ((Rule(captcha(), stub="web", path="/p/*"), Rule(bare(), stub="tavily")), "captcha"),
        ((Rule(unauthorized(), stub="tavily"),), "auth"),
    ],
)
async def test_what_only_a_person_can_mend_is_told_to_people(
    house: House, stubs: Stubs, rules: tuple[Rule, ...], code: str
) -> None:
    stubs.faults(*rules)
    async with house.open(**OPEN) as app:
        run, result = await watch(app)
    assert code in {each.code for each in result.degraded}
    lines = letter_of(result).lines
    say = words("en")
    assert any(line.startswith(say("watch.needs_you")) for line in lines)
    shown = report_of(run).report(run)
    assert shown.blocks
