"""How long a person waits for a cold command: `gw --help`, and `gw ask` on the sample archive."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from groundwire.app import App, open_app
from groundwire.errors import IllegalState
from groundwire.jobs.sections import Settings
from lab.bench import process
from lab.bench.table import Report, median

QUESTION = "Did USDC lose its peg in March 2023, and why?"


async def bench_coldstart(repeats: int = 5) -> Report:
    """Medians; the interpreter's own start stands beside them, the machine's speed cancels out."""
    report = Report(f"cold start: median of {repeats} processes")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        env = process.environment(home, {"GROUNDWIRE_OFFLINE": "1"})
        bare, _ = await _timed(["-c", "pass"], env, repeats)
        report.add("cold: bare interpreter", median(bare), "s")
        shown, cpu = await _timed(["-m", "groundwire", "--help"], env, repeats)
        note = f"{median(shown) / median(bare):.1f} × bare, CPU {median(cpu):.2f} s"
        report.add("cold: gw --help", median(shown), "s", target=0.3, note=note)
        async with opened(env) as app:
            added = await app.archive.add_sample()
        await _ask(report, env, repeats, median(bare), added)
    return report


def opened(env: Mapping[str, str]) -> contextlib.AbstractAsyncContextManager[App]:
    """The app over the data folder of a measured process."""
    return open_app(Settings.load(cwd=Path(env["HOME"]), env=env))


async def first_event(env: Mapping[str, str], ended: process.Ended) -> float:
    """Seconds from the start of a process to the first event that it stored."""
    async with opened(env) as app:
        run = await app.runs.find("last")
        events = await app.runs.events(run.id, limit=1)
        return (events[0].at - ended.began).total_seconds()


async def _timed(
    arguments: Sequence[str], env: Mapping[str, str], repeats: int
) -> tuple[list[float], list[float]]:
    walls: list[float] = []
    cpus: list[float] = []
    for _ in range(repeats):
        ended = await asyncio.to_thread(process.run, arguments, env)
        if ended.code != 0:
            raise IllegalState(f"A measured command failed: {ended.error.strip()[-300:]}")
        walls.append(ended.wall)
        cpus.append(ended.cpu)
    return walls, cpus


async def _ask(
    report: Report, env: Mapping[str, str], repeats: int, bare: float, articles: int
) -> None:
    walls: list[float] = []
    cpus: list[float] = []
    firsts: list[float] = []
    sentences = 0
    for _ in range(repeats):
        arguments = ["-m", "groundwire", "ask", "--json", QUESTION]
        ended = await asyncio.to_thread(process.run, arguments, env)
        sentences = len(ended.json()["answer"])
        walls.append(ended.wall)
        cpus.append(ended.cpu)
        firsts.append(await first_event(env, ended))
    first = median(firsts)
    report.add(
        "cold: gw ask on the sample, first step",
        first,
        "s",
        target=0.5,
        note=f"{first / bare:.1f} × bare",
    )
    report.add(
        "cold: gw ask on the sample, done",
        median(walls),
        "s",
        target=3.5,
        note=f"{median(walls) / bare:.1f} × bare, CPU {median(cpus):.2f} s,"
        f" {articles} articles, {sentences} sentences",
    )
