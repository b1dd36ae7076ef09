"""The parse pool: limits hold, a death fails one document, and the next one is parsed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import textwrap
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.errors import Unreadable
from groundwire.fetch.pool import ParsePool

SENTENCE = "The central bank lowered its reserve ratio by half a point on Thursday. "
PAGE = (
    f"<html><head><title>T</title></head><body><div>{f'<p>{SENTENCE}</p>' * 12}</div></body></html>"
)
# Tables in tables, each with links to weigh: quadratic for any reader.
SLOW = (
    "<html><body>"
    + "<div><table><tr><td>" * 60
    + f"<p><a href='/x'>{SENTENCE}</a> {SENTENCE}</p>" * 25_000
    + "</body></html>"
)


@asynccontextmanager
async def opened(workers: int = 1, **limits: float) -> AsyncIterator[ParsePool]:
    pool = ParsePool(workers, **limits)  # pyright: ignore[reportArgumentType]
    try:
        yield pool
    finally:
        await pool.close()


async def parses(pool: ParsePool) -> bool:
    found = (await pool.work("page", PAGE.encode(), "text/html", "https://example.com/")).page
    assert found is not None
    return found.text.count(SENTENCE.strip()) == 12


def running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()


async def until_gone(pid: int) -> None:
    for _ in range(500):
        if not running(pid):
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"process {pid} lives")


async def test_a_page_is_parsed_in_another_process() -> None:
    async with opened() as pool:
        assert pool.pids() == []  # nothing is started before it is needed
        assert await parses(pool)
        (pid,) = pool.pids()
        assert pid != os.getpid()
        assert await parses(pool)
        assert pool.pids() == [pid]
    await until_gone(pid)


async def test_the_parent_never_loads_the_parsers() -> None:
    code = (
        "import sys, groundwire.fetch.pool\n"
        "print(sorted({'lxml', 'trafilatura', 'pypdfium2'} & set(sys.modules)))"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )  # fmt: skip
    out, _ = await process.communicate()
    assert out.strip() == b"[]"


async def test_a_wall_is_reported_with_its_reason_and_the_worker_lives() -> None:
    async with opened() as pool:
        with pytest.raises(Unreadable, match="soft 404"):
            await pool.work(
                "page", b"<title>404 Not Found</title><p>x</p>", "text/html", "https://e.com/"
            )
        (pid,) = pool.pids()
        assert await parses(pool)
        assert pool.pids() == [pid]


async def test_a_document_that_takes_too_long_is_killed() -> None:
    async with opened(wall_seconds=0.05) as pool:
        with pytest.raises(Unreadable, match="took too long") as failed:
            await pool.work("page", SLOW.encode(), "text/html", "https://example.com/")
        assert failed.value.describe("zh-Hant") == "無法解析頁面：解析行程花了太久。"
        assert pool.pids() == []


async def test_a_document_that_needs_too_much_memory_fails_alone() -> None:
    async with opened(max_memory_mb=220) as pool:
        huge = b"<p>" + b"<b>x</b>" * 4_000_000
        with pytest.raises(Unreadable) as failed:
            await pool.work("page", huge, "text/html", "https://example.com/")
        assert failed.value.says.startswith("outside.")
        assert await parses(pool)


async def test_a_document_that_uses_up_the_processor_fails_alone() -> None:
    async with opened(cpu_seconds=0, wall_seconds=60) as pool:
        body = SLOW.replace("</body></html>", "") + f"<p>{SENTENCE}</p>" * 200_000
        with pytest.raises(Unreadable, match="crashed"):
            await pool.work("page", body.encode(), "text/html", "https://example.com/")
        assert await parses(pool)


async def test_a_worker_killed_in_mid_parse_fails_its_document_and_no_other() -> None:
    async with opened(wall_seconds=60) as pool:
        assert await parses(pool)
        (pid,) = pool.pids()
        task = asyncio.create_task(
            pool.work("page", SLOW.encode(), "text/html", "https://example.com/")
        )
        await asyncio.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(Unreadable, match="crashed"):
            await task
        assert await parses(pool)
        assert pool.pids() != [pid]


async def test_a_worker_killed_while_idle_is_replaced_unseen() -> None:
    async with opened() as pool:
        assert await parses(pool)
        (pid,) = pool.pids()
        os.kill(pid, signal.SIGKILL)
        await until_gone(pid)
        assert await parses(pool)


async def test_a_stopped_worker_meets_the_wall_limit() -> None:
    async with opened() as pool:
        assert await parses(pool)
        (pid,) = pool.pids()
        os.kill(pid, signal.SIGSTOP)
        # Only while it is stopped: on a busy machine an ordinary page takes as long.
        usual, pool.wall_seconds = pool.wall_seconds, 0.3
        with pytest.raises(Unreadable, match="took too long"):
            await pool.work("page", b"x" * 1_000_000, "text/html", "https://example.com/")
        pool.wall_seconds = usual
        assert await parses(pool)


async def test_an_interrupt_of_the_terminal_does_not_reach_the_workers() -> None:
    async with opened() as pool:
        assert await parses(pool)
        (pid,) = pool.pids()
        os.kill(pid, signal.SIGINT)
        assert await parses(pool)
        assert pool.pids() == [pid]


async def test_an_old_worker_makes_room() -> None:
    async with opened(max_documents=2) as pool:
        assert await parses(pool)
        (first,) = pool.pids()
        assert await parses(pool)
        assert pool.pids() == []
        assert await parses(pool)
        assert pool.pids() != [first]


async def test_a_worker_that_has_grown_makes_room() -> None:
    async with opened(max_resident_mb=1) as pool:
        assert await parses(pool)
        assert pool.pids() == []


async def test_workers_see_no_secret_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "planted-secret")
    async with opened() as pool:
        assert await parses(pool)
        (pid,) = pool.pids()
        assert b"planted-secret" not in Path(f"/proc/{pid}/environ").read_bytes()


async def test_workers_die_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        textwrap.dedent(
            """
            import asyncio
            from groundwire.fetch.pool import ParsePool

            async def main():
                pool = ParsePool(1)
                page = b"<title>T</title><p>" + b"A sentence that is long enough to be read. " * 40
                await pool.work("page", page, "text/html", "https://example.com/")
                print(pool.pids()[0], flush=True)
                await asyncio.sleep(60)

            asyncio.run(main())
            """
        )
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(script), stdout=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )  # fmt: skip
    assert process.stdout is not None
    pid = int(await process.stdout.readline())
    assert running(pid)
    process.kill()
    await process.wait()
    await until_gone(pid)


async def test_a_closed_pool_parses_nothing() -> None:
    async with opened() as pool:
        pass
    with pytest.raises(Unreadable, match="closed"):
        await parses(pool)


async def test_closing_ends_what_is_in_work() -> None:
    async with opened(wall_seconds=60) as pool:
        assert await parses(pool)
        task = asyncio.create_task(
            pool.work("page", SLOW.encode(), "text/html", "https://example.com/")
        )
        await asyncio.sleep(0.05)
    with pytest.raises(Unreadable):
        await task
