"""A run that waits for a person, over REST, MCP and the command line, and processes that are killed."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from desk_process import DeskProcess, house
from mcp import Client, StdioServerParameters
from tests import nursery

_GW = Path(__file__).with_name("drip_desk.py")
_PATIENCE = 120.0


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DeskProcess]:
    with house() as desks:
        desks.append(DeskProcess(tmp_path / "house"))
        yield desks[0]


@pytest.fixture
def either(database_url: str, tmp_path: Path) -> Iterator[DeskProcess]:
    """A desk on each of the two databases."""
    with house() as desks:
        env = {"GROUNDWIRE_DATABASE_URL": database_url}
        if database_url.startswith("sqlite"):
            env = {}
        desks.append(DeskProcess(tmp_path / "house", env))
        yield desks[0]


def confirm(desk: DeskProcess, run_id: str, **body: object) -> Any:
    return desk.ask("POST", f"/api/runs/{run_id}/confirm", body)


def gw(desk: DeskProcess, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(_GW), *args]
    return nursery.run(command, cwd=desk.home, env=desk.environment(), text=True)


# --- REST ------------------------------------------------------------------------------------


def test_a_program_sees_what_is_proposed_and_confirms_it_edited(desk: DeskProcess) -> None:
    desk.start()
    run_id = desk.submit("outline", topic="稳定币")
    waiting = desk.wait(run_id, "waiting")["waiting"]
    assert waiting["form"] == "Outline"
    assert waiting["fields"] == {"title": "稳定币 1", "parts": 3, "tags": []}
    assert waiting["until"] > desk.run(run_id)["created_at"]
    refused = confirm(desk, run_id, edited={"parts": 0})
    assert (refused.status, "parts" in refused.json()["detail"]) == (422, True)
    assert confirm(desk, run_id, edited={"nonsense": 1}).status in (404, 422)
    assert confirm(desk, run_id, proposal="f" * 64).status == 409
    assert desk.run(run_id)["state"] == "waiting"
    reply = confirm(desk, run_id, edited={"parts": 2}, proposal=waiting["id"])
    assert reply.status == 202, reply.body
    ended = desk.wait(run_id, "complete", "failed")
    assert ended["result"]["titles"] == ["稳定币 1", "稳定币 1"]
    assert ended["waiting"] is None
    assert confirm(desk, run_id).status == 409
    assert [each["type"] for each in desk.journal(run_id)] == [
        "run", "proposal", "proposal", "progress", "complete",
    ]  # fmt: skip
    assert desk.ask("POST", f"/api/runs/{run_id}/replay").json()["identical"]
    cancelled = desk.submit("outline", topic="x")
    desk.wait(cancelled, "waiting")
    assert desk.ask("POST", f"/api/runs/{cancelled}/cancel").json()["state"] == "cancelled"


# --- kill -9 ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "database_kind",
    ["sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.slow])],
)
def test_kills_while_it_waits_and_after_the_word_lose_nothing(either: DeskProcess) -> None:
    either.start()
    whole = either.submit("outline", topic="peg")
    either.wait(whole, "waiting")
    confirm(either, whole, edited={"parts": 2})
    digest = either.wait(whole, "complete")["digest"]

    run_id = either.submit("outline", topic="peg")
    waiting = either.wait(run_id, "waiting")["waiting"]
    either.kill()
    either.env = {**either.env, "DIE_ONCE_AT": str(either.home / "died")}
    either.start()
    assert either.run(run_id)["waiting"] == waiting
    confirm(either, run_id, edited={"parts": 2})
    assert either.process is not None
    assert either.process.wait(timeout=_PATIENCE) == -9  # with the word, before the end
    either.start()
    ended = either.wait(run_id, "complete", "failed")
    assert (ended["digest"], ended["attempt"]) == (digest, 1)
    events = either.journal(run_id)
    assert [each["type"] for each in events] == [
        "run", "proposal", "proposal", "progress", "complete",
    ]  # fmt: skip
    assert [each["seq"] for each in events] == [1, 2, 3, 4, 5]
    assert either.ask("POST", f"/api/runs/{run_id}/replay").json()["identical"]


# --- the command line ------------------------------------------------------------------------


def test_a_person_confirms_by_command_while_a_desk_has_the_run(desk: DeskProcess) -> None:
    desk.start()
    run_id = desk.submit("outline", topic="peg")
    desk.wait(run_id, "waiting")
    shown = gw(desk, "show", run_id)
    assert "peg 1" in shown.stdout
    assert f"gw confirm {run_id}" in shown.stderr
    refused = gw(desk, "confirm", run_id, "--edit", "parts=99")
    assert refused.returncode == 2
    assert "parts" in refused.stderr
    assert "Traceback" not in refused.stderr
    edits = desk.home / "edits.json"
    edits.write_text(json.dumps({"tags": ["a"], "parts": 1}), encoding="utf-8")
    done = gw(desk, "confirm", run_id, "--from", str(edits), "-e", "title=脱锚", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["titles"] == ["脱锚"]
    left = desk.submit("outline", topic="other")
    desk.wait(left, "waiting")
    followed = gw(desk, "follow", left)  # nobody sits at it: it says how to go on
    assert (followed.returncode, f"gw confirm {left}" in followed.stderr) == (6, True)
    confirmed = gw(desk, "follow", left, "--yes")
    assert confirmed.returncode == 0
    lines = confirmed.stderr.splitlines()
    told = [each for each in lines if "confirmed" in each or "Outline" in each]
    assert len(told) == len(set(told)), lines  # what was told before the word is not told again


def test_who_sits_at_the_terminal_is_asked_and_may_edit(desk: DeskProcess) -> None:
    desk.start()
    run_id = desk.submit("outline", topic="peg")
    desk.wait(run_id, "waiting")
    typist, terminal = pty.openpty()
    process = nursery.Popen(
        [sys.executable, str(_GW), "follow", run_id],
        cwd=desk.home,
        env={**desk.environment(), "TERM": "dumb"},
        stdin=terminal,
        stdout=subprocess.DEVNULL,
        stderr=terminal,
    )
    os.close(terminal)
    try:
        seen = _until(typist, b"Enter goes on")
        os.write(typist, b"parts=99\n")
        seen = _until(typist, b"Enter goes on")
        assert b"parts" in seen
        os.write(typist, b"parts=1\n")
        _until(typist, b"Enter goes on")
        os.write(typist, b"\n")
        assert process.wait(timeout=_PATIENCE) == 0, seen
    finally:
        process.kill()
        process.wait()
        os.close(typist)
    assert desk.run(run_id)["result"]["titles"] == ["peg 1"]


def _until(terminal: int, words: bytes) -> bytes:
    """Read what a terminal shows until these words appear."""
    os.set_blocking(terminal, False)
    seen, until = b"", time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        try:
            seen += os.read(terminal, 65_536)
        except BlockingIOError:
            time.sleep(0.02)
        if words in seen:
            return seen
    raise AssertionError(seen)


# --- MCP -------------------------------------------------------------------------------------


async def test_a_model_is_told_what_waits_and_hands_on_a_persons_word(desk: DeskProcess) -> None:
    desk.home.mkdir(parents=True)
    server = StdioServerParameters(
        command=sys.executable, args=[str(_GW), "mcp"], env=desk.environment(), cwd=desk.home
    )
    async with asyncio.timeout(_PATIENCE), Client(server) as client:
        result = await client.call_tool("outline", {"topic": "peg"})
        assert not result.is_error, result
        content = result.structured_content
        assert content is not None
        assert (content["status"], content["fields"]["title"]) == ("waiting", "peg 1")
        assert "confirm_run" in result.content[0].text
        wrong = await client.call_tool(
            "confirm_run", {"run_id": content["run_id"], "edited": {"parts": 77}}
        )
        assert wrong.is_error
        assert "parts" in wrong.content[0].text
        done = await client.call_tool(
            "confirm_run",
            {"run_id": content["run_id"], "edited": {"parts": 1}, "proposal": content["proposal"]},
        )
        assert not done.is_error, done
        assert done.structured_content is not None
        assert done.structured_content["titles"] == ["peg 1"]
