"""Caps hold, whoever reserves at the same time."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from groundwire.store import Store

from .make import Make

RESERVER = Path(__file__).with_name("reserver.py")


async def test_fifty_at_once_never_exceed_the_cap(store: Store, make: Make):
    lease = await make.lease(store)
    begun = await asyncio.gather(
        *[store.ledger.begin(lease, make.intent(f"k{n}", 10, day=105)) for n in range(50)]
    )
    states = [b.state for b in begun]
    assert (states.count("go"), states.count("refused")) == (10, 40)
    assert await store.budget.reserved(["day"]) == {"day": 100}
    sent = [b.record.key for b in begun if b.state == "go"]
    await asyncio.gather(*[store.ledger.finish(lease, make.answer(k, cost=10)) for k in sent])
    assert await store.budget.spent(["day"]) == {"day": 100}
    assert await store.budget.reserved(["day"]) == {"day": 0}


async def test_two_processes_share_one_cap(store: Store, make: Make, database_url: str):
    names = ["run_a", "run_b"]
    for name in names:
        await store.runs.create(make.run(name))
    children = [
        await asyncio.create_subprocess_exec(
            sys.executable, RESERVER, database_url, name, stdout=asyncio.subprocess.PIPE
        )
        for name in names
    ]
    gone = 0
    for child in children:
        out, _ = await child.communicate()
        assert child.returncode == 0
        gone += int(out)
    assert gone == 20
    assert await store.budget.reserved(["day:1"]) == {"day:1": 200}


@pytest.mark.parametrize(
    ("limit", "estimate", "state"),
    [
        (10, 10, "go"),  # up to the limit, inclusive
        (9, 10, "refused"),  # the first call of a scope is limited too
        (0, 0, "go"),  # a free call needs no money
        (0, 1, "refused"),
        (None, 10**15, "go"),  # counted, not limited
    ],
)
async def test_limits(store: Store, make: Make, limit: int | None, estimate: int, state: str):
    lease = await make.lease(store)
    begun = await store.ledger.begin(lease, make.intent("k", estimate, day=limit))
    assert begun.state == state


async def test_a_scope_nobody_used_has_spent_nothing(store: Store):
    assert await store.budget.spent(["run:none"]) == {"run:none": 0}
