"""Starts standing runs when they are due: each due time once, whoever looks, and late ones once.

Any number of processes may look. The run of a due time has a key of its own, and the next due time
is set by compare-and-set; a process that dies in between leaves nothing to be done twice.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from groundwire.errors import Conflict, UserError
from groundwire.log import get_logger
from groundwire.model.ports import Schedules
from groundwire.model.schedule import Schedule
from groundwire.runs.schedule import next_due

log = get_logger("groundwire.timetable")

_AT_ONCE = 50  # rows that are read at a time
_SKEW = timedelta(minutes=5)
_MOST = 40  # such pages in one look: what is left is due at the next


@dataclass(eq=False)
class Timetable:
    """Looks what is due; `start` submits the run of a standing run that is due at a moment."""

    schedules: Callable[[], Schedules]
    start: Callable[[Schedule, datetime], Awaitable[object]]
    clock: Callable[[], datetime]
    _looked: datetime | None = field(default=None, init=False)

    async def tick(self) -> None:
        """Start what is due."""
        now = self.clock()
        if self._looked is None or now < self._looked:
            await self._replan(now)
        self._looked = now
        for _ in range(_MOST):
            due = await self.schedules().due(now, _AT_ONCE)
            for each in due:
                await self._start(each, now)
            if len(due) < _AT_ONCE:
                return

    async def _start(self, due: Schedule, now: datetime) -> None:
        trouble, paused = "", False
        try:
            await self.start(due, due.next_at)
        except Conflict as busy:  # its last run still goes on: this time is left out
            trouble = busy.kept
            log.warning("standing run left out", schedule=due.id, why=busy.message)
        except UserError as error:  # it would fail every time
            trouble, paused = error.kept, True
            log.warning("standing run paused", schedule=due.id, why=error.message)
        await self.schedules().move(due, next_due(due, now), trouble=trouble, paused=paused)

    async def _replan(self, now: datetime) -> None:
        """Bring due times back that a clock ahead of its time has set.

        What ran at such a time is not run again: its key is taken. Clocks of several machines
        differ a little, and that is no reason to bring anything back.
        """
        after, soon = "", now + _SKEW
        while page := await self.schedules().later(now, after, _AT_ONCE):
            for each in page:
                first = next_due(each, soon)
                if first < each.next_at:
                    await self.schedules().move(each, first, trouble=each.trouble)
            after = page[-1].id
