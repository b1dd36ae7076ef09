"""A process that claims a run and reserves 10 in `day:1`, 50 times; prints how often it succeeded."""

from __future__ import annotations

import asyncio
import sys

from make import Make

from groundwire.store import open_store


async def main(url: str, run_id: str) -> None:
    make = Make()
    async with open_store(url) as store:
        lease = await make.lease(store, run_id)
        begun = await asyncio.gather(
            *[
                store.ledger.begin(lease, make.intent(f"k{n}", 10, **{"day:1": 205}))
                for n in range(50)
            ]
        )
    sys.stdout.write(str(sum(b.state == "go" for b in begun)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
