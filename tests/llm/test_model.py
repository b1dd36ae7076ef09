"""One exchange: what is sent, what comes back, and every way in which it can fail."""

from __future__ import annotations

import json
import subprocess
import sys
import traceback
from typing import Literal

import httpx2
import pytest
from pydantic import BaseModel, SecretStr
from tests.llm.server import KEY, Reply, Server, chat
from tests.llm.wire import text_reply

from groundwire.errors import (
    AuthRejected,
    BadRequest,
    BrokenOff,
    ForbiddenAddress,
    GroundwireError,
    IllegalState,
    Malformed,
    NetworkDown,
    OutsideFailure,
    PlanLimit,
    PoorAnswer,
    RateLimited,
    ServerFault,
    Timeout,
)
from groundwire.llm.model import ModelCall, send, warm
from groundwire.llm.prompts import Rendered
from groundwire.llm.spec import VENDORS, ModelSpec, VendorOptions
from groundwire.model.base import JsonObject, canonical

RENDERED = Rendered(prompt="ask/x@1", sha256="0" * 64, system="Be brief.", user="怎么了？")
GOOD = '{"text": "好的", "kind": "fact"}'


class Answer(BaseModel):
    text: str
    kind: Literal["fact", "guess"]


def request(spec: ModelSpec) -> JsonObject:
    return ModelCall.of(spec, RENDERED, Answer, 300).request()


def changed(spec: ModelSpec, **options: object) -> ModelSpec:
    return spec.model_copy(update={"options": spec.options.model_copy(update=options)})


