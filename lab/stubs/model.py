"""An OpenAI-compatible model on loopback: chat, tools, json_schema, embeddings."""

from __future__ import annotations

import base64
import hashlib
import math

from lab.stubs.brain import Schema
from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.drafting import ModelDraft, ModelRequest, compose, identity, rows, text_of
from lab.stubs.faults import Fault
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json, terms, tokens

CREATED = 1_700_000_000
MODELS = ("stub-light", "stub-heavy", "stub-embed")
_DIMENSIONS = 64
_ERRORS = {
    401: ("invalid_request_error", "invalid_api_key", "Incorrect API key provided."),
    429: ("requests", "rate_limit_exceeded", "Rate limit reached for requests."),
    400: ("invalid_request_error", None, "The request body is not valid."),
    404: ("invalid_request_error", None, "Unknown request URL."),
}


def _error(status: int, message: str = "") -> StubReply:
    kind, code, text = _ERRORS.get(status, ("server_error", None, "The server had an error."))
    error: Json = {"message": message or text, "type": kind, "param": None, "code": code}
    return json_reply({"error": error}, status)


def _plain(content: Json) -> str:
    """The text of a message: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part.get("text") for part in content if isinstance(part, dict)]
    return "\n".join(part for part in parts if isinstance(part, str))


def _messages(body: dict[str, Json]) -> list[dict[str, Json]]:
    raw = body.get("messages")
    if not isinstance(raw, list) or not raw:
        raise BadRequest("messages must be a list with at least one message")
    found = [message for message in raw if isinstance(message, dict)]
    if len(found) != len(raw):
        raise BadRequest("each message must be an object")
    return found


def _functions(body: dict[str, Json]) -> list[tuple[str, Schema]]:
    raw = body.get("tools")
    found: list[tuple[str, Schema]] = []
    for tool in raw if isinstance(raw, list) else []:
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise BadRequest("each tool must be a function with a name")
        parameters = function.get("parameters")
        found.append((str(function["name"]), parameters if isinstance(parameters, dict) else {}))
    return found


def _choose_tool(
    body: dict[str, Json], messages: list[dict[str, Json]]
) -> tuple[str, Schema] | None:
    """The tool that is named; else the first one; after a tool's answer, the last if required."""
    functions, choice = _functions(body), body.get("tool_choice", "auto")
    if not functions or choice == "none":
        return None
    if isinstance(choice, dict):
        wanted = choice.get("function")
        name = wanted.get("name") if isinstance(wanted, dict) else None
        for function in functions:
            if function[0] == name:
                return function
        raise BadRequest(f"tool_choice names an unknown function {name!r}")
    if any(message.get("role") == "tool" for message in messages):
        return functions[-1] if choice == "required" else None
    return functions[0]


def _schema(body: dict[str, Json]) -> Schema | None:
    form = body.get("response_format")
    if not isinstance(form, dict) or form.get("type") != "json_schema":
        return None
    inner = form.get("json_schema")
    schema = inner.get("schema") if isinstance(inner, dict) else None
    if not isinstance(schema, dict):
        raise BadRequest("response_format.json_schema.schema must be an object")
    return schema


def _read(body: dict[str, Json]) -> ModelRequest:
    messages = _messages(body)
    tool = _choose_tool(body, messages)
    users = [message for message in messages if message.get("role") == "user"]
    return ModelRequest(
        texts=[_plain(message.get("content")) for message in users],
        every_text=[_plain(message.get("content")) for message in messages],
        tool=tool[0] if tool else None,
        schema=tool[1] if tool else _schema(body),
        pictures=[found for message in users for found in _pictures(message.get("content"))],
    )


