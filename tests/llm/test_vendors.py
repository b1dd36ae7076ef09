"""Gemini and Anthropic through their own libraries: what is sent, what comes back, what fails."""

from __future__ import annotations

import json
import traceback
from typing import Any, Literal

import httpx2
import pytest
from pydantic import BaseModel, Field, SecretStr
from tests.llm import wire
from tests.llm.server import KEY, Reply, Server
from tests.llm.wire import anthropic, anthropic_error, gemini, google_error

from groundwire.errors import (
    AuthRejected,
    BadRequest,
    BrokenOff,
    Malformed,
    OutsideFailure,
    PlanLimit,
    PoorAnswer,
    RateLimited,
    ServerFault,
    Timeout,
)
from groundwire.llm.model import ModelCall, ModelReply, send
from groundwire.llm.prompts import Rendered
from groundwire.llm.providers.google import address
from groundwire.llm.spec import ModelSpec, VendorOptions

RENDERED = Rendered(prompt="ask/x@1", sha256="0" * 64, system="Be brief.", user="怎么了？")
GOOD = {"text": "好的", "kind": "fact"}
TEXT = json.dumps(GOOD)
pytestmark = pytest.mark.filterwarnings("ignore")  # the libraries' own, see `exchange`
MODELS = {"google": "gemini-3.5-flash-lite", "anthropic": "claude-haiku-5-5"}


class Quote(BaseModel):
    passage: int = Field(ge=1)
    quote: str = Field(min_length=1, max_length=400)


class Answer(BaseModel):
    """With what real questions have: references, limits, choices, defaults."""

    text: str = Field(min_length=1)
    kind: Literal["fact", "guess"]
    quotes: tuple[Quote, ...] = Field(default=(), max_length=4)
    when: str | None = None


def spec_of(vendor: str, url: str, name: str = "", **options: Any) -> ModelSpec:
    given = {"api_key": SecretStr(KEY), "base_url": url.removesuffix("/v1"), "timeout": 60}
    return ModelSpec(
        vendor=vendor,
        name=name or MODELS[vendor],
        kind=vendor,
        options=VendorOptions.model_validate(given | options),
    )


async def exchanged(spec: ModelSpec, client: httpx2.AsyncClient, key: str = "k1") -> ModelReply:
    request = ModelCall.of(spec, RENDERED, Answer, 300).request()
    return await send(spec, request, client=client, idempotency_key=key)


async def test_gemini_is_held_to_the_schema_and_its_key_stays_out_of_the_address(
    server: Server, client: httpx2.AsyncClient
) -> None:
    server.replies = [gemini(text=TEXT)]
    sent = await exchanged(spec_of("google", server.url), client)
    assert (sent.output, sent.finish, sent.model) == (GOOD, "stop", "stub-1")
    [got] = server.received
    assert got.path == "/v1beta/models/gemini-3.5-flash-lite:generateContent"
    assert got.headers["x-goog-api-key"] == KEY
    assert "authorization" not in got.headers
    assert got.headers["idempotency-key"] == "k1"
    config: Any = got.body["generationConfig"]
    assert (config["temperature"], config["maxOutputTokens"]) == (0, 300)
    assert config["responseMimeType"] == "application/json"
    assert set(config["responseJsonSchema"]["$defs"]) == {"Quote"}
    assert config["thinkingConfig"] == {"thinking_level": "MINIMAL"}
    assert got.body["systemInstruction"]["parts"] == [{"text": "Be brief."}]  # type: ignore[index,call-overload]
    assert got.body["contents"] == [{"parts": [{"text": "怎么了？"}], "role": "user"}]


async def test_gemini_can_be_asked_by_function_calling(
    server: Server, client: httpx2.AsyncClient
) -> None:
    server.replies = [gemini(arguments=GOOD)]
    sent = await exchanged(spec_of("google", server.url, output="tool"), client)
    assert (sent.output, sent.finish) == (GOOD, "tool")
    [got] = server.received
    [tool] = got.body["tools"]  # type: ignore[misc]
    [declared] = tool["functionDeclarations"]
    assert declared["name"] == "Answer"
    mode = got.body["toolConfig"]["functionCallingConfig"]["mode"]  # type: ignore[index,call-overload]
    assert mode == "ANY"


