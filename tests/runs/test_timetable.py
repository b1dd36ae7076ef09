"""Standing runs are started when they are due: each time once, late ones once, whatever happens."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from tests.schedules import START, app_at, runs_of, tick

from groundwire.app import App
from groundwire.app.schedule_views import Spending, Terms
from groundwire.errors import Conflict, NotFoundHere
from groundwire.model.access import LOCAL
from groundwire.model.run import NewRun, Run
from groundwire.words import unkept

HOUR = timedelta(hours=1)
Opened = Callable[..., AbstractAsyncContextManager[App]]


@pytest.fixture
def opened(echo: None, tmp_path: Path, database_url: str) -> Opened:
    return partial(app_at, tmp_path, database_url)


def wind(app: App, by: timedelta) -> None:
    app.clock.wind(by)


async def test_a_run_is_started_when_it_is_due_and_not_before(opened: Opened) -> None:
    async with opened() as app:
        kept = await app.schedules.add("echo", {"words": "one two"}, "every 6h")
        await tick(app)
        assert await runs_of(app, kept) == []
        wind(app, 6 * HOUR)
        await tick(app)
        await tick(app)
        (run,) = await runs_of(app, kept)
        assert run.state == "complete"
        assert run.result and run.result["count"] == 2
        again = await app.schedules.find(kept.id)
        assert again.next_at == kept.created_at + 12 * HOUR


async def test_late_ones_run_once(opened: Opened) -> None:
    async with opened() as app:
        kept = await app.schedules.add("echo", {"words": "late"}, "every 6h")
        wind(app, 100 * HOUR)
        await tick(app)
        await tick(app)
        assert len(await runs_of(app, kept)) == 1
        assert (await app.schedules.find(kept.id)).next_at == kept.created_at + 102 * HOUR


async def test_a_clock_that_was_ahead_and_goes_back_loses_nothing_and_repeats_nothing(
    opened: Opened,
) -> None:
    async with opened() as app:
        kept = await app.schedules.add("echo", {"words": "ahead"}, "daily at 9")
        wind(app, timedelta(days=400))
        await tick(app)
        assert len(await runs_of(app, kept)) == 1
        wind(app, timedelta(days=-400))
        await tick(app)  # the clock is right again: due today, not in 400 days
        assert (await app.schedules.find(kept.id)).next_at == kept.next_at
        wind(app, timedelta(hours=2))
        await tick(app)
        assert len(await runs_of(app, kept)) == 1  # that time has had its run
        wind(app, timedelta(days=1))
        await tick(app)
        assert len(await runs_of(app, kept)) == 2


async def test_while_a_run_goes_on_the_next_time_is_left_out_with_a_sentence(
    opened: Opened,
) -> None:
    async with opened() as app:
        kept = await app.schedules.add("echo", {"words": "slow"}, "every 1h")
        held = await _held(app, kept.id)
        wind(app, HOUR)
        await app.services.tick()
        now = await app.schedules.find(kept.id)
        code, params = unkept(now.trouble)
        assert (code, params["run"]) == ("schedule.under_way", held.id)
        assert now.next_at == kept.created_at + 2 * HOUR
        with pytest.raises(Conflict) as refusal:
            await app.schedules.run(kept)
        assert held.id in refusal.value.message
        await app.cancel(held)
        wind(app, HOUR)
        await tick(app)
        assert (await app.schedules.find(kept.id)).trouble == ""
        assert len(await runs_of(app, kept)) == 2


async def _held(app: App, schedule_id: str) -> Run:
    """Store a run of it that nobody executes."""
    new = await app.submit("echo", {"words": "first"})
    done = await app.ended(new.id)
    new_run = NewRun(**done.model_dump(include=set(NewRun.model_fields)))
    held = new_run.model_copy(update={"id": "echo-held", "schedule_id": schedule_id})
    return await app.store.runs.create(held)


async def test_a_finished_run_is_not_tried_again_while_another_goes_on(opened: Opened) -> None:
    async with opened() as app:
        kept = await app.schedules.add("echo", {"words": "x"}, "every 1h")
        first = await app.ended((await app.schedules.run(kept)).id)
        await _held(app, kept.id)
        with pytest.raises(Conflict):
            await app.engine.resume(first.id)


async def test_one_that_can_never_run_again_is_paused_with_a_reason(opened: Opened) -> None:
    async with opened() as app:
        token = await app.access.create("guest")
        guest = await app.access.holder(token.secret)
        assert guest is not None
        kept = await app.schedules.add("echo", {"words": "x"}, "every 1h", owner=guest)
        other = await app.schedules.add("echo", {"words": "y"}, "every 1h")
        await app.access.revoke("guest")
        wind(app, HOUR)
        await tick(app)
        now = await app.schedules.find(kept.id)
        assert now.paused
        assert unkept(now.trouble)[0] == "schedule.revoked"
        assert len(await runs_of(app, other)) == 1  # it stops no other


async def test_a_paused_one_rests_and_goes_on_from_its_next_time(opened: Opened) -> None:
    async with opened() as app:
        kept = await app.schedules.add("echo", {"words": "x"}, "every 1h")
        await app.schedules.pause(kept)
        wind(app, 5 * HOUR)
        await tick(app)
        assert await runs_of(app, kept) == []
        resumed = await app.schedules.resume(kept)
        assert resumed.next_at == kept.created_at + 6 * HOUR
        wind(app, HOUR)
        await tick(app)
        assert len(await runs_of(app, kept)) == 1


async def test_one_that_is_removed_in_mid_run_leaves_its_run_and_tells_nobody(
    opened: Opened,
) -> None:
    async with opened() as app:
        terms = Terms(schedule="every 1h", to=("ntfy:board",))
        kept = await app.schedules.add("echo", {"words": "x", "loud": True}, terms)
        run = await app.schedules.run(kept)
        await app.schedules.remove(kept)
        ended = await app.ended(run.id)
        assert ended.state == "complete"
        assert await app.schedules.sent(kept) == []
        with pytest.raises(NotFoundHere):
            await app.schedules.pause(kept)
        wind(app, 5 * HOUR)
        await tick(app)
        assert len(await runs_of(app, kept)) == 1


async def test_each_due_time_has_one_run_however_many_look(opened: Opened) -> None:
    async with opened() as one, opened() as two:
        kept = [
            await one.schedules.add("echo", {"words": f"number {n}"}, "every 1h") for n in range(20)
        ]
        for app in (one, two):
            wind(app, 2.5 * HOUR)
        looks = [app.services.tick() for app in (one, two) for _ in range(3)]
        await asyncio.gather(*looks)
        await tick(one)
        for each in kept:
            assert len(await runs_of(one, each)) == 1


async def test_a_run_has_the_budgets_and_the_moment_that_it_is_given(opened: Opened) -> None:
    async with opened() as app:
        usd = Spending(run=0.5, day=1.0, month=10.0)
        terms = Terms(schedule="every 1h", budgets_usd=usd)
        kept = await app.schedules.add("echo", {"words": "x"}, terms)
        then = datetime.fromisoformat("2026-01-05T07:00+00:00")
        run = await app.schedules.run(kept, at=then)
        assert run.now == then
        assert run.budgets == {
            "run": 500_000,
            f"schedule:{kept.id}:day": 1_000_000,
            f"schedule:{kept.id}:month": 10_000_000,
        }


async def test_what_was_believed_on_a_day_is_what_its_last_run_by_then_said(
    opened: Opened,
) -> None:
    async with opened() as app:
        kept = await app.schedules.add("echo", {"words": "one"}, "every 1h", door="")
        for day in (1, 3):
            moment = datetime.fromisoformat(f"2026-03-0{day}T12:00+00:00")
            await app.ended((await app.schedules.run(kept, at=moment)).id)
        first, second = await runs_of(app, kept)
        days = {
            day: await app.schedules.believed(kept, first.now.replace(day=day).date())
            for day in (1, 2, 3)
        }
        assert {day: found.run for day, found in days.items()} == {
            1: first.id, 2: first.id, 3: second.id,
        }  # fmt: skip
        before = first.now.replace(year=2025).date()
        assert (await app.schedules.believed(kept, before)).run is None
        assert [each.text for each in days[1].claims] == ["one"]


async def test_a_finished_run_becomes_the_first_of_its_runs(opened: Opened) -> None:
    async with opened() as app:
        run = await app.ended((await app.submit("echo", {"words": "kept"})).id)
        kept = await app.schedules.add_from(run, "每天 9点")
        assert (kept.kind, kept.text, kept.said) == ("echo", "kept", "每天 9点")
        assert [each.id for each in await runs_of(app, kept)] == [run.id]


async def test_what_is_new_to_a_reader_is_what_came_since_they_looked(opened: Opened) -> None:
    async with opened() as app:
        kept = await app.schedules.add("echo", {"words": "loud", "loud": True}, "every 1h")
        quiet = await app.schedules.add("echo", {"words": "quiet"}, "every 1h")
        for each in (kept, quiet):
            await app.ended((await app.schedules.run(each)).id)
        ((schedule, run, changes),) = await app.schedules.unseen(LOCAL)
        assert (schedule.id, run.schedule_id) == (kept.id, kept.id)
        assert [each.kind for each in changes] == ["new"]
        wind(app, timedelta(seconds=1))
        await app.schedules.look(kept, LOCAL)
        assert await app.schedules.unseen(LOCAL) == []
        guest = LOCAL.model_copy(update={"id": "tk_1"})
        assert len(await app.schedules.unseen(guest)) == 1  # each reader has looked or has not


# --- processes that die, and several of them ---------------------------------------------------


async def _keeper(home: Path, url: str, seconds: float, *more: str) -> int:
    root = Path(__file__).parents[2]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.runs.timekeeper", str(home), url, str(seconds), *more,
        cwd=root, env=env,
    )  # fmt: skip
    return await process.wait()


async def test_killed_between_the_run_and_the_next_time_it_leaves_nothing_twice(
    opened: Opened, tmp_path: Path, database_url: str
) -> None:
    async with opened() as app:
        kept = await app.schedules.add("echo", {"words": "killed"}, "every 1h")
    died = await _keeper(tmp_path, database_url, 3_700, "dies")
    assert died == -signal.SIGKILL
    async with opened(START + timedelta(seconds=3_800)) as app:
        assert (await app.schedules.find(kept.id)).next_at == kept.next_at  # it was not set
        await tick(app)
        (run,) = await runs_of(app, kept)
        assert (await app.ended(run.id)).state == "complete"
        assert (await app.schedules.find(kept.id)).next_at == kept.next_at + HOUR


async def test_several_processes_start_each_due_time_once(
    opened: Opened, tmp_path: Path, database_url: str
) -> None:
    async with opened() as app:
        kept = [await app.schedules.add("echo", {"words": f"{n}"}, "every 1h") for n in range(30)]
    codes = await asyncio.gather(*(_keeper(tmp_path, database_url, 3_700) for _ in range(3)))
    assert codes == [0, 0, 0]
    async with opened(START + timedelta(seconds=3_800)) as app:
        await tick(app)
        for each in kept:
            (run,) = await runs_of(app, each)
            assert (await app.ended(run.id)).state == "complete"


async def test_a_desk_or_a_worker_starts_what_is_due_and_others_know_that_it_is_there(
    opened: Opened,
) -> None:
    async with opened() as app, opened() as other:
        kept = await app.schedules.add("echo", {"words": "due"}, "every 1h")
        assert not await other.schedules.kept()
        wind(app, HOUR)
        await app.engine.work()
        assert await app.schedules.kept()
        async with asyncio.timeout(60):
            while [each.state for each in await runs_of(app, kept)] != ["complete"]:
                await asyncio.sleep(0.05)
            # On SQLite a desk is known by its note, which only `gw serve` writes.
            while app.engine.shared and not await other.schedules.kept():
                await asyncio.sleep(0.05)
