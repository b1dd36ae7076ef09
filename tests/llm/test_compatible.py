"""Vendors that speak OpenAI's chat protocol: reached by a settings block, by its documents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import BaseModel, SecretStr
from tests.llm.server import KEY, Reply, Server, chat

from groundwire.app import open_app
from groundwire.errors import (
    AuthRejected,
    BadRequest,
    Malformed,
    OutsideFailure,
    PoorAnswer,
    SettingsError,
)
from groundwire.llm.model import ModelCall, ModelReply, Usage, send
from groundwire.llm.prices import ASSUMED, price
from groundwire.llm.prompts import Rendered
from groundwire.llm.spec import ModelSpec, VendorOptions
from groundwire.llm.tiers import parse

RENDERED = Rendered(prompt="ask/x@1", sha256="0" * 64, system="简短。", user="怎么了？")
GOOD = '{"text": "好的"}'
# As the documentation shows them: a name of the user's own, the protocol, the address.
BLOCKS: Mapping[str, Mapping[str, str]] = {
    "glm": {
        "output": "text",
        "extra_body": '{"thinking": {"type": "disabled"}}',
        "prices": "zai",
    },
    "qwen": {"output": "text", "extra_body": '{"enable_thinking": false}'},
    "kimi": {"output": "text", "prices": "moonshotai"},
    "vllm": {"output": "schema"},
    "groq": {},
}


class Answer(BaseModel):
    text: str


def block(name: str, server: Server) -> dict[str, Any]:
    common = {"kind": "openai_compatible", "base_url": server.url, "api_key": KEY, "timeout": 60}
    return {**common, **BLOCKS[name]}


async def exchanged(spec: ModelSpec, client: httpx2.AsyncClient) -> ModelReply:
    request = ModelCall.of(spec, RENDERED, Answer, 300).request()
    return await send(spec, request, client=client, idempotency_key="k")


@pytest.mark.parametrize("name", list(BLOCKS))
async def test_a_settings_block_makes_a_vendor(
    name: str, server: Server, client: httpx2.AsyncClient
) -> None:
    server.replies = [chat(text=GOOD)]
    spec = parse(
        f"{name}:some-model-5.2", {name: VendorOptions.model_validate(block(name, server))}
    )
    sent = await exchanged(spec, client)
    assert sent.output == {"text": "好的"}
    [got] = server.received
    assert (got.path, got.body["model"]) == ("/v1/chat/completions", "some-model-5.2")
    assert got.headers["authorization"] == f"Bearer {KEY}"
    assert (got.body["max_tokens"], got.body["temperature"]) == (300, 0)
    forms = {key for key in ("tools", "response_format") if key in got.body}
    expected = {"tool": {"tools"}, "schema": {"response_format"}, "text": set[str]()}
    assert forms == expected[BLOCKS[name].get("output", "tool")]
    more = json.loads(BLOCKS[name].get("extra_body", "{}"))
    assert more == {key: got.body.get(key) for key in more}


async def test_a_server_that_knows_no_schema_is_told_in_words(
    server: Server, client: httpx2.AsyncClient
) -> None:
    server.replies = [chat(text=f"```json\n{GOOD}\n```")]
    spec = parse("kimi:m", {"kimi": VendorOptions.model_validate(block("kimi", server))})
    assert (await exchanged(spec, client)).output == {"text": "好的"}
    messages: Any = server.received[0].body["messages"]
    assert messages[0]["content"].startswith("简短。\n\n")
    assert '"required":["text"]' in messages[0]["content"]


async def test_the_block_is_read_from_the_settings(tmp_path: Path) -> None:
    """By the names that the documentation gives, in the form that the environment has."""
    overrides = {
        "home": str(tmp_path),
        "models.light": "glm:glm-5.2",
        "models.providers.glm.kind": "openai_compatible",
        "models.providers.glm.base_url": "https://open.bigmodel.cn/api/paas/v4",
        "models.providers.glm.api_key": KEY,
        "models.providers.glm.extra_body": '{"thinking": {"type": "disabled"}}',
    }
    async with open_app(overrides=overrides) as app:
        [spec] = app.outside.chosen_tiers().light
    assert (spec.label, spec.kind) == ("glm:glm-5.2", "openai_compatible")
    assert spec.options.extra_body == {"thinking": {"type": "disabled"}}
    assert KEY not in repr(spec)


@pytest.mark.parametrize("text", ["{", "[]", "7", '"x"'])
def test_more_for_the_body_is_a_json_object(text: str) -> None:
    with pytest.raises(ValueError, match="extra_body"):
        VendorOptions.model_validate({"extra_body": text})


def test_the_block_can_name_its_price_table() -> None:
    usage = Usage(input_tokens=1_000_000, output_tokens=0)
    given = {"kind": "openai_compatible", "base_url": "https://api.z.ai/api/paas/v4"}
    listed = VendorOptions.model_validate({**given, "prices": "zai"})
    found = price(parse("glm:glm-4.6", {"glm": listed}), usage)
    assert 0 < found < 2_000_000
    unlisted = VendorOptions.model_validate(given)
    assert price(parse("glm:glm-4.6", {"glm": unlisted}), usage) == 1_000_000 * ASSUMED.input


@pytest.mark.parametrize(
    ("reply", "kind", "message"),
    [
        (chat(text="", finish="sensitive"), BadRequest, "refused to answer"),  # GLM
        (chat(text='{"te', finish="model_context_window_exceeded"), PoorAnswer, "cut off"),
        (chat(text='{"te', finish="network_error"), Malformed, "broke off"),
        (chat(text='{"te', finish="abort"), Malformed, "broke off"),  # vLLM
        # GLM's and DashScope's own shapes of an error.
        (Reply(401, b'{"error": {"code": "1000", "message": "no"}}'), AuthRejected, "glm.api_key"),
        (Reply(400, b'{"code": "InvalidParameter", "message": "bad"}'), BadRequest, "bad"),
        (Reply(400, b'{"error": {"code": "1301", "message": "\xe6\x95\x8f"}}'), BadRequest, "敏"),
    ],
)
async def test_the_endings_and_errors_of_these_vendors_are_known(
    reply: Reply,
    kind: type[OutsideFailure],
    message: str,
    server: Server,
    client: httpx2.AsyncClient,
) -> None:
    server.replies = [reply]
    spec = parse("glm:m", {"glm": VendorOptions.model_validate(block("glm", server))})
    with pytest.raises(kind) as caught:
        await exchanged(spec, client)
    assert type(caught.value) is kind
    assert message in caught.value.message


@pytest.mark.parametrize("finish", ["", None, "eos", "guardrail"])
async def test_an_ending_that_nobody_knows_is_an_end(
    finish: str, server: Server, client: httpx2.AsyncClient
) -> None:
    server.replies = [chat(text=GOOD, finish=finish)]
    spec = parse("glm:m", {"glm": VendorOptions.model_validate(block("glm", server))})
    assert (await exchanged(spec, client)).output == {"text": "好的"}


async def test_what_was_thought_aloud_is_not_the_answer(
    server: Server, client: httpx2.AsyncClient
) -> None:
    """Local servers leave the thoughts in the text; others give them a field of their own."""
    thought = json.loads(chat(text=f"<think>hm {{</think>\n{GOOD}").body)
    apart = json.loads(chat(text=GOOD).body)
    apart["choices"][0]["message"]["reasoning_content"] = "hm {"
    server.replies = [Reply(body=json.dumps(body).encode()) for body in (thought, apart)]
    spec = parse("vllm:m", {"vllm": VendorOptions.model_validate(block("vllm", server))})
    for _ in range(2):
        assert (await exchanged(spec, client)).output == {"text": "好的"}


def options(server: Server) -> VendorOptions:
    return VendorOptions(api_key=SecretStr(KEY), base_url=server.url, timeout=60)


async def test_openrouter_is_left_to_its_own_routing_and_told_nothing_of_us(
    server: Server, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENROUTER_APP_URL", "https://ambient.example")
    monkeypatch.setenv("OPENROUTER_APP_TITLE", "ambient")
    server.replies = [chat(arguments=GOOD, finish="tool_calls")]
    spec = parse("openrouter:deepseek/deepseek-v4-pro", {"openrouter": options(server)})
    assert (await exchanged(spec, client)).output == {"text": "好的"}
    [got] = server.received
    assert not {"provider", "models", "route", "transforms", "plugins"} & set(got.body)
    assert not {"http-referer", "x-title", "referer"} & set(got.headers)
    assert "ambient" not in json.dumps(got.headers)


async def test_ollama_is_held_to_the_schema(server: Server, client: httpx2.AsyncClient) -> None:
    body = json.loads(chat(text=GOOD).body)
    # As its OpenAI endpoint answers: no refusal, a fingerprint of its own.
    body["choices"][0]["message"] = {"role": "assistant", "content": GOOD}
    body |= {"system_fingerprint": "fp_ollama"}
    server.replies = [Reply(body=json.dumps(body).encode())]
    sent = await exchanged(parse("ollama:qwen3:8b", {"ollama": options(server)}), client)
    assert (sent.output, sent.cost_micro) == ({"text": "好的"}, 0)
    body = server.received[0].body
    form: Any = body["response_format"]
    assert form["json_schema"]["schema"]["required"] == ["text"]
    # It knows only the older name of the limit, and thinks unless it is told not to.
    assert body["max_tokens"] and "max_completion_tokens" not in body
    assert body["reasoning_effort"] == "none"


async def test_deepseeks_cache_is_counted_at_its_price(
    server: Server, client: httpx2.AsyncClient
) -> None:
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 10,
        "total_tokens": 1010,
        "prompt_cache_hit_tokens": 900,
        "prompt_cache_miss_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 900},
    }
    server.replies = [chat(arguments=GOOD, usage=usage), chat(arguments=GOOD)]  # type: ignore[arg-type]
    spec = parse("deepseek:deepseek-v4-pro", {"deepseek": options(server)})
    sent = await exchanged(spec, client)
    assert sent.usage.cache_read_tokens == 900
    assert sent.cost_micro < price(spec, Usage(input_tokens=1000, output_tokens=10))


def test_a_block_without_an_address_says_what_to_set() -> None:
    with pytest.raises(SettingsError, match="no base_url") as caught:
        parse("glm:m", {"glm": VendorOptions(kind="openai_compatible")})
    assert "models.providers.glm.base_url" in caught.value.hint
