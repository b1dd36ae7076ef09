"""`verify` under measurement: deep, gated, repeated, waiting, in a crowd, with faults, killed.

The stubs run in one process and the measured work in another; this one only counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import fmean, median

from lab.bench import process
from lab.bench.home import FAILING, add_kill, add_stall, home, load, load_failing
from lab.bench.load import Order, TimedRun
from lab.bench.rumours import PREFERRED, SITES, SPREAD, Rumour, chatter, write_press
from lab.bench.table import Report
from lab.stubs import Stubs, running_stubs
from lab.stubs.markets import HOSTS

MODEL, SEARCH, PAGE = 2.0, 2.0, 0.05  # seconds that a slow other side takes
_CROWDED = (0.3, 0.2, 0.05)  # the same, for many messages at once
# A light and a heavy model of the price table; the stub answers to their names.
_LIGHT, _HEAVY = "openai:gpt-5.4-mini", "openai:gpt-5.4"
_GATE_TO_SIGNAL = 8.0  # seconds, with the open round or without
_Messages = partial(Order, kind="verify")
_FEW = 2  # reports on the preferred list: too few, so that the open web is searched too


@dataclass(frozen=True, slots=True)
class VerifyPlan:
    """How much is measured; the defaults are the long version."""

    warm_up: int = 4
    deep: int = 40
    chatter: int = 1000
    waiting: int = 3
    crowd: int = 200
    crowd_usd: float = 1.0  # the month's budget of the crowd: too little for all of it
    faulty: int = 40
    kills: tuple[int, ...] = (5, 40)  # places in the stubs' log
    killed: int = 8  # messages under way
    latency: tuple[float, float, float] = (MODEL, SEARCH, PAGE)


QUICK = VerifyPlan(deep=10, chatter=200, waiting=1, crowd=40, crowd_usd=0.2, faulty=10, kills=(20,))


class _World:
    """Rumours that were not used before, and their press."""

    def __init__(self, plan: VerifyPlan) -> None:
        parts = (2 * plan.deep, 2 * plan.waiting, plan.crowd, plan.faulty)
        self._count = sum(parts) + (len(plan.kills) + 1) * plan.killed + 3 * plan.warm_up + 2
        self._simple = iter(range(self._count))
        self._hard = iter(range(self._count, 2 * self._count))

    def rumours(self) -> list[Rumour]:
        listed = [Rumour(number) for number in range(self._count)]
        return listed + [Rumour(n, _FEW) for n in range(self._count, 2 * self._count)]

    def simple(self, count: int) -> tuple[str, ...]:
        """Return messages that the preferred list reports enough about."""
        return tuple(Rumour(next(self._simple)).text for _ in range(count))

    def hard(self, count: int) -> tuple[str, ...]:
        """Return messages that need the open web as well."""
        return tuple(Rumour(next(self._hard), _FEW).text for _ in range(count))


async def bench_verify(plan: VerifyPlan | None = None, *, quick: bool = False) -> Report:
    """Measure `verify` and return all figures in one table."""
    process.require_psutil()
    plan = plan or (QUICK if quick else VerifyPlan())
    report = Report(
        f"verify: {SITES} pages of 30-100 kB a message, zh and en by turns;"
        f" where a side is slow: model {plan.latency[0]:g} s, search {plan.latency[1]:g} s a call"
    )
    world = _World(plan)
    with tempfile.TemporaryDirectory() as folder:
        write_press(Path(folder), world.rumours(), datetime.now(UTC))
        with running_stubs(
            "model", "tavily", "web", *HOSTS, articles=Path(folder), pages=1, spread=SPREAD
        ) as stubs:
            await asyncio.to_thread(_measure, report, stubs, plan, world)
            for at in plan.kills:
                await _kill(report, stubs, at, world.simple(plan.killed))
    return report


def _measure(report: Report, stubs: Stubs, plan: VerifyPlan, world: _World) -> None:
    for count, part in (
        (plan.deep, _deep),
        (plan.chatter, _door),
        (plan.waiting, _waiting),
        (plan.crowd, _crowd),
        (plan.faulty, _faulty),
    ):
        if count:
            part(report, stubs, plan, world)


def _home(
    stubs: Stubs, *, model: bool = False, month_usd: float | None = None
) -> contextlib.AbstractContextManager[dict[str, str]]:
    more = {
        # As after the month's free credits: every search has its price.
        "search__providers__tavily__free_credits": "0",
        "verify__preferred_domains": ",".join(PREFERRED),
        "budget__month_usd": "none" if month_usd is None else str(month_usd),
        "budget__day_tool_calls": "1000000",
    }
    for name in HOSTS:
        more[f"tools__providers__{name}__base_url"] = stubs.url(name)
        more[f"tools__providers__{name}__per_second"] = "1000"
    return home(stubs, (_LIGHT, _HEAVY) if model else None, **more)


def _deep(report: Report, stubs: Stubs, plan: VerifyPlan, world: _World) -> None:
    """Verify one message after the other, without a model and without latency."""
    for part, take, target in (
        ("deep", world.simple, 40.0),
        ("deep, two rounds", world.hard, None),
    ):
        order = _Messages(warm=take(plan.warm_up), texts=take(plan.deep))
        with _home(stubs) as env:
            shift, _ = load(order, env, whole=True)
        count = len(shift.runs)
        report.add(
            f"{part}: CPU a message",
            1000 * shift.spent.cpu / count,
            "ms",
            target=target,
            note=f"mean of {count}, HTML parsers included; embedded, no latency",
        )
        wall = 1000 * median(run.wall for run in shift.runs)
        report.add(f"{part}: wall a message", wall, "ms", note="median")
        _counts(report, part, shift.runs)


def _counts(report: Report, part: str, runs: Sequence[TimedRun]) -> None:
    """Report the work behind the times, so that nothing is fast by being left out."""
    report.add(
        f"{part}: pages read a message",
        _mean([run.pages for run in runs]),
        note=f"{_mean([run.sent for run in runs]):g} calls sent, tools {_tool_counts(runs)},"
        f" verdicts {_listed(Counter(run.verdict for run in runs))}",
    )


def _door(report: Report, stubs: Stubs, plan: VerifyPlan, _world: _World) -> None:
    """Bring in messages that no gate lets through, and then the same again."""
    texts = tuple(chatter(number) for number in range(plan.chatter + plan.warm_up))
    order = _Messages(
        warm=texts[plan.chatter :], texts=texts[: plan.chatter], gate=True, at_once=32, door=True
    )
    with _home(stubs) as env:
        stubs.reset()
        shift, _ = load(order, env)
        calls = len(stubs.log())
    report.add(
        "gated out: messages a second",
        plan.chatter / shift.spent.wall,
        "/s",
        target=200,
        sense="at least",
        note=f"{plan.chatter} through the door, {_listed(shift.passed)}, {calls} calls outside;"
        f" CPU {1000 * shift.spent.cpu / plan.chatter:.1f} ms a message",
    )
    report.add(
        "duplicates: messages a second",
        sum(shift.again.values()) / shift.again_wall,
        "/s",
        target=200,
        sense="at least",
        note=f"{sum(shift.again.values())} of {plan.chatter} known again: {_listed(shift.again)}",
    )


def _waiting(report: Report, stubs: Stubs, plan: VerifyPlan, world: _World) -> None:
    """Verify one message at a time while model and search are slow."""
    model, search, page = plan.latency
    # Warmed up first: the time to load a process is not what a message waits for.
    for part, take, rounds in (
        ("simple", world.simple, 1),
        ("with the open round", world.hard, None),
    ):
        stubs.latency(model, search, page)
        order = _Messages(warm=take(1), texts=take(plan.waiting), gate=True)
        with _home(stubs, model=True) as env:
            stubs.reset()
            shift, _ = load(order, env, whole=True)
            calls = Counter(call.stub for call in stubs.log())
        stubs.latency(0.0, 0.0, 0.0)
        runs = shift.runs
        each = {name: count / (len(runs) + 1) for name, count in sorted(calls.items())}
        report.add(
            f"{part}: from gate to signal",
            max(run.from_gate for run in runs),
            "s",
            target=_GATE_TO_SIGNAL,
            note=f"worst of {len(runs)}; calls a message {_listed(each)};"
            f" nodes in ms {_listed(runs[-1].nodes)}",
        )
        report.add(
            f"{part}: rounds of tools a message",
            _mean([run.rounds for run in runs]),
            target=rounds,
            note=f"tools {_tool_counts(runs)}, verdicts {_listed(Counter(run.verdict for run in runs))}",
        )
        report.add(
            f"{part}: cost a message",
            _mean([run.usd for run in runs]),
            "$",
            target=0.05,
            note=f"{_LIGHT} and {_HEAVY} at their listed prices, search after the free credits",
        )


def _crowd(report: Report, stubs: Stubs, plan: VerifyPlan, world: _World) -> None:
    """Verify many messages at once, with a month's budget that is too small for them."""
    order = _Messages(warm=world.simple(1), texts=world.simple(plan.crowd), at_once=plan.crowd)
    with _home(stubs, model=True, month_usd=plan.crowd_usd) as env:
        stubs.latency(*_CROWDED)
        shift, pss = load(order, env, weigh=True)
        stubs.latency(0.0, 0.0, 0.0)
    part = f"{plan.crowd} at once"
    report.add(
        f"{part}: throughput",
        60 * len(shift.runs) / shift.spent.wall,
        "messages/min",
        note=f"CPU {1000 * shift.spent.cpu / len(shift.runs):.0f} ms a message, PSS {pss:.0f} MB",
    )
    add_stall(report, part, shift.spent)
    _signals(report, part, shift.runs)
    refused = sum(1 for run in shift.runs if "quota" in run.failures)
    report.add(
        f"{part}: the month's budget spent",
        shift.month_usd,
        "$",
        target=plan.crowd_usd,
        note=f"{refused} messages say that a call was refused for it",
    )


