"""Events are written behind the run: in order, few transactions, no failure lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from groundwire.errors import StoreBusy
from groundwire.model.call import Lease
from groundwire.model.event import Draft, Event
from groundwire.runs.journal import Bell, JournalWriter

NOW = datetime(2026, 1, 2, tzinfo=UTC)


class Book:
    """A journal that writes when allowed to, and records what came together."""

    def __init__(self, *, broken: bool = False) -> None:
        self.open = asyncio.Event()
        self.written: list[list[str]] = []
        self._broken = broken

    async def append(self, lease: Lease, drafts: Sequence[Draft], at: datetime) -> Sequence[Event]:
        await self.open.wait()
        if self._broken:
            raise StoreBusy
        self.written.append([draft.key for draft in drafts])
        return ()

    async def read(self, run_id: str, after: int = 0, limit: int = 500) -> Sequence[Event]:
        return ()


def draft(key: str) -> Draft:
    return Draft(key=key, attempt=1, step="", type="thought", payload={})


def writer_of(book: Book) -> JournalWriter:
    return JournalWriter(book, Lease(run_id="r", fence=1, attempt=1), lambda: NOW, Bell())


async def test_events_that_come_while_one_is_written_are_one_transaction():
    book = Book()
    writer = writer_of(book)
    await writer.append([draft("a")])
    await asyncio.sleep(0)
    await writer.append([draft("b")])
    await writer.append([draft("c")])
    book.open.set()
    await writer.written()
    assert book.written == [["a"], ["b", "c"]]


async def test_whoever_ends_the_run_gets_what_is_not_written_yet_after_all_that_is():
    book = Book()
    writer = writer_of(book)
    await writer.append([draft("a")])
    await asyncio.sleep(0)
    await writer.append([draft("b")])
    book.open.set()
    assert [each.key for each in await writer.rest()] == ["b"]
    assert book.written == [["a"]]
    await writer.written()
    assert book.written == [["a"]]


@pytest.mark.parametrize("way", ["append", "rest", "written"])
async def test_a_failure_to_write_is_raised_at_the_next_step(way: str):
    book = Book(broken=True)
    writer = writer_of(book)
    book.open.set()
    await writer.append([draft("a")])
    for _ in range(3):
        await asyncio.sleep(0)
    with pytest.raises(StoreBusy):
        if way == "append":
            await writer.append([draft("b")])
        elif way == "rest":
            await writer.rest()
        else:
            await writer.written()
