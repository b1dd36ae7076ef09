"""`/mcp` of a desk that asks for tokens: who comes in, what is theirs, and how it ends."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from pathlib import Path

import httpx2
import pytest
from mcp import MCPError

from groundwire.jobs.ask.answer import AskResult
from tests.doors.mcp.conftest import Tokens
from tests.doors.mcp.desks import (
    ERAS,
    LEGACY,
    MODERN,
    WHY,
    Desk,
    Heard,
    SlowWeb,
    beside,
    newest,
    serving,
    state_of,
    taken_back,
    text_of,
)

Guarded = tuple[Desk, Tokens]
PLAN = {"question": "Who opened the lock?"}
JSON = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def hello(number: int = 1) -> dict[str, object]:
    about = {"name": "test", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}
    return {"jsonrpc": "2.0", "id": number, "method": "initialize", "params": params}


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_asks_over_http(guarded: Guarded, era: str) -> None:
    desk, tokens = guarded
    async with desk.client(tokens.anna, era) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"ask", "verify", "search", "show_run"} <= names
        heard = Heard()
        answer = await client.call_tool("ask", {"question": WHY}, progress_callback=heard)
        result = AskResult.model_validate(answer.structured_content)
        assert result.answer
        assert heard.numbers == sorted(set(heard.numbers))
        assert heard.lines[0] == "started"
        report, _ = (await client.read_resource(f"groundwire://run/{result.run_id}")).contents
        assert WHY in report.text
        checked = await client.call_tool(
            "verify", {"text": "傳 Coinbase 星期二上架瑞波幣", "tools": False}
        )
        assert checked.structured_content["verdict"]


@pytest.mark.parametrize("secret", ["", "gw_wrong", "basic"])
async def test_without_a_token_that_is_known_nobody_comes_in(guarded: Guarded, secret: str) -> None:
    desk, _ = guarded
    shown = {"": {}, "basic": {"Authorization": "Basic YTpi"}}
    headers = JSON | shown.get(secret, {"Authorization": f"Bearer {secret}"})
    async with httpx2.AsyncClient(headers=headers) as http:
        for answer in (await http.post(desk.url, json=hello()), await http.get(desk.url)):
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == "Bearer"
            assert answer.headers["content-type"] == "application/problem+json"
            assert "gw token create" in answer.json()["hint"]
    with pytest.RaisesGroup(MCPError, flatten_subgroups=True):
        async with desk.client(secret):
            raise AssertionError("came in")


async def test_runs_are_their_owners_own(guarded: Guarded) -> None:
    desk, tokens = guarded
    async with desk.client(tokens.anna) as anna:
        anna_run = (await anna.call_tool("plan", PLAN)).structured_content["run_id"]
        assert not (await anna.call_tool("show_run", {"run_id": anna_run})).is_error
    async with desk.client(tokens.bert) as bert:
        for name, more in (
            ("show_run", {}),
            ("resume_run", {}),
            ("cancel_run", {}),
            ("give_feedback", {"outcome": "true"}),
        ):
            refused = await bert.call_tool(name, {"run_id": anna_run, **more})
            assert refused.is_error
            assert f"there is no run '{anna_run}' here" in text_of(refused)
        with pytest.raises(MCPError, match="there is no run"):
            await bert.read_resource(f"groundwire://run/{anna_run}")
        listed = (await bert.call_tool("list_runs", {})).structured_content["runs"]
        assert anna_run not in [each["id"] for each in listed]
        resources = (await bert.list_resources()).resources
        assert f"groundwire://run/{anna_run}" not in [each.uri for each in resources]


@pytest.mark.parametrize("era", ERAS)
async def test_who_may_only_read_runs_nothing(guarded: Guarded, era: str) -> None:
    desk, tokens = guarded
    async with desk.client(tokens.rita, era) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {
            "recall_memory", "list_runs", "show_run", "show_evidence", "list_watches",
            "show_changes", "show_beliefs",
        }  # fmt: skip
        refused = await client.call_tool("plan", PLAN)
        assert refused.is_error
        assert "needs the scope run; the token has read" in text_of(refused)
        assert (await client.call_tool("list_runs", {})).structured_content["runs"] == []


async def test_a_session_is_no_pass(guarded: Guarded) -> None:
    """Somebody else's session is not there, and one's own still needs the token."""
    desk, tokens = guarded
    anna = JSON | {"Authorization": f"Bearer {tokens.anna}"}
    bert = JSON | {"Authorization": f"Bearer {tokens.bert}"}
    async with httpx2.AsyncClient() as http:
        opened = await http.post(desk.url, json=hello(), headers=anna)
        session = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
        ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        assert (await http.post(desk.url, json=ping, headers=anna | session)).status_code == 200
        for headers, status in ((bert | session, 404), (JSON | session, 401)):
            assert (await http.post(desk.url, json=ping, headers=headers)).status_code == status
            assert (await http.delete(desk.url, headers=headers)).status_code == status
        assert (await http.delete(desk.url, headers=anna | session)).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
    ],
)
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
async def test_other_hosts_and_other_sites_are_refused(
    guarded: Guarded, method: str, headers: dict[str, str], status: int
) -> None:
    """Even with a token: a page of another site may have somebody's browser send it."""
    desk, tokens = guarded
    sent = JSON | {"Authorization": f"Bearer {tokens.anna}"} | headers
    async with httpx2.AsyncClient() as http:
        answer = await http.request(method, desk.url, json=hello(), headers=sent)
        assert answer.status_code == status
        assert "access-control-allow-origin" not in answer.headers


