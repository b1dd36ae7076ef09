"""Recorded answers of real vendors through our own path: each is an answer or a typed failure.

The recordings are not part of the project: they are read where they are, and nothing of them is
kept. Without them this is skipped, and says so.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from pydantic import BaseModel

from groundwire.errors import OutsideFailure
from groundwire.gateway.transport import CappedTransport, Limits
from groundwire.llm.model import ModelCall, ModelReply, send
from groundwire.llm.prompts import Rendered
from groundwire.llm.spec import ModelSpec, VendorOptions
from groundwire.model.base import canonical

_BESIDE = Path(__file__).parents[3] / "shared" / "eval"
FOLDER = Path(os.environ.get("GROUNDWIRE_EVAL_DIR") or _BESIDE) / "payloads/llm_search_cassettes"
RENDERED = Rendered(prompt="ask/x@1", sha256="0" * 64, system="s", user="u")

# Which vendor's file speaks to whom. Everything else that speaks OpenAI's chat protocol is reached
# by a settings block.
PATHS = (
    (r"api\.anthropic\.com/v1/messages$", "anthropic"),
    (r"generativelanguage\.googleapis\.com/.*/models/[^/]+:(stream)?[gG]enerateContent$", "google"),
    (r"api\.openai\.com/v1/chat/completions$", "openai"),
    (r"api\.deepseek\.com/chat/completions$", "deepseek"),
    (r"openrouter\.ai/api/v1/chat/completions$", "openrouter"),
    (r"/chat/completions$", "openai_compatible"),
)

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # the libraries' own, see `exchange`
    pytest.mark.skipif(
        not FOLDER.is_dir(), reason=f"no recordings at {FOLDER}; set GROUNDWIRE_EVAL_DIR"
    ),
]


class Answer(BaseModel):
    text: str


@dataclass(frozen=True)
class Recorded:
    """One recorded answer, and the vendor's file whose business it is (None: nobody's)."""

    source: str
    vendor: str | None
    model: str
    status: int
    media: str
    body: bytes
    parsed: Any


def recordings() -> Iterator[Recorded]:
    """List everything in the folder, in order of name."""
    yaml = pytest.importorskip("yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for path in sorted(FOLDER.glob("*.yaml")):
        for row in yaml.load(path.read_bytes(), loader)["interactions"]:
            if "request" in row:  # a few recordings are of gRPC, which is not HTTP
                yield _recorded(path.name, row)


def _recorded(source: str, row: dict[str, Any]) -> Recorded:
    request, response = row["request"], row["response"]
    parts = urlsplit(request["uri"])
    where = f"{parts.hostname}{parts.path}"
    vendor = next((name for pattern, name in PATHS if re.search(pattern, where)), None)
    named = re.search(r"/models/([^/:]+):", parts.path)
    recorded = request.get("parsed_body")
    model = (
        named[1]
        if named
        else str(recorded.get("model", "m") if isinstance(recorded, dict) else "m")
    )
    parsed = response.get("parsed_body")
    text = response.get("body", {}).get("string", b"")
    raw = text.encode() if isinstance(text, str) else text
    body = json.dumps(parsed).encode() if parsed is not None else raw
    media = str((response["headers"].get("content-type") or ["application/json"])[0])
    return Recorded(source, vendor, model, response["status"]["code"], media, body, parsed)


async def replayed(recorded: Recorded) -> ModelReply | OutsideFailure:
    """Send the answer through the vendor's library on a client like the real one."""
    kind = recorded.vendor or "openai_compatible"
    options = VendorOptions.model_validate({"api_key": "k" * 20, "base_url": "https://v.example"})
    spec = ModelSpec(vendor=kind, name=recorded.model, kind=kind, options=options)
    calls = 0

    async def wire() -> AsyncIterator[bytes]:
        yield recorded.body

    def answer(_: httpx2.Request) -> httpx2.Response:
        nonlocal calls
        calls += 1
        headers = {"content-type": recorded.media}
        return httpx2.Response(recorded.status, content=wire(), headers=headers)

    transport = CappedTransport(httpx2.MockTransport(answer), Limits())
    async with httpx2.AsyncClient(transport=transport) as client:
        request = ModelCall.of(spec, RENDERED, Answer, 300).request()
        try:
            return await send(spec, request, client=client, idempotency_key="k")
        except OutsideFailure as failure:
            return failure
        finally:
            assert calls == 1, recorded.source


def speaks(recorded: Recorded) -> bool:
    """Tell whether the recording holds a finished, non-empty answer, by its own protocol."""
    parsed = recorded.parsed
    if recorded.status != 200 or not isinstance(parsed, dict) or recorded.vendor is None:
        return False
    match recorded.vendor:
        case "anthropic":
            done = parsed.get("stop_reason") in ("end_turn", "tool_use", "stop_sequence")
            kinds = [block["type"] for block in parsed.get("content", [])]
            return done and ("text" in kinds or "tool_use" in kinds)
        case "google":
            candidate = (parsed.get("candidates") or [{}])[0]
            parts = candidate.get("content", {}).get("parts", [])
            shown = [part for part in parts if not part.get("thought")]
            done = candidate.get("finishReason") == "STOP"
            return done and any("functionCall" in part or part.get("text") for part in shown)
        case _:
            choice = (parsed.get("choices") or [{}])[0]
            message = choice.get("message") or {}
            done = choice.get("finish_reason") in ("stop", "tool_calls")
            content = message.get("content")
            return done and bool(
                message.get("tool_calls") or (isinstance(content, str) and content)
            )


async def test_every_recorded_answer_is_read_or_refused_with_a_type(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seen: Counter[str] = Counter()
    for recorded in recordings():
        found = await replayed(recorded)
        if isinstance(found, ModelReply):
            canonical(found.response())
            outcome = "read"
        else:
            outcome = found.code
        if speaks(recorded):
            assert outcome == "read", f"{recorded.source}: {outcome}"
            assert isinstance(found, ModelReply) and found.usage.output_tokens > 0, recorded.source
        seen[f"{recorded.vendor or 'not our path'}: {outcome}"] += 1
    with capsys.disabled():
        rows = "\n".join(f"  {count:4} {name}" for name, count in sorted(seen.items()))
        sys.stdout.write(f"\nrecorded exchanges: {seen.total()}\n{rows}\n")
    assert seen.total() > 100
