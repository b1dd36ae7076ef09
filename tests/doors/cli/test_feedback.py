"""`gw feedback`: what came of a signal, by people; the newest word holds."""

from __future__ import annotations

import json

import pytest

from .conftest import Gw

RUMOUR = "USDC 脱锚至0.88美元"


@pytest.fixture
def run_id(gw: Gw) -> str:
    result = gw("verify", RUMOUR, "--no-tools", "--json")
    assert result.code == 0, result.err
    return str(json.loads(result.out)["run_id"])


def test_feedback_says_what_is_known_and_how_many_labels_there_are(gw: Gw, run_id: str) -> None:
    result = gw("feedback", run_id, "true", "--note", "交易所公告", "--by", "analyst")
    assert result.code == 0, result.err
    for part in ("未核实", "事后属实", "analyst", "交易所公告"):
        assert part in result.out
    assert "1 signal with a known outcome; 29 more" in result.out


def test_said_again_the_newest_holds_and_what_was_said_before_is_kept(gw: Gw, run_id: str) -> None:
    gw("feedback", run_id, "true", "--by", "first")
    data = json.loads(gw("feedback", "last", "partly", "--by", "second", "--json").out)
    assert data["signal"]["outcome"] == "partly"
    assert data["labels"] == 1
    assert [(each["outcome"], each["by"]) for each in data["history"]] == [
        ("partly", "second"),
        ("true", "first"),
    ]
    assert "before: " in gw("feedback", run_id, "false").out


def test_last_is_the_last_signal_not_the_last_run(gw: Gw, run_id: str) -> None:
    gw("search", "USDC")
    data = json.loads(gw("feedback", "last", "false", "--json").out)
    assert data["signal"]["run_id"] == run_id


def test_the_beginning_of_an_id_is_enough(gw: Gw, run_id: str) -> None:
    assert gw("feedback", run_id[:12], "true").code == 0


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("verify-nothing", "true"), "there is no run"),
        (("last", "maybe"), "unknown outcome 'maybe'"),
        (("last", "ture"), "did you mean true?"),
        (("last", "true", "--note", "x" * 3_000), "at most 2,000"),
    ],
)
def test_what_cannot_be_said_is_one_sentence_and_code_2(
    gw: Gw, run_id: str, args: tuple[str, ...], sentence: str
) -> None:
    result = gw("feedback", *args)
    assert result.code == 2
    assert sentence in result.err
    assert result.out == ""


def test_only_signals_have_an_outcome(gw: Gw) -> None:
    assert "nothing has been verified yet" in gw("feedback", "last", "true").err
    gw("search", "USDC")
    found = json.loads(gw("runs", "--json").out)[0]["id"]
    result = gw("feedback", found, "true")
    assert result.code == 2
    assert "is no signal but a run of tool" in result.err


def test_foreign_words_in_a_note_move_nothing(gw: Gw, run_id: str) -> None:
    result = gw("feedback", run_id, "true", "--note", "\x1b[31mred\x1b[0m", "--by", "a\x1bb")
    assert "\x1b" not in result.out
    assert "red" in result.out
