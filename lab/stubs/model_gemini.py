"""Google's `:generateContent` on loopback, with the brain and the faults of the other models."""

from __future__ import annotations

import base64
import json
import re

from lab.stubs.brain import Schema
from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.drafting import ModelDraft, ModelRequest, compose, identity, rows, text_of
from lab.stubs.faults import Fault
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json

_PATH = re.compile(r"^/v1(?:beta|alpha)?/models/([^/:]+):generateContent$")
_RPC = "type.googleapis.com/google.rpc"
_STATUS = {
    400: ("INVALID_ARGUMENT", "Request contains an invalid argument."),
    401: ("UNAUTHENTICATED", "Request had invalid authentication credentials."),
    404: ("NOT_FOUND", "The model is not found."),
    429: ("RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
    503: ("UNAVAILABLE", "The model is overloaded. Please try again later."),
}


def _error(status: int, message: str = "", details: list[Json] | None = None) -> StubReply:
    code, text = _STATUS.get(status, ("INTERNAL", "An internal error has occurred."))
    error: dict[str, Json] = {"code": status, "message": message or text, "status": code}
    if details:
        error["details"] = details
    return json_reply({"error": error}, status)


def _object(row: dict[str, Json], name: str) -> dict[str, Json]:
    """A field that is an object; Google's API reads a name in either of its two spellings."""
    spelled = re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name)
    value = row.get(name, row.get(spelled))
    return value if isinstance(value, dict) else {}


def _texts(content: dict[str, Json]) -> list[str]:
    return [text for part in rows(content.get("parts")) if (text := text_of(part, "text"))]


def _pictures(content: dict[str, Json]) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for part in rows(content.get("parts")):
        inline = _object(part, "inlineData")
        if inline:
            data = base64.b64decode(text_of(inline, "data") or "", altchars=b"-_")
            found.append((text_of(inline, "mimeType") or text_of(inline, "mime_type"), data))
    return found


def _function(body: dict[str, Json]) -> tuple[str, Schema] | None:
    """The first function, where calling one is demanded."""
    config = _object(_object(body, "toolConfig"), "functionCallingConfig")
    declared = [
        each for tool in rows(body.get("tools")) for each in rows(tool.get("functionDeclarations"))
    ]
    if not declared or config.get("mode") == "NONE":
        return None
    first = declared[0]
    if not text_of(first, "name"):
        raise BadRequest("each function declaration needs a name")
    return text_of(first, "name"), _object(first, "parametersJsonSchema") or _object(
        first, "parameters"
    )


def _read(body: dict[str, Json]) -> ModelRequest:
    contents = rows(body.get("contents"))
    if not contents:
        raise BadRequest("contents must not be empty")
    config = _object(body, "generationConfig")
    function = _function(body)
    schema = _object(config, "responseJsonSchema") or _object(config, "responseSchema")
    texts = [text for content in contents for text in _texts(content)]
    return ModelRequest(
        texts=texts,
        every_text=[*_texts(_object(body, "systemInstruction")), *texts],
        tool=function[0] if function else None,
        schema=function[1] if function else schema or None,
        pictures=[found for content in contents for found in _pictures(content)],
    )


def _parts(draft: ModelDraft) -> list[Json]:
    if draft.tool and not draft.cut:
        return [{"functionCall": {"name": draft.tool, "args": json.loads(draft.text or "{}")}}]
    return [{"text": draft.text}] if draft.text and not draft.tool else []


def _reply(model: str, asked: ModelRequest, draft: ModelDraft, ident: str) -> StubReply:
    usage: Json = {
        "promptTokenCount": asked.spent,
        "candidatesTokenCount": draft.spent,
        "totalTokenCount": asked.spent + draft.spent,
    }
    body: dict[str, Json] = {
        "usageMetadata": usage,
        "modelVersion": model,
        "responseId": ident[:24],
    }
    if draft.refusal:
        body["promptFeedback"] = {"blockReason": "PROHIBITED_CONTENT"}
        return json_reply(body)
    finish = "MAX_TOKENS" if draft.cut else "STOP"
    content: dict[str, Json] = {"role": "model"}
    if parts := _parts(draft):
        content["parts"] = parts
    body["candidates"] = [{"content": content, "finishReason": finish, "index": 0}]
    return json_reply(body)


class Gemini:
    """The stub itself; the key `wrong` is refused as Google does it, a missing key is not."""

    name = "gemini"

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        """Route and answer."""
        if request.headers.get("x-goog-api-key") == "wrong":
            info: Json = {"@type": f"{_RPC}.ErrorInfo", "reason": "API_KEY_INVALID"}
            return _error(400, "API key not valid. Please pass a valid API key.", [info])
        found = _PATH.match(request.path)
        if request.method != "POST" or found is None:
            return _error(404)
        try:
            body = request.json()
            asked = _read(body)
        except ValueError as bad:
            return _error(400, str(bad))
        return _reply(found[1], asked, compose(asked, fault), identity(body))

    def refuse(self, status: int, fault: Fault) -> StubReply:
        """An error of the API; the wait is in the body, as Google says it."""
        if status != 429:
            return _error(status)
        wait: Json = {"@type": f"{_RPC}.RetryInfo", "retryDelay": f"{fault.seconds:g}s"}
        return _error(status, "", [wait])
