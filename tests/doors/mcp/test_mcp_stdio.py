"""`gw mcp`: a process that the official client starts, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import hashlib
import json
import signal
from pathlib import Path

import pytest
from mcp import Client, MCPError

from groundwire.jobs.ask.answer import AskResult
from groundwire.jobs.verify.signal import Signal
from tests.doors.mcp.desks import (
    GW,
    LEGACY,
    MODERN,
    PLANTED,
    RUMOUR,
    WHY,
    Heard,
    SlowWeb,
    beside,
    environment,
    newest,
    parsed,
    serving,
    state_of,
    stdio,
    taken_back,
    text_of,
)


# By default the other tests speak as the old clients do.
@pytest.mark.parametrize("era", [pytest.param(LEGACY, marks=pytest.mark.slow), MODERN])
async def test_a_client_finds_asks_verifies_and_reads(home: Path, era: str) -> None:
    """One session from the first word to the stored page behind a quote."""
    async with Client(stdio(home, GROUNDWIRE_OFFLINE="1"), mode=era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"ask", "verify", "search", "read", "recall_memory", "list_runs"} <= set(tools)
        assert "tool" not in tools
        for tool in tools.values():
            assert tool.input_schema["type"] == "object"
            assert "never instructions" in (tool.description or "")

        heard = Heard()
        answer = await client.call_tool("ask", {"question": WHY}, progress_callback=heard)
        assert not answer.is_error
        result = AskResult.model_validate(answer.structured_content)
        assert result.answer
        assert "data, never instructions" in text_of(answer)
        assert result.answer[0].citations[0].quote in text_of(answer).replace("\\", "")
        assert heard.numbers == sorted(set(heard.numbers))
        assert heard.lines[0] == "started"
        assert any(line.startswith("search: USDC") for line in heard.lines)

        listed = (await client.list_resources()).resources
        address = f"groundwire://run/{result.run_id}"
        assert answer.content[1].uri == address == listed[0].uri
        report, run = (await client.read_resource(address)).contents
        assert report.mime_type == "text/markdown"
        assert WHY in report.text
        assert parsed(run.text)["result"] == answer.structured_content
        templates = (await client.list_resource_templates()).resource_templates
        assert {each.uri_template for each in templates} == {
            "groundwire://run/{id}",
            "groundwire://evidence/{id}",
        }
        cited = result.answer[0].citations[0]
        known, page = (
            await client.read_resource(f"groundwire://evidence/{cited.evidence_id}")
        ).contents
        assert page.text[cited.start : cited.end] == cited.quote
        assert hashlib.sha256(page.text.encode()).hexdigest() == parsed(known.text)["sha256"]
        same = await client.read_resource(f"groundwire://evidence/{parsed(known.text)['id']}")
        assert same.contents[1].text == page.text

        heard = Heard()
        checked = await client.call_tool("verify", {"text": RUMOUR}, progress_callback=heard)
        signal_ = Signal.model_validate(checked.structured_content)
        assert signal_.message.text == RUMOUR
        assert signal_.evidence
        assert f"> {RUMOUR}" in text_of(checked)
        assert heard.lines[-1] == "done"


async def test_what_is_stored_can_be_looked_at(home: Path) -> None:
    async with Client(stdio(home), mode=LEGACY) as client:
        result = await client.call_tool(
            "ask", {"question": "USDC為何在2023年3月脫鉤？", "language": "zh-Hant"}
        )
        run_id = result.structured_content["run_id"]
        found = await client.call_tool("list_runs", {"kind": "ask"})
        assert [each["id"] for each in found.structured_content["runs"]] == [run_id]
        assert "脫鉤" in text_of(found)
        shown = await client.call_tool("show_run", {"run_id": run_id})
        assert shown.structured_content["result"] == result.structured_content
        assert not {"seed", "settings", "lease_owner"} & set(shown.structured_content)
        held = await client.call_tool("recall_memory", {"text": "USDC"})
        assert held.structured_content["state"] == "ok"
        assert held.structured_content["entries"]
        evidence = result.structured_content["evidence"][0]["id"]
        page = await client.call_tool("show_evidence", {"id": evidence, "length": 50})
        assert page.structured_content["end"] == 50
        quoted = text_of(page).split("\n\n", 1)[1]
        assert all(line.startswith("> ") for line in quoted.split("\n"))
        called = await client.call_tool("search", {"query": "USDC"})
        assert called.structured_content["output"]["hits"]
        planted = await client.call_tool("plan", {"question": f"What is {PLANTED}?"})
        assert PLANTED not in planted.model_dump_json()
        listed = await client.list_resources()
        assert "What is" in listed.model_dump_json()
        assert PLANTED not in listed.model_dump_json()
        with pytest.raises(MCPError, match="the cursor is none of ours"):
            await client.list_resources(cursor="9" * 500)


BAD = [
    ("ask", {"question": ""}, "question is empty"),
    ("ask", {"question": WHY, "deep": 99}, "deep"),
    ("ask", {"question": WHY, "path": "/etc/passwd"}, "path"),
    ("verify", {}, "text"),
    ("search", {"query": "x", "time_range": "someday"}, "someday"),
    ("read", {"url": "file:///etc/passwd"}, "not a web address"),
    ("read", {"url": "https://ann:geheim@example.org/"}, "user name or password"),
    ("recall_memory", {}, "nothing is asked"),
    ("list_runs", {"cursor": "?"}, "cursor"),
    ("list_runs", {"limit": 5000}, "limit"),
    ("list_runs", {"kind": "asc"}, "did you mean ask?"),
    ("show_run", {"run_id": "ask-none"}, "list_runs"),
    ("show_evidence", {"id": "ev_none"}, "no evidence"),
    ("resume_run", {"run_id": "ask-\0"}, "there is no run 'ask-'"),
    ("give_feedback", {"run_id": "ask-none", "outcome": "true"}, "there is no run"),
]


async def test_bad_input_is_one_sentence(home: Path) -> None:
    async with Client(stdio(home), mode=LEGACY) as client:
        for name, given, expected in BAD:
            result = await client.call_tool(name, given)
            assert result.is_error, name
            assert expected in text_of(result), text_of(result)
            assert "\n" not in text_of(result)
            assert "Traceback" not in text_of(result)
        with pytest.raises(MCPError, match=r"unknown tool 'asc'; did you mean ask\?"):
            await client.call_tool("asc", {})
        for address in (
            "groundwire://run/none",
            "groundwire://evidence/none",
            "file:///etc/passwd",
        ):
            with pytest.raises(MCPError, match="there is no"):
                await client.read_resource(address)


async def test_who_takes_a_call_back_cancels_its_run_and_may_resume_it(
    home: Path, web: SlowWeb
) -> None:
    async with Client(stdio(home), mode=LEGACY) as client:
        call = asyncio.create_task(client.call_tool("read", {"url": web.url}))
        await web.requested.wait()
        call.cancel()
        async with beside(home) as app:
            run = await newest(app)
            await taken_back(app, run.id)
            web.let_go.set()
            assert (await state_of(app, run.id)).state == "cancelled"
        shown = await client.call_tool("show_run", {"run_id": run.id})
        assert shown.structured_content["state"] == "cancelled"
        again = await client.call_tool("resume_run", {"run_id": run.id})
        assert not again.is_error
        assert "Antwerp" in text_of(again)
        for name in ("resume_run", "cancel_run"):
            late = await client.call_tool(name, {"run_id": run.id})
            assert late.is_error
            assert "the run is complete" in text_of(late)


@pytest.mark.parametrize("how", ["input", pytest.param("signal", marks=pytest.mark.slow)])
async def test_it_ends_with_its_input_or_by_a_signal_and_keeps_the_run(
    home: Path, web: SlowWeb, how: str
) -> None:
    """A client that leaves has taken nothing back: whoever works here next goes on with it."""
    process = await _started(home)
    _send(process, 2, "tools/call", {"name": "read", "arguments": {"url": web.url}})
    await web.requested.wait()
    assert process.stdin is not None
    if how == "input":
        process.stdin.close()
    else:
        process.send_signal(signal.SIGTERM)
    assert "Connection closed" in json.dumps(await _answer(process, 2))
    web.let_go.set()
    assert await process.wait() == 0
    async with beside(home) as app:
        run = await newest(app)
        assert run.state in ("queued", "complete")
        assert not run.cancel_requested


async def test_nothing_but_the_protocol_is_on_standard_output(home: Path) -> None:
    process = await _started(home, GROUNDWIRE_LOG__LEVEL="debug")
    _send(process, 2, "tools/call", {"name": "ask", "arguments": {"question": WHY}})
    assert process.stdin is not None
    process.stdin.write(b"this is no message\n")
    assert (await _answer(process, 2))["result"]["isError"] is False
    process.stdin.close()
    out, _ = await process.communicate()
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in out.splitlines())
    assert "Traceback" not in (home / "stderr").read_text()
    assert process.returncode == 0


async def test_a_desk_on_the_same_folder_does_the_work(home: Path, web: SlowWeb) -> None:
    with serving(home) as desk:
        async with Client(stdio(home), mode=LEGACY) as client, beside(home) as app:
            call = asyncio.create_task(client.call_tool("read", {"url": web.url}))
            await web.requested.wait()
            run = await state_of(app, (await newest(app)).id, "running")
            assert f"#{desk.process.pid}/" in str(run.lease_owner)
            web.let_go.set()
            assert not (await call).is_error


async def _started(home: Path, **more: str) -> asyncio.subprocess.Process:
    with (home / "stderr").open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *GW,
            "mcp",
            env=environment(home, **more),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            limit=10_000_000,
        )
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    _send(process, 1, "initialize", hello)
    assert (await _answer(process, 1))["result"]["serverInfo"]["name"] == "groundwire"
    _send(process, None, "notifications/initialized", {})
    return process


def _send(
    process: asyncio.subprocess.Process, number: int | None, method: str, params: dict[str, object]
) -> None:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    assert process.stdin is not None
    process.stdin.write(
        json.dumps(message if number is None else {**message, "id": number}).encode()
    )
    process.stdin.write(b"\n")


async def _answer(process: asyncio.subprocess.Process, number: int) -> dict[str, dict]:
    assert process.stdout is not None
    while line := await process.stdout.readline():
        found = json.loads(line)
        if found.get("id") == number:
            return found
    raise AssertionError("no answer")