async def test_our_own_origin_is_let_in(guarded: Guarded) -> None:
    desk, tokens = guarded
    origin = desk.url.removesuffix("/mcp")
    sent = JSON | {"Authorization": f"Bearer {tokens.anna}", "Origin": origin}
    async with httpx2.AsyncClient() as http:
        answer = await http.post(desk.url, json=hello(), headers=sent)
        assert answer.status_code == 200
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_token_may_ask_only_so_often(guarded: Guarded) -> None:
    desk, tokens = guarded
    sent = JSON | {"Authorization": f"Bearer {tokens.slow}"}
    async with httpx2.AsyncClient() as http:
        codes = [(await http.post(desk.url, json=hello(), headers=sent)).status_code for _ in "123"]
    assert codes == [200, 200, 429]


async def test_what_is_no_request_is_refused_without_a_trace_of_the_house(guarded: Guarded) -> None:
    desk, tokens = guarded
    sent = JSON | {"Authorization": f"Bearer {tokens.anna}"}
    deep = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b'{"a":' * 5000 + b"1"
    async with httpx2.AsyncClient() as http:
        for content in (b"", b"{", b"[]", b"\xff\xfe", deep, b"x" * 1_100_000):
            answer = await http.post(desk.url, content=content, headers=sent)
            assert 400 <= answer.status_code < 500, content[:20]
            assert "Traceback" not in answer.text
            assert "site-packages" not in answer.text


async def test_what_cannot_be_kept_is_refused(guarded: Guarded) -> None:
    """Half a character, which JSON can carry; from 2026 on it comes as far as the call itself."""
    desk, tokens = guarded
    headers = JSON | {
        "Authorization": f"Bearer {tokens.anna}",
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": "tools/call",
    }
    meta = {"protocolVersion": MODERN, "clientCapabilities": {}}
    async with httpx2.AsyncClient() as http:
        for name, given in (("ask", "question"), ("list_runs", "text"), ("show_run", "run_id")):
            params = {
                "name": name,
                "arguments": {given: "\ud800"},
                "_meta": {f"io.modelcontextprotocol/{key}": value for key, value in meta.items()},
            }
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            sent = headers | {"Mcp-Name": name}
            answer = await http.post(desk.url, content=json.dumps(call), headers=sent)
            assert answer.status_code == 200, answer.text
            assert answer.json()["result"]["isError"]
            assert "cannot be kept" in answer.json()["result"]["content"][0]["text"]


