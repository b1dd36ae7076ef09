"""The process that parses: it has limits, no secrets and no need of the network, and may die."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import signal
import sys
from datetime import date
from typing import BinaryIO

from groundwire.errors import OutsideFailure
from groundwire.fetch.frames import receive, send

_MB = 1024 * 1024


def main(max_memory_mb: int, cpu_seconds: int) -> int:
    """Serve until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (max_memory_mb * _MB, max_memory_mb * _MB))
    requests, answers = _pipes()

    from groundwire.fetch.jobs import work

    # Imported modules stay: collecting them again and again would be a tenth of the work.
    gc.freeze()
    send(answers, {"ready": True}, b"")
    while True:
        try:
            header, body = receive(requests)
        except EOFError:
            return 0
        _allow_cpu(cpu_seconds)
        latest = date.fromisoformat(header["latest"]) if header.get("latest") else None
        try:
            where = header["content_type"], header["url"]
            kind, about, value = work(header["job"], body, *where, latest, header["before"])
        except OutsideFailure as error:
            failed = {"code": error.code, "reason": error.says, "params": error.params}
            send(answers, {"ok": False, **failed}, b"")
            continue
        except (MemoryError, RecursionError):
            # The process is not trusted any more.
            failed = {"code": "unreadable", "reason": "outside.parser_memory"}
            send(answers, {"ok": False, **failed}, b"")
            return 1
        send(answers, {"ok": True, "kind": kind, "about": about, "rss": _resident()}, value)


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Move the pipes away, so that a library that prints cannot write into a frame."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    return requests, answers


def _die_with_parent() -> None:
    """Kill this process when its parent dies, even while busy. Linux only."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _allow_cpu(seconds: int) -> None:
    """Raise the CPU limit for the next document: the limit counts a process's whole life."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def _resident() -> int:
    """Return the resident megabytes now; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - pathlib costs an import
            return int(file.read().split()[1]) * resource.getpagesize() // _MB
    except OSError:
        return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
