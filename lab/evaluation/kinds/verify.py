"""How well messages are judged: scenarios on frozen webs, event types, amounts.

Scenarios (`*.jsonl` with message, web and expect; the format is in `evals/verify/README.md`) go through the real app,
without a model, or once more with a reader of adjustable skill that sits its exams first. `right` is the share in which verdict, flags, confidence and event type are all as expected. The plain
path is the first impression alone: a message counts as believed from a confidence of 0.5. The deep path believes
what it calls supported, from the same confidence. Both are counted on the messages that are true (supported is
expected, nothing else) or false (contradicted or stale): accuracy is the share judged right, the false-positive rate
the share of false ones that are believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from groundwire.errors import InputError
from groundwire.evidence.messages.profiles import OTHER
from lab.evaluation.event_types import FILE as HEADLINES
from lab.evaluation.event_types import measure_event_types
from lab.evaluation.figures import (
    EvaluationFigure,
    Measured,
    Part,
    collected,
    figure,
    macro_f1,
    mean_of,
    places_in,
)
from lab.evaluation.losses import FILE as NARRATIVES
from lab.evaluation.losses import measure_losses
from lab.evaluation.readers import compared, earned, open_reader
from lab.evaluation.scenarios import Scenario, read_scenarios, scenario_files
from lab.evaluation.scoring import BELIEVED, Score, score
from lab.evaluation.trials import trial_runner

# The file that marks a set, and the function that measures it.
_SETS = ((HEADLINES, measure_event_types), (NARRATIVES, measure_losses))
_SHARES = {
    "right": "right",
    "verdict": "verdict",
    "flags": "flags",
    "confidence": "band",
    "event_type": "event_type",
    "asset": "asset",
    "origins": "origins",
}
_WHOLE_ONLY = ("asset", "origins", "verdict_macro_f1", "wrong_side")  # too few cases to split


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Measure every set in the folder that can be; `limit` bounds the rows of each file."""
    places = places_in(folder)
    parts = [
        await measure_scenarios(name, scenarios)
        for name, scenarios in scenario_sets(folder, limit).items()
    ]
    for file, measure_set in _SETS:
        parts += [measure_set(place, limit) for place in places if (place / file).is_file()]
    if not parts:
        raise InputError(f"nothing in {folder} can be measured: no set that verify knows is there")
    return collected("verify", parts, limit)


async def measure_with_reader(folder: Path, limit: int, skill: float) -> Measured:
    """Measure the scenarios without a model, then with a reader of this skill, and compare them."""
    sets = scenario_sets(folder, limit)
    if not sets:
        raise InputError(f"nothing in {folder} can be measured with a reader: no scenarios there")
    parts: list[Part] = []
    async with (
        trial_runner() as plain,
        trial_runner(reader=open_reader(folder, skill)) as skilled,
    ):
        for name, scenarios in sets.items():
            without = [score(trial) for trial in await plain.run_all(scenarios)]
            trials = await skilled.run_all(scenarios)
            scores = [score(trial) for trial in trials]
            figures = [*figures_of(name, without), *figures_of(f"{name}/reader", scores)]
            tokens = [float(each.tokens) for each in trials]
            figures.append(mean_of(f"{name}/reader", "tokens", tokens, "messages"))
            parts.append((figures, compared(name, without, scores)))
        if skilled.examined is not None:
            parts.append(([], earned(skilled.examined)))
    return collected("verify", parts, limit)


def scenario_sets(folder: Path, limit: int) -> dict[str, list[Scenario]]:
    """Read the scenarios of each folder, by its name."""
    sets: dict[str, list[Scenario]] = {}
    for path in scenario_files(folder):
        sets.setdefault(path.resolve().parent.name, []).extend(read_scenarios(path, limit))
    return sets


async def measure_scenarios(name: str, scenarios: Sequence[Scenario]) -> Part:
    """Compute the figures of a set, then those of its languages and profiles."""
    async with trial_runner() as runner:
        scores = [score(trial) for trial in await runner.run_all(scenarios)]
    groups: dict[str, list[Score]] = {}
    for each in scores:
        for part in (each.scenario.language, each.scenario.profile):
            if part != OTHER:
                groups.setdefault(f"{name}/{part}", []).append(each)
    groups = dict(sorted(groups.items()))
    figures = figures_of(name, scores)
    for group, members in groups.items():
        figures += [each for each in figures_of(group, members) if each.metric not in _WHOLE_ONLY]
    missed = sum(1 for each in scores if not each.actual)
    note = (
        f"{name}: {missed} of {len(scores)} messages without a signal; a message is believed"
        f" from a confidence of {BELIEVED}"
    )
    return figures, [note]


def figures_of(name: str, scores: Sequence[Score]) -> list[EvaluationFigure]:
    """Compute the shares that are right, and compare both paths."""
    known = [each for each in scores if each.scenario.holds is not None]
    false = [each for each in known if not each.scenario.holds]
    pairs = [(each.expected, each.actual) for each in scores]
    figures = [
        mean_of(
            name, metric, [v for s in scores if (v := getattr(s, part)) is not None], "messages"
        )
        for metric, part in _SHARES.items()
    ]
    figures.append(figure(name, "verdict_macro_f1", macro_f1(pairs), len(pairs), "messages"))
    # Taking the opposite side is the worst mistake.
    opposed = [{*pair} == {"supported", "contradicted"} for pair in pairs]
    figures.append(mean_of(name, "wrong_side", opposed, "messages"))
    for path in ("plain", "deep"):
        hits = [getattr(each, path) == each.scenario.holds for each in known]
        believed = [getattr(each, path) for each in false]
        figures.append(mean_of(name, f"{path}_accuracy", hits, "true or false"))
        figures.append(mean_of(name, f"{path}_false_positive_rate", believed, "false ones"))
    return [each for each in figures if each.sample]
