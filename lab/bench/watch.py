"""Standing runs under measurement: a thousand in the schedule, and a hundred that share questions."""

from __future__ import annotations

import asyncio
import resource
import time
from collections import Counter
from datetime import datetime, timedelta
from statistics import median

from groundwire import jobs
from groundwire.app import App
from groundwire.model.schedule import Recurrence, Schedule
from groundwire.runs.timetable import Timetable
from lab.archives import fresh_app, new_run
from lab.bench.home import home, opened
from lab.bench.table import Report
from lab.stubs import Stubs, running_stubs

_HOUR = timedelta(hours=1)
_SUBJECTS = ("USDC", "DeepSeek", "Euler Finance", "Silicon Valley Bank", "Bitcoin ETF")
_EACH = 20  # watches of a subject
_TICKS = 30
_AT_ONCE = 4


async def bench_watch(*, quick: bool = False) -> Report:
    """Measure a schedule of a thousand, and searches made for a hundred; `quick`: a fifth of both."""
    count, sharing = (200, 20) if quick else (1_000, 100)
    report = Report(f"watch: {count:,} in the schedule, {sharing} that share their questions")
    await _schedule(report, count)
    with running_stubs(pages=1) as stubs:
        await _sharing(report, stubs, sharing)
    return report


# --- the schedule ------------------------------------------------------------------------------


async def _schedule(report: Report, count: int) -> None:
    async with fresh_app(offline=True) as app:
        await app.store.schedules.put(_kept(app.clock(), 0))  # what is loaded once is loaded
        before = _megabytes()
        began = time.perf_counter()
        for number in range(count):
            await app.store.schedules.put(_kept(app.clock(), number))
        made = (time.perf_counter() - began) / count
        report.add("to keep one", made * 1000, "ms")
        table = Timetable(lambda: app.store.schedules, lambda s, d: _start(app, s, d), app.clock)
        report.add(f"first look at {count:,}", await _timed(table) * 1000, "ms", target=2_000)
        idle = [await _timed(table) for _ in range(_TICKS)]
        report.add("a look with nothing due", median(idle) * 1000, "ms", target=10)
        app.clock.wind(_HOUR * 6)
        due = await _timed(table)
        runs = sum((await app.runs.counts()).values())
        note = f"{runs:,} runs stored; executing them is not counted"
        report.add(f"a look with all {count:,} due", due, "s", target=10, note=note)
        repeated = await _timed(table)
        again = sum((await app.runs.counts()).values()) - runs
        report.add("runs of the next look", again, target=0, note=f"{repeated * 1000:.1f} ms")
        grown = _megabytes() - before
        report.add("memory that all of it took", grown, "MB", target=60, note="growth of the peak")
        began = time.perf_counter()
        await app.schedules.listed()
        report.add("to list them", time.perf_counter() - began, "s", target=1)


def _kept(now: datetime, number: int) -> Schedule:
    job = jobs.find(jobs.standing())
    return Schedule(
        id=f"st-{number:010x}",
        kind=job.kind,
        input=job.input.model_validate({job.subject: f"Monitor subject {number}"}).model_dump(
            mode="json"
        ),
        text=f"Monitor subject {number}",
        said="every 6h",
        recurrence=Recurrence(seconds=21_600),
        created_at=now,
        next_at=now + 6 * _HOUR,
    )


async def _start(app: App, kept: Schedule, due: datetime) -> object:
    """Store the run of a due time, as a submit does, and leave it to nobody."""
    key = f"schedule:{kept.id}:{due.isoformat()}"
    run_id = f"{kept.kind}-{kept.id}-{due:%H%M}"
    more = {"input": kept.input, "idempotency_key": key, "schedule_id": kept.id}
    return await app.store.runs.create(new_run(app, run_id, kept.kind, **more))


async def _timed(table: Timetable) -> float:
    began = time.perf_counter()
    await table.tick()
    return time.perf_counter() - began


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# --- questions that are shared -----------------------------------------------------------------


async def _sharing(report: Report, stubs: Stubs, count: int) -> None:
    """Let watches of a few subjects look at the same time, and count what was asked and what sent."""
    with home(stubs) as env:
        async with opened(env) as app:
            kind = jobs.standing()
            field = jobs.find(kind).subject
            subjects = [_SUBJECTS[number // _EACH] for number in range(count)]
            kept = [
                await app.schedules.add(kind, {field: f"Monitor {each}"}, "every 6h")
                for each in subjects
            ]
            stubs.reset()
            began = time.perf_counter()
            places = asyncio.Semaphore(_AT_ONCE)
            states = Counter(await asyncio.gather(*(_look(app, each, places) for each in kept)))
            seconds = time.perf_counter() - began
            asked = Counter[str]()
            for each in kept:
                for run in await app.schedules.runs(each):
                    asked.update(
                        call.via for call in await app.runs.calls(run.id) if call.kind == "search"
                    )
            sent = sum(1 for call in stubs.log() if call.stub == "tavily")
    total = asked["sent"] + asked["cache"] + asked["joined"]
    ended = ", ".join(f"{n} {state}" for state, n in sorted(states.items()))
    report.add(
        "searches asked for", total, note=f"by {count} watches of {len(set(subjects))} subject(s)"
    )
    ways = f"{asked['cache']} from the cache, {asked['joined']} joined one under way"
    report.add("searches made", sent, note=ways)
    report.add("share that was made", sent / max(total, 1), target=0.25)
    report.add("wall a watch", seconds / count, "s", note=f"{_AT_ONCE} at once; {ended}")


async def _look(app: App, kept: Schedule, places: asyncio.Semaphore) -> str:
    async with places:
        return (await app.ended((await app.schedules.run(kept)).id)).state