async def test_anthropic_is_held_to_the_schema_where_the_model_takes_one(
    server: Server, client: httpx2.AsyncClient
) -> None:
    server.replies = [anthropic(text=TEXT)]
    sent = await exchanged(spec_of("anthropic", server.url), client)
    assert (sent.output, sent.finish, sent.model) == (GOOD, "stop", "stub-1")
    [got] = server.received
    assert got.path.partition("?")[0] == "/v1/messages"
    assert KEY in (got.headers.get("x-api-key", ""), got.headers["authorization"][7:])
    assert got.headers["idempotency-key"] == "k1"
    assert got.body["output_config"]["format"]["type"] == "json_schema"  # type: ignore[index,call-overload]
    assert got.body["thinking"] == {"type": "disabled"}
    assert (got.body["system"], got.body["max_tokens"]) == ("Be brief.", 300)


@pytest.mark.parametrize("name", ["claude-3-5-haiku-latest", "some-model-of-a-gateway"])
async def test_an_anthropic_model_without_schemas_is_made_to_call_the_tool(
    name: str, server: Server, client: httpx2.AsyncClient
) -> None:
    server.replies = [anthropic(arguments=GOOD, finish="tool_use")]
    sent = await exchanged(spec_of("anthropic", server.url, name), client)
    assert (sent.output, sent.finish) == (GOOD, "tool")
    [got] = server.received
    assert [tool["name"] for tool in got.body["tools"]] == ["Answer"]  # type: ignore[union-attr,index]
    assert got.body["tool_choice"]["type"] in ("any", "tool")  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://g.example", ("https://g.example", "v1beta")),
        ("https://g.example/", ("https://g.example", "v1beta")),
        ("https://g.example/v1beta", ("https://g.example", "v1beta")),
        ("https://g.example/proxy/v1/", ("https://g.example/proxy", "v1")),
        ("https://g.example/v1alpha", ("https://g.example", "v1alpha")),
        ("https://g.example/vertex", ("https://g.example/vertex", "v1beta")),
    ],
)
def test_geminis_address_is_read_with_and_without_its_version(
    url: str, expected: tuple[str, str]
) -> None:
    assert expected == address(url)


@pytest.mark.parametrize(
    ("vendor", "reply", "counted", "micro"),
    [
        # 70 new, 30 cached, 20 written of which 12 thoughts: 0.30, 0.03 and 2.50 $/M.
        (
            "google",
            gemini(
                text=TEXT,
                usage={
                    "promptTokenCount": 100,
                    "cachedContentTokenCount": 30,
                    "candidatesTokenCount": 8,
                    "thoughtsTokenCount": 12,
                    "totalTokenCount": 120,
                },
            ),
            (100, 20, 30, 0, 12),
            70 * 0.3 + 30 * 0.03 + 20 * 2.5,
        ),
        # Anthropic counts cached tokens apart; here 10 new, 60 read, 30 written: 0.1/0.01/0.125/0.5.
        (
            "anthropic",
            anthropic(
                text=TEXT,
                usage={
                    "input_tokens": 10,
                    "cache_read_input_tokens": 60,
                    "cache_creation_input_tokens": 30,
                    "output_tokens": 20,
                },
            ),
            (100, 20, 60, 30, 0),
            10 * 0.1 + 60 * 0.01 + 30 * 0.125 + 20 * 0.5,
        ),
    ],
)
async def test_cached_and_thought_tokens_are_counted_at_their_price(
    vendor: str,
    reply: Reply,
    counted: tuple[int, ...],
    micro: float,
    server: Server,
    client: httpx2.AsyncClient,
) -> None:
    server.replies = [reply]
    sent = await exchanged(spec_of(vendor, server.url), client)
    usage = sent.usage
    assert counted == (
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
        usage.thinking_tokens,
    )
    assert micro <= sent.cost_micro < micro + 1