async def test_an_output_tool_is_demanded_and_its_arguments_come_back(
    server: Server, client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    server.replies = [chat(arguments=GOOD, finish="tool_calls")]
    sent = await send(spec, request(spec), client=client, idempotency_key="k1")
    assert sent.output == {"text": "好的", "kind": "fact"}
    assert (sent.finish, sent.model) == ("tool", "stub-1")
    assert (sent.usage.input_tokens, sent.usage.output_tokens) == (100, 20)
    assert sent.cost_micro == 100 * 0.75 + 20 * 4.5
    [got] = server.received
    assert got.path == "/v1/chat/completions"
    assert [tool["function"]["name"] for tool in got.body["tools"]] == ["Answer"]  # type: ignore[index,union-attr]
    assert got.body["tool_choice"] in (
        "required",
        {"type": "function", "function": {"name": "Answer"}},
    )
    assert (got.body["temperature"], got.body["max_completion_tokens"]) == (0, 300)
    assert got.headers["idempotency-key"] == "k1"
    assert f"Bearer {KEY}" == got.headers["authorization"]
    roles = [(message["role"], message["content"]) for message in got.body["messages"]]  # type: ignore[index,union-attr]
    assert roles == [("system", "Be brief."), ("user", "怎么了？")]


async def test_a_native_schema_is_sent_where_the_vendor_or_the_user_says_so(
    server: Server, client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    server.replies = [chat(text=GOOD)]
    spec = changed(spec, output="schema")
    sent = await send(spec, request(spec), client=client, idempotency_key="k")
    assert sent.output == {"text": "好的", "kind": "fact"}
    [got] = server.received
    assert "tools" not in got.body
    assert got.body["response_format"]["type"] == "json_schema"  # type: ignore[index,call-overload]


@pytest.mark.parametrize("vendor", list(VENDORS))
async def test_every_vendor_sends_exactly_one_request_with_its_key(
    vendor: str, server: Server, client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    server.replies = [text_reply(vendor, GOOD)]
    spec = ModelSpec(vendor=vendor, name="some/model", kind=vendor, options=spec.options)
    sent = await send(spec, request(spec), client=client, idempotency_key="k")
    assert sent.output == {"text": "好的", "kind": "fact"}
    [got] = server.received
    assert KEY in " ".join(got.headers.values())
    assert KEY not in got.path + json.dumps(got.body)


async def test_deepseek_is_asked_not_to_think(
    server: Server, client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    server.replies = [chat(arguments=GOOD)]
    spec = ModelSpec(
        vendor="deepseek", name="deepseek-v4-pro", kind="deepseek", options=spec.options
    )
    await send(spec, request(spec), client=client, idempotency_key="k")
    assert server.received[0].body["thinking"] == {"type": "disabled"}
    assert server.received[0].body["tool_choice"] != "auto"


async def test_a_failure_inside_a_200_of_openrouter_is_typed(
    server: Server, client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    server.replies = [Reply(body=b'{"error": {"code": 429, "message": "slow down"}}')]
    spec = ModelSpec(vendor="openrouter", name="a/b", kind="openrouter", options=spec.options)
    with pytest.raises(RateLimited):
        await send(spec, request(spec), client=client, idempotency_key="k")


@pytest.mark.parametrize(
    ("reply", "output"),
    [
        # The model spoke instead of calling the tool.
        (chat(text=GOOD), {"text": "好的", "kind": "fact"}),
        (chat(text=f"```json\n{GOOD}\n```"), {"text": "好的", "kind": "fact"}),
        # Not an object: kept as text, for the repair round.
        (chat(arguments='{"text": '), '{"text": '),
        (chat(text="I would say yes."), "I would say yes."),
        # No canonical form: a lone surrogate, NaN.
        (chat(arguments=r'{"text": "\ud800"}'), r'{"text": "\ud800"}'),
        (chat(arguments='{"text": NaN}'), '{"text": NaN}'),
        (chat(text="\ud800 x"), "? x"),
    ],
)
async def test_what_cannot_be_read_stays_text_that_can_be_recorded(
    reply: Reply, output: object, server: Server, client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    server.replies = [reply]
    sent = await send(spec, request(spec), client=client, idempotency_key="k")
    assert output == sent.output
    assert {"output", "usage", "finish", "model"} == set(sent.response())
    canonical(sent.response())


def error(status: int, message: str = "no", code: str | None = None, **headers: str) -> Reply:
    body = json.dumps({"error": {"message": message, "code": code, "type": None}}).encode()
    return Reply(status, body, {"Content-Type": "application/json", **headers})


@pytest.mark.parametrize(
    ("reply", "kind", "message"),
    [
        (error(401, f"Incorrect key {KEY}"), AuthRejected, "key invalid, set OPENAI_API_KEY"),
        (error(403), AuthRejected, "key invalid, set OPENAI_API_KEY"),
        (error(402), PlanLimit, "limit"),
        (error(429, code="insufficient_quota"), PlanLimit, "limit"),
        (error(429), RateLimited, "slow down"),
        (error(400, f"bad field {KEY}\x1b[2J"), BadRequest, "bad field ***"),
        (error(404, "no such model"), BadRequest, "no such model"),
        (error(413), BadRequest, "413"),
        (error(422), BadRequest, "422"),
        (error(408), Timeout, "gave up"),
        (error(500, f"trace {KEY}"), ServerFault, "500"),
        (error(503), ServerFault, "503"),
        (error(529), ServerFault, "529"),
        (Reply(500, b"<html>oops</html>", {"Content-Type": "text/html"}), ServerFault, "500"),
        (Reply(302, b"", {"Location": "http://127.0.0.1:1/"}), BadRequest, "redirects"),
        (Reply(hang=True), Timeout, "did not answer within"),
        (Reply(drop=True), BrokenOff, "the connection broke"),
        # A 200 that is not an answer.
        (Reply(body=b""), Malformed, "could not be read"),
        (Reply(body=b"{not json"), Malformed, "could not be read"),
        (Reply(body=b"null"), Malformed, "could not be read"),
        (Reply(body=b"[]"), Malformed, "could not be read"),
        (Reply(body=b"{}"), Malformed, "could not be read"),
        (Reply(body=b'{"choices": []}'), Malformed, "could not be read"),
        (Reply(body=b'{"choices": [{"message": null}]}'), Malformed, "could not be read"),
        (Reply(body=b'{"choices": 7, "usage": "x"}'), Malformed, "could not be read"),
        (Reply(body=b"\xff\xfe\x00"), Malformed, "could not be read"),
        (Reply(body=b"hello", headers={"Content-Type": "text/plain"}), Malformed, "could not be read"),
        (Reply(body=b'{"error": {"message": "x"}}'), Malformed, "could not be read"),
        (chat(arguments='{"text": "a', finish="length"), PoorAnswer, "cut off"),
        (chat(text=""), Malformed, "empty"),
        (chat(text=None), Malformed, "empty"),
        (chat(refusal="I cannot help"), BadRequest, "refused to answer"),
        (chat(text="", finish="content_filter"), BadRequest, "refused to answer"),
    ],
)  # fmt: skip
async def test_each_failure_is_typed_sent_once_and_holds_no_secret(
    reply: Reply,
    kind: type[OutsideFailure],
    message: str,
    server: Server,
    client: httpx2.AsyncClient,
    spec: ModelSpec,
) -> None:
    server.replies = [reply]
    spec = changed(spec, timeout=0.5) if reply.hang else spec
    with pytest.raises(kind) as caught:
        await send(spec, request(spec), client=client, idempotency_key="k")
    assert type(caught.value) is kind
    assert message in caught.value.message
    assert len(server.received) == 1
    printed = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert KEY not in printed
    assert "\x1b" not in printed
    assert caught.value.__cause__ is None and caught.value.__context__ is None


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"Retry-After": "Mon, 01 Jan 2001 00:00:00 GMT"}, 0.0),
        ({"Retry-After": "99999999"}, 3600.0),  # nobody waits for years
        ({"Retry-After": "soon"}, None),
        ({}, None),
    ],
)
async def test_the_wait_that_the_vendor_asks_for_is_kept(
    header: dict[str, str],
    seconds: float | None,
    server: Server,
    client: httpx2.AsyncClient,
    spec: ModelSpec,
) -> None:
    server.replies = [error(429, **header)]
    with pytest.raises(RateLimited) as caught:
        await send(spec, request(spec), client=client, idempotency_key="k")
    assert (seconds, 429) == (caught.value.retry_after, caught.value.status)


async def test_what_was_cut_off_or_refused_still_costs(
    server: Server, client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    server.replies = [chat(text="a", finish="length"), chat(refusal="no")]
    for _ in range(2):
        with pytest.raises(OutsideFailure) as caught:
            await send(spec, request(spec), client=client, idempotency_key="k")
        assert caught.value.cost == 100 * 0.75 + 20 * 4.5


async def test_a_server_that_does_not_count_is_not_free(
    server: Server, client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    server.replies = [chat(arguments=GOOD, usage={})]
    sent = await send(spec, request(spec), client=client, idempotency_key="k")
    assert sent.cost_micro > 0
    assert sent.usage.input_tokens == 0


async def test_an_unreachable_server_is_a_network_failure(
    client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    spec = changed(spec, base_url="http://127.0.0.1:9/v1")
    with pytest.raises(NetworkDown) as caught:
        await send(spec, request(spec), client=client, idempotency_key="k")
    assert not caught.value.maybe_served


@pytest.mark.parametrize("url", ["not a url", "http://[::1", "ftp://x/", ""])
async def test_an_unusable_base_url_is_a_typed_failure(
    url: str, client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    vendor = changed(spec, base_url=url).model_copy(
        update={"kind": "openai_compatible", "vendor": "mine"}
    )
    with pytest.raises(GroundwireError):
        await send(vendor, request(vendor), client=client, idempotency_key="k")


async def test_the_refusal_of_our_own_transport_passes_through(spec: ModelSpec) -> None:
    def refuse(_: httpx2.Request) -> httpx2.Response:
        raise ForbiddenAddress("the address is not allowed")

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(refuse)) as guarded:
        with pytest.raises(ForbiddenAddress):
            await send(spec, request(spec), client=guarded, idempotency_key="k")


@pytest.mark.parametrize("key", [None, SecretStr("  ")])
async def test_a_vendor_without_its_key_says_which_to_set(
    key: SecretStr | None, client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    spec = changed(spec, api_key=key, base_url=None)
    with pytest.raises(AuthRejected, match="set OPENAI_API_KEY"):
        await send(spec, request(spec), client=client, idempotency_key="k")


async def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(
    client: httpx2.AsyncClient, spec: ModelSpec
) -> None:
    spec = changed(spec, api_key=SecretStr("sk-密钥\r\nX: y"))
    with pytest.raises(AuthRejected) as caught:
        await send(spec, request(spec), client=client, idempotency_key="k")
    assert "密钥" not in repr(caught.value)


async def test_nothing_is_taken_from_the_environment(
    server: Server,
    client: httpx2.AsyncClient,
    spec: ModelSpec,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither proxies nor another vendor's names reach a vendor's request."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-ambient")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-ambient")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-ambient")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-ambient")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/ambient")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Ambient: ambient")
    server.replies = [chat(arguments=GOOD)]
    keyless = changed(spec, api_key=None)
    compatible = keyless.model_copy(update={"vendor": "mine", "kind": "openai_compatible"})
    await send(compatible, request(compatible), client=client, idempotency_key="k")
    [got] = server.received
    assert "ambient" not in json.dumps(got.headers)
    assert got.headers["authorization"] == "Bearer none"


def test_a_request_is_the_same_every_time_it_is_made(spec: ModelSpec) -> None:
    assert canonical(request(spec)) == canonical(request(spec))
    assert {
        "model", "prompt", "prompt_sha256", "system", "user",
        "output_name", "output_schema", "settings",
    } == set(request(spec))  # fmt: skip
    assert ModelCall.read(request(spec)).request() == request(spec)


def test_a_request_does_not_depend_on_the_key_or_the_address(spec: ModelSpec) -> None:
    other = changed(spec, api_key=SecretStr("sk-other"), base_url="http://127.0.0.1:1/v1")
    assert request(spec) == request(other)
    assert KEY not in canonical(request(spec)).decode()


def test_a_foreign_object_is_not_a_request() -> None:
    with pytest.raises(IllegalState):
        ModelCall.read({"model": "x"})


def test_a_spec_never_shows_its_key(spec: ModelSpec) -> None:
    assert KEY not in repr(spec) + str(spec) + spec.model_dump_json() + repr(spec.model_dump())


def test_the_vendor_libraries_are_imported_only_to_send() -> None:
    code = (
        "import sys\n"
        "import groundwire.llm.answer, groundwire.llm.tiers, groundwire.llm.prices\n"
        "from groundwire.llm.tiers import parse\n"
        "from groundwire.llm.spec import VENDORS\n"
        "[VENDORS[name] for name in VENDORS]; parse('openai:gpt-5.4')\n"
        "heavy = {'pydantic_ai', 'openai', 'anthropic', 'google.genai', 'genai_prices', 'httpx2'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("absent", "model"),
    [
        ("pydantic_ai", "openai:gpt-5.4"),
        ("openai", "openai:gpt-5.4"),
        ("anthropic", "anthropic:claude-haiku-5-5"),
        ("google.genai", "google:gemini-3.8-flash"),
    ],
)
def test_without_the_optional_part_the_install_line_is_given(absent: str, model: str) -> None:
    code = (
        f"import sys; sys.modules[{absent!r}] = None\n"
        "import httpx2\n"
        "from groundwire.errors import MissingExtra\n"
        "from groundwire.llm.model import warm\n"
        "from groundwire.llm.spec import VendorOptions\n"
        "from groundwire.llm.tiers import parse\n"
        f"name = {model!r}\n"
        "given = {name.partition(':')[0]: VendorOptions.model_validate({'api_key': 'k' * 20})}\n"
        "try: warm([parse(name, given)], httpx2.AsyncClient())\n"
        "except MissingExtra as error: assert 'groundwire[models]' in error.hint\n"
        "else: raise SystemExit(1)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


async def test_warming_up_sends_nothing_and_needs_no_key(server: Server, spec: ModelSpec) -> None:
    async with httpx2.AsyncClient(trust_env=False) as client:
        warm([spec, changed(spec, api_key=None, base_url=None)], client)
    assert server.received == []


def test_options_refuse_unknown_names() -> None:
    with pytest.raises(ValueError, match="api_keys"):
        VendorOptions.model_validate({"api_keys": "x"})
