"""What people type: questions, names and options that cannot be used, and odd ones that can."""

from __future__ import annotations

import pytest

from .conftest import Door


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("", "the question is empty"),
        (" \t ", "the question is empty"),
        ("\u200b\u202e\u200f", "the question is empty"),
        ("why " * 1250, "at most 4,000"),
        ("x" * 100_000, "at most 4,000"),
        (b"bad \xff\xfe", "not valid UTF-8"),
    ],
)
def test_a_question_that_cannot_be_asked(empty: Door, question: str | bytes, sentence: str):
    result = empty("ask", question)
    assert result.code == 2
    assert sentence in result.err
    assert "→" in result.err
    assert result.out == ""
    assert not empty.home.exists()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("\x1b[31mred\x07 USDC\x08 peg", "red USDC peg"),
        ("ما سبب انهيار USDC؟ \u202eabc", "ما سبب انهيار USDC؟ abc"),
        ("😀😀🚀", "😀😀🚀"),
        ("！？。", "！？。"),
        ('USDC AND OR NOT NEAR( * ^ " : -', 'USDC AND OR NOT NEAR( * ^ " : -'),
    ],
)
def test_an_odd_question_is_asked_without_what_moves_a_terminal(
    door: Door, question: str, expected: str
):
    result = door("ask", question, "--json")
    assert result.code == 0
    assert result.json()["question"] == expected
    assert [state for _, state in door.rows()] == ["complete"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("aks", "x"), "gw ask"),
        (("archive", "find", "x"), "gw archive search"),
        (("ask", "x", "--langage", "en"), "--language"),
        (("ask", "x", "--language", "fr"), "language takes one of auto, zh, zh-Hant, en"),
        (("ask", "x", "--deep", "9"), "'--deep': it takes 5 at most"),
        (("ask", "x", "--deep", "two"), "'--deep': it takes a whole number"),
        (("archive", "search", "x", "-n", "99"), "'-n': it takes 50 at most"),
        (("verify", "x", "--budget", "cheap"), "'--budget': it takes a number"),
        (("read", "not a url"), "not a web address"),
        (("read", "ftp://host/file"), "http:// or https://"),
        (("read", ""), "the address is empty"),
        (("runs", "--kind", "aks"), "did you mean ask?"),
        (("graph", "aks"), "did you mean ask?"),
        (("show", "nope"), "gw runs"),
        (("cancel", ""), "the run's id is empty"),
        (("resume", b"\xff"), "there is no run"),
        (("check", "nope.zip"), "cannot be read"),
        (("export", "last", "-f", "odt"), "odt"),
        (("archive", "add", "/nope"), "no file or folder"),
    ],
)
def test_a_wrong_name_is_refused_and_no_run_is_left(
    empty: Door, args: tuple[str | bytes, ...], sentence: str
):
    result = empty(*args)
    assert result.code == 2
    assert sentence in result.err
    assert result.out == ""
    assert empty.rows() == []


def test_an_empty_home_option_is_no_option(empty: Door):
    assert empty("--home", "", "runs").code == 0
    assert (empty.home / "groundwire.db").exists()
    assert list(empty.place.iterdir()) == []
