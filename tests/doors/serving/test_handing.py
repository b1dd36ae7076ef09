"""Commands on the data folder of a desk: it runs their jobs as they were meant, but is not needed."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from desk_process import DeskProcess
from tests import nursery
from tests.signals import listening

from groundwire.errors import StoreAway
from groundwire.runs import link as linking
from groundwire.runs.link import DeskLink, DeskNote, note_in

NewDesk = Callable[..., DeskProcess]
Gate = Callable[[int], str]
_GW = Path(__file__).with_name("drip_desk.py")


def _start(desk: DeskProcess, *args: str, **env: str) -> subprocess.Popen[str]:
    return nursery.Popen(
        [sys.executable, str(_GW), *args],
        cwd=desk.home,
        env={**desk.environment(), **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listening,
    )


def _gw(desk: DeskProcess, *args: str, **env: str) -> tuple[int, str, str]:
    process = _start(desk, *args, **env)
    out, err = process.communicate(timeout=100)
    return process.returncode, out, err


def _run_id(err: str) -> str:
    return next(line for line in err.splitlines() if line.startswith(("run ", "任务 "))).split()[1]


def test_the_desk_has_the_job_with_the_settings_of_the_command(
    new_desk: NewDesk, sample_home: Path, tmp_path: Path
) -> None:
    shutil.copytree(sample_home, tmp_path / "desk" / "data")
    desk = new_desk()
    code, out, err = _gw(
        desk, "ask", "Why did USDC lose its peg?", "--json", GROUNDWIRE_ASK__PAGES="3"
    )
    assert code == 0, err
    result = json.loads(out)
    assert result["answer"]
    assert 0 < len(result["evidence"]) <= 3  # the desk's own setting is 20
    run = desk.run(result["run_id"])
    assert (run["state"], run["attempt"], run["restarts"]) == ("complete", 1, 0)
    # Nobody else held the lock, before, between or after.
    _, _, err = _gw(desk, "verify", "Coinbase 即将上线 XYZ 代币，下周公布")
    assert f"{desk.url} 的工作台正" in err  # in the language of the run
    assert desk.run(_run_id(err))["state"] == "complete"


def test_a_command_takes_over_when_its_desk_dies(new_desk: NewDesk, gate: Gate) -> None:
    desk = new_desk()
    run_id = desk.submit("drip", count=20, gate=gate(5))
    following = _start(desk, "follow", run_id, "--json")
    until = time.monotonic() + 60
    while len(desk.journal(run_id)) < 6:
        assert time.monotonic() < until
        time.sleep(0.02)
    desk.kill()
    gate(20)
    _, err = following.communicate(timeout=100)
    assert following.returncode == 0, err
    desk.start()
    run = desk.run(run_id)
    assert (run["state"], run["restarts"]) == ("complete", 1)
    assert [event["seq"] for event in desk.journal(run_id)] == list(
        range(1, len(desk.journal(run_id)) + 1)
    )


def test_a_note_of_a_dead_desk_leads_nowhere(new_desk: NewDesk) -> None:
    desk = new_desk()
    note = desk.note.read_text("utf-8")
    desk.stop()
    desk.note.write_text(note, "utf-8")
    code, out, err = _gw(desk, "ask", "Why did USDC lose its peg?", "--json")
    assert code == 0, err
    assert json.loads(out)["status"] == "complete"


def test_of_two_desks_on_a_folder_the_note_is_that_of_who_executes(new_desk: NewDesk) -> None:
    first = new_desk()
    note = first.note.read_text("utf-8")
    second = _start(first, "serve", "--port", "0")
    third = _start(first, "serve", "--port", "0")
    try:
        for each in (second, third):
            assert each.stderr is not None
            assert "the desk is at" in each.stderr.readline()
        assert first.note.read_text("utf-8") == note
        third.terminate()
        assert third.wait(100) == 0
        # It has not taken the way to the first one with it.
        assert first.note.read_text("utf-8") == note
        first.kill()
        until = time.monotonic() + 100
        while json.loads(first.note.read_text("utf-8"))["pid"] != second.pid:
            assert time.monotonic() < until
            time.sleep(0.05)
        second.terminate()
        assert second.wait(100) == 0
        assert not first.note.exists()
    finally:
        for each in (second, third):
            each.kill()
            each.communicate()


def test_only_the_key_hands_a_run_over(new_desk: NewDesk) -> None:
    desk = new_desk()
    run_id = desk.submit("drip", count=1)
    row = desk.wait(run_id, "complete")
    run = {
        "id": "drip-x",
        "kind": "drip",
        "input": row["input"],
        "settings": {},
        "now": row["created_at"],
        "seed": "s",
        "versions": row["versions"],
        "created_at": row["created_at"],
    }
    assert desk.ask("POST", "/api/handed", {"run": run}).status == 403
    wrong = {"Authorization": "Bearer " + "x" * 43}
    assert desk.ask("POST", "/api/handed", {"run": run}, wrong).status == 403
    key = json.loads(desk.note.read_text("utf-8"))["key"]
    right = {"Authorization": f"Bearer {key}"}
    assert desk.ask("POST", "/api/handed", {"run": run}, right).status == 202
    assert desk.note.stat().st_mode & 0o077 == 0
    assert "/api/handed" not in desk.get("/api/openapi.json").json()["paths"]


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1:80", "http://evil.example:80", "http://[::2]:80", "nonsense", ""]
)
def test_a_note_leads_to_this_machine_only(tmp_path: Path, url: str) -> None:
    (tmp_path / "desk.json").write_text(DeskNote(pid=1, url=url, key="k").model_dump_json())
    assert note_in(tmp_path) is None
    (tmp_path / "desk.json").write_text("{")
    assert note_in(tmp_path) is None


async def test_a_desk_that_does_not_answer_is_away() -> None:
    link = DeskLink(DeskNote(pid=1, url="http://127.0.0.1:9", key="k"))
    with pytest.raises(StoreAway):
        await link.post("/api/handed", {})


async def test_a_desk_that_is_frozen_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its kernel takes the connection; nobody ever answers. The command must go on by itself."""
    monkeypatch.setattr(linking, "_ANSWER", 0.2)
    frozen = asyncio.Event()

    async def take(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await frozen.wait()
        writer.close()

    async with await asyncio.start_server(take, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        link = DeskLink(DeskNote(pid=1, url=f"http://127.0.0.1:{port}", key="k"))
        async with asyncio.timeout(60):
            with pytest.raises(StoreAway, match="does not answer"):
                await link.post("/api/handed", {})
        frozen.set()
