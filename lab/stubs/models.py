"""Models on loopback: one brain behind the wire forms of three vendors, which are in `models.json`."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from dataclasses import dataclass, field

from pydantic import BaseModel

from lab.stubs.brain import Schema, read_prompt, think
from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.faults import Fault
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.messages import answer_verify
from lab.stubs.reader import Reader
from lab.stubs.shapes import Values, fill, shapes
from lab.stubs.terms import Json, terms, tokens

_DIMENSIONS = 64
_RPC = "type.googleapis.com/google.rpc"
_REFUSAL = "I cannot help with that."
_PER_PICTURE = 258


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request in vendor-neutral form: the user's texts, the pictures, the form of the answer."""

    texts: list[str]
    every_text: list[str]  # counted as tokens: the system's too
    tool: str | None = None  # that must be called
    schema: Schema | None = None
    pictures: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])

    @property
    def spent(self) -> int:
        """Prompt tokens."""
        counted = sum(tokens(text) + 4 for text in self.every_text)
        return counted + _PER_PICTURE * len(self.pictures)


@dataclass(frozen=True, slots=True)
class ModelDraft:
    """An answer before it is put into a wire form; `cut` and `refusal` say how it ended."""

    text: str | None = None
    tool: str | None = None
    refusal: str | None = None
    cut: bool = False

    @property
    def spent(self) -> int:
        """Completion tokens."""
        return tokens(self.text or self.refusal or "")