def _signals(report: Report, part: str, runs: Sequence[TimedRun]) -> None:
    ended = [run for run in runs if run.path]
    report.add(
        f"{part}: messages with a signal",
        100 * len(ended) / len(runs),
        "%",
        target=100,
        sense="at least",
        note=f"{len(ended)} of {len(runs)}; verdicts {_listed(Counter(r.verdict for r in ended))}",
    )


def _faulty(report: Report, stubs: Stubs, plan: VerifyPlan, world: _World) -> None:
    """Verify the same messages in a sound world and in a failing one."""
    order = _Messages(texts=world.simple(plan.faulty), at_once=4)
    with _home(stubs, model=True) as env:
        stubs.reset()
        sound, _ = load(order, env)
    with _home(stubs, model=True) as env:
        failing, calls = load_failing(order, env, stubs)
    failed = sum(1 for call in calls if call.outcome != "ok")
    part = f"{100 * FAILING:.0f} % of calls failing"
    _signals(report, part, failing.runs)
    sound_verdicts = {run.verdict for run in sound.runs}
    wrong = sum(
        1
        for run in failing.runs
        if run.verdict in ("supported", "contradicted") and run.verdict not in sound_verdicts
    )
    report.add(
        f"{part}: verdicts that only the errors brought",
        wrong,
        target=0,
        note=f"{failed} of {len(calls)} calls failed; in the sound world"
        f" {_listed(Counter(run.verdict for run in sound.runs))}",
    )


async def _kill(report: Report, stubs: Stubs, at: int, texts: tuple[str, ...]) -> None:
    """Kill the process when the stubs have received call `at`, and let another one go on."""
    with _home(stubs, model=True) as env:
        stubs.latency(*_CROWDED)
        order = _Messages(texts=texts, at_once=len(texts))
        shift = await add_kill(report, at, stubs, order, env)
        stubs.latency(0.0, 0.0, 0.0)
    _signals(report, f"kill -9 at call {at}", shift.runs)


def _mean(values: Sequence[float]) -> float:
    return round(fmean(values), 5)


def _tool_counts(runs: Sequence[TimedRun]) -> str:
    tools = Counter(tool for run in runs for tool in run.tools)
    return _listed({name: count / len(runs) for name, count in sorted(tools.items())}) or "none"


def _listed(counts: Mapping[str, float]) -> str:
    return ", ".join(f"{count:g} {name}" for name, count in counts.items())
