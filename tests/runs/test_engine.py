"""The engine suite: what every engine must do, over the embedded one on SQLite, and on PostgreSQL
over the shared one, alone with its own runs and as a worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
from tests.claims import take_over

from groundwire import errors
from groundwire.context import Context, Parts
from groundwire.gateway.tally import Tally
from groundwire.jobs import Job
from groundwire.model.base import Value
from groundwire.model.clock import utc_now
from groundwire.model.event import Event
from groundwire.model.run import FINISHED, NewRun, Run, Versions
from groundwire.runs.embedded import EmbeddedEngine
from groundwire.runs.engine import Engine
from groundwire.runs.journal import Bell, follow
from groundwire.runs.lock import FileLock
from groundwire.runs.outbox import Deliveries
from groundwire.runs.runner import Services
from groundwire.runs.shared import SharedEngine
from groundwire.store import Store, open_store
from groundwire.words import words

VERSIONS = Versions(code="1", prompts="p", data="d")


class Given(Value):
    word: str = "x"


class WorkResult(Value):
    run_id: str
    status: str = "complete"
    word: str = ""


Work = Callable[[Context, Given], Awaitable[WorkResult]]


@dataclass
class Yard:
    """One store, one folder, and engines over them that run the given work."""

    store: Store
    folder: Path
    workers: bool = False

    @property
    def sqlite(self) -> bool:
        return isinstance(self.store.turn, Path)

    async def engine(
        self,
        work: Work,
        versions: Versions = VERSIONS,
        *,
        at_once: int = 8,
        redact: Callable[[str], str] = str,
    ) -> Engine:
        job = Job(kind="test", input=Given, result=WorkResult, run=work, draw=lambda: "")
        services = Services(
            runs=self.store.runs,
            journal=self.store.journal,
            ledger=self.store.ledger,
            bell=Bell(),
            clock=utc_now,
            lease_clock=utc_now,
            job=lambda _kind: job,
            parts=lambda _run: cast(Parts, None),
            caps=lambda _run: lambda _now: (),
            versions=lambda: versions,
            wait_for_calls=_nothing_to_wait_for,
            redact=redact,
            deliveries=Deliveries(
                lambda: self.store.outbox, lambda: None, _nothing_to_wait_for, utc_now
            ),
            patience=lambda: timedelta(days=7),
            tally=Tally(),
        )
        turn = self.store.turn
        if isinstance(turn, Path):
            return EmbeddedEngine(services, FileLock(turn), at_once=at_once)
        engine = SharedEngine(services, turn, ["test"], at_once=at_once)
        if self.workers:
            await engine.work()
        return engine

    def new(self, name: str = "run-1", kind: str = "test") -> NewRun:
        now = utc_now()
        return NewRun(
            id=name,
            kind=kind,
            input={"word": name},
            settings={},
            now=now,
            seed="00",
            versions=VERSIONS,
            created_at=now,
        )

    async def events(self, run_id: str) -> list[Event]:
        found = follow(self.store.runs, self.store.journal, Bell(), run_id, poll=lambda: 0.02)
        return [event async for event in found]

    async def ended(self, run_id: str) -> Run:
        async with asyncio.timeout(60):
            await self.events(run_id)
        run = await self.store.runs.get(run_id)
        assert run is not None
        return run

    async def state(self, run_id: str, state: str) -> None:
        async with asyncio.timeout(60):
            while (run := await self.store.runs.get(run_id)) is None or run.state != state:
                await asyncio.sleep(0.01)


async def _nothing_to_wait_for(_run_id: str) -> None:
    """No gateway, no flights."""


@pytest.fixture(
    params=[
        "embedded",
        pytest.param("alone", marks=pytest.mark.postgres),
        pytest.param("workers", marks=pytest.mark.postgres),
    ]
)
def how(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def database_kind(how: str) -> str:
    return "sqlite" if how == "embedded" else "postgres"


@pytest.fixture
async def yard(how: str, database_url: str, tmp_path: Path) -> AsyncIterator[Yard]:
    async with open_store(database_url) as store:
        yield Yard(store, tmp_path, how == "workers")


async def echo(context: Context, given: Given) -> WorkResult:
    await context.step("work").emit("progress", {"word": given.word})
    return WorkResult(run_id=context.run_id, word=given.word)


async def test_a_submitted_run_is_executed_and_stored_before_it_is_called_complete(
    yard: Yard,
) -> None:
    engine = await yard.engine(echo)
    await engine.submit(yard.new())
    run = await yard.ended("run-1")
    await engine.stop()
    assert (run.state, (run.result or {})["word"]) == ("complete", "run-1")
    assert [event.type for event in await yard.events("run-1")] == ["run", "progress", "complete"]


async def test_many_runs_at_once_each_end_once(yard: Yard) -> None:
    engine = await yard.engine(echo)
    for number in range(30):
        await engine.submit(yard.new(f"run-{number}"))
    ended = [await yard.ended(f"run-{number}") for number in range(30)]
    await engine.stop()
    assert {run.state for run in ended} == {"complete"}
    assert {run.fence for run in ended} == {1}


async def test_many_runs_of_one_kind_keep_no_other_kind_waiting(yard: Yard) -> None:
    """By counts: every place of one kind is taken for good, and the others still end."""
    if not yard.sqlite:
        pytest.skip("on PostgreSQL each kind has a queue of its own")
    for number in range(1_040):
        await yard.store.runs.create(yard.new(f"flood-{number:04}", kind="flood"))
    for number in range(3):
        await yard.store.runs.create(yard.new(f"run-{number}"))
    gate, begun = asyncio.Event(), list[str]()

    async def work(context: Context, given: Given) -> WorkResult:
        begun.append(given.word)
        if given.word.startswith("flood"):
            await gate.wait()
        return await echo(context, given)

    engine = await yard.engine(work, at_once=8)
    await engine.work()
    ended = [await yard.ended(f"run-{number}") for number in range(3)]
    assert {run.state for run in ended} == {"complete"}
    assert sum(word.startswith("flood") for word in begun) == 8
    await engine.stop()


async def test_a_running_run_can_be_cancelled(yard: Yard) -> None:
    async def forever(context: Context, given: Given) -> WorkResult:
        await asyncio.sleep(3600)
        raise AssertionError

    engine = await yard.engine(forever)
    await engine.submit(yard.new())
    await yard.state("run-1", "running")
    await engine.cancel("run-1")
    run = await yard.ended("run-1")
    await engine.stop()
    assert (run.state, (await yard.events("run-1"))[-1].type) == ("cancelled", "cancelled")


async def test_cancelling_an_unknown_run_says_so(yard: Yard) -> None:
    engine = await yard.engine(echo)
    with pytest.raises(errors.NotFoundHere):
        await engine.cancel("nobody")
    with pytest.raises(errors.NotFoundHere):
        await engine.resume("nobody")


async def test_a_bug_fails_its_run_which_can_be_resumed_after_a_fix(yard: Yard) -> None:
    async def broken(context: Context, given: Given) -> WorkResult:
        raise ZeroDivisionError("a bug")

    engine = await yard.engine(broken)
    await engine.submit(yard.new())
    failed = await yard.ended("run-1")
    await engine.stop()
    assert failed.state == "failed"
    assert words("en").stored(failed.error) == "internal error: ZeroDivisionError: a bug"
    fixed = await yard.engine(echo)
    await fixed.resume("run-1")
    run = await yard.ended("run-1")
    await fixed.stop()
    assert (run.state, run.attempt) == ("complete", 2)


async def test_stopping_hands_running_runs_back_and_the_next_start_picks_them_up(
    yard: Yard,
) -> None:
    async def forever(context: Context, given: Given) -> WorkResult:
        await context.step("work").emit("progress", {"word": given.word})
        await asyncio.sleep(3600)
        raise AssertionError

    first = await yard.engine(forever)
    await first.submit(yard.new())
    await yard.state("run-1", "running")
    await asyncio.sleep(0.05)
    await first.stop()
    handed_back = await yard.store.runs.get("run-1")
    assert handed_back is not None
    assert handed_back.state == "queued"
    second = await yard.engine(echo)
    await second.work()
    run = await yard.ended("run-1")
    await second.stop()
    events = await yard.events("run-1")
    assert (run.state, run.restarts) == ("complete", 1)
    assert [event.type for event in events] == ["run", "progress", "complete"]
    assert [event.seq for event in events] == [1, 2, 3]


async def test_a_second_process_hands_its_run_to_the_first(yard: Yard) -> None:
    """On PostgreSQL every process executes: whoever claims it first."""
    first, second = await yard.engine(echo), await yard.engine(echo)
    await first.submit(yard.new("run-1"))
    await yard.ended("run-1")
    await second.submit(yard.new("run-2"))
    run = await yard.ended("run-2")
    assert second.handed_over() == yard.sqlite
    assert (run.state, run.fence) == ("complete", 1)
    await first.stop()
    await second.stop()


async def test_when_the_executing_process_ends_the_waiting_one_takes_over(yard: Yard) -> None:
    if not yard.sqlite:
        pytest.skip("on PostgreSQL every process executes; see test_shared_engine.py")
    gate = asyncio.Event()

    async def slow(context: Context, given: Given) -> WorkResult:
        if given.word == "run-2" and not gate.is_set():
            await asyncio.sleep(3600)
        return await echo(context, given)

    first, second = await yard.engine(slow), await yard.engine(slow)
    await first.submit(yard.new("run-1"))
    await yard.ended("run-1")
    await second.submit(yard.new("run-2"))
    await yard.state("run-2", "running")
    gate.set()
    await first.stop()
    run = await yard.ended("run-2")
    await second.stop()
    assert (run.state, run.restarts) == ("complete", 1)


async def test_a_woken_worker_is_fenced_and_its_result_is_not_stored(yard: Yard) -> None:
    release = asyncio.Event()
    executed = 0

    async def frozen(context: Context, given: Given) -> WorkResult:
        nonlocal executed
        executed += 1
        if executed > 1:  # the other lets go at once, so it may be taken up again
            await asyncio.sleep(3600)
        await release.wait()
        return WorkResult(run_id=context.run_id, word="from the frozen one")

    engine = await yard.engine(frozen)
    await engine.submit(yard.new())
    await yard.state("run-1", "running")
    now = utc_now()
    taken = await take_over(yard.store.runs, "run-1", "another", now, now)
    assert taken is not None
    release.set()
    await asyncio.sleep(0.2)
    run = await yard.store.runs.get("run-1")
    await engine.stop()
    assert run is not None
    assert run.result is None
    assert run.state not in FINISHED


async def test_a_restart_under_another_version_says_so_and_goes_on(yard: Yard) -> None:
    engine = await yard.engine(echo, replace_code("2"))
    await engine.submit(yard.new())
    run = await yard.ended("run-1")
    await engine.stop()
    restarts = [e.payload for e in await yard.events("run-1") if e.payload.get("restarted")]
    assert run.state == "complete"
    reason = {"code": "run.restarted.version", "params": {"before": "1", "after": "2"}}
    assert [payload["reason"] for payload in restarts] == [reason] * 2
    assert restarts[-1]["unmatched_calls"] == 0


async def test_the_same_idempotency_key_is_the_same_run(yard: Yard) -> None:
    engine = await yard.engine(echo)
    one = await engine.submit(yard.new("run-1").model_copy(update={"idempotency_key": "k"}))
    two = await engine.submit(yard.new("run-2").model_copy(update={"idempotency_key": "k"}))
    assert one.id == two.id
    await yard.ended("run-1")
    await engine.stop()


async def test_two_live_workers_never_both_take_a_dead_workers_runs(yard: Yard) -> None:
    """Each run is executed once, however stale the look at it was."""
    if yard.sqlite:
        pytest.skip("on SQLite one process executes at a time")
    executed: list[str] = []

    async def slow(context: Context, given: Given) -> WorkResult:
        executed.append(given.word)
        await asyncio.sleep(0.05)
        return await echo(context, given)

    now = utc_now()
    for number in range(12):
        await yard.store.runs.create(yard.new(f"run-{number}"))
        await yard.store.runs.claim(f"run-{number}", "dead", now, now)
    one, two = await yard.engine(slow, at_once=2), await yard.engine(slow, at_once=2)
    await one.work()
    await two.work()
    ended = [await yard.ended(f"run-{number}") for number in range(12)]
    await one.stop()
    await two.stop()
    assert {run.state for run in ended} == {"complete"}
    assert sorted(executed) == sorted(f"run-{number}" for number in range(12))


async def test_trouble_in_the_store_is_not_met_again_at_once(yard: Yard) -> None:
    executed = 0

    async def unlucky(context: Context, given: Given) -> WorkResult:
        nonlocal executed
        executed += 1
        raise errors.DiskFull

    engine = await yard.engine(unlucky)
    await engine.submit(yard.new())
    await asyncio.sleep(0.9)
    assert executed == 1
    with pytest.raises(errors.DiskFull):
        engine.raise_trouble()
    await engine.stop()


async def test_a_cancel_that_came_before_a_crash_is_kept(yard: Yard) -> None:
    await yard.store.runs.create(yard.new())
    now = utc_now()
    await yard.store.runs.claim("run-1", "dead", now, now)
    await yard.store.runs.request_cancel("run-1", now)
    engine = await yard.engine(echo)
    await engine.work()
    run = await yard.ended("run-1")
    await engine.stop()
    assert run.state == "cancelled"


async def test_a_secret_in_an_exception_is_not_stored(yard: Yard) -> None:
    async def leaking(context: Context, given: Given) -> WorkResult:
        raise ValueError("bad key sk-planted")

    engine = await yard.engine(leaking, redact=lambda text: text.replace("sk-planted", "***"))
    await engine.submit(yard.new())
    run = await yard.ended("run-1")
    await engine.stop()
    assert words("en").stored(run.error) == "internal error: ValueError: bad key ***"
    assert "sk-planted" not in str((await yard.events("run-1"))[-1].payload)


def replace_code(code: str) -> Versions:
    return VERSIONS.model_copy(update={"code": code})
