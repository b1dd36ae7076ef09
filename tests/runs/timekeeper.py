"""A process that starts what is due: `python -m tests.runs.timekeeper HOME URL SECONDS [DIES]`.

With `DIES` it is killed, by a real SIGKILL, after the run of a due time was stored and before the
next due time was set.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.schedules import START, app_at, with_jobs

from groundwire.store.schedules import ScheduleTable


async def main(home: str, url: str, seconds: str, dies: bool) -> None:
    with_jobs()
    if dies:

        async def die(*_given: Any, **_more: Any) -> bool:
            os.kill(os.getpid(), signal.SIGKILL)
            return False

        ScheduleTable.move = die  # type: ignore[method-assign]
    async with app_at(Path(home), url, START + timedelta(seconds=float(seconds))) as app:
        await app.services.tick()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], len(sys.argv) > 4))
