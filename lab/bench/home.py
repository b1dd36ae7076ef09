"""The data folder of a measured process: settings that lead to the stubs, loads, and what they leave."""

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
_TRIES = 5  # of one call, each with its own chance to fail


@contextlib.contextmanager
def home(
    stubs: Stubs, models: tuple[str, str] | None = None, **more: str
) -> Generator[dict[str, str]]:
    """Create a data folder, and yield settings that lead to the stubs and nowhere else.

    `models` are the light and the heavy one, `more` further settings (`budget__month_usd`).
    """
    settings = {
        "search__chain": "tavily",
        "fetch__allow_private": "127.0.0.0/8",
        # All sites are one machine here; politeness towards it would be measured as slowness.
        "fetch__per_host": "100",
        "search__providers__tavily__at_once": "64",
        "budget__run_usd": "none",
        "budget__day_usd": "none",
        "budget__month_usd": "none",
        **more,
    }
    env = {"TAVILY_BASE_URL": stubs.url("tavily"), "TAVILY_API_KEY": "stub"}
    if models is not None:
        settings["models__light"], settings["models__heavy"] = models
        settings["models__exam"] = "off"  # what is measured is the runs
        env |= {"OPENAI_BASE_URL": stubs.url("model"), "OPENAI_API_KEY": "stub"}
    env |= {f"GROUNDWIRE_{name.upper()}": value for name, value in settings.items()}
    with tempfile.TemporaryDirectory() as folder:
        yield process.environment(Path(folder), env)


def opened(env: Mapping[str, str]) -> contextlib.AbstractAsyncContextManager[App]:
    """Open the app over the data folder of a measured process."""
    return open_app(Settings.load(cwd=Path(env["HOME"]), env=env))


async def timed_command(
    arguments: Sequence[str], env: Mapping[str, str], repeats: int
) -> list[process.Ended]:
    """Run a command of ours in this many processes, one after the other."""
    found: list[process.Ended] = []
    for _ in range(repeats):
        found.append(await asyncio.to_thread(process.run, ["-m", "groundwire", *arguments], env))
        if found[-1].code != 0:
            raise IllegalState(f"A measured command failed: {found[-1].error.strip()[-300:]}")
    return found


async def timed_asks(
    questions: Iterable[str], env: Mapping[str, str]
) -> tuple[list[process.Ended], list[float]]:
    """Ask each question in a new process; return them with the seconds to the first stored event."""
    runs: list[process.Ended] = []
    firsts: list[float] = []
    for question in questions:
        runs += await timed_command(("ask", "--json", question), env, 1)
        async with opened(env) as app:
            last = await app.runs.find("last")
            events = await app.runs.events(last.id, limit=1)
        firsts.append((events[0].at - runs[-1].began).total_seconds())
    return runs, firsts


def _arguments(order: Order) -> list[str]:
    return ["-m", "lab.bench.load", order.model_dump_json()]


def load(
    order: Order, env: Mapping[str, str], *, weigh: bool = False, whole: bool = False
) -> tuple[Load, float]:
    """Run an order in a process; return its report and the most megabytes that it held.

    With `whole`, every run must have its result, or its times would mean nothing.
    """
    ended = process.run(_arguments(order), env, weigh=weigh)
    found = Load.model_validate(ended.json())
    unfinished = [run for run in found.runs if run.state not in ("complete", "degraded")]
    if whole and unfinished:
        raise IllegalState(f"A measured run ended as {unfinished[0].state}: {unfinished[0].error}")
    return found, ended.pss_mb


def faults(share: float) -> list[Rule]:
    """Make every try of every call fail with this chance, independent of the tries before."""
    each = 1 - (1 - share) ** (1 / len(_FAULTS))
    return [
        Rule(fault, share=each, seed=attempt * len(_FAULTS) + kind, calls=(attempt,), each=True)
        for attempt in range(_TRIES)
        for kind, fault in enumerate(_FAULTS)
    ]


def load_failing(order: Order, env: Mapping[str, str], stubs: Stubs) -> tuple[Load, list[Call]]:
    """Run an order in a failing world; return its report and the calls that were made."""
    stubs.reset()
    stubs.faults(*faults(FAILING))
    failing, _ = load(order, env)
    calls = stubs.log()
    stubs.reset()
    return failing, calls


def add_stall(report: Report, part: str, spent: Seconds) -> None:
    """Report how long the event loop was blocked, beside what is allowed."""
    note = f"{spent.stall_cpu:.3f} s of CPU between two ticks at most"
    report.add(f"{part}: event loop held", spent.stall, "s", target=0.1, note=note)


async def add_kill(
    report: Report, at: int, stubs: Stubs, order: Order, env: Mapping[str, str]
) -> Load:
    """Kill the process when the stubs have received call `at`, and let another one go on."""
    stubs.reset()
    began = time.monotonic()
    in_flight = await _kill_at(at, stubs, order, env)
    finish = Order(kind=order.kind, finish=True, at_once=order.at_once)
    found, _ = await asyncio.to_thread(load, finish, env)
    # By host too: /robots.txt is the same on every site of the small web.
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


async def _kill_at(at: int, stubs: Stubs, order: Order, env: Mapping[str, str]) -> int:
    """Kill the process at this call; return how many calls were in flight."""
    victim = process.start(_arguments(order), env)
    stubs.kill(victim.pid, at)
    _, output = await asyncio.to_thread(victim.communicate)
    if victim.returncode != -9:
        raise IllegalState(f"All was over before call {at}: {output.decode()[-300:]}")
    async with opened(env) as app:
        runs = await app.runs.recent(limit=1000)
        records = [each for run in runs for each in await app.runs.calls(run.id)]
        return sum(1 for record in records if record.outcome == "intent")