@pytest.mark.parametrize("era", ERAS)
async def test_who_takes_a_call_back_cancels_its_run(
    guarded: Guarded, web: SlowWeb, era: str
) -> None:
    desk, tokens = guarded
    async with desk.client(tokens.anna, era) as client, beside(desk.home) as app:
        call = asyncio.create_task(client.call_tool("read", {"url": web.url}))
        await web.requested.wait()
        run_id = (await newest(app)).id
        call.cancel()
        await taken_back(app, run_id)
        web.let_go.set()
        assert (await state_of(app, run_id)).state == "cancelled"


@pytest.mark.parametrize("how", ["broken", "closed"])
async def test_a_connection_that_is_lost_takes_nothing_back(
    guarded: Guarded, web: SlowWeb, how: str
) -> None:
    """Before 2026 a client says so when it cancels: a stream that breaks, or a session that is
    closed, leaves the run alone."""
    desk, tokens = guarded
    sent = JSON | {"Authorization": f"Bearer {tokens.anna}"}
    params = {"name": "read", "arguments": {"url": web.url}}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    async with beside(desk.home) as app:
        async with httpx2.AsyncClient() as http:
            opened = await http.post(desk.url, json=hello(), headers=sent)
            sent["Mcp-Session-Id"] = opened.headers["mcp-session-id"]
            ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            await http.post(desk.url, json=ready, headers=sent)
            async with http.stream("POST", desk.url, json=call, headers=sent):
                await web.requested.wait()
                if how == "closed":
                    assert (await http.delete(desk.url, headers=sent)).status_code == 200
        run = await newest(app)
        web.let_go.set()
        assert (await state_of(app, run.id)).state == "complete"


async def test_two_callers_hear_of_their_own_runs_only(guarded: Guarded) -> None:
    desk, tokens = guarded

    async def asks(token: str, question: str) -> tuple[Heard, str]:
        heard = Heard()
        async with desk.client(token) as client:
            found = await client.call_tool("ask", {"question": question}, progress_callback=heard)
        return heard, text_of(found)

    (heard_a, said_a), (heard_b, said_b) = await asyncio.gather(
        asks(tokens.anna, WHY), asks(tokens.bert, "比特币现货ETF是什么时候获批的？")
    )
    assert WHY in said_a
    assert "ETF" in said_b
    assert "USDC" in " ".join(heard_a.lines)
    assert not [
        line for line in heard_a.lines if line.startswith(("plan", "search")) and "ETF" in line
    ]
    assert not [
        line for line in heard_b.lines if line.startswith(("plan", "search")) and "USDC" in line
    ]


@pytest.mark.parametrize("era", [pytest.param(LEGACY, marks=pytest.mark.slow), MODERN])
async def test_a_desk_that_stops_says_so_and_keeps_the_run(
    home: Path, web: SlowWeb, era: str
) -> None:
    """On the machine itself no token is asked for; calls under way hold nothing up."""
    with serving(home) as desk:
        async with desk.client(era=era) as client:
            call = asyncio.create_task(client.call_tool("read", {"url": web.url}))
            await web.requested.wait()
            began = time.monotonic()
            desk.process.send_signal(signal.SIGTERM)
            result = await call
            web.let_go.set()
            assert result.is_error
            assert "the desk is stopping; the run" in text_of(result)
            assert await asyncio.to_thread(desk.process.wait) == 0
            assert time.monotonic() - began < 30  # ten, on a machine of its own
    async with beside(home) as app:
        run = await newest(app)
        assert run.state in ("queued", "complete")
        assert not run.cancel_requested
    assert not [line for line in desk.output if "Traceback" in line or "error" in line.lower()]
