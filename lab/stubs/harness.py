"""The ASGI frame around every stub: log, kill, latency, faults, control paths."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, cast

from lab.stubs.calllog import Call, CallLog, Killer
from lab.stubs.faults import BadRule, Fault, Schedule, rule_from, rule_to
from lab.stubs.terms import Json

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_GARBAGE = b'\xff\xfe<{"broken": '


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

    def json(self) -> dict[str, Json]:
        """The body as an object; ValueError if it is none."""
        value: Json = json.loads(self.body)
        if not isinstance(value, dict):
            raise BadRequest("the body must be a JSON object")
        return value

    @property
    def bearer(self) -> str | None:
        """The key in the authorization header, if there is one."""
        scheme, _, key = self.headers.get("authorization", "").partition(" ")
        return key.strip() or None if scheme.lower() == "bearer" else None


@dataclass(frozen=True, slots=True)
class StubReply:
    """One answer; with `stream`, the pieces are made one by one and `body` is not used."""

    status: int = 200
    body: bytes = b""
    media: str | None = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    stream: Callable[[], Iterable[bytes]] | None = None


def json_reply(
    value: Json, status: int = 200, headers: tuple[tuple[str, str], ...] = ()
) -> StubReply:
    """A JSON answer in UTF-8."""
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return StubReply(status=status, body=body, headers=headers)


class Stub(Protocol):
    """What the frame needs of a stub; both methods are pure."""

    name: str

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        """The reply; `fault` is one of those that only the stub can act out, or None."""
        ...

    def refuse(self, status: int, fault: Fault) -> StubReply:
        """A refusal in the vendor's error shape."""
        ...


@dataclass(slots=True)
class Desk:
    """What all stubs of one process share: the log, the faults, the killer, the latencies."""

    log: CallLog = field(default_factory=CallLog)
    schedule: Schedule = field(default_factory=Schedule)
    killer: Killer = field(default_factory=Killer)
    latency: dict[str, float] = field(default_factory=dict[str, float])
    changed: asyncio.Event = field(default_factory=asyncio.Event)  # another latency was set

    def control(self, method: str, path: str, body: bytes) -> StubReply:
        """Answer a call to /_stub/…; such calls are not logged."""
        try:
            raw: Json = json.loads(body) if body.strip() else {}
            if not isinstance(raw, dict):
                raise BadRule("the body must be a JSON object")
            return self._control(f"{method} {path.removeprefix('/_stub/')}", raw)
        except ValueError as bad:
            return json_reply({"error": str(bad)}, 400)

    def _control(self, what: str, raw: dict[str, Json]) -> StubReply:
        match what:
            case "GET log":
                return json_reply({"epoch": self.log.epoch, "calls": cast(Json, self.log.rows())})
            case "POST faults":
                rules = raw.get("rules")
                if not isinstance(rules, list):
                    raise BadRule("rules must be a list")
                parsed = [rule_from(rule) for rule in rules]
                if raw.get("append") is True:
                    self.schedule.add(parsed)
                else:
                    self.schedule.set(parsed)
            case "GET faults":
                pass
            case "POST reset":
                self.log.reset()
                self.schedule.set(())
                self.killer.disarm()
            case "POST kill":
                self._arm(raw)
            case "POST latency":
                for name, value in raw.items():
                    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
                        raise BadRule("a latency is a number of seconds")
                    self.latency[name] = float(value)
                self.changed.set()
                self.changed = asyncio.Event()
            case _:
                return json_reply({"error": f"no such control: {what}"}, 404)
        return json_reply({"rules": [rule_to(rule) for rule in self.schedule.rules]})

    def _arm(self, raw: dict[str, Json]) -> None:
        at, pid, pid_file = raw.get("at"), raw.get("pid"), raw.get("pid_file")
        if not isinstance(at, int):
            raise BadRule("at must be the index of a call")
        if isinstance(pid, int):
            self.killer.arm(pid, at)
        elif isinstance(pid_file, str):
            self.killer.arm(Path(pid_file), at)
        else:
            raise BadRule("pid or pid_file is needed")


async def _read(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b"".join(parts)
        parts.append(cast(bytes, message.get("body", b"")))
        if not message.get("more_body", False):
            return b"".join(parts)


def _headers(scope: Scope) -> dict[str, str]:
    raw = cast("list[tuple[bytes, bytes]]", scope["headers"])
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in raw}


def spoil(reply: StubReply) -> StubReply:
    """Half of the body and then rubbish, of the same status and type."""
    body = reply.body
    if reply.stream is not None:
        body = b"".join(reply.stream())
    return replace(reply, body=body[: len(body) // 2] + _GARBAGE, stream=None)


class App:
    """One stub as an ASGI application."""

    def __init__(self, stub: Stub, desk: Desk) -> None:
        self._stub = stub
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one HTTP request."""
        if scope["type"] != "http":
            return
        body = await _read(receive)
        method, path = cast(str, scope["method"]), cast(str, scope["path"])
        if path.startswith("/_stub/"):
            await self._send(send, self._desk.control(method, path, body), method)
            return
        query = cast(bytes, scope["query_string"]).decode("latin-1")
        request = Inbound(method, path, query, _headers(scope), body)
        call = self._desk.log.receive(
            self._stub.name, method, path, query, request.headers, request.body
        )
        if self._desk.killer.on_receive(call.index):
            self._desk.log.reply(call, 0, "killed")
            await self._send(send, StubReply(body=b"{}"), method, cut=True)
            return
        await self._serve(send, request, call)

    async def _wait(self, extra: float) -> None:
        """Let the latency pass; one that is lowered meanwhile lets go of those who wait."""
        clock = asyncio.get_running_loop().time
        start = clock()
        while (left := start + self._desk.latency.get(self._stub.name, 0.0) + extra - clock()) > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._desk.changed.wait(), left)

    async def _serve(self, send: Send, request: Inbound, call: Call) -> None:
        name = self._stub.name
        fault = self._desk.schedule.decide(name, call.path, call.content)
        if fault is not None and fault.refusal_status:
            reply = self._stub.refuse(fault.refusal_status, fault)
        else:
            reply = self._stub.answer(request, fault)
        if fault is not None and fault.kind == "malformed":
            reply = spoil(reply)
        await self._wait(fault.seconds if fault is not None and fault.kind == "slow" else 0.0)
        if fault is not None:
            outcome = fault.kind
        else:
            outcome = "ok" if reply.status < 400 else f"http_{reply.status}"
        self._desk.log.reply(call, reply.status, outcome)
        cut = fault is not None and fault.kind == "cut_off"
        await self._send(send, reply, request.method, cut=cut)

    async def _send(self, send: Send, reply: StubReply, method: str, cut: bool = False) -> None:
        headers = [(name.lower(), value) for name, value in reply.headers]
        if reply.media is not None:
            headers.append(("content-type", reply.media))
        if reply.stream is None and reply.status != 304:
            headers.append(("content-length", str(len(reply.body))))
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        await send({"type": "http.response.start", "status": reply.status, "headers": raw})
        if method == "HEAD" or reply.status == 304:
            await send({"type": "http.response.body", "body": b""})
            return
        if cut:
            # Returning before the last body message makes uvicorn close the connection.
            whole = reply.body if reply.stream is None else b"".join(reply.stream())
            half = whole[: len(whole) // 2]
            await send({"type": "http.response.body", "body": half, "more_body": True})
            return
        if reply.stream is None:
            await send({"type": "http.response.body", "body": reply.body})
            return
        for piece in reply.stream():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b""})
