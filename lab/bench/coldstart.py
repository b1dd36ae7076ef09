"""How long a cold command takes: `gw --help`, and `gw ask` on the sample archive."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from lab.bench import process
from lab.bench.home import opened, timed_asks, timed_command
from lab.bench.table import Report

QUESTION = "Did USDC lose its peg in March 2023, and why?"


async def bench_coldstart(repeats: int = 5) -> Report:
    """Measure medians beside the interpreter's own start, which cancels out the machine's speed."""
    report = Report(f"cold start: median of {repeats} processes")
    with tempfile.TemporaryDirectory() as folder:
        env = process.environment(Path(folder), {"GROUNDWIRE_OFFLINE": "1"})
        started = [
            await asyncio.to_thread(process.run, ["-c", "pass"], env) for _ in range(repeats)
        ]
        bare = median([each.wall for each in started])
        report.add("cold: bare interpreter", bare, "s")
        shown = await timed_command(["--help"], env, repeats)
        wall, note = _against(shown, bare)
        report.add("cold: gw --help", wall, "s", target=0.3, note=note)
        async with opened(env) as app:
            articles = await app.archive.add_sample()
        runs, firsts = await timed_asks([QUESTION] * repeats, env)
    first, part = median(firsts), "cold: gw ask on the sample"
    report.add(f"{part}, first step", first, "s", target=0.5, note=f"{first / bare:.1f} × bare")
    wall, note = _against(runs, bare)
    note += f", {articles} articles, {len(runs[-1].json()['answer'])} sentences"
    report.add(f"{part}, done", wall, "s", target=3.5, note=note)
    return report


def _against(runs: Sequence[process.Ended], bare: float) -> tuple[float, str]:
    """Return the median wall time, and how it compares with a bare interpreter."""
    wall, cpu = median([run.wall for run in runs]), median([run.cpu for run in runs])
    return wall, f"{wall / bare:.1f} × bare, CPU {cpu:.2f} s"
