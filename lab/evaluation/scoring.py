"""The result of a scenario compared with what was expected, part by part."""

from __future__ import annotations

from typing import ClassVar

from groundwire.jobs.verify.signal import Signal
from groundwire.language.text.characters import normalise
from groundwire.model.base import Value
from lab.evaluation.scenarios import Scenario
from lab.evaluation.trials import Trial

BELIEVED = 0.5  # confidence from which a message is taken for true


class Score(Value):
    """Each part right or not; None where the scenario expects nothing of it."""

    PARTS: ClassVar = ("verdict", "flags", "band", "event_type", "asset", "action", "origins")

    scenario: Scenario
    actual: str  # the verdict; "" without a signal
    verdict: bool
    flags: bool
    band: bool
    event_type: bool | None = None
    asset: bool | None = None
    action: bool | None = None
    origins: bool | None = None
    plain: bool = False  # whether the first impression believes it
    deep: bool = False  # whether the deep path believes it

    @property
    def expected(self) -> str:
        """The verdict to compare with: the actual one where that is right, else the first expected."""
        return next(
            (each for each in self.scenario.expect.verdict if each == self.actual),
            self.scenario.expect.verdict[0],
        )

    @property
    def right(self) -> bool:
        """Whether verdict, flags, confidence and event type are all right."""
        return self.verdict and self.flags and self.band and self.event_type is not False


def score(trial: Trial) -> Score:
    """Judge one trial; a run without a signal is wrong in everything."""
    scenario, signal = trial.scenario, trial.signal
    expect = scenario.expect
    if signal is None:
        return Score(scenario=scenario, actual="", verdict=False, flags=False, band=False)
    low, high = expect.confidence
    origins = expect.origins
    return Score(
        scenario=scenario,
        actual=signal.verdict,
        verdict=signal.verdict in expect.verdict,
        flags=set(expect.flags) <= set(signal.risk_flags)
        and not set(expect.no_flags) & set(signal.risk_flags),
        band=low - 1e-9 <= signal.confidence <= high + 1e-9,
        event_type=signal.event_type in expect.event_type if expect.event_type else None,
        asset=_has_asset(signal, expect.asset) if expect.asset else None,
        action=signal.action == expect.action if expect.action else None,
        origins=origins[0] <= signal.supporting_origins <= origins[1] if origins else None,
        plain=signal.preliminary.confidence >= BELIEVED,
        deep=signal.verdict == "supported" and signal.confidence >= BELIEVED,
    )


def _has_asset(signal: Signal, wanted: tuple[str, ...]) -> bool:
    """Tell whether the main asset is one of the wanted, by its symbol or its name."""
    names = [_plain(text) for text in (signal.asset, signal.asset_name) if text]
    return any(_plain(name) in names for name in wanted)


def _plain(text: str) -> str:
    return normalise(text).text.casefold().replace(" ", "")


def faults_of(scored: Score) -> list[str]:
    """List the parts that came out wrong, in capitals those that `right` is about."""
    main = ("verdict", "flags", "band", "event_type")
    wrong = [part for part in Score.PARTS if getattr(scored, part) is False]
    return [part.upper() if part in main else part for part in wrong]
