"""A loopback server that speaks just enough of OpenAI's chat protocol, and keeps what it received."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

KEY = "sk-planted-secret-0123456789"


@dataclass
class Reply:
    """What to send back: a status, headers and a body; `hang` never answers, `drop` hangs up."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    hang: bool = False
    drop: bool = False


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: dict[str, object]


def chat(
    *,
    text: str | None = None,
    arguments: str | None = None,
    finish: str = "stop",
    refusal: str | None = None,
    tool: str = "Answer",
    usage: dict[str, int] | None = None,
) -> Reply:
    """Build a completion that calls the tool if `arguments` are given, else has the text."""
    message: dict[str, object] = {"role": "assistant", "content": text, "refusal": refusal}
    if arguments is not None:
        function = {"name": tool, "arguments": arguments}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
    completion = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "stub-1",
        "provider": "stub",  # OpenRouter's addition
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if usage is None:
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    completion |= {"usage": usage} if usage else {}
    return Reply(body=json.dumps(completion).encode())


class Server:
    """Fill `replies` (the last one is repeated), then call; `received` holds what came."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.received: list[Received] = []
        self.url = ""

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            pairs = (line.partition(":") for line in head[1:] if line)
            headers = {name.lower(): value.strip() for name, _, value in pairs}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            request = json.loads(body) if body else {}
            self.received.append(Received(head[0].split()[1], headers, request))
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
            if reply.hang:
                await asyncio.sleep(30)
            if not reply.drop:
                lines = [f"HTTP/1.1 {reply.status} X", f"Content-Length: {len(reply.body)}"]
                lines += [f"{name}: {value}" for name, value in reply.headers.items()]
                lines += ["Connection: close", "", ""]
                writer.write("\r\n".join(lines).encode() + reply.body)
                await writer.drain()
        finally:
            writer.close()


@asynccontextmanager
async def serve() -> AsyncIterator[Server]:
    """Run a server on a free loopback port."""
    server, tasks = Server(), set[asyncio.Task[None]]()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        await server.handle(reader, writer)

    listening = await asyncio.start_server(accept, "127.0.0.1", 0)
    host, port = listening.sockets[0].getsockname()[:2]
    server.url = f"http://{host}:{port}/v1"
    try:
        yield server
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        listening.close()