async def test_counts_that_cannot_be_are_kept_within_each_other(
    server: Server, client: httpx2.AsyncClient
) -> None:
    usage = {"promptTokenCount": 5, "cachedContentTokenCount": 900, "candidatesTokenCount": 1}
    server.replies = [gemini(text=TEXT, usage=usage)]
    sent = await exchanged(spec_of("google", server.url), client)
    assert sent.usage.cache_read_tokens == 5


async def test_what_was_thought_is_not_what_was_said(
    server: Server, client: httpx2.AsyncClient
) -> None:
    server.replies = [anthropic(thought="Hmm {", text=TEXT)]
    assert (await exchanged(spec_of("anthropic", server.url), client)).output == GOOD


RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}
DAILY = {
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}],
}
BAD_KEY = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
HTML = Reply(body=b"<html>hello</html>", headers={"Content-Type": "text/html"})
FAILURES: list[tuple[str, Reply, type[OutsideFailure], str]] = [
    ("google", google_error(400, "INVALID_ARGUMENT", "API key not valid.", [BAD_KEY]), AuthRejected, "set GEMINI_API_KEY"),
    ("google", google_error(403, "PERMISSION_DENIED", f"no {KEY}"), AuthRejected, "set GEMINI_API_KEY"),
    ("google", google_error(400, "INVALID_ARGUMENT", f"bad {KEY}\x1b[2J"), BadRequest, "bad ***"),
    ("google", google_error(404, "NOT_FOUND", "no such model"), BadRequest, "no such model"),
    ("google", google_error(429, "RESOURCE_EXHAUSTED", "slow", [RETRY]), RateLimited, "slow down"),
    ("google", google_error(429, "RESOURCE_EXHAUSTED", "out", [DAILY, RETRY]), PlanLimit, "limit"),
    ("google", google_error(500, "INTERNAL"), ServerFault, "500"),
    ("google", google_error(503, "UNAVAILABLE", "The model is overloaded."), ServerFault, "503"),
    ("google", Reply(502, b"<html>bad gateway</html>", {"Content-Type": "text/html"}), ServerFault, "502"),
    ("google", Reply(302, b"", {"Location": "http://127.0.0.1:1/"}), BadRequest, "redirects"),
    ("google", gemini(block="SAFETY"), BadRequest, "refused to answer"),
    ("google", gemini(block="PROHIBITED_CONTENT"), BadRequest, "refused to answer"),
    ("google", gemini(text="", finish="SAFETY"), BadRequest, "refused to answer"),
    ("google", gemini(finish="RECITATION"), BadRequest, "refused to answer"),
    ("google", gemini(text='{"text": "a', finish="MAX_TOKENS"), PoorAnswer, "cut off"),
    ("google", gemini(finish="MAX_TOKENS"), PoorAnswer, "cut off"),  # all of it went into thoughts
    ("google", gemini(text='{"te', finish="CONTINUATION", continuationToken="dG9rZW4="), PoorAnswer, "cut off"),
    ("google", gemini(finish="MALFORMED_FUNCTION_CALL"), Malformed, "broke off"),
    ("google", gemini(finish="STOP"), Malformed, "empty"),
    ("google", Reply(body=b'{"candidates": []}'), Malformed, ""),
    ("google", Reply(body=b'{"candidates": 7}'), Malformed, "could not be read"),
    ("google", Reply(body=b'{"candidates": [{"content": {"parts": "x"}}]}'), Malformed, "could not be read"),
    ("google", Reply(body=b"[" * 60_000), Malformed, "could not be read"),
    ("anthropic", anthropic_error(401, "authentication_error", f"invalid x-api-key {KEY}"), AuthRejected, "set ANTHROPIC_API_KEY"),
    ("anthropic", anthropic_error(403, "permission_error"), AuthRejected, "set ANTHROPIC_API_KEY"),
    ("anthropic", anthropic_error(400, "invalid_request_error", f"bad {KEY}\x1b[2J"), BadRequest, "bad ***"),
    ("anthropic", anthropic_error(400, "invalid_request_error", "Your credit balance is too low"), PlanLimit, "limit"),
    ("anthropic", anthropic_error(402, "billing_error"), PlanLimit, "limit"),
    ("anthropic", anthropic_error(404, "not_found_error", "model: x"), BadRequest, "model: x"),
    ("anthropic", anthropic_error(413, "request_too_large"), BadRequest, "413"),
    ("anthropic", anthropic_error(429, "rate_limit_error", **{"retry-after": "7"}), RateLimited, "slow down"),
    ("anthropic", anthropic_error(500, "api_error", f"trace {KEY}"), ServerFault, "500"),
    ("anthropic", anthropic_error(529, "overloaded_error"), ServerFault, "529"),
    ("anthropic", Reply(302, b"", {"Location": "http://127.0.0.1:1/"}), BadRequest, "redirects"),
    ("anthropic", anthropic(text="", finish="refusal"), BadRequest, "refused to answer"),
    ("anthropic", anthropic(text='{"text": "a', finish="max_tokens"), PoorAnswer, "cut off"),
    ("anthropic", anthropic(text='{"te', finish="model_context_window_exceeded"), PoorAnswer, "cut off"),
    ("anthropic", anthropic(), Malformed, "empty"),
    ("anthropic", Reply(body=b'{"type": "message", "content": 7}'), Malformed, "could not be read"),
    ("anthropic", Reply(body=b'{"type": "error", "error": {"type": "overloaded_error"}}'), Malformed, "could not be read"),
    *(
        (vendor, reply, kind, message)
        for vendor in ("google", "anthropic")
        for reply, kind, message in [
            (HTML, Malformed, "could not be read"),
            (Reply(body=b""), Malformed, ""),
            (Reply(body=b"{}"), Malformed, ""),
            (Reply(body=b"null"), Malformed, ""),
            (Reply(body=b"[]"), Malformed, ""),
            (Reply(body=b"\xff\xfe\x00"), Malformed, "could not be read"),
            (Reply(hang=True), Timeout, "did not answer within"),
            (Reply(drop=True), BrokenOff, "the connection broke"),
        ]
    ),
]  # fmt: skip


