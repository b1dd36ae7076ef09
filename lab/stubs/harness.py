"""The ASGI wrapper around every stub: log, kill, latency, faults, control paths."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Protocol

from pydantic import NonNegativeFloat, TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from lab.stubs.calllog import Call, CallLog, Inbound, Killer
from lab.stubs.faults import Fault, Rule, Schedule
from lab.stubs.terms import Json

_GARBAGE = b'\xff\xfe<{"broken": '


@dataclass(frozen=True, slots=True)
class StubReply:
    """One answer; with `stream`, its pieces are generated one by one and `body` is not used."""

    status: int = 200
    body: bytes = b""
    media: str | None = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    stream: Callable[[], Iterable[bytes]] | None = None

    def whole(self) -> bytes:
        """Return the body in one piece."""
        return self.body if self.stream is None else b"".join(self.stream())


def json_reply(
    value: Json, status: int = 200, headers: tuple[tuple[str, str], ...] = ()
) -> StubReply:
    """Build a JSON answer in UTF-8."""
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return StubReply(status=status, body=body, headers=headers)


class Stub(Protocol):
    """What the wrapper needs of a stub; both methods are pure."""

    name: str

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        """Answer a request; `fault` is one that only the stub itself can show, or None."""
        ...

    def refuse(self, status: int, fault: Fault) -> StubReply:
        """Refuse in the vendor's error shape."""
        ...


_RULES, _KILLER = TypeAdapter(list[Rule]), TypeAdapter(Killer)
_LATENCIES = TypeAdapter(dict[str, NonNegativeFloat])


@dataclass(slots=True)
class Desk:
    """What all stubs of one process share: the log, the faults, the killer, the latencies."""

    log: CallLog = field(default_factory=CallLog)
    schedule: Schedule = field(default_factory=Schedule)
    killer: Killer = field(default_factory=Killer)
    latency: dict[str, float] = field(default_factory=dict[str, float])

    def control(self, method: str, path: str, body: bytes) -> StubReply:
        """Answer a call to /_stub/…; such calls are not logged."""
        command = f"{method} {path.removeprefix('/_stub/')}"
        try:
            match command:
                case "GET log":
                    return json_reply({"calls": [asdict(call) for call in self.log.calls]})
                case "POST faults":
                    self.schedule.set(_RULES.validate_json(body, strict=True))
                case "POST reset":
                    self.log.calls = []
                    self.schedule.set(())
                    self.killer = Killer()
                case "POST kill":
                    self.killer = _KILLER.validate_json(body, strict=True)
                case "POST latency":
                    self.latency |= _LATENCIES.validate_json(body, strict=True)
                case _:
                    return json_reply({"error": f"no such control: {command}"}, 404)
        except ValidationError as bad:
            return json_reply({"error": str(bad)}, 400)
        return json_reply({})

    def decide(self, stub: Stub, call: Call) -> tuple[Fault | None, float]:
        """Return the fault that a call is to show, and how long to hold back its reply."""
        fault = self.schedule.decide(stub.name, call.path, call.content)
        late = fault.seconds if fault is not None and fault.kind == "slow" else 0.0
        return fault, self.latency.get(stub.name, 0.0) + late


def reply_with(stub: Stub, request: Inbound, fault: Fault | None) -> StubReply:
    """Return the stub's reply as the fault changes it."""
    if fault is not None and fault.refusal_status:
        return stub.refuse(fault.refusal_status, fault)
    reply = stub.answer(request, fault)
    if fault is None or fault.kind != "malformed":
        return reply
    # Half of the body, then rubbish, under the same status and type.
    body = reply.whole()
    return replace(reply, body=body[: len(body) // 2] + _GARBAGE, stream=None)


class App:
    """One stub as an ASGI application."""

    def __init__(self, stub: Stub, desk: Desk) -> None:
        self._stub = stub
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one HTTP request."""
        http_request = Request(scope, receive)
        method, path, body = http_request.method, str(scope["path"]), await http_request.body()
        if path.startswith("/_stub/"):
            await _response(self._desk.control(method, path, body))(scope, receive, send)
            return
        request = Inbound(method, path, http_request.url.query, dict(http_request.headers), body)
        call = self._desk.log.receive(self._stub.name, request)
        if self._desk.killer.on_receive(call.index):
            self._desk.log.reply(call, 0, "killed")
            await _cut_off(StubReply(body=b"{}"), send)
            return
        fault, pause = self._desk.decide(self._stub, call)
        reply = reply_with(self._stub, request, fault)
        if pause > 0:
            await asyncio.sleep(pause)
        plain = "ok" if reply.status < 400 else f"http_{reply.status}"
        self._desk.log.reply(call, reply.status, fault.kind if fault else plain)
        if fault is not None and fault.kind == "cut_off" and reply.status != 304:
            await _cut_off(reply, send)
        else:
            await _response(reply)(scope, receive, send)


def _response(reply: StubReply) -> Response:
    # Passed as a header: as `media_type`, a charset would be added to it.
    media = {} if reply.media is None else {"content-type": reply.media}
    headers = {**dict(reply.headers), **media}
    if reply.stream is not None:
        return StreamingResponse(reply.stream(), reply.status, headers)
    return Response(reply.body, reply.status, headers)


async def _cut_off(reply: StubReply, send: Send) -> None:
    """Send half of the reply: without a last body message uvicorn closes the connection."""
    whole, headers = reply.whole(), _response(reply).raw_headers
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    half = whole[: len(whole) // 2]
    await send({"type": "http.response.body", "body": half, "more_body": True})
