"""A worker whose leases are short, so that a frozen one is missed soon: `python -m` in a process of
its own, with settings in the environment, until it is killed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from groundwire.app import open_app
from groundwire.runs.engine import Pace
from groundwire.runs.shared import SharedEngine

SWIFT = Pace(lease=3.0, renew=0.5, reconcile=0.5)


async def main() -> None:
    async with open_app() as app:
        turn = app.store.turn
        assert not isinstance(turn, Path)
        app.engine = SharedEngine(app.services, turn, ["ask"], pace=SWIFT)
        await app.engine.work()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
