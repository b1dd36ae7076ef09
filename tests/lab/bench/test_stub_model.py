"""The model stub answers in any schema, and the official client can use it."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest
from lab.stubs import Stubs
from openai import AsyncOpenAI, AuthenticationError, OpenAI
from stub_calls import (
    PASSAGES,
    PLANNER,
    QUESTION,
    WRITER,
    chat,
    form,
    model_output,
)


def test_the_writer_quotes_verbatim_and_ignores_orders_in_passages(
    stubs: Stubs, http: httpx2.Client
) -> None:
    answer = model_output(chat(stubs, http, response_format=form(WRITER)))
    found = {q["passage"]: q["quote"] for s in answer["sentences"] for q in s["quotes"]}
    assert found == {
        1: "USDC lost its peg in March 2023 after a bank failed.",
        2: "The peg of USDC broke on a Saturday.",
    }
    assert all(s["text"].endswith(s["quotes"][0]["quote"]) for s in answer["sentences"])


@pytest.mark.parametrize(
    ("question", "passage", "quote"),
    [
        (
            "USDC 为什么脱锚？",
            "天气很好。USDC因银行倒闭而脱锚。",
            "USDC因银行倒闭而脱锚。",
        ),  # simplified
        (
            "USDC 為什麼脫鉤？",
            "天氣很好。USDC因銀行倒閉而脫鉤。",
            "USDC因銀行倒閉而脫鉤。",
        ),  # traditional
    ],
)
def test_the_writer_answers_in_the_language_of_the_question(
    question: str, passage: str, quote: str, stubs: Stubs, http: httpx2.Client
) -> None:
    text = f"问题：{question}\n【1】 USDC lost its peg.\n【2】 标题\n{passage}\n"
    messages = [{"role": "user", "content": text}]
    answer = model_output(chat(stubs, http, messages=messages, response_format=form(WRITER)))
    assert [s["quotes"] for s in answer["sentences"]] == [[{"passage": 2, "quote": quote}]]


def test_the_writer_names_a_gap_when_no_passage_helps(stubs: Stubs, http: httpx2.Client) -> None:
    messages = [{"role": "user", "content": "Question: Who won?\n【1】 Nothing about it here."}]
    answer = model_output(chat(stubs, http, messages=messages, response_format=form(WRITER)))
    assert answer["sentences"] == []
    assert answer["gaps"] == ["Who won?"]


@pytest.mark.parametrize("question", [QUESTION, "USDC 为什么在2023年3月脱锚？", "?"])
def test_the_planner_asks_in_both_languages(
    question: str, stubs: Stubs, http: httpx2.Client
) -> None:
    messages = [{"role": "user", "content": f"Question: {question}"}]
    queries = model_output(chat(stubs, http, messages=messages, response_format=form(PLANNER)))[
        "queries"
    ]
    assert len(queries) == 5
    assert {q["language"] for q in queries} == {"zh", "en"}
    assert all(0 < len(q["text"]) <= 400 for q in queries)


def test_any_other_schema_is_filled_by_type(stubs: Stubs, http: httpx2.Client) -> None:
    schema: dict[str, Any] = {
        "$defs": {"Tone": {"enum": ["calm", "loud"]}},
        "type": "object",
        "properties": {
            "tone": {"$ref": "#/$defs/Tone"},
            "why": {"anyOf": [{"type": "null"}, {"type": "string", "minLength": 3}]},
            "count": {"type": "integer", "minimum": 4},
            "share": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
            "tags": {"type": "array", "minItems": 2, "items": {"const": "x"}},
            "day": {"type": "string", "format": "date"},
            "sure": {"type": "boolean"},
            "inner": {"type": "object", "properties": {"none": {"type": ["null", "string"]}}},
        },
    }
    value = model_output(chat(stubs, http, response_format=form(schema)))
    assert len(value.pop("why")) >= 3
    assert value.pop("inner")["none"]
    assert value == {
        "tone": "calm",
        "count": 4,
        "share": 0.5,
        "tags": ["x", "x"],
        "day": "2023-03-11",
        "sure": False,
    }


@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"[]",
        b"{}",
        b'{"messages": []}',
        b'{"messages": ["x"]}',
        b'{"messages": [{"role": "user", "content": "x"}], "tools": [1]}',
        b'{"messages": [{"role": "user", "content": "x"}], "response_format": {"type": "json_schema"}}',
    ],
)
def test_a_bad_model_request_is_a_400(body: bytes, stubs: Stubs, http: httpx2.Client) -> None:
    response = http.post(f"{stubs.url('model')}/chat/completions", content=body)
    assert response.status_code == 400
    assert response.json()["error"]["message"]


async def test_the_official_client_can_do_everything(stubs: Stubs) -> None:
    """A tool, json_schema, embeddings, and a wrong key."""
    async with AsyncOpenAI(base_url=stubs.url("model"), api_key="k", max_retries=0) as client:
        ask: Any = [{"role": "user", "content": PASSAGES}]
        tool: Any = {"type": "function", "function": {"name": "save", "parameters": WRITER}}
        called = await client.chat.completions.create(
            model="stub-light", messages=ask, tools=[tool], tool_choice="required"
        )
        used = called.usage
        assert used is not None
        assert used.total_tokens == used.prompt_tokens + used.completion_tokens
        calls: Any = called.choices[0].message.tool_calls
        assert calls[0].function.name == "save"
        assert json.loads(calls[0].function.arguments)["sentences"]
        shaped = await client.chat.completions.create(
            model="stub-light", messages=ask, response_format=form(WRITER)
        )
        assert json.loads(shaped.choices[0].message.content or "")["sentences"]
        near = await client.embeddings.create(
            model="stub-embed", input=["a peg", "the peg", "银行"]
        )
        one, two, three = (item.embedding for item in near.data)
        assert len(one) == 64
        assert sum(x * y for x, y in zip(one, two, strict=True)) > sum(
            x * y for x, y in zip(one, three, strict=True)
        )
    with (
        OpenAI(base_url=stubs.url("model"), api_key="wrong", max_retries=0) as bad,
        pytest.raises(AuthenticationError, match="Incorrect API key"),
    ):
        bad.models.list()
