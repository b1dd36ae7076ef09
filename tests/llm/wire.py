"""Answers of each protocol as they look on the wire, after the vendors' documents."""

from __future__ import annotations

import json
from typing import Any

from tests.llm.server import Reply, chat

JSON = {"Content-Type": "application/json"}


def gemini(
    *,
    text: str | None = None,
    arguments: dict[str, Any] | None = None,
    finish: str | None = "STOP",
    block: str | None = None,
    usage: dict[str, int] | None = None,
    **candidate: Any,
) -> Reply:
    """`:generateContent`: with `arguments` a function call, with `block` a refused prompt."""
    parts: list[dict[str, Any]] = []
    if text is not None:
        parts.append({"text": text})
    if arguments is not None:
        parts.append({"functionCall": {"name": "Answer", "args": arguments}})
    body: dict[str, Any] = {
        "usageMetadata": usage
        or {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120},
        "modelVersion": "stub-1",
        "responseId": "r-1",
    }
    if block is not None:
        body["promptFeedback"] = {"blockReason": block}
    else:
        content = {"parts": parts, "role": "model"} if parts else {"role": "model"}
        body["candidates"] = [{"content": content, "finishReason": finish, "index": 0, **candidate}]
    return Reply(body=json.dumps(body).encode())


def anthropic(
    *,
    text: str | None = None,
    arguments: dict[str, Any] | None = None,
    finish: str = "end_turn",
    usage: dict[str, int] | None = None,
    thought: str | None = None,
) -> Reply:
    """`/v1/messages`: with `arguments` a call of the tool."""
    content: list[dict[str, Any]] = []
    if thought is not None:
        content.append({"type": "thinking", "thinking": thought, "signature": "c2ln"})
    if text is not None:
        content.append({"type": "text", "text": text})
    if arguments is not None:
        call = {"type": "tool_use", "id": "toolu_1", "name": "Answer", "input": arguments}
        content.append(call)
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "stub-1",
        "content": content,
        "stop_reason": finish,
        "stop_sequence": None,
        "usage": usage or {"input_tokens": 100, "output_tokens": 20},
    }
    return Reply(body=json.dumps(body).encode())


def text_reply(vendor: str, text: str) -> Reply:
    """Build a plain text answer in the vendor's own protocol."""
    match vendor:
        case "google":
            return gemini(text=text)
        case "anthropic":
            return anthropic(text=text)
        case _:
            return chat(text=text)


def google_error(
    status: int, code: str, message: str = "no", details: list[dict[str, Any]] | None = None
) -> Reply:
    error = {"code": status, "message": message, "status": code, "details": details or []}
    return Reply(status, json.dumps({"error": error}).encode(), JSON)


def anthropic_error(status: int, kind: str, message: str = "no", **headers: str) -> Reply:
    body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
    return Reply(status, json.dumps(body).encode(), {**JSON, **headers})
