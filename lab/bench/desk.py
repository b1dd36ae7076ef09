"""The desk under measurement: pages, the first event, long runs, and many followers of one run.

The desk is a process on a data folder made for it; this one only asks and counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import resource
import threading
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import httpx2

from groundwire.app import App
from groundwire.errors import IllegalState
from groundwire.model.ending import Ending
from groundwire.model.event import Draft, EventType, event_key
from groundwire.model.run import Run
from groundwire.runs.link import note_in
from lab.archives import new_run
from lab.bench import process
from lab.bench.coldstart import QUESTION
from lab.bench.home import home, opened
from lab.bench.table import Report
from lab.bench.visitors import Follower, Visitor, places_in, time_visits
from lab.stubs import Stubs, running_stubs

LONG, LATE = "bench-long", "bench-late"
_RUMOUR = "Euler Finance lost about 197 million dollars in a flash loan attack"
_START = 60.0  # seconds that a desk may take to start
_GATHER = 1.0  # seconds of a search at least, in which followers connect; more of them take longer
_KB = 1_000


@dataclass(frozen=True, slots=True)
class DeskPlan:
    """How much is measured; the defaults are the long version."""

    visits: int = 20  # of each page
    starts: int = 10  # runs whose first event is timed
    events: int = 5_000  # of the long run
    followers: int = 1_000
    late: int = 200  # events that were over before the late followers came


QUICK = DeskPlan(visits=5, starts=3, followers=200, late=50)


@dataclass(frozen=True, slots=True)
class _Desk:
    """A running desk, its stubs, and a finished run on it."""

    pid: int
    port: int
    stubs: Stubs
    answered: str  # the id of a finished run

    @property
    def visitor(self) -> Visitor:
        return Visitor(self.port)

    def cpu(self) -> float:
        return process.cpu_of(self.pid)

    def megabytes(self) -> float:
        return process.pss_of(self.pid) / process.MEGA


async def bench_desk(plan: DeskPlan | None = None, *, quick: bool = False) -> Report:
    """Measure the desk and return all figures in one table."""
    process.require_psutil()
    plan = plan or (QUICK if quick else DeskPlan())
    report = Report(
        f"desk: one process on SQLite, {plan.followers:,} followers, a run of {plan.events:,} events"
    )
    _make_room(plan.followers)
    with running_stubs("tavily", "web") as stubs:
        async with _running(stubs, plan) as desk:
            empty = desk.megabytes()
            await _pages(report, desk, plan)
            await _first_event(report, desk, plan)
            await _long(report, desk, plan)
            await _crowd(report, desk, plan)
            report.add("memory of the server: at its start", empty, "MB")
            report.add("memory of the server: at the end", desk.megabytes(), "MB", note="PSS")
    return report


def _make_room(followers: int) -> None:
    """Raise the limit of open files: each follower is one, in this process as in the desk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = followers + 256
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


@contextlib.asynccontextmanager
async def _running(stubs: Stubs, plan: DeskPlan) -> AsyncGenerator[_Desk]:
    with home(stubs, search__timeout="120") as env:
        answered = await _fill(env, plan)
        started = process.start(["-m", "groundwire", "serve", "--port", "0"], env)
        try:
            port = await _ready(Path(env["HOME"]), started.pid)
            yield _Desk(started.pid, port, stubs, answered)
        finally:
            started.terminate()
            _, output = await asyncio.to_thread(started.communicate)
        if started.returncode != 0:
            raise IllegalState(
                f"The desk did not end well: {output.decode(errors='replace')[-300:]}"
            )


async def _ready(folder: Path, pid: int) -> int:
    until = time.perf_counter() + _START
    while time.perf_counter() < until:
        note = note_in(folder)
        if note is not None and note.pid == pid:
            port = int(note.url.rpartition(":")[2])
            with contextlib.suppress(httpx2.TransportError):
                await Visitor(port).get("/healthz")
                return port
        await asyncio.sleep(0.05)
    raise IllegalState("The desk did not start.")


async def _fill(env: Mapping[str, str], plan: DeskPlan) -> str:
    """Add the sample, a run of each job and runs that are only events; return the id of the answer."""
    async with opened(env) as app:
        await app.archive.add_sample()
        answer = await app.submit("ask", {"question": QUESTION}, settings={"offline": True})
        verified = await app.submit("verify", {"text": _RUMOUR}, settings={"offline": True})
        for run in (answer, verified):
            await app.finished(run.id)
        await app.engine.stop()  # it would take the runs written here for those of a dead process
        await _write_run(app, answer, LONG, plan.events)
        await _write_run(app, answer, LATE, plan.late)
        return answer.id


async def _write_run(app: App, like: Run, run_id: str, count: int) -> None:
    """Write a finished run with so many events, of the size that those of an answer have."""
    now = datetime.now(UTC)
    fields = {"input": like.input, "settings": like.settings, "text": like.text}
    await app.store.runs.create(new_run(app, run_id, like.kind, **fields))
    lease = await app.store.runs.claim(run_id, "bench", now, now + timedelta(hours=1))
    if lease is None:
        raise IllegalState(f"Run {run_id} could not be claimed.")

    def draft(number: int, kind: EventType) -> Draft:
        key = event_key(run_id, lease.attempt, str(number), kind, 0)
        text = f"第{number}页：据报道 according to page {number}, “the peg was lost” " * 6
        payload = {"number": number, "text": text, "url": f"https://news.example/{number}"}
        return Draft(
            key=key, attempt=lease.attempt, step=f"read/{number}", type=kind, payload=payload
        )

    for start in range(1, count, 500):
        some = range(start, min(start + 500, count))
        await app.store.journal.append(lease, [draft(number, "evidence") for number in some], now)
    full = await app.runs.get(like.id)
    result = None if full is None else full.result
    await app.store.runs.finish(lease, Ending("complete", now, result))


