"""Text from outside cannot act on the terminal, and nothing is wider than the card."""

from __future__ import annotations

import io
import json
import re
import unicodedata

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.theme import Theme

from groundwire.doors.cli import render
from groundwire.jobs.ask.answer import AskResult
from groundwire.model.claim import CitationView
from groundwire.model.result import (
    Checks,
    Contested,
    Cost,
    Degraded,
    EvidenceView,
    Gap,
    Sentence,
    Unsupported,
)
from groundwire.report.blocks import NextStep, NextSteps
from groundwire.report.terminal import card
from tests.made_reports import reported, run_of

HOSTILE = [
    ("\x1b[31mred\x1b[0m", "red"),
    ("\x1b]0;title\x07after", "after"),
    ("\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\", "click"),
    ("\x1b[2J\x1b[Hhome", "home"),
    ("\x9b31mC1", "C1"),
    ("\x1bPdcs\x1b\\x", "x"),
    ("\x1b]never closed", ""),
    ("a\rb\nc\td", "a b c d"),
    ("\u202egnp.exe\u202c", "gnp.exe"),
    ("\u2066hidden\u2069", "hidden"),
    ("zero\u200bwidth\ufeff", "zero width"),
    ("tag\U000e0041\U000e0042", "tag"),
    ("half \ud800 pair", "half pair"),
    ("bell\x07\x08\x08del\x7f", "bell del"),
    ("汉字 und Umläute ✕ 👍", "汉字 und Umläute ✕ 👍"),
    ("[bold red]markup[/] :smile:", "[bold red]markup[/] :smile:"),
]


@pytest.mark.parametrize(("given", "shown"), HOSTILE)
def test_foreign_text_is_cleaned(given: str, shown: str) -> None:
    assert render.clean(given) == shown


def test_lines_are_kept_where_they_are_wanted() -> None:
    assert render.clean("a\r\nb\x1b[1m\n\tc", lines=True) == "a\nb\n    c"


def hostile_result() -> AskResult:
    nasty = " ".join(given for given, _ in HOSTILE if "\ud800" not in given) + "长" * 90
    citation = CitationView(
        evidence_id="ev_1",
        url="https://a.example/\x1b[31m?x=[red]",
        title=nasty,
        publisher=nasty,
        published_at=None,
        quote=nasty,
        start=0,
        end=3,
    )
    sentence = Sentence(text=nasty, verdict="contested", citations=(citation,))
    view = EvidenceView(
        id="ev_1",
        document_id="doc_1",
        kind="page",
        url=citation.url,
        title=nasty,
        publisher=nasty,
        published_at=None,
        language="en",
        origin_id="ev_1",
        tier="unknown",
        flags=("injection", "[/]\x1b[5m"),
    )
    return AskResult(
        run_id="ask-1",
        status="degraded",
        question=nasty,
        language="en",
        answer=(sentence,),
        unsupported=(Unsupported(text=nasty, problems=(nasty,)),),
        contested=(Contested(point=nasty, sides=(sentence, sentence, sentence)),),
        gaps=(Gap(what=nasty, why=nasty),),
        degraded=(Degraded(part=nasty, code="timeout", reason=nasty, instead=nasty),),
        evidence=(view, view.model_copy(update={"id": "ev_2"})),
        checks=Checks(supported=1),
        reasoner=nasty,
        cost=Cost(repeated=1),
    )


def drawn(result: AskResult, width: int, *, colour: bool) -> str:
    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=colour,
        color_system="truecolor" if colour else None,
        highlight=False,
        markup=False,
        emoji=False,
        theme=Theme(render.STYLES),
    )
    report = reported(run_of(result.model_dump(mode="json"), "ask"))
    steps = NextSteps(title="next", items=(NextStep(command="gw show \x1b[31m", why="[bold]x"),))
    console.print(card(report.model_copy(update={"blocks": (*report.blocks, steps)})))
    return out.getvalue()


@pytest.mark.parametrize("width", [40, 80, 100])
def test_a_hostile_result_draws_a_plain_card_that_keeps_its_width(width: int) -> None:
    shown = drawn(hostile_result(), width, colour=False)
    strange = [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c != "\n"]
    assert strange == []
    assert "[bold red]" in shown.replace("\n", "")
    assert max(cell_len(line) for line in shown.splitlines()) <= width


def test_only_our_own_styles_reach_a_colour_terminal() -> None:
    shown = drawn(hostile_result(), 100, colour=True)
    # Rich writes SGR and links only; none of what the pages sent (blink, clear, titles).
    sequences = set(re.findall(r"\x1b[^a-zA-Z\\]*[a-zA-Z\\]", shown))
    assert not {s for s in sequences if s.endswith(("J", "H")) or s.startswith("\x1b]0")}
    assert "\x1b[5m" not in shown
    assert "evil.example" not in shown
    assert "\x1b]8;id=" not in shown, "an address with an escape in it becomes no link"


def test_json_escapes_what_a_terminal_would_act_on(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"a": "\x1b[31m\u202e汉字\U000e0041\x9b \ud800"}
    render.put_json(value)
    text = capsys.readouterr().out
    assert json.loads(text) == value
    assert "汉字" in text
    assert not [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c != "\n"]


@pytest.mark.parametrize("name", ["supported", "contradicted", "contested", "qualified"])
def test_verdicts_have_shape_and_word_without_colour(name: str) -> None:
    sentence = Sentence.model_validate({"text": "x", "verdict": name, "citations": []})
    result = AskResult(
        run_id="r", status="complete", question="q", language="en", answer=(sentence,)
    )
    shapes = {"supported": "●", "contradicted": "✕", "contested": "◐", "qualified": "◔"}
    assert f"{shapes[name]} {name}" in drawn(result, 80, colour=False)


def test_an_error_is_one_sentence_and_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    render.error("it \x1b[31mbroke", "do [this]")
    assert capsys.readouterr().err == "✕ it broke\n  → do [this]\n"
