"""`ask` under measurement: cold, warm, many at once, with faults, and after kill -9.

The stubs are a process of their own, the measured work is another; this one only counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.errors import IllegalState
from lab.bench import process
from lab.bench.coldstart import bench_coldstart, first_event, opened
from lab.bench.load import Load, Order, TimedRun
from lab.bench.table import Report, median
from lab.stubs import Call, Fault, Rule, Stubs, running_stubs

MODEL, SEARCH, PAGE = 0.3, 0.2, 0.05  # seconds that the other side takes
SPREAD = 128  # loopback addresses: sites are told apart by their address here
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
    return f"Did USDC lose its peg in March 2023, and why? TimedRun for {name.capitalize()}"


class _Numbers:
    """Questions that were not asked before."""

    def __init__(self) -> None:
        self._next = 0

    def take(self, count: int) -> tuple[str, ...]:
        begun = self._next
        self._next += count
        return tuple(question(number) for number in range(begun, begun + count))


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
    fresh = _Numbers()
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


@contextlib.contextmanager
def _home(stubs: Stubs) -> Generator[dict[str, str]]:
    """A fresh data folder, and settings that lead to the stubs and nowhere else."""
    with tempfile.TemporaryDirectory() as folder:
        yield process.environment(
            Path(folder),
            {
                "GROUNDWIRE_SEARCH__CHAIN": "tavily",
                "TAVILY_BASE_URL": stubs.tavily_url,
                "TAVILY_API_KEY": "stub",
                "OPENAI_BASE_URL": stubs.model_url,
                "OPENAI_API_KEY": "stub",
                "GROUNDWIRE_MODELS__LIGHT": "openai:stub",
                "GROUNDWIRE_MODELS__HEAVY": "openai:stub",
                "GROUNDWIRE_FETCH__ALLOW_PRIVATE": "127.0.0.0/8",
                # All sites are one machine here; being polite to it would be measured as slow.
                "GROUNDWIRE_FETCH__PER_HOST": "100",
                "GROUNDWIRE_SEARCH__PROVIDERS__TAVILY__AT_ONCE": "64",
                "GROUNDWIRE_BUDGET__RUN_USD": "none",
                "GROUNDWIRE_BUDGET__DAY_USD": "none",
                "GROUNDWIRE_BUDGET__MONTH_USD": "none",
            },
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


async def _cold(report: Report, stubs: Stubs, plan: AskPlan, fresh: _Numbers) -> None:
    """A new process for each question, as `gw ask` is; the first one makes the database too."""
    if not plan.cold:
        return
    walls: list[float] = []
    cpus: list[float] = []
    firsts: list[float] = []
    with _home(stubs) as env:
        for text in fresh.take(plan.cold + 1):
            arguments = ["-m", "groundwire", "ask", "--json", text]
            ended = await asyncio.to_thread(process.run, arguments, env)
            ended.json()
            walls.append(ended.wall)
            cpus.append(ended.cpu)
            firsts.append(await first_event(env, ended))
    report.add("cold with a model: first use, done", walls[0], "s", note=f"CPU {cpus[0]:.2f} s")
    cpu = f"CPU {median(cpus[1:]):.2f} s, median of {plan.cold}"
    report.add(
        "cold with a model: process start to end", median(walls[1:]), "s", target=4.5, note=cpu
    )
    report.add(
        "cold with a model: process start to first event", median(firsts[1:]), "s", target=0.5
    )


def _warm(report: Report, stubs: Stubs, plan: AskPlan, fresh: _Numbers) -> None:
    """One run after the other in a process that has worked before."""
    order = Order(warm=fresh.take(plan.warm_up), questions=fresh.take(plan.warm))
    with _home(stubs) as env:
        stubs.reset()
        load, pss = _load(order, env, weigh=plan.weigh)
        calls = stubs.log()
    ratios = [(run.ended - run.began) / ideal(_during(calls, run)) for run in load.runs]
    walls = [run.ended - run.began for run in load.runs]
    count = f"mean of {plan.warm}"
    report.add("warm: CPU a run", load.cpu / len(load.runs), "s", target=0.3, note=count)
    report.add("warm: wall a run", median(walls), "s", note="median")
    report.add(
        "warm: wall / ideal", median(ratios), "×", target=1.1, note=f"worst {max(ratios):.2f}"
    )
    firsts = [run.first_event for run in load.runs]
    report.add("warm: submit to first event", median(firsts), "s", target=0.1)
    if plan.weigh:
        report.add("warm: peak PSS of the process tree", pss, "MB", target=250)
    _stalls(report, "warm", load)
    report.add(
        "warm: event loop held while cold",
        load.warm_stall,
        "s",
        note=f"first run of the process, {load.warm_stall_cpu:.2f} s of it CPU",
    )
    _counts(report, "warm", load.runs, calls)


def _stalls(report: Report, part: str, load: Load) -> None:
    note = f"{load.stall_cpu:.3f} s of CPU between two ticks at most"
    report.add(f"{part}: event loop held", load.stall, "s", target=0.1, note=note)


def _counts(report: Report, part: str, runs: Sequence[TimedRun], calls: Sequence[Call]) -> None:
    """What was done for those times: nothing is fast by being left out."""
    seen = Counter(call.stub for call in calls)
    report.add(
        f"{part}: calls sent a run",
        _mean([run.sent for run in runs]),
        note=f"stubs' log: {seen['model']} model, {seen['tavily']} search, {seen['web']} page",
    )
    report.add(
        f"{part}: pages read a run",
        _mean([run.pages for run in runs]),
        note=f"{_mean([run.snippets for run in runs]):g} snippets",
    )
    report.add(f"{part}: calls answered by the cache a run", _mean([run.cached for run in runs]))
    report.add(
        f"{part}: events a run",
        _mean([run.events for run in runs]),
        note=f"{_mean([run.sentences for run in runs]):g} checked sentences",
    )


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
    report: Report, stubs: Stubs, plan: AskPlan, crowd: int, fresh: _Numbers, pages: str
) -> None:
    """Many runs at once in one process."""
    count = crowd * plan.rounds
    order = Order(warm=fresh.take(1), questions=fresh.take(count), at_once=crowd)
    with _home(stubs) as env:
        stubs.reset()
        load, pss = _load(order, env, weigh=plan.weigh)
        calls = stubs.log()
    part = f"{crowd} at once, {pages}"
    asked = 200 if crowd == 32 and pages == "own pages" else None
    report.add(
        f"{part}: throughput",
        60 * len(load.runs) / load.wall,
        "runs/min",
        target=asked,
        sense="at least",
        note=f"{count} runs, CPU {load.cpu / count:.2f} s a run"
        + (f", PSS {pss:.0f} MB" if plan.weigh else ""),
    )
    _stalls(report, part, load)
    _counts(report, part, load.runs, calls)


def faults(share: float) -> list[Rule]:
    """Every try of every call fails with this chance, whatever became of the tries before."""
    each = 1 - (1 - share) ** (1 / len(_FAULTS))
    return [
        Rule(fault, share=each, seed=attempt * len(_FAULTS) + kind, calls=(attempt,), each=True)
        for attempt in range(_TRIES)
        for kind, fault in enumerate(_FAULTS)
    ]


def _faulty(report: Report, stubs: Stubs, plan: AskPlan, fresh: _Numbers) -> None:
    """The same questions to a sound and to a failing world."""
    order = Order(questions=fresh.take(plan.faulty))
    with _home(stubs) as env:
        stubs.reset()
        sound, _ = _load(order, env)
    with _home(stubs) as env:
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
    with _home(stubs) as env:
        stubs.reset()
        began = time.monotonic()
        victim = process.start(_loading(Order(questions=(text,))), env)
        stubs.kill(victim.pid, at)
        _, said = await asyncio.to_thread(victim.communicate)
        if victim.returncode != -9:
            raise IllegalState(f"The run was over before call {at}: {said.decode()[-300:]}")
        in_flight = await _open_intents(env)
        load, _ = await asyncio.to_thread(_load, Order(finish=True), env)
        # By host too: /robots.txt has the same content on every site of the small web.
        seen = Counter((call.host, call.content) for call in stubs.log())
        stubs.reset()
    repeated = sum(count - 1 for count in seen.values())
    report.add(
        f"kill -9 at call {at}: calls repeated",
        repeated,
        target=in_flight,
        note=f"{in_flight} were in flight; {len(seen)} different calls,"
        f" ledger says {load.runs[0].repeated} repeated, {time.monotonic() - began:.1f} s in all",
    )


async def _open_intents(env: Mapping[str, str]) -> int:
    async with opened(env) as app:
        run = await app.runs.find("last")
        records = await app.runs.calls(run.id)
        return sum(1 for record in records if record.outcome == "intent")
