"""Taking over a run, as a process does when it knows the owner to be dead."""

from __future__ import annotations

from datetime import datetime

from groundwire.model.call import Lease
from groundwire.model.ports import Runs


async def take_over(
    runs: Runs, run_id: str, owner: str, now: datetime, until: datetime
) -> Lease | None:
    run = await runs.get(run_id)
    fence = None if run is None else run.fence
    return await runs.claim(run_id, owner, now, until, abandoned=fence)
