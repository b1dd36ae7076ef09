"""A process that writes without end and prints what was stored, until it is killed."""

from __future__ import annotations

import asyncio
import sys
from itertools import count

from make import Make

from groundwire.store import open_store


async def main(url: str) -> None:
    make = Make()
    async with open_store(url) as store:
        lease = await make.lease(store)

        async def one(n: int) -> None:
            key = f"k{n}"
            await store.ledger.begin(lease, make.intent(key, 10, **{"run:run_1": None}))
            await store.ledger.finish(lease, make.answer(key, response={"n": n, "x": "y" * 3000}))
            await store.journal.append(lease, [make.draft(f"e{n}")], make.now)
            sys.stdout.write(f"{n}\n")
            sys.stdout.flush()

        for start in count(0, 8):
            await asyncio.gather(*[one(n) for n in range(start, start + 8)])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
