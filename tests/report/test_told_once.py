"""A card tells a quote once, whole or in part."""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from tests.made_reports import reported, verify_run

from groundwire.report import blocks
from groundwire.report.terminal import card


def _printed(*parts: blocks.Block) -> str:
    report = reported(verify_run()).model_copy(update={"blocks": parts})
    console = Console(width=100, file=StringIO())
    with console.capture() as shown:
        console.print(card(report))
    return " ".join(shown.get().split())


def test_sources_do_not_repeat_what_a_statement_told() -> None:
    """Though a quote ends before the stop, or at it, and the statement stands for two pages."""
    words = "The Parliament passed the act by 523 votes to 46"
    marks = tuple(
        blocks.Mark(number=n, evidence_id=f"ev_{n}", quotes=(blocks.Excerpt(text=words),))
        for n in (1, 2)
    )
    told = blocks.Points(items=(blocks.Statement(text=f"“{words}.”", marks=marks),))
    entries = tuple(
        blocks.SourceEntry(
            number=n, evidence_id=f"ev_{n}", publisher=f"Paper {n}", title="Act", quotes=(quote,)
        )
        for n, quote in (
            (1, blocks.Excerpt(text=f"{words}.")),
            (2, blocks.Excerpt(text="passed the act by 523 votes to 46")),
            (3, blocks.Excerpt(text="It takes effect in 2026.")),
        )
    )
    text = _printed(told, blocks.Sources(items=entries))
    assert text.count("by 523 votes") == 1
    assert "It takes effect in 2026." in text
