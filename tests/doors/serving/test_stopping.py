"""`gw serve` stops in time: followers are let go, runs are handed back and taken up again."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from desk_process import DeskProcess
from lab.stubs import Stubs, running_stubs
from sse_client import Follower

from groundwire.doors.api.server import UNCLEAN

NewDesk = Callable[..., DeskProcess]
Gate = Callable[[int], str]
pytestmark = pytest.mark.timeout(300)


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
async def test_a_signal_ends_it_cleanly_and_the_next_start_goes_on(
    new_desk: NewDesk, gate: Gate, number: signal.Signals
) -> None:
    desk = new_desk()
    port = desk.port
    runs = [await asyncio.to_thread(desk.submit, "drip", count=20, gate=gate(10)) for _ in range(3)]
    followers = [Follower([port], run_id, keep=True) for run_id in runs for _ in range(20)]
    tasks = [asyncio.create_task(follower.once(port)) for follower in followers]
    async with asyncio.timeout(120):
        while any(follower.last < 11 for follower in followers):
            await asyncio.sleep(0.01)
    desk.signal(number)
    assert await asyncio.to_thread(desk.ended) == 0, desk.output()
    # Each stream came to a proper end: nobody was cut off.
    assert await asyncio.gather(*tasks, return_exceptions=True) == [None] * len(tasks)
    assert not desk.note.exists()
    assert "rror" not in desk.output(), desk.output()
    gate(20)
    await asyncio.to_thread(desk.start, port=port)
    async with asyncio.timeout(120):
        await asyncio.gather(*(follower.follow() for follower in followers))
    for run_id in runs:
        journal = await asyncio.to_thread(desk.journal, run_id)
        assert [event["seq"] for event in journal] == list(range(1, len(journal) + 1))
        assert sum(event["type"] == "thought" for event in journal) == 20
        assert all(f.events == journal for f in followers if f.run_id == run_id)
        # Handed back, not left to die: it did not have to be taken from anybody.
        assert desk.run(run_id)["restarts"] == 1


@pytest.fixture
def stubs() -> Iterator[Stubs]:
    with running_stubs("tavily", "web") as running:
        yield running


def _online(stubs: Stubs) -> dict[str, str]:
    return {
        "GROUNDWIRE_OFFLINE": "0",
        "GROUNDWIRE_SEARCH__CHAIN": "tavily",
        "TAVILY_API_KEY": "tvly-stub",
        "TAVILY_BASE_URL": stubs.url("tavily"),
        "GROUNDWIRE_FETCH__ALLOW_PRIVATE": "127.0.0.0/8",
        "GROUNDWIRE_ASK__PAGES": "2",  # it must end, not know much
    }


def _submit_slow_run(desk: DeskProcess, stubs: Stubs) -> str:
    """Submit a run whose calls are under way, and will be for a long time."""
    stubs.latency(search=600.0)
    run_id = desk.submit("ask", question="Did USDC lose its peg in March 2023, and why?")
    _until(lambda: bool(stubs.log()), desk)
    return run_id


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=60).close()
    except ConnectionRefusedError:
        return False
    return True


def _until(found: Callable[[], bool], desk: DeskProcess) -> None:
    until = time.monotonic() + 120
    while not found():
        assert time.monotonic() < until, desk.output()
        time.sleep(0.02)


@pytest.mark.parametrize(
    "database_kind",
    ["sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.slow])],
)
def test_calls_that_take_too_long_do_not_keep_it(
    new_desk: NewDesk, stubs: Stubs, database_url: str
) -> None:
    """The deadline has another code: this one shows that it was not needed."""
    desk = new_desk(**_online(stubs), GROUNDWIRE_DATABASE_URL=database_url)
    run_id = _submit_slow_run(desk, stubs)
    with ThreadPoolExecutor() as others:
        before = len(stubs.log())
        path = "/api/tools/search?wait=60"
        waiting = others.submit(desk.ask, "POST", path, {"query": "USDC 脱锚"})
        _until(lambda: len(stubs.log()) > before, desk)
        assert desk.stop() == 0, desk.output()
        answer = waiting.result()
    assert (answer.status, answer.headers["content-type"]) == (503, "application/problem+json")
    assert answer.headers["retry-after"] == "2"
    assert "Traceback" not in desk.output()
    stubs.latency(search=0.0)
    desk.start()
    assert desk.wait(run_id, "complete", "degraded", "failed")["state"] != "failed"


@pytest.mark.slow
def test_what_cannot_end_is_ended_at_the_deadline(new_desk: NewDesk, tmp_path: Path) -> None:
    """A loop that is stuck: the process says so, and nothing is lost."""
    desk = new_desk()
    stuck = tmp_path / "stuck"
    run_id = desk.submit("drip", count=3, gate=f"stuck:{stuck}")
    _until(stuck.exists, desk)
    assert desk.stop() == UNCLEAN
    assert "not stopped in time" in desk.output()
    stuck.unlink()
    stuck.mkdir()  # whoever sees a folder does not get stuck again
    desk.start()
    assert desk.wait(run_id, "complete", "failed")["state"] == "complete"


def test_a_second_signal_is_obeyed_at_once(new_desk: NewDesk, stubs: Stubs) -> None:
    desk = new_desk(**_online(stubs))
    run_id = _submit_slow_run(desk, stubs)
    desk.signal(signal.SIGTERM)
    _until(lambda: not _listens(desk.port), desk)  # it has begun to stop
    desk.signal(signal.SIGINT)
    assert desk.ended() == 128 + signal.SIGINT, desk.output()
    stubs.latency(search=0.0)
    desk.start()
    assert desk.wait(run_id, "complete", "degraded", "failed")["state"] != "failed"
