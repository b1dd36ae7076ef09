"""The list of runs: filters, cursors that hold while runs are added, counts, heads."""

from __future__ import annotations

from datetime import timedelta

import pytest

from groundwire.errors import InputError
from groundwire.model.run import RunFilter
from groundwire.store import Store

from .make import Make

ALL = RunFilter()


async def _fill(store: Store, make: Make, count: int) -> None:
    for n in range(count):
        at = make.now + timedelta(seconds=n // 2)  # two of the same moment
        await store.runs.create(make.run(f"run_{n:02}", created_at=at))


async def _leaf(store: Store, limit: int, wanted: RunFilter = ALL) -> list[str]:
    found: list[str] = []
    after = None
    while True:
        page = await store.runs.page(wanted, after, limit)
        found += [run.id for run in page.runs]
        if page.next is None:
            return found
        after = page.next


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 50])
async def test_every_run_is_listed_once_newest_first(store: Store, make: Make, limit: int):
    await _fill(store, make, 9)
    assert await _leaf(store, limit) == [f"run_{n:02}" for n in (8, 7, 6, 5, 4, 3, 2, 1, 0)]


async def test_a_cursor_holds_while_runs_are_added(store: Store, make: Make):
    await _fill(store, make, 6)
    first = await store.runs.page(ALL, None, 3)
    await store.runs.create(make.run("newest", created_at=make.now + timedelta(hours=1)))
    second = await store.runs.page(ALL, first.next, 3)
    listed = [run.id for run in (*first.runs, *second.runs)]
    assert listed == [f"run_{n:02}" for n in (5, 4, 3, 2, 1, 0)]
    assert second.next is None


async def test_filters(store: Store, make: Make):
    await store.runs.create(make.run("a", kind="verify", owner="tk_1"))
    await store.runs.create(make.run("b", input={"question": "Did USDC fall to 88%?"}))
    await store.runs.create(make.run("c", input={"question": "穩定幣 為什麼 脫錨"}))
    await store.runs.create(make.run("d", input={"question": 'a_b "so\\to\nsay"'}))
    await store.runs.request_cancel("d", make.now)

    async def listed(**wanted: str) -> set[str]:
        return set(await _leaf(store, 2, RunFilter.model_validate(wanted)))

    assert await listed() == {"a", "b", "c", "d"}
    assert await listed(owner="tk_1") == {"a"}
    assert await listed(owner="local", kind="ask") == {"b", "c", "d"}
    assert await listed(state="cancelled") == {"d"}
    assert await listed(text="usdc FALL") == {"b"}
    assert await listed(text="为什么") == {"a"}
    assert await listed(text="脫錨") == {"c"}
    assert await listed(text="88%") == {"b"}  # no wildcard
    assert await listed(text="_") == {"d"}
    assert await listed(text='"') == await listed(text='b "SO') == {"d"}  # not those of JSON
    assert await listed(text="\\") == await listed(text="so\\to\nsay") == {"d"}
    assert await listed(text="us\0dc") == {"a", "b"}


@pytest.mark.parametrize("cursor", ["", "x", "!!!!", "MTIz", "LTEveA", "甲", "a" * 5000])
async def test_a_cursor_of_somebody_else_is_refused(store: Store, cursor: str):
    with pytest.raises(InputError, match="cursor"):
        await store.runs.page(ALL, cursor, 3)


async def test_heads_and_counts(store: Store, make: Make):
    await _fill(store, make, 3)
    await store.runs.claim("run_01", "w", make.now, make.later)
    head = await store.runs.head("run_01")
    assert head is not None
    assert (head.state, head.fence, head.lease_owner) == ("running", 1, "w")
    assert await store.runs.head("nobody") is None
    assert await store.runs.counts() == {"queued": 2, "running": 1}