@pytest.mark.parametrize(("vendor", "reply", "kind", "message"), FAILURES)
async def test_each_failure_is_typed_sent_once_and_holds_no_secret(
    vendor: str,
    reply: Reply,
    kind: type[OutsideFailure],
    message: str,
    server: Server,
    client: httpx2.AsyncClient,
) -> None:
    server.replies = [reply]
    spec = spec_of(vendor, server.url, timeout=0.5 if reply.hang else 60)
    with pytest.raises(kind) as caught:
        await exchanged(spec, client)
    assert type(caught.value) is kind
    assert message in caught.value.message
    assert len(server.received) == 1
    printed = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert KEY not in printed
    assert "\x1b" not in printed
    assert caught.value.__cause__ is None and caught.value.__context__ is None


@pytest.mark.parametrize(
    ("vendor", "reply", "seconds"),
    [
        ("google", google_error(429, "RESOURCE_EXHAUSTED", "slow", [RETRY]), 34.5),
        ("google", google_error(429, "RESOURCE_EXHAUSTED", "slow", [{"retryDelay": "soon"}]), None),
        ("google", google_error(429, "RESOURCE_EXHAUSTED"), None),
        ("anthropic", anthropic_error(429, "rate_limit_error", **{"retry-after": "7"}), 7.0),
        ("anthropic", anthropic_error(529, "overloaded_error", **{"retry-after": "3"}), 3.0),
    ],
)
async def test_the_wait_that_the_vendor_asks_for_is_kept(
    vendor: str,
    reply: Reply,
    seconds: float | None,
    server: Server,
    client: httpx2.AsyncClient,
) -> None:
    server.replies = [reply]
    with pytest.raises((RateLimited, ServerFault)) as caught:
        await exchanged(spec_of(vendor, server.url), client)
    assert seconds == caught.value.retry_after


