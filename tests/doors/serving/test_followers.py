"""Followers over real HTTP: every event in order, exactly once, through kills and restarts."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from desk_process import DeskProcess
from sse_client import Follower

NewDesk = Callable[..., DeskProcess]
Gate = Callable[[int], str]
pytestmark = pytest.mark.timeout(300)


async def together(followers: list[Follower], seconds: float = 250) -> None:
    async with asyncio.timeout(seconds):
        await asyncio.gather(*(follower.follow() for follower in followers))


async def reached(followers: list[Follower], seq: int, seconds: float = 250) -> None:
    async with asyncio.timeout(seconds):
        while any(follower.last < seq for follower in followers):
            await asyncio.sleep(0.01)


@asynccontextmanager
async def following(followers: list[Follower]) -> AsyncIterator[None]:
    """Let them follow meanwhile; at the end all have their last event."""
    task = asyncio.create_task(together(followers))
    try:
        yield
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def many_files() -> None:
    """Raise the limit of open files: a thousand connections exceed a shell's usual one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 4_096:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4_096, hard), hard))


async def test_a_thousand_followers_each_get_every_event_in_order_once(
    new_desk: NewDesk, gate: Gate, many_files: None
) -> None:
    desk = new_desk()
    run_id = await asyncio.to_thread(desk.submit, "drip", count=100, gate=gate(0))
    first = [Follower([desk.port], run_id) for _ in range(600)]
    late = [Follower([desk.port], run_id, after=n % 50, query=True) for n in range(400)]
    async with following(first):
        await reached(first, 1)
        gate(50)
        await reached(first[:1], 20)
        async with following(late):
            await reached(late[:1], 40)
            gate(100)
    journal = [event["seq"] for event in await asyncio.to_thread(desk.journal, run_id)]
    assert journal == list(range(1, 103))  # its opening and its end, too
    for follower in first:
        assert follower.seqs == journal
    for follower in late:
        assert follower.seqs == journal[follower.after :]
    assert all(follower.statuses == [200] for follower in (*first, *late))


async def test_after_a_kill_followers_go_on_where_they_were(new_desk: NewDesk, gate: Gate) -> None:
    desk = new_desk()
    port = desk.port
    run_id = await asyncio.to_thread(desk.submit, "drip", count=60, size=20, gate=gate(0))
    followers = [Follower([port], run_id, keep=True) for _ in range(40)]
    async with following(followers):
        for allowed in (10, 25, 60):
            gate(allowed)
            # In the middle of it: some have these events, and none has all.
            await reached(followers[:1], allowed - 4)
            desk.kill()
            await asyncio.to_thread(desk.start, port=port)
    journal = await asyncio.to_thread(desk.journal, run_id)
    assert [event["seq"] for event in journal] == list(range(1, len(journal) + 1))
    assert sum(event["type"] == "thought" for event in journal) == 60
    assert desk.run(run_id)["restarts"] >= 2
    for follower in followers:
        assert follower.events == journal
        assert len(follower.statuses) > 1


async def test_what_is_followed_after_the_end_is_the_whole_journal_and_then_nothing(
    new_desk: NewDesk,
) -> None:
    desk = new_desk()
    run_id = await asyncio.to_thread(desk.submit, "drip", count=700)
    await asyncio.to_thread(desk.wait, run_id, "complete")
    journal = await asyncio.to_thread(desk.journal, run_id)
    whole = Follower([desk.port], run_id, keep=True)
    again = Follower([desk.port], run_id, keep=True, after=500)
    loaded = Follower([desk.port], run_id, keep=True, after=690, query=True)
    seen = Follower([desk.port], run_id, after=702)
    await together([whole, again, loaded, seen])
    assert whole.events == journal
    assert again.events == journal[500:]
    assert loaded.events == journal[690:]
    assert (seen.seqs, seen.statuses) == ([], [204])  # a browser does not come back after that


async def test_a_page_that_is_loaded_again_in_mid_run_loses_nothing(
    new_desk: NewDesk, gate: Gate
) -> None:
    desk = new_desk()
    run_id = await asyncio.to_thread(desk.submit, "drip", count=30, gate=gate(10))
    before = Follower([desk.port], run_id, keep=True)
    leaving = asyncio.create_task(before.follow())
    await reached([before], 8)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    after = Follower([desk.port], run_id, keep=True, after=before.last, query=True)
    async with following([after]):
        gate(30)
    assert before.events + after.events == await asyncio.to_thread(desk.journal, run_id)


@pytest.mark.parametrize("database_kind", [pytest.param("postgres", marks=pytest.mark.postgres)])
async def test_a_run_of_one_desk_is_followed_at_another_and_through_its_death(
    new_desk: NewDesk, gate: Gate, database_url: str
) -> None:
    env = {"GROUNDWIRE_DATABASE_URL": database_url}
    one, two = new_desk("one", **env), new_desk("two", **env)
    run_id = await asyncio.to_thread(one.submit, "drip", count=40, gate=gate(15))
    local = [Follower([one.port], run_id, keep=True) for _ in range(5)]
    remote = [Follower([two.port], run_id, keep=True) for _ in range(20)]
    either = [Follower([one.port, two.port], run_id, keep=True) for _ in range(20)]
    async with following([*local, *remote, *either]):
        await reached([*local, *remote, *either], 16)
        port = one.port
        one.kill()
        gate(40)
        await asyncio.to_thread(one.start, port=port)
    journal = await asyncio.to_thread(two.journal, run_id)
    assert [event["seq"] for event in journal] == list(range(1, len(journal) + 1))
    assert sum(event["type"] == "thought" for event in journal) == 40
    for follower in (*local, *remote, *either):
        assert follower.events == journal
    assert all(follower.statuses == [200] for follower in remote)
