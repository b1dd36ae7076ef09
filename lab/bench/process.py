"""Processes under measurement: started with a clean environment, timed, and weighed while they run."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

from groundwire.errors import IllegalState, MissingExtra
from groundwire.model.base import JsonObject
from lab import PATHS

if TYPE_CHECKING:
    import psutil

_WEIGH_EVERY = 0.1
MEGA = 1_000_000


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process went: wall and CPU seconds (its own children included), and what it said."""

    began: datetime
    wall: float
    cpu: float
    code: int
    out: str
    error: str
    pss_mb: float = 0.0

    def json(self) -> JsonObject:
        """The one object that it wrote."""
        try:
            return cast("JsonObject", json.loads(self.out))
        except ValueError:
            said = (self.error or self.out).strip()[-600:]
            raise IllegalState(f"A measured process failed ({self.code}): {said}") from None


def environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a measured process sees: nothing of the user's own settings and keys."""
    return {
        "HOME": str(home),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(map(str, PATHS)),
        "GROUNDWIRE_HOME": str(home),
        **(more or {}),
    }


def start(arguments: Sequence[str], env: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """A Python process in the data folder, so that no settings file of the user is found."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=env["HOME"],
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def run(arguments: Sequence[str], env: Mapping[str, str], *, weigh: bool = False) -> Ended:
    """Start, wait for the end, and account for it."""
    began, wall, cpu = datetime.now(UTC), time.perf_counter(), _reaped_cpu()
    process = start(arguments, env)
    scale = Scale(process.pid) if weigh else None
    out, error = process.communicate()
    return Ended(
        began=began,
        wall=time.perf_counter() - wall,
        cpu=_reaped_cpu() - cpu,
        code=process.returncode,
        out=out.decode(errors="replace"),
        error=error.decode(errors="replace"),
        pss_mb=scale.stop() if scale is not None else 0.0,
    )


def _reaped_cpu() -> float:
    """CPU seconds of the children that have ended, and of theirs."""
    gone = resource.getrusage(resource.RUSAGE_CHILDREN)
    return gone.ru_utime + gone.ru_stime


class Scale:
    """Weighs a process and everything below it ten times a second; shared pages count once."""

    def __init__(self, pid: int) -> None:
        self._root = _process(pid)
        self._peak = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._weigh, daemon=True)
        self._thread.start()

    def stop(self) -> float:
        """The most that was seen, in MB."""
        self._over.set()
        self._thread.join()
        return self._peak / MEGA

    def _weigh(self) -> None:
        while not self._over.wait(_WEIGH_EVERY):
            self._peak = max(self._peak, tree_pss(self._root))


def tree_pss(root: psutil.Process) -> int:
    """Proportional set size of a process and its descendants, in bytes."""
    errors = _gone()
    total = 0
    with contextlib.suppress(errors):
        for process in [root, *root.children(recursive=True)]:
            with contextlib.suppress(errors):
                total += process.memory_full_info().pss
    return total


def tree_cpu() -> float:
    """CPU seconds of this process and of its children, the living and the reaped."""
    total = time.process_time() + _reaped_cpu()
    errors = _gone()
    for process in _process().children(recursive=True):
        with contextlib.suppress(errors):
            used = process.cpu_times()
            total += used.user + used.system
    return total


def cpu_of(pid: int) -> float:
    """CPU seconds of another process, without its children."""
    used = _process(pid).cpu_times()
    return used.user + used.system


def pss_of(pid: int) -> int:
    """Proportional set size of another process and its descendants, in bytes."""
    return tree_pss(_process(pid))


def require_psutil() -> ModuleType:
    """Return psutil; measurements that weigh processes ask for it before they start any."""
    try:
        return import_module("psutil")
    except ImportError as error:
        raise MissingExtra(
            "the benchmark needs an optional part (psutil)", hint="pip install 'groundwire[bench]'"
        ) from error


def _process(pid: int | None = None) -> psutil.Process:
    return cast("psutil.Process", require_psutil().Process(pid))


def _gone() -> type[Exception]:
    """What is raised for a process that has just ended."""
    return cast("type[Exception]", require_psutil().Error)
