"""The data folder of a measured process: settings that lead to the stubs, what is measured in it, and
what was left there."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path

from groundwire.app import App, open_app
from groundwire.errors import IllegalState
from groundwire.jobs.sections import Settings
from lab.bench import process
from lab.bench.load import Load, Order, Seconds
from lab.bench.table import Report
from lab.stubs import Call, Fault, Rule, Stubs

_FAULTS = (
    Fault("error", status=500),
    Fault("error", status=503),
    Fault("rate_limited", seconds=0.2),
    Fault("cut_off"),
)
FAILING = 0.2  # of all calls
_TRIES = 5  # of one call that the faults are rolled for, each on its own


@contextlib.contextmanager
def home(
    stubs: Stubs, models: tuple[str, str] | None = None, **more: str
) -> Generator[dict[str, str]]:
    """A fresh data folder, and settings that lead to the stubs and nowhere else.

    `models` are the light and the heavy one, `more` further settings (`budget__month_usd`).
    """
    settings = {
        "search__chain": "tavily",
        "fetch__allow_private": "127.0.0.0/8",
        # All sites are one machine here; being polite to it would be measured as slow.
        "fetch__per_host": "100",
        "search__providers__tavily__at_once": "64",
        "budget__run_usd": "none",
        "budget__day_usd": "none",
        "budget__month_usd": "none",
        **more,
    }
    env = {"TAVILY_BASE_URL": stubs.tavily_url, "TAVILY_API_KEY": "stub"}
    if models is not None:
        settings["models__light"], settings["models__heavy"] = models
        env |= {"OPENAI_BASE_URL": stubs.model_url, "OPENAI_API_KEY": "stub"}
    env |= {f"GROUNDWIRE_{name.upper()}": value for name, value in settings.items()}
    with tempfile.TemporaryDirectory() as folder:
        yield process.environment(Path(folder), env)


def opened(env: Mapping[str, str]) -> contextlib.AbstractAsyncContextManager[App]:
    """The app over the data folder of a measured process."""
    return open_app(Settings.load(cwd=Path(env["HOME"]), env=env))


async def timed_command(
    arguments: Sequence[str], env: Mapping[str, str], repeats: int
) -> list[process.Ended]:
    """A command of ours, in so many processes one after the other."""
    found: list[process.Ended] = []
    for _ in range(repeats):
        found.append(await asyncio.to_thread(process.run, ["-m", "groundwire", *arguments], env))
        if found[-1].code != 0:
            raise IllegalState(f"A measured command failed: {found[-1].error.strip()[-300:]}")
    return found


async def timed_asks(
    questions: Iterable[str], env: Mapping[str, str]
) -> tuple[list[process.Ended], list[float]]:
    """Each question in a process of its own, and the seconds to the first event that it stored."""
    runs: list[process.Ended] = []
    firsts: list[float] = []
    for question in questions:
        runs += await timed_command(("ask", "--json", question), env, 1)
        async with opened(env) as app:
            last = await app.runs.find("last")
            events = await app.runs.events(last.id, limit=1)
        firsts.append((events[0].at - runs[-1].began).total_seconds())
    return runs, firsts


def _loading(order: Order) -> list[str]:
    return ["-m", "lab.bench.load", order.model_dump_json()]


def load(
    order: Order, env: Mapping[str, str], *, weigh: bool = False, whole: bool = False
) -> tuple[Load, float]:
    """What a process made of an order, and the most megabytes that it had. `whole`: every run must
    have its result, or its times mean nothing."""
    ended = process.run(_loading(order), env, weigh=weigh)
    found = Load.model_validate(ended.json())
    lost = [run for run in found.runs if run.state not in ("complete", "degraded")]
    if whole and lost:
        raise IllegalState(f"A measured run ended as {lost[0].state}: {lost[0].error}")
    return found, ended.pss_mb


def faults(share: float) -> list[Rule]:
    """Every try of every call fails with this chance, whatever became of the tries before."""
    each = 1 - (1 - share) ** (1 / len(_FAULTS))
    return [
        Rule(fault, share=each, seed=attempt * len(_FAULTS) + kind, calls=(attempt,), each=True)
        for attempt in range(_TRIES)
        for kind, fault in enumerate(_FAULTS)
    ]


def load_failing(order: Order, env: Mapping[str, str], stubs: Stubs) -> tuple[Load, list[Call]]:
    """The same in a failing world, and the calls that were made there."""
    stubs.reset()
    stubs.faults(*faults(FAILING))
    failing, _ = load(order, env)
    calls = stubs.log()
    stubs.reset()
    return failing, calls


def add_stall(report: Report, part: str, spent: Seconds) -> None:
    """How long the loop was held, beside what is allowed."""
    note = f"{spent.stall_cpu:.3f} s of CPU between two ticks at most"
    report.add(f"{part}: event loop held", spent.stall, "s", target=0.1, note=note)


async def add_kill(
    report: Report, at: int, stubs: Stubs, order: Order, env: Mapping[str, str]
) -> Load:
    """SIGKILL when the stubs have received call `at`; then another process goes on."""
    stubs.reset()
    began = time.monotonic()
    in_flight = await _killed_at(at, stubs, order, env)
    finish = Order(kind=order.kind, finish=True, at_once=order.at_once)
    found, _ = await asyncio.to_thread(load, finish, env)
    # By host too: /robots.txt has the same content on every site of the small web.
    seen = Counter((call.host, call.content) for call in stubs.log())
    stubs.reset()
    report.add(
        f"kill -9 at call {at}: calls repeated",
        seen.total() - len(seen),
        target=in_flight,
        note=f"{in_flight} were in flight of {len(found.runs)} runs; {len(seen)} different calls,"
        f" ledger says {sum(run.repeated for run in found.runs)} repeated,"
        f" {time.monotonic() - began:.1f} s in all",
    )
    return found


async def _killed_at(at: int, stubs: Stubs, order: Order, env: Mapping[str, str]) -> int:
    """The calls that were in flight."""
    victim = process.start(_loading(order), env)
    stubs.kill(victim.pid, at)
    _, said = await asyncio.to_thread(victim.communicate)
    if victim.returncode != -9:
        raise IllegalState(f"All was over before call {at}: {said.decode()[-300:]}")
    async with opened(env) as app:
        runs = await app.runs.recent(limit=1000)
        records = [each for run in runs for each in await app.runs.calls(run.id)]
        return sum(1 for record in records if record.outcome == "intent")
