"""One process at a time executes the jobs of a SQLite database; the lock names its owner."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
from contextlib import suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import IO

from groundwire.errors import DiskFull, StoreError, os_reason
from groundwire.model.base import Value
from groundwire.model.run import Run, RunHead


class Owner(Value):
    """Who holds the lock."""

    pid: int
    host: str


class FileLock:
    """An advisory lock that the kernel releases when its process dies, however it dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None

    @property
    def held(self) -> bool:
        return self._file is not None

    def acquire(self) -> bool:
        """Take it for this process; False: another process has it."""
        if self._file is not None:
            return True
        try:
            file = self._path.open("a+", encoding="utf-8")
        except OSError as error:
            raise self._unusable(error) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.seek(0)
            file.truncate()
            file.write(Owner(pid=os.getpid(), host=socket.gethostname()).model_dump_json())
            file.flush()
        except BlockingIOError:
            file.close()
            return False
        except OSError as error:
            with suppress(OSError):  # close tries to flush again
                file.close()
            raise self._unusable(error) from error
        self._file = file
        return True

    def _unusable(self, error: OSError) -> StoreError:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return DiskFull()
        return StoreError(
            "error.lock", path=self._path, why=os_reason(error), hint="hint.make_writable"
        )

    def owner(self) -> Owner | None:
        """Return who took it last; meaningful while `acquire` says no."""
        try:
            return Owner.model_validate_json(self._path.read_bytes())
        except (OSError, ValueError):
            return None

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def is_gone(owner: str) -> bool:
    """Tell whether a lease owner (`lease_owner`) is a dead process of this very machine.

    So a restart goes on at once instead of waiting for the killed process's lease. A process of
    another machine or container, which cannot be seen here, is never called dead.
    """
    place, _, rest = owner.rpartition("#")
    pid, _, started = rest.partition("/")
    return place == _place() and pid.isdigit() and process_start(int(pid)) != started


def state_of(run: Run, now: datetime) -> str:
    """Return the state, or `interrupted` for a running run that nobody executes any more."""
    return "interrupted" if run.state == "running" and is_abandoned(run, now) else run.state


def is_abandoned(run: Run | RunHead, now: datetime) -> bool:
    """Tell whether a run's lease is over, or its owner is known to be dead."""
    if run.lease_until is None or run.lease_until <= now:
        return True
    return run.lease_owner is not None and is_gone(run.lease_owner)


def process_start(pid: int) -> str:
    """Return a process's start time in kernel ticks, "" if there is none: pids are reused."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    # A zombie is dead and only waits for its parent.
    return "" if fields[0] in ("Z", "X") else fields[19]


def lease_owner() -> str:
    """Name this process on leases: its machine and boot, its process namespace, itself."""
    pid = os.getpid()
    return f"{_place()}#{pid}/{process_start(pid)}"


@cache
def _place() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()
        space = Path("/proc/self/ns/pid").readlink().name
    except OSError:
        boot, space = "", ""
    return f"{socket.gethostname()}/{boot}/{space}"