@pytest.mark.parametrize(
    ("vendor", "reply", "micro"),
    [
        ("google", gemini(text='{"te', finish="MAX_TOKENS"), 100 * 0.3 + 20 * 2.5),
        ("google", gemini(block="SAFETY"), 100 * 0.3 + 20 * 2.5),
        ("anthropic", anthropic(text='{"te', finish="max_tokens"), 100 * 0.1 + 20 * 0.5),
        ("anthropic", anthropic(text="", finish="refusal"), 100 * 0.1 + 20 * 0.5),
    ],
)
async def test_what_was_cut_off_or_refused_still_costs(
    vendor: str, reply: Reply, micro: float, server: Server, client: httpx2.AsyncClient
) -> None:
    server.replies = [reply]
    with pytest.raises(OutsideFailure) as caught:
        await exchanged(spec_of(vendor, server.url), client)
    assert caught.value.cost == round(micro)


AMBIENT = {
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "ALL_PROXY": "http://127.0.0.1:9",
    "http_proxy": "http://127.0.0.1:9",
    "SSL_CERT_FILE": "/nowhere/ambient.pem",
    "SSL_CERT_DIR": "/nowhere/ambient",
    "GOOGLE_API_KEY": "key-ambient",
    "GEMINI_API_KEY": "key-ambient",
    "GOOGLE_GENAI_USE_VERTEXAI": "true",
    "GOOGLE_GENAI_USE_ENTERPRISE": "true",
    "GOOGLE_CLOUD_PROJECT": "project-ambient",
    "GOOGLE_CLOUD_LOCATION": "ambient-west1",
    "GOOGLE_GENAI_API_VERSION": "v9ambient",
    "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9/ambient",
    "GOOGLE_GENAI_CLIENT_MODE": "replay",
    "GOOGLE_GENAI_REPLAYS_DIRECTORY": "/nowhere/ambient",
    "GOOGLE_GENAI_REPLAY_ID": "ambient",
    "GOOGLE_API_USE_CLIENT_CERTIFICATE": "true",
    "GOOGLE_API_USE_MTLS_ENDPOINT": "always",
    "GOOGLE_APPLICATION_CREDENTIALS": "/nowhere/ambient.json",
    "ANTHROPIC_API_KEY": "key-ambient",
    "ANTHROPIC_AUTH_TOKEN": "token-ambient",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9/ambient",
    "ANTHROPIC_CUSTOM_HEADERS": "X-Ambient: ambient",
    "ANTHROPIC_PROFILE": "ambient",
    "ANTHROPIC_CONFIG_DIR": "/nowhere/ambient",
    "ANTHROPIC_WORKSPACE_ID": "ambient",
    "ANTHROPIC_ORGANIZATION_ID": "ambient",
    "ANTHROPIC_FEDERATION_RULE_ID": "ambient",
    "ANTHROPIC_IDENTITY_TOKEN": "ambient",
    "ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE": "content",
}


@pytest.mark.parametrize("keyed", [True, False])
@pytest.mark.parametrize("vendor", list(MODELS))
async def test_nothing_is_taken_from_the_environment(
    vendor: str,
    keyed: bool,
    server: Server,
    client: httpx2.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in AMBIENT.items():
        monkeypatch.setenv(name, value)
    server.replies = [wire.text_reply(vendor, TEXT)]
    options = {} if keyed else {"api_key": None}
    sent = await exchanged(spec_of(vendor, server.url, **options), client)
    assert sent.output == GOOD
    [got] = server.received
    assert "ambient" not in json.dumps([got.path, got.headers, got.body])
    assert (KEY in json.dumps(got.headers)) == keyed


@pytest.mark.parametrize("vendor", list(MODELS))
async def test_without_its_key_the_vendor_says_which_to_set(
    vendor: str, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in AMBIENT.items():
        monkeypatch.setenv(name, value)
    spec = spec_of(vendor, "", api_key=None, base_url=None)
    with pytest.raises(AuthRejected, match=r"no key: set (GEMINI|ANTHROPIC)_API_KEY"):
        await exchanged(spec, client)
