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
    """A column of every run, in the order of their submission."""
    with sqlite3.connect(home / "groundwire.db") as base:
        found = base.execute(f"SELECT {column} FROM runs ORDER BY created_at").fetchall()
    base.close()
    return [json.loads(each) for (each,) in found]


def asked(gw: Gw, way: str, text: str, *more: str, kind: str = "verify") -> dict[str, Any]:
    """The only result of a line that is piped in, or listed in a file."""
    if way == "-":
        said = gw(kind, "-", "--json", *more, given=text)
    else:
        listed = gw.home.parent / "listed.txt"
        listed.write_text(text, encoding="utf-8")
        said = gw(kind, "--from", str(listed), "--json", *more)
    assert said.code == 0, said.err
    (line,) = said.out.splitlines()
    return json.loads(line)


# --- what is asked for -------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["-", "--from"])
def test_each_message_is_judged_as_of_then_within_the_budget(gw: Gw, way: str) -> None:
    signal = asked(gw, way, POST, "--as-of", "2024-01-09", "--budget", "0.25")
    assert signal["as_of"][:10] == signal["judged_at"][:10] == "2024-01-09"
    assert stored(gw.home, "budgets") == [{"run": 250_000}]


def test_as_of_another_moment_is_another_run_and_the_same_moment_the_same(gw: Gw) -> None:
    now = asked(gw, "-", POST)
    then = [asked(gw, "-", POST, "--as-of", "2024-01-09")["run_id"] for _ in range(2)]
    assert then[0] == then[1] != now["run_id"]
    assert asked(gw, "-", POST)["run_id"] == now["run_id"]


def test_a_line_may_name_its_own_moment_and_its_own_way(gw: Gw) -> None:
    line = {"text": POST, "as_of": "2024-01-09", "tools": False}
    signal = asked(gw, "--from", json.dumps(line), "--as-of", "2024-02-01")
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
    said = gw("ask", "--from", "-", "--json", given=json.dumps(line))
    assert said.code == 1
    assert said.err.startswith(f"line 1: {why}")
    assert said.out == ""
    assert stored(gw.home, "input") == []


def test_a_switch_in_a_line_is_a_switch(gw: Gw) -> None:
    asked(gw, "--from", json.dumps({"question": QUESTION, "strict": True, "deep": 0}), kind="ask")
    assert stored(gw.home, "input")[0]["strict"] is True


def test_what_the_desk_prefers_holds_for_each_line(gw: Gw) -> None:
    chinese = Gw(gw.home, {**gw.env, "GROUNDWIRE_LANGUAGE": "zh"})
    assert asked(chinese, "--from", QUESTION, kind="ask")["language"] == "zh"


# --- columns -----------------------------------------------------------------------------------


def test_answers_have_their_own_columns(gw: Gw) -> None:
    said = gw("ask", "--from", "-", given=f"{QUESTION}\n")
    first, *_ = said.out.splitlines()
    number, state, answer, cost, run, text = first.split("\t")
    assert (number, state, cost, text) == ("1", "complete", "–", QUESTION)
    assert run.startswith("ask-")
    shown = json.loads(gw("show", run, "--json").out)
    assert answer == " ".join(each["text"] for each in shown["answer"])
    assert "1 run · $0.0000" in said.err
    assert "message" not in said.err


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
