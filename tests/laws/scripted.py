"""A loopback model that answers as a test scripts it, and records every prompt."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from lab.stubs.brain import Prompt, read_prompt, think

from tests.llm.server import Reply, chat

Say = Callable[[Prompt], dict[str, Any] | None]


@dataclass
class ModelRequest:
    """One request: which question it was, its prompt as read, and its bytes."""

    question: str  # plan or write
    prompt: Prompt
    system: str
    user: str
    headers: dict[str, str]
    body: str


@dataclass
class Model:
    """Answers as the stub does (truthfully) unless `plan` or `write` says otherwise.

    `hold` keeps the answers to one question back until `gate` is set.
    """

    plan: Say | None = None
    write: Say | None = None
    status: int = 200
    echo_key: bool = False
    hold: str = ""
    url: str = ""
    requests: list[ModelRequest] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    def count(self, question: str) -> int:
        return sum(1 for each in self.requests if each.question == question)

    def answer(self, headers: dict[str, str], raw: bytes) -> tuple[str, Reply]:
        body = json.loads(raw)
        texts = {m["role"]: m["content"] for m in body["messages"]}
        tool = body["tools"][0]["function"] if body.get("tools") else None
        schema = tool["parameters"] if tool else body["response_format"]["json_schema"]["schema"]
        question = "plan" if "queries" in schema["properties"] else "write"
        prompt = read_prompt([texts["user"]])
        self.requests.append(
            ModelRequest(question, prompt, texts["system"], texts["user"], headers, raw.decode())
        )
        if self.status != 200:
            refusal = {"error": {"message": f"refused: {headers.get('authorization', '')}"}}
            return question, Reply(status=self.status, body=json.dumps(refusal).encode())
        say = self.plan if question == "plan" else self.write
        value = (say(prompt) if say else None) or think(schema, prompt)
        if self.echo_key and isinstance(value, dict) and question == "write":
            gap = {"what": f"you sent {headers['authorization']}", "why": "an echo"}
            value = {**value, "gaps": [gap]}
        text = json.dumps(value, ensure_ascii=False)
        if tool:
            return question, chat(arguments=text, tool=tool["name"], finish="tool_calls")
        return question, chat(text=text)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            pairs = (line.partition(":") for line in head[1:] if line)
            headers = {name.lower(): value.strip() for name, _, value in pairs}
            raw = await reader.readexactly(int(headers.get("content-length", 0)))
            question, reply = self.answer(headers, raw)
            if question == self.hold:
                await self.gate.wait()
            lines = [f"HTTP/1.1 {reply.status} X", f"Content-Length: {len(reply.body)}"]
            lines += [f"{name}: {value}" for name, value in reply.headers.items()]
            writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode() + reply.body)
            await writer.drain()
        finally:
            writer.close()


@asynccontextmanager
async def scripted(model: Model | None = None) -> AsyncIterator[Model]:
    """Serve the model on a free loopback port."""
    model = model or Model()
    tasks: set[asyncio.Task[None]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        await model.handle(reader, writer)

    listening = await asyncio.start_server(accept, "127.0.0.1", 0)
    host, port = listening.sockets[0].getsockname()[:2]
    model.url = f"http://{host}:{port}/v1"
    try:
        yield model
    finally:
        model.gate.set()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        listening.close()
