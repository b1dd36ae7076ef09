"""Answers of foreign shapes: the vendors' libraries check little, and we trust none of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from tests.llm.server import Reply, chat
from tests.llm.test_vendors import MODELS, TEXT, exchanged, spec_of
from tests.llm.wire import anthropic, gemini

from groundwire.errors import OutsideFailure
from groundwire.model.base import canonical

pytestmark = pytest.mark.filterwarnings("ignore")  # the libraries' own, see `exchange`


def mutations(value: Any) -> Iterator[Any]:
    """Yield the value with one place replaced by each of some foreign values."""
    yield from (None, 7, -1, "x", [], {}, [7], {"x": 7}, True)
    if isinstance(value, dict):
        for name, inner in value.items():
            yield {key: each for key, each in value.items() if key != name}
            for changed in mutations(inner):
                yield {**value, name: changed}
    if isinstance(value, list):
        for at, inner in enumerate(value):
            for changed in mutations(inner):
                yield [*value[:at], changed, *value[at + 1 :]]


@pytest.mark.parametrize(
    ("vendor", "reply"),
    [
        ("google", gemini(text=TEXT)),
        ("google", gemini(arguments={"a": 1})),
        ("google", gemini(block="SAFETY")),
        ("anthropic", anthropic(text=TEXT, thought="h")),
        ("anthropic", anthropic(arguments={"a": 1})),
        ("openai", chat(arguments='{"a": 1}')),
        ("openai", chat(text=TEXT)),
        ("openrouter", chat(text=TEXT)),
        ("deepseek", chat(arguments='{"a": 1}')),
        ("ollama", chat(text=TEXT)),
    ],
)
async def test_whatever_shape_comes_back_is_an_answer_or_a_typed_failure(
    vendor: str, reply: Reply
) -> None:
    """One place of a good answer is replaced at a time; nothing but our own exceptions come out."""
    bodies = [json.dumps(each).encode() for each in mutations(json.loads(reply.body))]
    coming = iter(bodies)

    def answer(_: httpx2.Request) -> httpx2.Response:
        media = {"content-type": "application/json"}
        return httpx2.Response(200, content=next(coming), headers=media)

    spec = spec_of(vendor, "http://127.0.0.1:9", MODELS.get(vendor, "m"))
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        for _ in bodies:
            try:
                sent = await exchanged(spec, client)
            except OutsideFailure:
                continue
            canonical(sent.response())
            assert sent.cost_micro >= 0
