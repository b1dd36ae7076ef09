"""Processes under measurement: started with a clean environment, timed, and weighed while they run."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import cast

from groundwire.errors import IllegalState, MissingExtra
from groundwire.model.base import JsonObject
from lab import PATHS

_WEIGH_EVERY = 0.1
MEGA = 1_000_000


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process went: wall and CPU seconds (its children included), and its output."""

    began: datetime
    wall: float
    cpu: float
    code: int
    out: str
    error: str
    pss_mb: float = 0.0

    def json(self) -> JsonObject:
        """Parse the one object that it wrote."""
        try:
            return cast("JsonObject", json.loads(self.out))
        except ValueError:
            output = (self.error or self.out).strip()[-600:]
            raise IllegalState(f"A measured process failed ({self.code}): {output}") from None


def environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Build the environment of a measured process, without the user's own settings and keys."""
    return {
        "HOME": str(home),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(map(str, PATHS)),
        "GROUNDWIRE_HOME": str(home),
        **(more or {}),
    }


def start(arguments: Sequence[str], env: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a Python process in the data folder, where no settings file of the user is found."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=env["HOME"],
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def run(arguments: Sequence[str], env: Mapping[str, str], *, weigh: bool = False) -> Ended:
    """Run a process to its end and account for it; `weigh` also samples its memory ten times a second."""
    began, wall, cpu = datetime.now(UTC), time.perf_counter(), _reaped_cpu()
    process = start(arguments, env)
    peak = 0
    while True:
        try:
            out, error = process.communicate(timeout=_WEIGH_EVERY if weigh else None)
            break
        except subprocess.TimeoutExpired:
            peak = max(peak, pss_of(process.pid))
    return Ended(
        began=began,
        wall=time.perf_counter() - wall,
        cpu=_reaped_cpu() - cpu,
        code=process.returncode,
        out=out.decode(errors="replace"),
        error=error.decode(errors="replace"),
        pss_mb=peak / MEGA,
    )


def _reaped_cpu() -> float:
    """Return the CPU seconds of the children that have ended, and of their children."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def pss_of(pid: int) -> int:
    """Return the proportional set size of a process and its descendants in bytes."""
    psutil = require_psutil()
    total = 0
    with contextlib.suppress(psutil.Error):
        root = psutil.Process(pid)
        for process in [root, *root.children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                total += process.memory_full_info().pss
    return total


def tree_cpu() -> float:
    """Return the CPU seconds of this process and of its children, both living and reaped."""
    psutil = require_psutil()
    total = time.process_time() + _reaped_cpu()
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            total += cpu_of(process.pid)
    return total


def cpu_of(pid: int) -> float:
    """Return the CPU seconds of another process, without its children."""
    used = require_psutil().Process(pid).cpu_times()
    return used.user + used.system


def require_psutil() -> ModuleType:
    """Return psutil; measurements that weigh processes ask for it before they start any."""
    try:
        return import_module("psutil")
    except ImportError as error:
        raise MissingExtra(
            "the benchmark needs an optional part (psutil)", hint="pip install 'groundwire[bench]'"
        ) from error