def compose(request: ModelRequest, fault: Fault | None, reader: Reader | None = None) -> ModelDraft:
    """Compose the answer to one request; a reader answers what it has the key of, unless it lies."""
    prompt = read_prompt(request.texts, request.pictures)
    kind = fault.kind if fault else ""
    if kind == "refusal":
        return ModelDraft(refusal=_REFUSAL)
    if kind == "empty":
        return ModelDraft(text="")
    lie = fault.detail if fault and kind == "lying" else None
    if request.schema is not None:
        value = think(request.schema, prompt, lie)
        verify_answer = answer_verify(request.schema, prompt, lie)
        if verify_answer is not None and isinstance(value, dict):
            value |= verify_answer
        known = reader.answer(request.schema, prompt) if reader and lie is None else None
        if known is not None and isinstance(value, dict):
            value |= known
        if kind == "wrong_schema":
            value = {"unexpected": [1, "two"], "note": "this object fits no schema"}
        text = json.dumps(value, ensure_ascii=False)
    else:
        text = prompt.question
    if kind == "truncated":
        return ModelDraft(text=text[: len(text) // 2], tool=request.tool, cut=True)
    return ModelDraft(text, request.tool)


class ModelForm(BaseModel):
    """The wire form of one vendor; a place in a request is given as a dotted path of names."""

    path: str  # a pattern; its group is the model's name
    key: str  # the header that the key is sent in
    messages: str
    content: str  # of a message
    picture: tuple[str, str]  # the data and the type in a part of the content
    system: str = ""
    functions: tuple[str, str]  # the tools, and the function in one of them
    parameters: tuple[str, ...]  # in a function
    schemas: tuple[str, ...]
    endings: dict[str, str]
    text: Json = None  # a part that is text, a part that is a call
    call: Json = None
    whole_calls: bool = False  # whether a call that was cut off is left out altogether
    reply: Json
    waits: tuple[int, ...] = ()  # refusals with a header that says how long to wait
    error: Json
    errors: dict[int, tuple[str, str | None, str]]


_FORMS = {name: ModelForm.model_validate(given) for name, given in shapes("models").items()}


class ModelStub:
    """A vendor's stub: pure. The key `wrong` is refused, a missing key is not."""

    name: str

    def __init__(self, reader: Reader | None = None) -> None:
        self.form = _FORMS[self.name]
        self._reader = reader

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        """Route and answer."""
        if "wrong" in (request.bearer, request.headers.get(self.form.key)):
            return self.unknown_key()
        found = re.fullmatch(self.form.path, request.path.rstrip("/"))
        try:
            if request.method != "POST" or found is None:
                return self.answer_elsewhere(request, fault)
            body = request.json()
            self.check(request, body)
            model_request = self.read(body)
        except ValueError as bad:
            return self.fail(400, str(bad))
        model = found[1] if found.groups() else body.get("model", "stub-light")
        canonical = json.dumps(body, sort_keys=True, ensure_ascii=False)
        ident = hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
        draft = compose(model_request, fault, self._reader)
        return self._reply(model, model_request, draft, ident)

    def check(self, request: Inbound, body: Schema) -> None:
        """Raise `BadRequest` for what the vendor would refuse."""

    def answer_elsewhere(self, request: Inbound, fault: Fault | None) -> StubReply:
        """Answer a request to any other address."""
        return self.fail(404)

    def unknown_key(self) -> StubReply:
        return self.fail(401)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        """Return an error of the API, with how long to wait where it belongs."""
        wait = (("retry-after", f"{fault.seconds:g}"),) if status in self.form.waits else ()
        return self.fail(status, headers=wait)

    def fail(
        self,
        status: int,
        message: str = "",
        headers: tuple[tuple[str, str], ...] = (),
        details: list[Json] | None = None,
    ) -> StubReply:
        """Return an error in the vendor's words."""
        kind, code, words = self.form.errors.get(status, self.form.errors[500])
        values: Values = {
            "status": status,
            "kind": kind,
            "code": code,
            "message": message or words,
            "details": details,
        }
        return json_reply(fill(self.form.error, values), status, headers)

    def read(self, body: Schema) -> ModelRequest:
        """Translate the vendor's request into the vendor-neutral form."""
        messages = dig(body, self.form.messages)
        rows = objects(messages)
        if not rows or rows != messages:
            raise BadRequest(f"{self.form.messages} must be a list of objects, and not empty")
        turns = [(row.get("role"), dig(row, self.form.content)) for row in rows]
        user_contents = [content for role, content in turns if role in ("user", None)]
        other_contents = [content for role, content in turns if role not in ("user", None)]
        counted = (dig(body, self.form.system), *other_contents, *user_contents)
        parts = [part for content in user_contents for part in objects(content)]
        tools = self.functions(body)
        schema = next((s for path in self.form.schemas if (s := dig(body, path))), None)
        return ModelRequest(
            texts=[text for content in user_contents for text in _texts(content)],
            every_text=[text for content in counted for text in _texts(content)],
            tool=tools[0][0] if tools else None,
            schema=tools[0][1] if tools else schema if isinstance(schema, dict) else None,
            pictures=[found for part in parts if (found := self._picture(part))],
        )

    def functions(self, body: Schema) -> list[tuple[str, Schema]]:
        """List every function that is offered, with its parameters; the first is called."""
        tools_path, function_path = self.form.functions
        found: list[tuple[str, Schema]] = []
        listed = dig(body, tools_path)
        for tool in listed if isinstance(listed, list) else []:
            function = dig(tool, function_path) if function_path else tool
            name = dig(function, "name")
            params = next((p for n in self.form.parameters if (p := dig(function, n))), None) or {}
            if not isinstance(name, str) or not isinstance(params, dict):
                raise BadRequest("each tool must be a function with a name and parameters")
            found.append((name, params))
        return found

    def _picture(self, part: Schema) -> tuple[str, bytes] | None:
        """Decode the picture in a part; only inline data, as nothing is fetched here."""
        data, kind = (dig(part, path) for path in self.form.picture)
        if not isinstance(data, str):
            return None
        if not self.form.picture[1]:  # both in one address
            head, comma, data = data.partition(";base64,")
            if not (head.startswith("data:") and comma):
                raise BadRequest("a picture must be a data address in base64")
            kind = head.removeprefix("data:")
        return str(kind), base64.b64decode(data.translate(_URL_SAFE), validate=True)

    def _reply(
        self, model: Json, request: ModelRequest, draft: ModelDraft, digest: str
    ) -> StubReply:
        ending = "cut" if draft.cut else "tool" if draft.tool else "stop"
        values: Values = {
            "id": lambda prefix: f"{prefix}{digest[:24]}",
            "model": model,
            "text": draft.text,
            "tool": draft.tool,
            "plain": not draft.tool,
            "refusal": draft.refusal,
            # The arguments of a call that was cut off cannot be parsed.
            "arguments": json.loads(draft.text or "{}") if draft.tool and not draft.cut else {},
            "ending": self.form.endings["refusal" if draft.refusal else ending],
            "asked": request.spent,
            "said": draft.spent,
            "spent": request.spent + draft.spent,
        }
        shape = self.form.call if draft.tool else self.form.text
        lost = draft.tool and draft.cut and self.form.whole_calls
        parts: list[Json] = [fill(shape, values)] if draft.text and not lost else []
        return json_reply(fill(self.form.reply, {**values, "parts": parts}))


_URL_SAFE = str.maketrans("-_", "+/")


def dig(value: Json, path: str) -> Json:
    """Return the value at a path, through lists, in camel case or snake case as Google's API takes it."""
    for name in path.split(".") if path else ():
        if isinstance(value, list):
            return [each for row in value for each in objects(dig(row, name))]
        spelled = re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name)
        value = value.get(name, value.get(spelled)) if isinstance(value, dict) else None
    return value if path else None


def objects(value: Json) -> list[dict[str, Json]]:
    """List the objects in a list; nothing if it is none."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _texts(content: Json) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [text for part in objects(content) if isinstance(text := part.get("text"), str)]


class Model(ModelStub):
    """The OpenAI-compatible vendor: chat with a tool or json_schema, embeddings."""

    name = "model"

    def answer_elsewhere(self, request: Inbound, fault: Fault | None) -> StubReply:
        embeddings_asked = (request.method, request.path.rstrip("/")) == ("POST", "/v1/embeddings")
        return _embeddings(request.json(), fault) if embeddings_asked else self.fail(404)

    def check(self, request: Inbound, body: Schema) -> None:
        form = dig(body, "response_format.type")
        if form == "json_schema" and not isinstance(dig(body, self.form.schemas[0]), dict):
            raise BadRequest("response_format.json_schema.schema must be an object")


def embed(text: str, dimensions: int) -> list[Json]:
    """Build a unit vector of hashed terms: texts that share terms are near each other."""
    vector = [0.0] * dimensions
    for term in terms(text) or [text]:
        digest = hashlib.sha256(term.encode("utf-8", "surrogatepass")).digest()
        sign = 1.0 if digest[8] & 1 else -1.0
        vector[int.from_bytes(digest[:8], "big") % dimensions] += sign
    norm = math.sqrt(sum(x * x for x in vector)) or 1.0
    return [x / norm for x in vector]


def _embeddings(body: Schema, fault: Fault | None) -> StubReply:
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
    model = body.get("model", "stub-embed")
    return json_reply({"object": "list", "data": rows, "model": model, "usage": usage})


class Anthropic(ModelStub):
    """Anthropic's `/v1/messages`."""

    name = "anthropic"

    def check(self, request: Inbound, body: Schema) -> None:
        if "anthropic-version" not in request.headers:
            raise BadRequest("anthropic-version: header is required")
        if not isinstance(body.get("max_tokens"), int):
            raise BadRequest("messages and max_tokens are required")


class Gemini(ModelStub):
    """Google's `:generateContent`; a wrong key is a bad request, and the body says how long to wait."""

    name = "gemini"

    def unknown_key(self) -> StubReply:
        info: Json = {"@type": f"{_RPC}.ErrorInfo", "reason": "API_KEY_INVALID"}
        return self.fail(400, "API key not valid. Please pass a valid API key.", details=[info])

    def refuse(self, status: int, fault: Fault) -> StubReply:
        wait: Json = {"@type": f"{_RPC}.RetryInfo", "retryDelay": f"{fault.seconds:g}s"}
        return self.fail(status, details=[wait] if status == 429 else None)


MODELS: dict[str, type[ModelStub]] = {each.name: each for each in ModelStub.__subclasses__()}
