"""Uses of a day, on both databases: counted once, before the use, never above the limit."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

from groundwire.store import Store, open_store

from .make import NOW

ROOT = Path(__file__).parents[2]
TAKER = """
import asyncio, sys
from groundwire.store import open_store
from tests.store.make import NOW

async def main(url, name):
    async with open_store(url) as store:
        grants = [await store.quota.take("tools", f"{name}/{n}", 25, NOW) for n in range(20)]
        print(sum(grant.granted for grant in grants))

asyncio.run(main(*sys.argv[1:]))
"""


async def test_uses_are_granted_up_to_the_limit_and_then_refused(store: Store):
    grants = [await store.quota.take("tools", f"r/{n}", 2, NOW) for n in range(3)]
    assert [(each.granted, each.used, each.left) for each in grants] == [
        (True, 1, 1),
        (True, 2, 0),
        (False, 2, 0),
    ]
    assert (grants[2].reason, grants[2].params) == ("quota.tool_calls", {"limit": 2})
    assert await store.quota.used("tools", NOW) == 2


async def test_a_key_is_counted_once_even_past_midnight(store: Store):
    for at in (NOW, NOW, NOW + timedelta(days=1)):
        assert (await store.quota.take("tools", "r/1", 1, at)).granted
    assert await store.quota.used("tools", NOW) == 1
    assert await store.quota.used("tools", NOW + timedelta(days=1)) == 0


async def test_a_granted_key_stays_granted_when_the_day_is_used_up(store: Store):
    await store.quota.take("tools", "r/1", 1, NOW)
    assert not (await store.quota.take("tools", "r/2", 1, NOW)).granted
    assert (await store.quota.take("tools", "r/1", 1, NOW)).granted


async def test_a_refusal_is_asked_again_when_the_limit_is_raised(store: Store):
    assert not (await store.quota.take("tools", "r/1", 0, NOW)).granted
    assert (await store.quota.take("tools", "r/1", 1, NOW)).granted


async def test_days_and_scopes_are_counted_apart(store: Store):
    for scope, days in (("tools", 0), ("tools", 1), ("push", 0)):
        at = NOW + timedelta(days=days)
        assert (await store.quota.take(scope, f"{scope}/{days}", 1, at)).used == 1


async def test_of_many_at_once_only_as_many_as_there_are(store: Store):
    grants = await asyncio.gather(
        *(store.quota.take("tools", f"r/{n}", 10, NOW) for n in range(40))
    )
    assert sum(each.granted for each in grants) == 10


def test_two_processes_share_the_day(database_url: str):
    started = [
        subprocess.Popen(
            [sys.executable, "-c", TAKER, database_url, name],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in "ab"
    ]
    granted = [int(each.communicate(timeout=60)[0]) for each in started]
    assert sum(granted) == 25

    async def look() -> int:
        async with open_store(database_url) as store:
            return await store.quota.used("tools", NOW)

    assert asyncio.run(look()) == 25