# --- pages ---------------------------------------------------------------------------------------


async def _pages(report: Report, desk: _Desk, plan: DeskPlan) -> None:
    visitor = desk.visitor
    front = await visitor.get("/")
    for path in (*places_in(front), f"/runs/{desk.answered}", f"/runs/{LONG}"):
        label = path.replace(desk.answered, "ANSWER").replace(LONG, f"RUN OF {plan.events:,}")
        await visitor.get(path)
        responses = [await visitor.get(path) for _ in range(plan.visits)]
        plain, packed = await _weight(visitor, path)
        report.add(
            f"first byte of {label}",
            median([each.first for each in responses]) * 1000,
            "ms",
            target=300,
            note=f"{len(responses[0].body) / _KB:.0f} kB of HTML;"
            f" with styles and scripts {plain / _KB:.0f} kB, {packed / _KB:.0f} kB compressed",
        )


async def _weight(visitor: Visitor, path: str) -> tuple[int, int]:
    """Count the bytes of a first visit, as they are and compressed."""
    page = await visitor.get(path)
    paths = (path, *await visitor.parts_of(page))
    plain = [await visitor.get(each) for each in paths]
    packed = [await visitor.get(each, "gzip") for each in paths]
    return sum(len(each.body) for each in plain), sum(len(each.body) for each in packed)


# --- events --------------------------------------------------------------------------------------


async def _first_event(report: Report, desk: _Desk, plan: DeskPlan) -> None:
    """Time a run in a running desk from the request to its first event at a follower."""
    desk.stubs.latency(search=0.2)
    delays: list[float] = []
    for number in range(plan.starts + 1):
        began = time.perf_counter()
        run_id = await desk.visitor.submit("ask", {"question": f"{QUESTION} ({number})"})
        follower = Follower(desk.port, run_id)
        await follower.follow()
        delays.append(follower.first - began)
    report.add(
        "first event after submit, at the follower",
        median(delays[1:]),
        "s",
        target=0.1,
        note=f"the first of the process: {delays[0]:.2f} s",
    )


async def _long(report: Report, desk: _Desk, plan: DeskPlan) -> None:
    follower = Follower(desk.port, LONG)
    before = desk.megabytes()
    cpu, began = desk.cpu(), time.perf_counter()
    await follower.follow()
    took = time.perf_counter() - began
    follower.check(plan.events)
    report.add(
        f"a run of {plan.events:,} events, all at one follower",
        took,
        "s",
        target=1.0,
        note=f"{follower.size / process.MEGA:.1f} MB, CPU {desk.cpu() - cpu:.2f} s,"
        f" server {before:.0f} → {desk.megabytes():.0f} MB",
    )


async def _crowd(report: Report, desk: _Desk, plan: DeskPlan) -> None:
    await _live(report, desk, plan)
    followers = [Follower(desk.port, LATE) for _ in range(plan.followers)]
    done = threading.Event()
    visiting = asyncio.create_task(asyncio.to_thread(time_visits, desk.port, "/", done))
    cpu, began = desk.cpu(), time.perf_counter()
    try:
        await asyncio.gather(*(follower.follow() for follower in followers))
    finally:
        took = time.perf_counter() - began
        done.set()
    visit_times = await visiting
    for follower in followers:
        follower.check(plan.late)
    sent = plan.followers * plan.late
    report.add(
        f"{plan.followers:,} come late to {plan.late} events",
        sent / took,
        "events/s",
        note=f"{sent:,} in {took:.2f} s, CPU {desk.cpu() - cpu:.2f} s, connections included;"
        f" server {desk.megabytes():.0f} MB",
    )
    report.add(
        "meanwhile: the desk's page, slowest",
        max(visit_times) * 1000,
        "ms",
        target=1000,
        note=f"{len(visit_times)} visits, half of them within {median(visit_times) * 1000:.0f} ms",
    )


async def _live(report: Report, desk: _Desk, plan: DeskPlan) -> None:
    """Let the followers gather while the run waits for its search; what comes after is live."""
    desk.stubs.latency(search=_GATHER + plan.followers / 100)
    run_id = await desk.visitor.submit("ask", {"question": f"{QUESTION} Asked in a crowd."})
    followers = [Follower(desk.port, run_id) for _ in range(plan.followers)]
    tasks = [asyncio.create_task(follower.follow()) for follower in followers]
    await _until(lambda: all(follower.seqs for follower in followers), tasks)
    cpu = desk.cpu()
    await asyncio.gather(*tasks)
    events = len(followers[0].seqs)
    for follower in followers:
        follower.check(events)
    ends = [follower.last for follower in followers]
    report.add(
        f"{plan.followers:,} follow one run, live: the end at the last after the first",
        max(ends) - min(ends),
        "s",
        target=1.0,
        note=f"{events} events to each, all in order once; CPU {desk.cpu() - cpu:.2f} s",
    )


async def _until(condition: Callable[[], bool], tasks: list[asyncio.Task[None]]) -> None:
    """Wait for the condition, or until a task has ended, when there is nothing to wait for."""
    while not condition() and not any(task.done() for task in tasks):
        await asyncio.wait(tasks, timeout=0.005, return_when=asyncio.FIRST_COMPLETED)
