"""A user's own HTTP proxy on loopback, which says where it was asked to lead."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class LoopbackProxy:
    """Leads every tunnel to `to`, or refuses with a status."""

    to: int = 0  # a port of this machine, whatever address is asked for
    status: int = 200
    port: int = 0
    targets: list[str] = field(default_factory=list[str])
    heads: list[str] = field(default_factory=list[str])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            method, target, _ = head.split(" ", 2)
            assert method == "CONNECT"
            self.targets.append(target)
            self.heads.append(head)
            writer.write(f"HTTP/1.1 {self.status} -\r\n\r\n".encode())
            await writer.drain()
            if self.status == 200:
                far_reader, far_writer = await asyncio.open_connection(
                    "127.0.0.1", self.to or int(target.rpartition(":")[2])
                )
                await asyncio.gather(_pipe(reader, far_writer), _pipe(far_reader, writer))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def proxying(*, to: int = 0, status: int = 200) -> AsyncIterator[LoopbackProxy]:
    proxy = LoopbackProxy(to, status)
    listener = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.port = listener.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        listener.close()
