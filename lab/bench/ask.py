"""`ask` under measurement: cold, warm, many at once, with faults, and after kill -9.

The stubs run in one process and the measured work in another; this one only counts.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean, median

from groundwire.errors import IllegalState
from lab.bench import process
from lab.bench.coldstart import bench_coldstart
from lab.bench.home import add_kill, add_stall, home, load, load_failing, timed_asks
from lab.bench.load import Order, TimedRun
from lab.bench.rumours import spell
from lab.bench.table import Report
from lab.stubs import Call, Stubs, running_stubs

MODEL, SEARCH, PAGE = 0.3, 0.2, 0.05  # seconds that the other side takes
SPREAD = 128  # loopback addresses: here a site is an address
_MODELS = ("openai:stub", "openai:stub")
_Questions = partial(Order, kind="ask")
_KILLS = (0, 3, 20, 26)  # plan, a search, a page, the answer: places in the stubs' log


@dataclass(frozen=True, slots=True)
class AskPlan:
    """How much is measured; the defaults are the long version."""

    cold: int = 3
    warm_up: int = 2
    warm: int = 10
    crowds: tuple[int, ...] = (1, 8, 32)
    rounds: int = 2  # runs one after the other, for each of those at once
    faulty: int = 5
    kills: tuple[int, ...] = _KILLS
    pages: int = 100_000  # so many that runs hardly ever read the same one
    latency: tuple[float, float, float] = (MODEL, SEARCH, PAGE)


def question(number: int) -> str:
    """Make up a question that no other run asks: its made-up name is in every planned search."""
    return f"Did USDC lose its peg in March 2023, and why? Asked for Q{spell(number)}"


_Fresh = Iterator[str]  # questions that were not asked before


def _take(fresh: _Fresh, count: int) -> tuple[str, ...]:
    return tuple(itertools.islice(fresh, count))


QUICK = AskPlan(cold=1, warm=3, crowds=(8,), rounds=1, faulty=2, kills=(20,))
LARGE = AskPlan(crowds=(1, 8, 32, 200))


async def bench_ask(
    plan: AskPlan | None = None, *, quick: bool = False, large: bool = False
) -> Report:
    """Measure `ask` and return all figures in one table; `large` adds 200 runs at once."""
    process.require_psutil()
    plan = plan or (QUICK if quick else LARGE if large else AskPlan())
    model, search, page = plan.latency
    report = Report(
        "ask: 5 searches, 20 pages of 30-100 kB, "
        f"model {model * 1000:.0f} ms, search {search * 1000:.0f} ms, page {page * 1000:.0f} ms"
    )
    fresh = map(question, itertools.count())
    if plan.cold:
        report.rows += (await bench_coldstart(2 * plan.cold - 1)).rows
    with running_stubs(pages=plan.pages, spread=SPREAD) as stubs:
        stubs.latency(*plan.latency)
        await _cold(report, stubs, plan, fresh)
        await asyncio.to_thread(_warm, report, stubs, plan, fresh)
        for crowd in plan.crowds:
            await asyncio.to_thread(_crowd, report, stubs, plan, crowd, fresh, "own pages")
        if plan.faulty:
            await asyncio.to_thread(_faulty, report, stubs, plan, fresh)
        for at in plan.kills:
            with home(stubs, _MODELS) as env:
                await add_kill(report, at, stubs, _Questions(texts=_take(fresh, 1)), env)
    if plan.crowds:
        # One page for each article of the sample: every run reads the same ones.
        with running_stubs(pages=1, spread=SPREAD) as stubs:
            stubs.latency(*plan.latency)
            crowd = min(plan.crowds[-1], 32)
            await asyncio.to_thread(_crowd, report, stubs, plan, crowd, fresh, "shared pages")
    return report


async def _cold(report: Report, stubs: Stubs, plan: AskPlan, fresh: _Fresh) -> None:
    """Start a new process for each question, as `gw ask` does; the first also creates the database."""
    if not plan.cold:
        return
    part = "cold with a model"
    with home(stubs, _MODELS) as env:
        runs, firsts = await timed_asks(_take(fresh, plan.cold + 1), env)
    cpu = f"CPU {median([run.cpu for run in runs[1:]]):.2f} s, median of {plan.cold}"
    wall = median([run.wall for run in runs[1:]])
    report.add(f"{part}: first use, done", runs[0].wall, "s", note=f"CPU {runs[0].cpu:.2f} s")
    report.add(f"{part}: process start to end", wall, "s", target=4.5, note=cpu)
    report.add(f"{part}: process start to first event", median(firsts[1:]), "s", target=0.5)


def _warm(report: Report, stubs: Stubs, plan: AskPlan, fresh: _Fresh) -> None:
    """Run one question after the other in a process that is warm."""
    warm = _take(fresh, plan.warm_up)
    order = _Questions(texts=_take(fresh, plan.warm), warm=warm)
    with home(stubs, _MODELS) as env:
        stubs.reset()
        found, pss = load(order, env, weigh=True, whole=True)
        calls = stubs.log()
    ratios = [
        run.wall / ideal([each for each in calls if run.began <= each.received_at <= run.ended])
        for run in found.runs
    ]
    cpu = found.spent.cpu / len(found.runs)
    report.add("warm: CPU a run", cpu, "s", target=0.3, note=f"mean of {plan.warm}")
    report.add("warm: wall a run", median(run.wall for run in found.runs), "s", note="median")
    worst = f"worst {max(ratios):.2f}"
    report.add("warm: wall / ideal", median(ratios), "×", target=1.1, note=worst)
    first = median(run.first_event for run in found.runs)
    report.add("warm: submit to first event", first, "s", target=0.1)
    report.add("warm: peak PSS of the process tree", pss, "MB", target=250)
    add_stall(report, "warm", found.spent)
    _counts(report, "warm", found.runs, calls)


def _counts(report: Report, part: str, runs: Sequence[TimedRun], calls: Sequence[Call]) -> None:
    """Report the work behind the times, so that nothing is fast by being left out."""
    seen = Counter(call.stub for call in calls)
    log = f"stubs' log: {seen['model']} model, {seen['tavily']} search, {seen['web']} page"

    def mean(field: str) -> float:
        return round(fmean(getattr(run, field) for run in runs), 2)

    for name, field, note in (
        ("calls sent", "sent", log),
        ("pages read", "pages", f"{mean('snippets'):g} snippets"),
        ("calls answered by the cache", "cached", ""),
        ("events", "events", f"{mean('sentences'):g} checked sentences"),
    ):
        report.add(f"{part}: {name} a run", mean(field), note=note)


def ideal(calls: Sequence[Call]) -> float:
    """Return the least time that a run of these calls could take.

    Model calls wait for one another, the slowest search and the slowest page are waited for once, all
    as long as the stubs themselves took.
    """
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
    """Run many questions at once in one process."""
    count = crowd * plan.rounds
    warm = _take(fresh, 1)
    order = _Questions(texts=_take(fresh, count), warm=warm, at_once=crowd)
    with home(stubs, _MODELS) as env:
        stubs.reset()
        found, pss = load(order, env, weigh=True, whole=True)
        calls = stubs.log()
    part = f"{crowd} at once, {pages}"
    target = 200 if crowd == 32 and pages == "own pages" else None
    report.add(
        f"{part}: throughput",
        60 * len(found.runs) / found.spent.wall,
        "runs/min",
        target=target,
        sense="at least",
        note=f"{count} runs, CPU {found.spent.cpu / count:.2f} s a run, PSS {pss:.0f} MB",
    )
    add_stall(report, part, found.spent)
    _counts(report, part, found.runs, calls)


def _faulty(report: Report, stubs: Stubs, plan: AskPlan, fresh: _Fresh) -> None:
    """Ask the same questions of a sound world and of a failing one."""
    order = _Questions(texts=_take(fresh, plan.faulty))
    with home(stubs, _MODELS) as env:
        stubs.reset()
        sound, _ = load(order, env, whole=True)
    with home(stubs, _MODELS) as env:
        failing, calls = load_failing(order, env, stubs)
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
