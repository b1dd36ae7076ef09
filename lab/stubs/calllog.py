"""A request as a stub sees it, and the log of every call, written before the reply leaves."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from lab.stubs.terms import Json

_LOOPBACK = re.compile(rb"127\.0\.0\.\d{1,3}(?::\d{1,5})?")


class BadRequest(ValueError):
    """A request that the vendor would answer with 400."""


@dataclass(frozen=True, slots=True)
class Inbound:
    """One request as a stub sees it."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes

    @property
    def bearer(self) -> str | None:
        """The key in the authorization header, if there is one."""
        scheme, _, key = self.headers.get("authorization", "").partition(" ")
        return key.strip() or None if scheme.lower() == "bearer" else None

    def json(self) -> dict[str, Json]:
        """Parse the body as a JSON object; raise ValueError if it is none."""
        value: Json = json.loads(self.body)
        if not isinstance(value, dict):
            raise BadRequest("the body must be a JSON object")
        return value


@dataclass(slots=True)
class Call:
    """One call; `index` counts all stubs of the process from 0, `content` identifies the request.

    `outcome` is `pending` until the reply is about to leave, then `ok`, `http_<status>`, the kind
    of the fault, or `killed`. Keys are never kept, only whether one was sent.
    """

    index: int
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
    """Rewrite JSON with sorted keys and no spaces; leave anything else as it is."""
    try:
        value: Json = json.loads(body)
    except ValueError:
        return body
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass(slots=True)
class Killer:
    """Kills one process when call `at` has been received and logged, once.

    A pid file is read only at that moment, so the victim may start later.
    """

    victim: int | Path = 0  # a pid, or a file that will hold one
    at: int | None = None  # the index of the call; None: kill nobody

    def on_receive(self, index: int) -> bool:
        """Kill the victim if this is the call; tell whether a process was killed."""
        if index != self.at:
            return False
        self.at = None
        pid = self.victim if isinstance(self.victim, int) else int(self.victim.read_text().strip())
        if pid <= 1 or pid == os.getpid():
            return False
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True


class CallLog:
    """All calls since the last reset."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def receive(self, stub: str, request: Inbound) -> Call:
        """Log a call as it arrives."""
        body = canonical(request.body)
        host = request.headers.get("host", "").partition(":")[0]
        public_host = "" if _LOOPBACK.match(host.encode()) else host
        parts = (stub, request.method, public_host, request.path, request.query)
        identity = "\n".join(parts).encode("utf-8", "surrogatepass")
        call = Call(
            index=len(self.calls),
            stub=stub,
            method=request.method,
            path=request.path,
            host=host,
            # Ports differ from process to process and must not decide which call fails.
            content=sha256(_LOOPBACK.sub(b"stub", identity + b"\n" + body)),
            body_sha256=sha256(body),
            idempotency_key=request.headers.get("idempotency-key"),
            authorized="authorization" in request.headers,
            received_at=time.monotonic(),
        )
        self.calls.append(call)
        return call

    def reply(self, call: Call, status: int, outcome: str) -> None:
        """Log the answer that is about to leave."""
        call.replied_at = time.monotonic()
        call.status = status
        call.outcome = outcome
