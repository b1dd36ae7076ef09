"""Anthropic's `/v1/messages` on loopback, with the brain and the faults of the other models."""

from __future__ import annotations

import base64
import json

from lab.stubs.brain import Schema
from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.drafting import ModelDraft, ModelRequest, compose, identity, rows, text_of
from lab.stubs.faults import Fault
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json

_ERRORS = {
    400: ("invalid_request_error", "The request is not valid."),
    401: ("authentication_error", "invalid x-api-key"),
    403: ("permission_error", "Your API key has no permission for this."),
    404: ("not_found_error", "Not found."),
    429: ("rate_limit_error", "This request would exceed the rate limit."),
    529: ("overloaded_error", "Overloaded"),
}


def _error(status: int, message: str = "", headers: tuple[tuple[str, str], ...] = ()) -> StubReply:
    kind, text = _ERRORS.get(status, ("api_error", "Internal server error"))
    error: Json = {"type": kind, "message": message or text}
    return json_reply({"type": "error", "error": error, "request_id": "req_stub"}, status, headers)


def _texts(content: Json) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [text for part in rows(content) if (text := text_of(part, "text"))]


def _pictures(content: Json) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for part in rows(content):
        source = part.get("source")
        if part.get("type") == "image" and isinstance(source, dict):
            data = base64.b64decode(text_of(source, "data"), validate=True)
            found.append((text_of(source, "media_type"), data))
    return found


def _tool(body: dict[str, Json]) -> tuple[str, Schema] | None:
    """The first tool, unless none may be called."""
    tools, choice = rows(body.get("tools")), body.get("tool_choice")
    if not tools or (isinstance(choice, dict) and choice.get("type") == "none"):
        return None
    schema = tools[0].get("input_schema")
    if not text_of(tools[0], "name") or not isinstance(schema, dict):
        raise BadRequest("each tool needs a name and an input_schema")
    return text_of(tools[0], "name"), schema


def _schema(body: dict[str, Json]) -> Schema | None:
    config = body.get("output_config")
    form = config.get("format") if isinstance(config, dict) else None
    schema = form.get("schema") if isinstance(form, dict) else None
    return schema if isinstance(schema, dict) else None


def _read(body: dict[str, Json]) -> ModelRequest:
    messages = rows(body.get("messages"))
    if not messages or not isinstance(body.get("max_tokens"), int):
        raise BadRequest("messages and max_tokens are required")
    tool = _tool(body)
    users = [message.get("content") for message in messages if message.get("role") == "user"]
    texts = [text for content in users for text in _texts(content)]
    return ModelRequest(
        texts=texts,
        every_text=[*_texts(body.get("system")), *texts],
        tool=tool[0] if tool else None,
        schema=tool[1] if tool else _schema(body),
        pictures=[found for content in users for found in _pictures(content)],
    )


def _content(draft: ModelDraft, ident: str) -> list[Json]:
    if draft.refusal or not draft.text:
        return []
    if not draft.tool:
        return [{"type": "text", "text": draft.text}]
    # A call that was cut off has no whole arguments: the API gives what could be read, nothing.
    given: Json = {} if draft.cut else json.loads(draft.text)
    return [{"type": "tool_use", "id": f"toolu_{ident[:20]}", "name": draft.tool, "input": given}]


def _ending(draft: ModelDraft) -> str:
    if draft.refusal:
        return "refusal"
    if draft.cut:
        return "max_tokens"
    return "tool_use" if draft.tool and draft.text else "end_turn"


class Anthropic:
    """The stub itself; the key `wrong` is refused, a missing key is not."""

    name = "anthropic"

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        """Route and answer."""
        if "wrong" in (request.bearer, request.headers.get("x-api-key")):
            return _error(401)
        if f"{request.method} {request.path}" != "POST /v1/messages":
            return _error(404)
        if "anthropic-version" not in request.headers:
            return _error(400, "anthropic-version: header is required")
        try:
            body = request.json()
            asked = _read(body)
        except ValueError as bad:
            return _error(400, str(bad))
        draft, ident = compose(asked, fault), identity(body)
        usage: Json = {"input_tokens": asked.spent, "output_tokens": draft.spent}
        return json_reply(
            {
                "id": f"msg_{ident[:24]}",
                "type": "message",
                "role": "assistant",
                "model": body.get("model"),
                "content": _content(draft, ident),
                "stop_reason": _ending(draft),
                "stop_sequence": None,
                "usage": usage,
            }
        )

    def refuse(self, status: int, fault: Fault) -> StubReply:
        """An error of the API, with Retry-After where it belongs."""
        wait = (("retry-after", f"{fault.seconds:g}"),) if status in (429, 529) else ()
        return _error(status, headers=wait)
