"""Verify on frozen worlds: every message ends in a signal that adds up, and failures decide nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import stamina
from lab.evaluation.figures import EvaluationFigure, Measured, below, read_floors
from lab.evaluation.kinds.verify import figures_of
from lab.evaluation.scenarios import Scenario, read_scenarios, scenario_files
from lab.evaluation.scoring import Score, score
from lab.evaluation.trials import Trial, trial_runner
from lab.evaluation.worlds import FAIR, Weather

from groundwire.evidence.sources.urls import canonical_url
from groundwire.jobs.verify.signal import Signal, SignalEvidence

FOLDER = Path(__file__).resolve().parents[3] / "evals" / "verify"
FLOORS = FOLDER.parent / "floors.json"
SIDES = ("supports", "contradicts")
MOST_FALSE_ALARMS = 0.05  # of the false messages, those that the deep path believes
TOOLS = {"search", "price", "onchain", "macro"}


@pytest.fixture(autouse=True)
def patient() -> Iterator[None]:
    """Retry without pauses."""
    stamina.set_testing(True, attempts=3, cap=True)
    yield
    stamina.set_testing(False)


def scenarios(step: int = 1) -> list[Scenario]:
    """Load every scenario, or every n-th over all kinds, languages and profiles."""
    found = [each for path in scenario_files(FOLDER) for each in read_scenarios(path)]
    return found[::step]


async def tried(
    given: Sequence[Scenario], *, model: bool = False, weather: Weather = FAIR
) -> list[Trial]:
    async with trial_runner(model=model, weather=weather) as runner:
        return await runner.run_all(given)


def signal_of(trial: Trial) -> Signal:
    assert trial.signal is not None, f"{trial.scenario.id}: {trial.error}"
    return trial.signal


def adds_up(signal: Signal) -> bool:
    return abs(sum(row.delta for row in signal.waterfall) - signal.confidence) < 1e-9


def _scores(trials: Sequence[Trial]) -> list[Score]:
    return [score(trial) for trial in trials]


def fallen(name: str, trials: Sequence[Trial]) -> list[EvaluationFigure]:
    """List the figures below the floors of the project."""
    figures = figures_of(name, _scores(trials))
    return below(Measured(kind="verify", figures=tuple(figures)), read_floors(FLOORS))


def ended_well(trials: Sequence[Trial]) -> list[Signal]:
    """Return the signals, after checking that each message has one, none failed, and all add up."""
    signals = [signal_of(trial) for trial in trials]
    assert [each.run_id for each in signals if each.status == "failed"] == []
    assert [each.run_id for each in signals if not adds_up(each)] == []
    return signals


@pytest.mark.slow  # by default those below, without faults and with them: too few for the floors
@pytest.mark.timeout(900)
async def test_every_scenario_ends_in_a_signal_and_enough_come_out_as_expected() -> None:
    trials = await tried(scenarios())
    assert len(trials) >= 150
    ended_well(trials)
    assert fallen("verify", trials) == []
    figures = {each.metric: each.value for each in figures_of("verify", _scores(trials))}
    # What the seed hopes for: 15 points of accuracy, 20 of false positives.
    assert figures["deep_accuracy"] >= figures["plain_accuracy"] + 0.15
    assert figures["deep_false_positive_rate"] <= figures["plain_false_positive_rate"] - 0.20
    assert figures["deep_false_positive_rate"] <= MOST_FALSE_ALARMS


@pytest.mark.parametrize("step", [16, pytest.param(4, marks=pytest.mark.slow)])
async def test_with_a_model_every_scenario_ends_in_a_signal_and_enough_come_out(step: int) -> None:
    trials = await tried(scenarios(step), model=True)
    signals = ended_well(trials)
    assert any(each.reasoner != "embedded" for each in signals)
    if step == 4:  # what its floors were measured on
        assert fallen("verify_with_model", trials) == []


def _sided(signal: Signal) -> list[SignalEvidence]:
    return [each for each in signal.evidence if each.stance in SIDES]


def _less_known(page: SignalEvidence) -> tuple[str, ...]:
    """What a page may be found to say besides when all of it is read: less than its snippet says."""
    return ("unrelated", "qualifies") if page.kind == "snippet" else ("unrelated",)


def owed_to_failure(trial: Trial, fair: Trial) -> list[str]:
    """What a verdict under faults rests on and would not rest on without: nothing, it is hoped.

    The same verdict as without faults is none of theirs. Another one stands on pages of the frozen
    web that take no other position when everything works, or on a tool that was answered. Where a
    page fails its snippet is read: what that says may be seen there and overlooked in the page.
    """
    signal, before = signal_of(trial), signal_of(fair)
    if signal.verdict not in ("supported", "contradicted") or signal.verdict == before.verdict:
        return []
    name = trial.scenario.id
    wrong: list[str] = []
    web = {canonical_url(page.url) for page in trial.scenario.web}
    known = {each.url: each.stance for each in before.evidence}
    for each in _sided(signal):
        if canonical_url(each.url) not in web:
            wrong.append(f"{name}: {each.url} is no page of its web")
        elif known.get(each.url, "unrelated") not in (each.stance, *_less_known(each)):
            wrong.append(f"{name}: {each.url} {each.stance}, without faults {known[each.url]}")
    measured = any(tool.success and tool.bearing == "confirms" for tool in signal.tools)
    if not _sided(signal) and not measured:
        wrong.append(f"{name}: {signal.verdict} on nothing")
    return wrong


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
async def test_with_a_fifth_of_all_calls_failing_no_verdict_is_owed_to_a_failure(seed: int) -> None:
    sample = scenarios(5)[seed::2]
    fair = await tried(sample)
    ended_well(fair)
    trials = await tried(sample, weather=Weather(faults=0.2, seed=seed))
    assert sum(trial.failed for trial in trials) > 0.1 * sum(trial.calls for trial in trials)
    assert all(adds_up(signal_of(trial)) for trial in trials)
    owed = [each for pair in zip(trials, fair, strict=True) for each in owed_to_failure(*pair)]
    assert owed == []


async def test_with_faults_and_a_model_every_message_still_ends_in_a_signal() -> None:
    trials = await tried(scenarios(16), model=True, weather=Weather(faults=0.2, seed=2))
    assert all(adds_up(signal_of(trial)) for trial in trials)


@pytest.mark.parametrize("step", [30, pytest.param(10, marks=pytest.mark.slow)])
async def test_a_model_that_lies_brings_no_link_no_tool_and_no_verdict(step: int) -> None:
    sample = scenarios(step)
    honest = await tried(sample, model=True)
    for lie in ("", "url"):
        for trial, other in zip(
            await tried(sample, model=True, weather=Weather(lie=lie)), honest, strict=True
        ):
            signal = signal_of(trial)
            assert "invented.example" not in json.dumps(signal.model_dump(mode="json"))
            assert {tool.tool for tool in signal.tools} <= TOOLS
            assert adds_up(signal)
            if signal.verdict == "supported" != signal_of(other).verdict:
                assert "supported" in trial.scenario.expect.verdict, trial.scenario.id


async def test_a_scenario_comes_out_the_same_every_time() -> None:
    first, second = [await tried(scenarios(40)) for _ in range(2)]
    for one, other in zip(first, second, strict=True):
        for name in ("verdict", "confidence", "risk_flags", "waterfall", "evidence"):
            assert getattr(signal_of(one), name) == getattr(signal_of(other), name), name
