"""`ask` under measurement: cold, warm, many at once, with faults, and after kill -9.

The stubs are a process of their own, the measured work is another; this one only counts.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.errors import IllegalState
from lab.bench import process
from lab.bench.coldstart import bench_coldstart
from lab.bench.home import first_event, home, killed_at, repeats, timed_command
from lab.bench.load import Load, Order, Seconds, TimedRun
from lab.bench.table import Report, median
from lab.stubs import Call, Fault, Rule, Stubs, running_stubs

MODEL, SEARCH, PAGE = 0.3, 0.2, 0.05  # seconds that the other side takes
SPREAD = 128  # loopback addresses: sites are told apart by their address here
_MODELS = ("openai:stub", "openai:stub")
_FAILING = 0.2
_TRIES = 5  # of one call that the faults are rolled for, each on its own
_KILLS = (0, 3, 20, 26)  # plan, a search, a page, the answer: places in the stubs' log
_LETTERS = "aeioukmnprstvwxz"  # of made-up names
_FAULTS = (
    Fault("error", status=500),
    Fault("error", status=503),
    Fault("rate_limited", seconds=0.2),
    Fault("cut_off"),
)


@dataclass(frozen=True, slots=True)
class AskPlan:
    """How much is measured; the defaults are the long version."""

    cold: int = 3
    warm_up: int = 2
    warm: int = 10
    crowds: tuple[int, ...] = (1, 8, 32)
    rounds: int = 2  # runs of each member of a crowd
    faulty: int = 5
    kills: tuple[int, ...] = _KILLS
    pages: int = 100_000  # so many that runs hardly ever meet
    latency: tuple[float, float, float] = (MODEL, SEARCH, PAGE)
    weigh: bool = True


def question(number: int) -> str:
    """A question of its own: its made-up name is in every search that the model stub plans."""
    name = "q" + "".join(_LETTERS[number // 16**place % 16] for place in range(4))
    return f"Did USDC lose its peg in March 2023, and why? Asked for {name.capitalize()}"


class _Fresh:
    """Questions that were not asked before."""

    def __init__(self) -> None:
        self._all = map(question, itertools.count())

    def take(self, count: int) -> tuple[str, ...]:
        return tuple(itertools.islice(self._all, count))


QUICK = AskPlan(cold=1, warm=3, crowds=(8,), rounds=1, faulty=2, kills=(20,))
LARGE = AskPlan(crowds=(1, 8, 32, 200))


async def bench_ask(
    plan: AskPlan | None = None, *, quick: bool = False, large: bool = False
) -> Report:
    """All figures of `ask` in one table; `large` adds 200 runs at once."""
    process.require_psutil()
    plan = plan or (QUICK if quick else LARGE if large else AskPlan())
    model, search, page = plan.latency
    report = Report(
        "ask: 5 searches, 20 pages of 30-100 kB, "
        f"model {model * 1000:.0f} ms, search {search * 1000:.0f} ms, page {page * 1000:.0f} ms"
    )
    fresh = _Fresh()
    if plan.cold:
        report.rows += (await bench_coldstart(2 * plan.cold - 1)).rows
    with _stubs(plan, plan.pages) as stubs:
        await _cold(report, stubs, plan, fresh)
        await asyncio.to_thread(_warm, report, stubs, plan, fresh)
        for crowd in plan.crowds:
            await asyncio.to_thread(_crowd, report, stubs, plan, crowd, fresh, "own pages")
        if plan.faulty:
            await asyncio.to_thread(_faulty, report, stubs, plan, fresh)
        for at in plan.kills:
            await _killed(report, stubs, at, fresh.take(1)[0])
    if plan.crowds:
        # One page for each article of the sample: every run reads the same ones.
        with _stubs(plan, 1) as stubs:
            crowd = min(plan.crowds[-1], 32)
            await asyncio.to_thread(_crowd, report, stubs, plan, crowd, fresh, "shared pages")
    return report


def _stubs(plan: AskPlan, pages: int) -> Stubs:
    model, search, page = plan.latency
    return running_stubs(
        latency_model=model,
        latency_search=search,
        latency_page=page,
        pages=pages,
        spread=SPREAD,
    )


def _load(order: Order, env: Mapping[str, str], *, weigh: bool = False) -> tuple[Load, float]:
    ended = process.run(_loading(order), env, weigh=weigh)
    load = Load.model_validate(ended.json())
    lost = [run.state for run in load.runs if run.state not in ("complete", "degraded")]
    if lost:
        raise IllegalState(f"A measured run ended as {lost[0]}.")
    return load, ended.pss_mb


def _loading(order: Order) -> list[str]:
    return ["-m", "lab.bench.load", order.model_dump_json()]


async def _cold(report: Report, stubs: Stubs, plan: AskPlan, fresh: _Fresh) -> None:
    """A new process for each question, as `gw ask` is; the first one makes the database too."""
    if not plan.cold:
        return
    part = "cold with a model"
    firsts: list[float] = []
    with home(stubs, _MODELS) as env:
        runs: list[process.Ended] = []
        for text in fresh.take(plan.cold + 1):
            runs += await timed_command(("ask", "--json", text), env, 1)
            firsts.append(await first_event(env, runs[-1]))
    cpu = f"CPU {median([run.cpu for run in runs[1:]]):.2f} s, median of {plan.cold}"
    wall = median([run.wall for run in runs[1:]])
    report.add(f"{part}: first use, done", runs[0].wall, "s", note=f"CPU {runs[0].cpu:.2f} s")
    report.add(f"{part}: process start to end", wall, "s", target=4.5, note=cpu)
    report.add(f"{part}: process start to first event", median(firsts[1:]), "s", target=0.5)


def _warm(report: Report, stubs: Stubs, plan: AskPlan, fresh: _Fresh) -> None:
    """One run after the other in a process that has worked before."""
    order = Order(warm=fresh.take(plan.warm_up), texts=fresh.take(plan.warm))
    with home(stubs, _MODELS) as env:
        stubs.reset()
        load, pss = _load(order, env, weigh=plan.weigh)
        calls = stubs.log()
    ratios = [(run.ended - run.began) / ideal(_during(calls, run)) for run in load.runs]
    walls = [run.ended - run.began for run in load.runs]
    cpu = load.spent.cpu / len(load.runs)
    report.add("warm: CPU a run", cpu, "s", target=0.3, note=f"mean of {plan.warm}")
    report.add("warm: wall a run", median(walls), "s", note="median")
    worst = f"worst {max(ratios):.2f}"
    report.add("warm: wall / ideal", median(ratios), "×", target=1.1, note=worst)
    firsts = [run.first_event for run in load.runs]
    report.add("warm: submit to first event", median(firsts), "s", target=0.1)
    if plan.weigh:
        report.add("warm: peak PSS of the process tree", pss, "MB", target=250)
    add_stall(report, "warm", load.spent)
    held = f"first run of the process, {load.cold.stall_cpu:.2f} s of it CPU"
    report.add("warm: event loop held while cold", load.cold.stall, "s", note=held)
    _counts(report, "warm", load.runs, calls)


def add_stall(report: Report, part: str, spent: Seconds) -> None:
    note = f"{spent.stall_cpu:.3f} s of CPU between two ticks at most"
    report.add(f"{part}: event loop held", spent.stall, "s", target=0.1, note=note)


def _counts(report: Report, part: str, runs: Sequence[TimedRun], calls: Sequence[Call]) -> None:
    """What was done for those times: nothing is fast by being left out."""
    seen = Counter(call.stub for call in calls)
    log = f"stubs' log: {seen['model']} model, {seen['tavily']} search, {seen['web']} page"
    snippets, sentences = (
        _mean([getattr(run, name) for run in runs]) for name in ("snippets", "sentences")
    )
    for name, field, note in (
        ("calls sent", "sent", log),
        ("pages read", "pages", f"{snippets:g} snippets"),
        ("calls answered by the cache", "cached", ""),
        ("events", "events", f"{sentences:g} checked sentences"),
    ):
        value = _mean([getattr(run, field) for run in runs])
        report.add(f"{part}: {name} a run", value, note=note)


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 2) if values else 0.0


def _during(calls: Sequence[Call], run: TimedRun) -> list[Call]:
    return [call for call in calls if run.began <= call.received_at <= run.ended]


def ideal(calls: Sequence[Call]) -> float:
    """The least a run of these calls could take: model calls wait for one another, the slowest
    search and the slowest page are waited for once; as long as the stubs themselves took."""
    took: dict[str, list[float]] = {"model": [], "tavily": [], "web": []}
    for call in calls:
        if call.replied_at is not None:
            took[call.stub].append(call.replied_at - call.received_at)
    least = sum(took["model"]) + max(took["tavily"], default=0) + max(took["web"], default=0)
    if not least:
        raise IllegalState("The stubs saw no call of the measured run.")
    return least


def _crowd(
    report: Report, stubs: Stubs, plan: AskPlan, crowd: int, fresh: _Fresh, pages: str
) -> None:
    """Many runs at once in one process."""
    count = crowd * plan.rounds
    order = Order(warm=fresh.take(1), texts=fresh.take(count), at_once=crowd)
    with home(stubs, _MODELS) as env:
        stubs.reset()
        load, pss = _load(order, env, weigh=plan.weigh)
        calls = stubs.log()
    part = f"{crowd} at once, {pages}"
    asked = 200 if crowd == 32 and pages == "own pages" else None
    report.add(
        f"{part}: throughput",
        60 * len(load.runs) / load.spent.wall,
        "runs/min",
        target=asked,
        sense="at least",
        note=f"{count} runs, CPU {load.spent.cpu / count:.2f} s a run"
        + (f", PSS {pss:.0f} MB" if plan.weigh else ""),
    )
    add_stall(report, part, load.spent)
    _counts(report, part, load.runs, calls)


def faults(share: float) -> list[Rule]:
    """Every try of every call fails with this chance, whatever became of the tries before."""
    each = 1 - (1 - share) ** (1 / len(_FAULTS))
    return [
        Rule(fault, share=each, seed=attempt * len(_FAULTS) + kind, calls=(attempt,), each=True)
        for attempt in range(_TRIES)
        for kind, fault in enumerate(_FAULTS)
    ]


def _faulty(report: Report, stubs: Stubs, plan: AskPlan, fresh: _Fresh) -> None:
    """The same questions to a sound and to a failing world."""
    order = Order(texts=fresh.take(plan.faulty))
    with home(stubs, _MODELS) as env:
        stubs.reset()
        sound, _ = _load(order, env)
    with home(stubs, _MODELS) as env:
        stubs.reset()
        stubs.faults(*faults(_FAILING))
        failing, _ = _load(order, env)
        calls = stubs.log()
        stubs.reset()
    failed = sum(1 for call in calls if call.outcome != "ok")
    had = sum(run.pages for run in sound.runs)
    kept = sum(run.pages for run in failing.runs)
    snippets = sum(run.snippets for run in failing.runs)
    report.add(
        "faults: sources kept",
        100 * kept / had,
        "%",
        target=95,
        sense="at least",
        note=f"{kept} of {had} pages read in full, {snippets} more kept as snippets;"
        f" {failed} of {len(calls)} calls failed ({100 * failed / len(calls):.0f} %)",
    )


async def _killed(report: Report, stubs: Stubs, at: int, text: str) -> None:
    """SIGKILL when the stubs have received call `at`; then another process goes on."""
    with home(stubs, _MODELS) as env:
        stubs.reset()
        began = time.monotonic()
        in_flight = await killed_at(at, stubs, _loading(Order(texts=(text,))), env)
        load, _ = await asyncio.to_thread(_load, Order(finish=True), env)
        different, repeated = repeats(stubs)
        stubs.reset()
    report.add(
        f"kill -9 at call {at}: calls repeated",
        repeated,
        target=in_flight,
        note=f"{in_flight} were in flight; {different} different calls,"
        f" ledger says {load.runs[0].repeated} repeated, {time.monotonic() - began:.1f} s in all",
    )
