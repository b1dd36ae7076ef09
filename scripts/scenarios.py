"""Run verify on frozen webs and print a line for each scenario that came out otherwise than expected.

    .venv/bin/python -m scripts.scenarios [FOLDER] [--only odd|even|PATTERN] [--model] [--reader 0.98] [--lying [url]] [--faults 0.2] [-v]

`-v` shows the stance taken from each page; `--plain` tries the first impression alone.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from fnmatch import fnmatchcase
from pathlib import Path

import stamina
from lab.evaluation.readers import open_reader
from lab.evaluation.scenarios import Scenario, read_scenarios, scenario_files
from lab.evaluation.scoring import Score, faults_of, score
from lab.evaluation.trials import Trial, trial_runner
from lab.evaluation.worlds import Weather

HOME = Path(__file__).resolve().parents[1] / "evals" / "verify"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=HOME)
    parser.add_argument("--only", default="*", help="odd, even, or a pattern of ids or kinds")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--model", action="store_true", help="with the stub model")
    parser.add_argument("--reader", type=float, metavar="SKILL", help="with a reader of this skill")
    parser.add_argument("--lying", nargs="?", const="", help="a model that lies; url: with links")
    parser.add_argument("--faults", type=float, default=0.0, help="share of calls that fail")
    parser.add_argument("--seed", type=int, default=0, help="which calls fail")
    parser.add_argument("--plain", action="store_true", help="tools off")
    parser.add_argument("--all", action="store_true", help="list what came out right, too")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    chosen = [
        each
        for path in scenario_files(options.folder)
        for each in read_scenarios(path)
        if matches(each, options.only)
    ]
    chosen = chosen[: options.limit or None]
    if options.faults or any(each.down for each in chosen):
        stamina.set_testing(True, attempts=2, cap=True)  # no waiting between tries
    start = time.perf_counter()
    trials = asyncio.run(run_trials(chosen, options))
    seconds = time.perf_counter() - start
    show(trials, options)
    put(f"{len(trials)} scenarios in {seconds:.1f} s, {len(trials) / max(seconds, 0.001):.1f}/s")
    return 0


def put(line: str) -> None:
    sys.stdout.write(line + "\n")


def matches(scenario: Scenario, only: str) -> bool:
    if only in ("odd", "even"):
        return scenario.number % 2 == (only == "odd")
    return fnmatchcase(scenario.id, only) or fnmatchcase(scenario.kind, only)


async def run_trials(chosen: list[Scenario], options: argparse.Namespace) -> list[Trial]:
    weather = Weather(faults=options.faults, seed=options.seed, lie=options.lying)
    model = options.model or options.lying is not None
    reader = None if options.reader is None else open_reader(options.folder, options.reader)
    async with trial_runner(model=model, weather=weather, reader=reader) as runner:
        return await runner.run_all(chosen, deep=not options.plain)


def show(trials: list[Trial], options: argparse.Namespace) -> None:
    scores = [(trial, score(trial)) for trial in trials]
    for trial, scored in scores:
        if options.all or not scored.right:
            show_trial(trial, scored, options.verbose)
    found = [trial for trial in trials if trial.signal is not None and not trial.scenario.down]
    read = sum(len(trial.signal.evidence) for trial in found if trial.signal is not None)
    put(f"pages read: {read} of {sum(len(trial.scenario.web) for trial in found)}")
    for name, group in groups([scored for _, scored in scores]).items():
        parts = [f"{part} {hits}/{of}" for part, (hits, of) in count_parts(group).items()]
        put(f"{name:16} {', '.join(parts)}")


def show_trial(trial: Trial, scored: Score, verbose: bool) -> None:
    scenario, signal = trial.scenario, trial.signal
    wrong = " ".join(faults_of(scored)) or "right"
    put(f"{scenario.id} [{scenario.kind}] {wrong}")
    if signal is None:
        put(f"    no signal: {trial.error}")
        return
    expect = scenario.expect
    rules = " ".join(f"{row.rule}{row.delta:+.2f}" for row in signal.waterfall)
    low, high = expect.confidence
    put(
        f"    verdict {signal.verdict} (want {'/'.join(expect.verdict)})"
        f" confidence {signal.confidence:.2f} (want {low:.2f}-{high:.2f})"
        f" type {signal.event_type} (want {'/'.join(expect.event_type)})"
        f" asset {signal.asset or '-'} (want {'/'.join(expect.asset) or 'any'})"
    )
    read = f"read {len(signal.evidence)} of {len(scenario.web)}"
    put(f"    flags {' '.join(signal.risk_flags) or '-'}; {rules}; {read}")
    if verbose:
        detail(trial)


def detail(trial: Trial) -> None:
    scenario, signal = trial.scenario, trial.signal
    assert signal is not None
    put(f"    message: {scenario.message.text}")
    put(f"    why: {scenario.expect.why}")
    for claim in signal.claims:
        put(f"    claim ({claim.verdict}): {claim.text}")
    for each in signal.evidence:
        official = " OFFICIAL" if each.official else ""
        flags = f" {list(each.flags)}" if each.flags else ""
        put(
            f"    {each.stance:11} {each.origin_id[:10]} {each.kind}{official}{flags}"
            f" {each.relevance:.2f} {each.url}"
        )
        if each.quote:
            put(f"        “{each.quote[:300]}”")
    found = [each.url for each in signal.evidence]
    for page in scenario.web:
        if not any(page.url.rstrip("/").partition("://")[2] in url for url in found):
            put(f"    NOT READ    {page.url}")
    for tool in signal.tools:
        searched = f" searched for “{tool.data['keyword']}”" if "keyword" in tool.data else ""
        put(f"    tool {tool.tool}: {tool.bearing} {tool.why}{searched} {tool.error or ''}")
    for each in signal.degraded:
        put(f"    degraded {each.part}: {each.code} {each.reason}")


def groups(scores: list[Score]) -> dict[str, list[Score]]:
    found: dict[str, list[Score]] = {}
    for each in scores:
        found.setdefault(f"{each.scenario.profile}/{each.scenario.language}", []).append(each)
    found = dict(sorted(found.items()))
    found["odd"] = [each for each in scores if each.scenario.number % 2]
    found["even"] = [each for each in scores if not each.scenario.number % 2]
    found["all"] = scores
    return found


def count_parts(group: list[Score]) -> dict[str, tuple[int, int]]:
    """Count right and judged scenarios for every part that is judged."""
    found: dict[str, tuple[int, int]] = {}
    for part in Score.PARTS:
        judged = [value for each in group if (value := getattr(each, part)) is not None]
        found[part] = (sum(judged), len(judged))
    found["all right"] = (sum(each.right for each in group), len(group))
    return found


if __name__ == "__main__":
    sys.exit(main())
