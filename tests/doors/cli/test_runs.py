"""Run rows on the command line: named, shown, picked up, resumed, cancelled, interrupted."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from groundwire.app import App, open_app
from groundwire.jobs.sections import Settings
from groundwire.model.run import NewRun, Run
from groundwire.runs.lock import FileLock, lease_owner
from tests import nursery
from tests.signals import listening, shut_out

from .conftest import Gw

QUESTION = "USDC 为什么在2023年3月脱锚？"
T = TypeVar("T")


def on_store(gw: Gw, work: Callable[[App], Awaitable[T]]) -> T:
    """Change the data folder without a command."""

    async def opened() -> T:
        loaded = Settings.load(
            {"home": str(gw.home), "offline": True}, cwd=gw.home, env={"HOME": str(gw.home)}
        )
        async with open_app(loaded) as app:
            return await work(app)

    return asyncio.run(opened())


async def queued(app: App) -> Run:
    """Write a run that was submitted by a process that is gone."""
    from groundwire.versions import versions

    now = app.clock()
    return await app.store.runs.create(
        NewRun(
            id="ask-left000001",
            kind="ask",
            input=app.checked("ask", {"question": QUESTION}),
            settings=app.outside.run_settings(),
            now=now,
            seed="00" * 16,
            versions=versions(),
            created_at=now,
        )
    )


async def interrupted(app: App) -> Run:
    run = await queued(app)
    now = app.clock()
    owner = f"{lease_owner().rpartition('#')[0]}#99999999/1"
    await app.store.runs.claim(run.id, owner, now, now + timedelta(seconds=30))
    return run


def test_runs_are_listed_newest_first_and_shown_by_prefix(gw: Gw) -> None:
    first = json.loads(gw("ask", QUESTION, "--json").out)["run_id"]
    second = json.loads(gw("ask", "DeepSeek R1", "--json").out)["run_id"]
    listed = gw("runs")
    assert listed.out.index(second) < listed.out.index(first)
    assert QUESTION in listed.out
    assert gw("show", first[:9]).out == gw("show", first).out
    assert second in gw("show", "last").out


def test_show_prints_the_card_that_ask_printed(gw: Gw) -> None:
    ask_result = gw("ask", QUESTION)
    assert gw("show", "last").out == ask_result.out


def test_show_gives_journal_and_ledger(gw: Gw) -> None:
    gw("ask", QUESTION, "--json")
    events = json.loads(gw("show", "last", "--events", "--json").out)
    calls = json.loads(gw("show", "last", "--calls", "--json").out)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    read = {"archive", "document", "memory", "sources"}  # every look at what may change
    assert {call["provider"] for call in calls} == read
    assert "weigh" in gw("show", "last", "--events").out
    assert "read archive" in gw("show", "last", "--calls").out


@pytest.mark.parametrize("command", ["show", "follow", "resume", "cancel", "export", "replay"])
def test_an_unknown_run_is_one_sentence_and_code_2(empty: Gw, command: str) -> None:
    result = empty(command, "nope")
    assert result.code == 2
    assert "there is no run 'nope' here" in result.err
    assert "gw runs" in result.err


def test_a_prefix_that_fits_two_runs_is_refused(gw: Gw) -> None:
    for _ in range(2):
        gw("search", "USDC", "--json")
    result = gw("show", "tool-")
    assert result.code == 2
    assert "fits 2 runs" in result.err


def test_no_runs_is_said(empty: Gw) -> None:
    assert "no runs yet" in empty("runs").err
    assert json.loads(empty("runs", "--json").out) == []


def test_an_interrupted_run_is_called_so_and_followed_to_its_end(gw: Gw) -> None:
    run = on_store(gw, interrupted)
    listed = gw("runs")
    assert "interrupted" in listed.out
    assert f"gw follow {run.id}" in listed.err
    result = gw("follow", run.id, "--json")
    assert (result.code, json.loads(result.out)["status"]) == (0, "complete")
    assert "interrupted" not in gw("runs").out


def test_a_queued_run_that_nobody_executes_is_picked_up(gw: Gw) -> None:
    run = on_store(gw, queued)
    result = gw("follow", run.id)
    assert result.code == 0
    assert "● 有据" in result.out


def test_following_a_finished_run_shows_it_again(gw: Gw) -> None:
    ask_result = gw("ask", QUESTION)
    followed = gw("follow", "last")
    assert followed.code == 0
    assert followed.out == ask_result.out
    assert "another process" not in followed.err


def test_a_queued_run_is_cancelled_at_once_and_can_be_resumed(gw: Gw) -> None:
    run = on_store(gw, queued)
    result = gw("cancel", run.id)
    assert result.code == 0
    assert "cancelled" in result.out
    assert gw("cancel", run.id).code == 2
    shown = json.loads(gw("show", run.id, "--json").out)
    assert (shown["status"], shown["question"]) == ("cancelled", QUESTION)
    assert gw("resume", run.id).code == 0


def test_a_run_left_by_a_dead_process_is_cancelled(gw: Gw) -> None:
    run = on_store(gw, interrupted)
    result = gw("cancel", run.id, "--json")
    assert (result.code, json.loads(result.out)["state"]) == (0, "cancelled")


def test_there_is_nothing_to_resume_in_a_complete_run(gw: Gw) -> None:
    gw("ask", QUESTION, "--json")
    result = gw("resume", "last")
    assert result.code == 2
    assert "nothing to try again" in result.err


def test_an_unfinished_run_is_not_exported(gw: Gw) -> None:
    run = on_store(gw, queued)
    result = gw("export", run.id)
    assert result.code == 2
    assert "gw follow" in result.err


def test_when_another_process_owns_the_folder_that_is_said(gw: Gw) -> None:
    lock = FileLock(gw.home / "groundwire.db.lock")
    assert lock.acquire()
    # The other process ends after a while; then this one does the work itself.
    timer = threading.Timer(1.5, lock.release)
    timer.start()
    result = gw("ask", QUESTION)
    timer.join()
    assert result.code == 0
    # In the language of the lines around it, which is that of the question.
    assert result.err.count("这个数据文件夹上的另一个进程正在执行此任务") == 1


def test_a_terminate_is_heard_where_ctrl_c_is_shut_out(gw: Gw, tmp_path: Path) -> None:
    """A script's background job ignores Ctrl-C, and still hands its run back when told to end."""
    env = {**os.environ, "GROUNDWIRE_HOME": str(gw.home), "GROUNDWIRE_OFFLINE": "1"}
    command = [sys.executable, "-m", "groundwire", "ask", QUESTION]
    with nursery.Popen(
        command, preexec_fn=shut_out, env=env, cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("任务 ask-"):
                process.send_signal(signal.SIGTERM)
                break
        process.stderr.read()
    assert process.returncode == 130


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_the_run_and_says_how_to_go_on(
    gw: Gw, tmp_path: Path, number: signal.Signals
) -> None:
    env = {**os.environ, "GROUNDWIRE_HOME": str(gw.home), "GROUNDWIRE_OFFLINE": "1"}
    command = [sys.executable, "-m", "groundwire", "ask", QUESTION]
    with nursery.Popen(
        command,
        preexec_fn=listening,
        env=env,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("任务 ask-"):
                process.send_signal(number)
                break
        rest = process.stderr.read()
        code = process.wait()
    assert code == 130
    assert "gw follow ask-" in rest
    assert "Traceback" not in rest
    result = gw("follow", "last", "--json")
    assert (result.code, json.loads(result.out)["status"]) == (0, "complete")
