"""An address alone is read, and what can be done with the page is offered: `gw URL`, `gw ask URL`."""

from __future__ import annotations

import io
import json
import shlex
import sys

import pytest

from groundwire import jobs
from groundwire.doors.cli import pasting
from groundwire.evidence.sources.urls import is_address
from groundwire.jobs.pages import Offer
from groundwire.words import words

from .conftest import Gw

EN = "https://www.meridianpost.example/business/2023/03/11/coinbase-usdc-conversions"
ZH = "https://www.beichen-wire.example/2023/03/11/usdc-low"
HANT = "https://www.gangwan-daily.example/finance/2023-03-11/usdc"


@pytest.mark.parametrize("before", [(), ("ask",), ("verify",)], ids=["alone", "ask", "verify"])
@pytest.mark.parametrize(("url", "language"), [(EN, "en"), (ZH, "zh"), (HANT, "zh-Hant")])
def test_the_page_is_read_and_both_next_steps_are_ready_commands(
    gw: Gw, before: tuple[str, ...], url: str, language: str
) -> None:
    result = gw(*before, url)
    assert result.code == 0, result.err
    say = words(language)
    steps = [line for line in result.out.splitlines() if line.startswith("gw ")]
    assert [shlex.split(each)[1] for each in steps] == ["ask", "verify"]
    assert say("ask.page") in result.out and say("verify.page") in result.out
    assert say("report.next") in result.out.splitlines()
    (run,) = json.loads(gw("runs", "--json").out)
    assert run["kind"] == "tool"


def test_what_is_offered_can_be_typed_as_it_is(gw: Gw) -> None:
    steps = [line for line in gw(EN).out.splitlines() if line.startswith("gw ")]
    for step in steps:
        result = gw(*shlex.split(step)[1:], "--json")
        assert result.code in (0, 1, 3), result.err
        assert json.loads(result.out)["evidence"]
    verified = json.loads(gw("show", "last", "--json").out)
    assert verified["message"]["source"] == "meridianpost.example"
    assert verified["message"]["published_at"].startswith("2023-03-11")


def test_a_page_that_cannot_be_read_is_said_and_nothing_is_offered(gw: Gw) -> None:
    result = gw("verify", "https://nowhere.example/page")
    assert result.code == 4
    assert "Offline mode" in result.err
    assert not [line for line in result.out.splitlines() if line.startswith("gw ")]


def test_programs_get_what_they_asked_for(gw: Gw) -> None:
    assert json.loads(gw("ask", EN, "--json").out)["question"] == EN
    assert json.loads(gw(EN, "--json").out)["tool"] == "read"


def test_a_word_beside_the_address_makes_it_a_message(gw: Gw) -> None:
    gw("verify", f"{EN} is this true?", "--no-tools")
    (run,) = json.loads(gw("runs", "--json").out)
    assert run["kind"] == "verify"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("typed", "kind"), [("2\n", "verify"), ("9\nx\n1\n", "ask"), ("\n", None), ("", None)]
)
def test_in_a_terminal_one_is_chosen_by_its_number(
    monkeypatch: pytest.MonkeyPatch, typed: str, kind: str | None
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    monkeypatch.setattr(sys, "stderr", terminal)
    found = (Offer("ask", "question", {}), Offer("verify", "text", {}))
    chosen = pasting.choose(found, words("zh-Hant"))
    assert (chosen and chosen.kind) == kind
    assert "1 就此提問 · 2 查證其中的說法" in terminal.getvalue()


def test_a_title_cannot_write_commands() -> None:
    for title in ("$(rm -rf ~)", "`id`", 'a "quoted" one', "it's !history", "back\\slash"):
        step = Offer("ask", "question", {"question": title, "note": title}).command()
        assert shlex.split(step) == ["gw", "ask", title, "--note", title]


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("https://example.com", True),
        (" HTTP://example.com/a?b=c#d \n", True),
        ("https://zh.wikipedia.org/wiki/比特币", True),
        ("https://example.com/a，这是真的吗", False),
        ("https://example.com is it true?", False),
        ("https://", False),
        ("example.com", False),
        ("ftp://example.com/a", False),
    ],
)
def test_an_address_alone(text: str, alone: bool) -> None:
    assert is_address(text) is alone


def test_jobs_that_are_offered_for_pages_say_so_in_words() -> None:
    for job in jobs.offered():
        if job.on_page is not None:
            assert all(words(each).has(f"{job.kind}.page") for each in ("en", "zh", "zh-Hant"))
