"""Stubs without sockets: an HTTP transport that hands each request to a stub of this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import httpx2

from lab.stubs.calllog import Inbound
from lab.stubs.harness import Desk, Stub, StubReply, reply_with


class InProcess(httpx2.AsyncBaseTransport):
    """Answers every request by the stub that `route` finds for its host.

    A host without a stub cannot be reached. Faults follow the desk's schedule, as on loopback; an
    answer that would come after the client's timeout raises that timeout at once.
    """

    def __init__(self, route: Callable[[str], Stub | None], desk: Desk) -> None:
        self._route = route
        self._desk = desk

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        stub = self._route(url.host)
        if stub is None:
            raise httpx2.ConnectError(f"'{url.host}' has no address", request=request)
        inbound = Inbound(
            method=request.method,
            path=url.path,
            query=url.query.decode("latin-1"),
            headers={name.lower(): value for name, value in request.headers.items()},
            body=await request.aread(),
        )
        call = self._desk.log.receive(stub.name, inbound)
        fault, pause = self._desk.decide(stub, call)
        try:
            if pause > _read_timeout(request):
                raise httpx2.ReadTimeout("no answer in time", request=request)
            if pause:
                await asyncio.sleep(pause)
            if fault is not None and fault.kind == "cut_off":
                raise httpx2.ReadError("the connection was reset", request=request)
        except httpx2.TransportError as broken:
            self._desk.log.reply(call, 0, type(broken).__name__)
            raise
        reply = reply_with(stub, inbound, fault)
        self._desk.log.reply(call, reply.status, fault.kind if fault else f"http_{reply.status}")
        return _response(reply)


def _read_timeout(request: httpx2.Request) -> float:
    """Return how many seconds the client waits for an answer."""
    timeout: object = request.extensions.get("timeout", {}).get("read")
    return float(timeout) if isinstance(timeout, int | float) else 60.0


def _response(reply: StubReply) -> httpx2.Response:
    headers = list(reply.headers)
    if reply.media is not None:
        headers.append(("content-type", reply.media))
    # Streamed, as from a socket: a response built from content would count as read already.
    return httpx2.Response(reply.status, headers=headers, stream=httpx2.ByteStream(reply.whole()))