def _pictures(content: Json) -> list[tuple[str, bytes]]:
    """The pictures of a message: data addresses only, as nothing is fetched here."""
    found: list[tuple[str, bytes]] = []
    for part in rows(content):
        image = part.get("image_url")
        url = text_of(image, "url") if isinstance(image, dict) else ""
        head, comma, data = url.partition(";base64,")
        if image is not None and not (head.startswith("data:") and comma):
            raise BadRequest("image_url must be a data address in base64")
        if image is not None:
            found.append((head.removeprefix("data:"), base64.b64decode(data, validate=True)))
    return found


def _completion(model: Json, asked: ModelRequest, draft: ModelDraft, ident: str) -> StubReply:
    message: dict[str, Json] = {"role": "assistant", "content": draft.text}
    message["refusal"] = draft.refusal
    if draft.tool:
        function: Json = {"name": draft.tool, "arguments": draft.text}
        call: Json = {"id": f"call_{ident[:20]}", "type": "function", "function": function}
        message |= {"content": None, "tool_calls": [call]}
    finish = "length" if draft.cut else "tool_calls" if draft.tool else "stop"
    choice: Json = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
    usage: Json = {
        "prompt_tokens": asked.spent,
        "completion_tokens": draft.spent,
        "total_tokens": asked.spent + draft.spent,
    }
    return json_reply(
        {
            "id": f"chatcmpl-{ident[:24]}",
            "object": "chat.completion",
            "created": CREATED,
            "model": model,
            "choices": [choice],
            "usage": usage,
            "system_fingerprint": "fp_stub",
        }
    )


def embed(text: str, dimensions: int) -> list[Json]:
    """A unit vector of hashed terms: texts that share terms are near each other."""
    vector = [0.0] * dimensions
    for term in terms(text) or [text]:
        digest = hashlib.sha256(term.encode("utf-8", "surrogatepass")).digest()
        sign = 1.0 if digest[8] & 1 else -1.0
        vector[int.from_bytes(digest[:8], "big") % dimensions] += sign
    norm = math.sqrt(sum(x * x for x in vector)) or 1.0
    return [x / norm for x in vector]


def _embeddings(body: dict[str, Json], fault: Fault | None) -> StubReply:
    raw = body.get("input")
    texts = [raw] if isinstance(raw, str) else raw
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise BadRequest("input must be a string or a list of strings")
    size = body.get("dimensions", _DIMENSIONS)
    if not isinstance(size, int) or not 1 <= size <= 4096:
        raise BadRequest("dimensions must be between 1 and 4096")
    if fault is not None and fault.kind == "lying":
        size += 1
    rows: list[Json] = [
        {"object": "embedding", "index": index, "embedding": embed(str(text), size)}
        for index, text in enumerate(texts if fault is None or fault.kind != "empty" else [])
    ]
    spent = sum(tokens(str(text)) for text in texts)
    usage: Json = {"prompt_tokens": spent, "total_tokens": spent}
    model = body.get("model", MODELS[2])
    return json_reply({"object": "list", "data": rows, "model": model, "usage": usage})


class Model:
    """The stub itself; the key `wrong` is refused, a missing key is not."""

    name = "model"

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        """Route and answer."""
        if request.bearer == "wrong":
            return _error(401)
        try:
            match request.where:
                case "GET /v1/models":
                    rows: list[Json] = [
                        {"id": name, "object": "model", "created": CREATED, "owned_by": "stub"}
                        for name in MODELS
                    ]
                    return json_reply({"object": "list", "data": rows})
                case "POST /v1/embeddings":
                    return _embeddings(request.json(), fault)
                case "POST /v1/chat/completions":
                    body = request.json()
                    asked, model = _read(body), body.get("model", MODELS[0])
                    return _completion(model, asked, compose(asked, fault), identity(body))
                case _:
                    return _error(404)
        except ValueError as bad:
            return _error(400, str(bad))

    def refuse(self, status: int, fault: Fault) -> StubReply:
        """An error of the API, with Retry-After where it belongs."""
        reply = _error(status)
        wait = (("retry-after", f"{fault.seconds:g}"),) if status == 429 else ()
        return StubReply(status=status, body=reply.body, headers=wait)
