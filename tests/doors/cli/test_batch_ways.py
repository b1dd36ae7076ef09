"""Many inputs at once: what is asked for holds for each of them, and each job has its own columns."""

from __future__ import annotations

import io
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.theme import Theme

from groundwire.doors.cli import render
from groundwire.doors.cli.board import Board
from groundwire.jobs import find

from .conftest import Gw

POST = "The SEC has approved spot bitcoin ETFs for listing."
QUESTION = "Why did USDC lose its peg in March 2023?"


def stored(home: Path, column: str) -> list[Any]:
    """Read a column of every run, in order of submission."""
    with sqlite3.connect(home / "groundwire.db") as base:
        found = base.execute(f"SELECT {column} FROM runs ORDER BY created_at").fetchall()
    base.close()
    return [json.loads(each) for (each,) in found]


def only_result(gw: Gw, way: str, text: str, *more: str, kind: str = "verify") -> dict[str, Any]:
    """Return the only result of a line that is piped in, or listed in a file."""
    if way == "-":
        result = gw(kind, "-", "--json", *more, given=text)
    else:
        listed = gw.home.parent / "listed.txt"
        listed.write_text(text, encoding="utf-8")
        result = gw(kind, "--from", str(listed), "--json", *more)
    assert result.code == 0, result.err
    (line,) = result.out.splitlines()
    return json.loads(line)


# --- what is asked for -------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["-", "--from"])
def test_each_message_is_judged_as_of_then_within_the_budget(gw: Gw, way: str) -> None:
    signal = only_result(gw, way, POST, "--as-of", "2024-01-09", "--budget", "0.25")
    assert signal["as_of"][:10] == signal["judged_at"][:10] == "2024-01-09"
    assert stored(gw.home, "budgets") == [{"run": 250_000}]


def test_as_of_another_moment_is_another_run_and_the_same_moment_the_same(gw: Gw) -> None:
    now = only_result(gw, "-", POST)
    then = [only_result(gw, "-", POST, "--as-of", "2024-01-09")["run_id"] for _ in range(2)]
    assert then[0] == then[1] != now["run_id"]
    assert only_result(gw, "-", POST)["run_id"] == now["run_id"]


def test_a_line_may_name_its_own_moment_and_its_own_way(gw: Gw) -> None:
    line = {"text": POST, "as_of": "2024-01-09", "tools": False}
    signal = only_result(gw, "--from", json.dumps(line), "--as-of", "2024-02-01")
    assert signal["as_of"][:10] == "2024-01-09"
    assert "not_searched" in signal["risk_flags"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"question": QUESTION, "strict": "perhaps"}, "ask: strict takes true or false"),
        ({"question": QUESTION, "deep": True}, "ask: deep takes a number"),
        ({"question": QUESTION, "deep": 9}, "ask: deep is too large"),
        ({"question": QUESTION, "as_of": [2024]}, "as_of is no text"),
        ({"question": QUESTION, "language": "fr"}, "ask: language takes one of"),
    ],
)
def test_a_field_is_read_by_its_own_type_and_refused_by_the_number_of_its_line(
    gw: Gw, line: dict[str, object], why: str
) -> None:
    result = gw("ask", "--from", "-", "--json", given=json.dumps(line))
    assert result.code == 1
    assert result.err.startswith(f"line 1: {why}")
    assert result.out == ""
    assert stored(gw.home, "input") == []


def test_a_switch_in_a_line_is_a_switch(gw: Gw) -> None:
    only_result(
        gw, "--from", json.dumps({"question": QUESTION, "strict": True, "deep": 0}), kind="ask"
    )
    assert stored(gw.home, "input")[0]["strict"] is True


def test_what_the_desk_prefers_holds_for_each_line(gw: Gw) -> None:
    chinese = Gw(gw.home, {**gw.env, "GROUNDWIRE_LANGUAGE": "zh"})
    assert only_result(chinese, "--from", QUESTION, kind="ask")["language"] == "zh"


# --- columns -----------------------------------------------------------------------------------


def test_answers_have_their_own_columns(gw: Gw) -> None:
    result = gw("ask", "--from", "-", given=f"{QUESTION}\n")
    first, *_ = result.out.splitlines()
    number, state, answer, cost, run, text = first.split("\t")
    assert (number, state, cost, text) == ("1", "complete", "–", QUESTION)
    assert run.startswith("ask-")
    shown = json.loads(gw("show", run, "--json").out)
    assert answer == " ".join(each["text"] for each in shown["answer"])
    assert "1 run · $0.0000" in result.err
    assert "message" not in result.err


def test_on_a_terminal_the_columns_are_named_by_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, theme=Theme(render.STYLES))
    monkeypatch.setattr(render, "out", lambda: console)
    for kind in ("ask", "verify"):
        with Board("en", find(kind), as_json=False):
            pass
    heads = [line for line in out.getvalue().splitlines() if "Cost" in line]
    plain = [" ".join(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", head).split()) for head in heads]
    assert plain == ["About State Answer Cost", "Message Type Verdict Conf… flags Cost"]
