"""The record of every call a stub received, written before the reply leaves."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO, cast

from lab.stubs.terms import Json

_LOOPBACK = re.compile(rb"127\.0\.0\.\d{1,3}(?::\d{1,5})?")


@dataclass(slots=True)
class Call:
    """One call; `index` counts all stubs of the process from 0, `content` identifies the request.

    `outcome` is `pending` until the reply is about to leave, then `ok`, `http_<status>`, the kind
    of the fault, or `killed`. Keys are never kept, only whether one was sent.
    """

    index: int
    epoch: int
    stub: str
    method: str
    path: str
    host: str
    content: str
    body_sha256: str
    idempotency_key: str | None
    authorized: bool
    received_at: float
    replied_at: float | None = None
    status: int | None = None
    outcome: str = "pending"


def canonical(body: bytes) -> bytes:
    """JSON with sorted keys and no spaces; anything else as it is."""
    try:
        value: Json = json.loads(body)
    except ValueError:
        return body
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def sha256(data: bytes) -> str:
    """Hex digest."""
    return hashlib.sha256(data).hexdigest()


class Killer:
    """Kills one process when call `at` has been received and logged; fires once.

    The pid is read from the file only when it is needed, so the victim may start later.
    """

    def __init__(self) -> None:
        self._at: int | None = None
        self._pid: int | Path = 0

    def arm(self, pid: int | Path, at: int) -> None:
        """Set the victim and the index of the call."""
        self._pid, self._at = pid, at

    def disarm(self) -> None:
        """Forget the victim."""
        self._at = None

    def on_receive(self, index: int) -> bool:
        """Kill if this is the call; True if a process was killed."""
        if self._at is None or index != self._at:
            return False
        self._at = None
        pid = self._pid if isinstance(self._pid, int) else int(self._pid.read_text().strip())
        if pid <= 1 or pid == os.getpid():
            return False
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True


class CallLog:
    """All calls since the last reset in memory, and all calls ever in the file if there is one."""

    def __init__(
        self, path: Path | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.calls: list[Call] = []
        self.epoch = 0
        self._clock = clock
        self._file: TextIO | None = None
        if path is not None:
            self._file = path.open("a", encoding="utf-8")

    def receive(
        self, stub: str, method: str, path: str, query: str, headers: dict[str, str], body: bytes
    ) -> Call:
        """Record the receipt; the line is in the file when this returns."""
        plain = canonical(body)
        host = headers.get("host", "").partition(":")[0]
        place = "" if _LOOPBACK.match(host.encode()) else host
        identity = "\n".join((stub, method, place, path, query)).encode("utf-8", "surrogatepass")
        call = Call(
            index=len(self.calls),
            epoch=self.epoch,
            stub=stub,
            method=method,
            path=path,
            host=host,
            # The ports differ from process to process and must not decide who fails.
            content=sha256(_LOOPBACK.sub(b"stub", identity + b"\n" + plain)),
            body_sha256=sha256(plain),
            idempotency_key=headers.get("idempotency-key"),
            authorized="authorization" in headers,
            received_at=self._clock(),
        )
        self.calls.append(call)
        self._write("received", asdict(call))
        return call

    def reply(self, call: Call, status: int, outcome: str) -> None:
        """Record what is about to be answered; the line is in the file when this returns."""
        call.replied_at = self._clock()
        call.status = status
        call.outcome = outcome
        self._write("replied", asdict(call))

    def reset(self) -> None:
        """Empty the memory and count from 0; the file goes on under the next epoch."""
        self.calls = []
        self.epoch += 1

    def rows(self) -> list[dict[str, Json]]:
        """The calls as JSON objects."""
        return [asdict(call) for call in self.calls]

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def _write(self, event: str, row: dict[str, Json]) -> None:
        if self._file is None:
            return
        self._file.write(json.dumps({"event": event, **row}, ensure_ascii=False) + "\n")
        self._file.flush()


def call_from(row: dict[str, Json]) -> Call:
    """Read a call back from its JSON object."""
    known = {name: value for name, value in row.items() if name != "event"}
    return Call(**cast("dict[str, str]", known))  # pyright: ignore[reportArgumentType]


def read_log(path: Path) -> list[Call]:
    """The calls of a log file in the order of receipt; a torn last line is left out."""
    merged: dict[tuple[int, int], Call] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            row: dict[str, Json] = json.loads(line)
        except ValueError:
            continue
        call = call_from(row)
        merged[call.epoch, call.index] = call
    return list(merged.values())
