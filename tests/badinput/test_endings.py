"""How a process may end, which one continues, and streams that are not a UTF-8 terminal."""

from __future__ import annotations

import signal
from collections import Counter

import pytest
from _pytest.mark import ParameterSet
from lab.stubs.launch import Stubs

from .conftest import CHINESE, ENDINGS, ENGLISH, Door, ended, until


@pytest.fixture
def door(door: Door) -> Door:
    """Read few pages: how a process ends does not depend on their number."""
    door.env["GROUNDWIRE_ASK__PAGES"] = "4"
    return door


def searches(stubs: Stubs) -> int:
    return sum(1 for call in stubs.log() if call.stub == "tavily")


def _slow(case: object) -> ParameterSet:
    return pytest.param(case, marks=pytest.mark.slow)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_run_that_is_interrupted_is_handed_back_and_followed_to_its_end(
    door: Door, online: dict[str, str], stubs: Stubs, ending: signal.Signals
):
    stubs.latency(search=1.0)
    process = door.start("ask", ENGLISH, **online)
    until(lambda: searches(stubs) > 0)
    process.send_signal(ending)
    result = ended(process)
    ((run_id, state),) = door.rows()
    assert (result.code, state) == (130, "queued")
    assert f"gw follow {run_id}" in result.err
    stubs.latency(search=0.0)
    followed = door("follow", run_id, "--json", **online)
    assert followed.code == 0
    assert followed.json()["answer"]
    # What was under way at the signal was waited for: nothing is asked twice.
    repeats = Counter(call.content for call in stubs.log() if call.stub != "web")
    assert set(repeats.values()) == {1}


def test_a_call_that_takes_long_does_not_hold_the_end_up(
    door: Door, online: dict[str, str], stubs: Stubs
):
    """It is sent again by whoever goes on, counted as repeated, and both are in the spend."""
    stubs.latency(model=60.0)
    process = door.start("ask", ENGLISH, **online)
    until(lambda: any(call.stub == "model" for call in stubs.log()))
    process.send_signal(signal.SIGINT)
    assert ended(process, seconds=30).code == 130
    stubs.latency(model=0.0)
    cost = door("follow", "last", "--json", **online).json()["cost"]
    assert cost["repeated"] == 1


@pytest.mark.slow  # by default the first one is killed, below
def test_two_processes_on_one_folder_both_finish(door: Door, online: dict[str, str], stubs: Stubs):
    stubs.latency(search=100.0)
    first = door.start("ask", ENGLISH, "--json", **online)
    until(lambda: searches(stubs) > 0)
    second = door.start("ask", CHINESE, **online)
    assert second.stderr is not None
    notes = iter(second.stderr.readline, b"")
    assert any(b"another process on this data folder runs this job" in line for line in notes)
    stubs.latency(search=0.0)
    assert ended(first).code == 0
    assert ended(second).code == 0
    assert [state for _, state in door.rows()] == ["complete", "complete"]


def test_the_second_process_finishes_what_the_killed_first_executed(
    door: Door, online: dict[str, str], stubs: Stubs
):
    stubs.latency(search=3.0)
    first = door.start("ask", ENGLISH, **online)
    until(lambda: searches(stubs) > 0)
    before = searches(stubs)
    second = door.start("ask", CHINESE, "--json", **online)
    until(lambda: searches(stubs) > before and len(door.rows()) == 2)
    first.kill()
    first.communicate()
    stubs.latency(search=0.0)
    result = ended(second)
    assert result.code == 0
    assert result.json()["answer"]
    assert door.rows()[1][1] == "complete"
    assert door("follow", door.rows()[0][0], "--json", **online).code == 0
    assert [state for _, state in door.rows()] == ["complete", "complete"]


@pytest.mark.parametrize(
    "line",
    [
        f'gw ask "{CHINESE}" | head -1; exit "${{PIPESTATUS[0]}}"',
        _slow(f'gw ask "{CHINESE}" --json | head -c 1; exit "${{PIPESTATUS[0]}}"'),
        f'gw ask "{CHINESE}" 2>&1 | head -1; exit "${{PIPESTATUS[0]}}"',
        'gw doctor | true; exit "${PIPESTATUS[0]}"',
        f'gw ask "{CHINESE}" >&-',
        _slow(f'gw ask "{CHINESE}" 2>&-'),
        _slow(f'gw ask "{CHINESE}" <&- >/dev/null 2>&-'),
    ],
)
def test_a_reader_that_leaves_is_no_failure(door: Door, line: str):
    result = door.shell(line)
    assert result.code == 0
    assert all(state in ("complete", "queued") for _, state in door.rows())


def test_an_output_that_is_full_is_said(door: Door):
    result = door.shell(f'gw ask "{CHINESE}" >/dev/full')
    assert result.code == 4
    assert "No space left" in result.err
    assert [state for _, state in door.rows()] == ["complete"]


def test_a_question_from_a_closed_stdin_is_empty(door: Door):
    result = door.shell("gw ask - <&-")
    assert result.code == 2
    assert "the question is empty" in result.err


@pytest.mark.parametrize(
    "env",
    [
        _slow({"LANG": "C", "LC_ALL": "C"}),
        {"PYTHONIOENCODING": "ascii"},
        _slow({"PYTHONIOENCODING": "latin-1"}),
        _slow({"COLUMNS": "40"}),
        _slow({"COLUMNS": "1"}),
        _slow({"NO_COLOR": "1"}),
        _slow({"TERM": "dumb"}),
        {"FORCE_COLOR": "1", "COLUMNS": "40"},
    ],
    ids=str,
)
def test_any_terminal_gets_the_answer(door: Door, env: dict[str, str]):
    result = door("ask", CHINESE, **env)
    assert result.code == 0
    assert "USDC" in result.out
    shown = door("show", "last", "--json", **env)
    assert shown.code == 0
    assert shown.json()["question"] == CHINESE
    if "FORCE_COLOR" not in env:
        assert "\x1b" not in result.out + result.err


def test_an_argument_of_another_encoding_is_refused(door: Door):
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    result = door("ask", CHINESE, **env)
    assert result.code == 2
    assert "not valid UTF-8" in result.err
    assert door("show", "脱锚", **env).code == 2
