"""One vocabulary: every form renders every block, and what a block says stands in each of them."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from datetime import UTC, datetime
from typing import get_args

import pytest
from rich.console import Console
from rich.theme import Theme
from tests.report.test_docx_form import text_of as text_of_docx
from tests.report.test_pdf_form import text_of as text_of_pdf
from tests.report.test_pdf_form import tight

from groundwire.doors.cli.render import STYLES
from groundwire.report import docx, html, markdown, terminal
from groundwire.report.blocks import (
    Arc,
    Block,
    Choice,
    Code,
    Course,
    CourseMoment,
    Diff,
    DiffRow,
    Dot,
    Excerpt,
    Fact,
    FactList,
    Figure,
    FigureImage,
    Heading,
    Mark,
    NextStep,
    NextSteps,
    NodeDate,
    Notice,
    OriginGroup,
    Origins,
    Overview,
    Paragraph,
    Points,
    Prose,
    Quotation,
    Report,
    Sentences,
    Sides,
    SourceEntry,
    Sources,
    Statement,
    Table,
    TextSpan,
    Timeline,
    TimelineNode,
    Waterfall,
    WaterfallStep,
)
from groundwire.report.press import render as pressed

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="9" height="9"/></svg>'
MARK = Mark(number=1, quotes=(Excerpt(text="quoted-words", start=3, end=9),), evidence_id="ev_1")
SOURCE = SourceEntry(
    number=1,
    title="source-title",
    link="https://a.example/x",
    where="https://a.example/x",
    publisher="source-publisher",
    about=("2023-03-11", "wire"),
    quotes=MARK.quotes,
    evidence_id="ev_1",
)
STATEMENT = Statement(text="said-text", tone="supported", word="said-word", marks=(MARK,))
POINT = Statement(text="point-text", about="point-about", level=0)
COPY = SourceEntry(title="copy-title", publisher="copy-publisher", lineage="copied from")

# Each block with the words that must stand in every form.
BLOCKS: tuple[tuple[Block, tuple[str, ...]], ...] = (
    (Heading(text="heading-text", name="part"), ("heading-text",)),
    (Sentences(items=(STATEMENT,)), ("said-text", "said-word")),
    (Points(items=(POINT, STATEMENT.model_copy(update={"level": 1}))), ("point-text", "point-about")),
    (Sides(point="sides-point", items=(STATEMENT.model_copy(update={"about": "side-about"}), POINT)),
     ("sides-point", "side-about")),
    (Paragraph(spans=(TextSpan(text="span-text", marks=(MARK,)),)), ("span-text",)),
    (Quotation(text="quotation-text", about="quotation-about"),
     ("quotation-text", "quotation-about")),
    (Prose(text="prose-one\nprose-two"), ("prose-one", "prose-two")),
    (Code(text="code-text"), ("code-text",)),
    (Notice(tone="stale", title="notice-title", text="notice-text"),
     ("notice-title", "notice-text")),
    (FactList(items=(Fact(name="fact-name", value="fact-value"),)), ("fact-name", "fact-value")),
    (Table(head=("table-head",), rows=(("table-cell",),)), ("table-head", "table-cell")),
    (Figure(picture=FigureImage(media_type="image/png", data=PNG, width=40, height=20),
            caption="figure-caption", marks=(MARK,),
            table=Table(head=("figure-head",), rows=(("figure-cell",),))),
     ("figure-caption", "figure-head", "figure-cell")),
    (Figure(picture=FigureImage(media_type="image/svg+xml", data=SVG, width=40, height=20),
            caption="drawing-caption"), ("drawing-caption",)),
    (Timeline(items=(
        TimelineNode(dates=(NodeDate(when="2023-05"), NodeDate(when="2023-06-07", who="node-who")),
                     text="node-text", told=(Statement(text="node-told", marks=(MARK,)),), about="node-about", thread="node-thread", weight="high",
                     strand=1, era="node-era", part=1, name="tn_1",
                     tone="contested", word="node-word", marks=(MARK,)),)),
     ("2023-05", "2023-06-07", "node-who", "node-text", "node-told", "node-about", "node-thread", "node-word",
      "node-era")),
    (Overview(begin="2001-02", end="2003-04", threads=("first-thread", "other-thread"),
              dots=(Dot(at=0.5, weight="high", strand=1, name="tn_1", text="dot-text"),),
              arcs=(Arc(begin=0.2, end=0.9, text="arc-text"),),
              choices=(Choice(name="thread", title="choice-title",
                              options=("everything", "first-thread", "other-thread")),)),
     ("2001-02", "2003-04", "first-thread", "other-thread")),
    (Diff(head=("diff-then", "diff-now"), rows=(
        DiffRow(change="changed", word="diff-word", before="diff-before", after="diff-after",
                about="diff-about", after_marks=(MARK,)),
        DiffRow(change="removed", word="gone-word", before="gone-before"),)),
     ("diff-then", "diff-now", "diff-word", "diff-before", "diff-after", "diff-about",
      "gone-word", "gone-before")),
    (Waterfall(head=("rule", "delta", "sum", "reason"), tone="stale", steps=(
        WaterfallStep(rule="fall-rule", delta=0.5, total=0.5, reason="fall-reason"),)),
     ("fall-rule", "fall-reason")),
    (Course(head=("course-when", "course-verdict", "course-sides", "course-new"), moments=(
        CourseMoment(when="2024-01-09", tone="insufficient", word="then-word", score=0.4,
                     about="then-about"),
        CourseMoment(when="2024-01-10", tone="contradicted", word="now-word", score=0.2,
                     news=(TextSpan(text="new-page", marks=(MARK,)),), known=("ev_1",)),)),
     ("course-when", "course-new", "2024-01-09", "then-word", "0.40", "then-about", "2024-01-10",
      "now-word", "0.20", "new-page")),
    (Origins(items=(OriginGroup(id="o1", items=(SOURCE, COPY)),)),
     ("copy-publisher", "copy-title", "copied from")),
    (Sources(items=(SOURCE,)), ("source-title", "source-publisher", "quoted-words")),
)  # fmt: skip
LISTED = Sources(items=(SOURCE,))
STEPS = NextSteps(title="next", items=(NextStep(command="gw next-command", why="next-why"),))


def report(*blocks: Block) -> Report:
    return Report(
        run_id="run-1",
        kind="toy",
        language="en",
        title="report-title",
        label="report-label",
        tone="qualified",
        word="report-word",
        score=0.62,
        meta=("report-meta",),
        made_at=datetime(2026, 11, 10, tzinfo=UTC),
        blocks=(*(each for each in blocks if not isinstance(each, Sources)), LISTED),
        foot="report-foot",
        imprint=("report-imprint",),
    )


def on_terminal(given: Report) -> str:
    console = Console(width=100, file=io.StringIO(), theme=Theme(STYLES))
    with console.capture() as captured:
        console.print(terminal.card(given))
    shown = captured.get()
    assert max(map(len, shown.splitlines())) <= 100
    return shown


FORMS: dict[str, Callable[[Report], str]] = {
    "terminal": on_terminal,
    "md": markdown.text,
    "html": lambda given: html.render(given).decode(),
    "docx": lambda given: text_of_docx(docx.render(given)),
    "pdf": lambda given: text_of_pdf(pressed(given, "pages", "pdf")),
}


def test_no_kind_of_block_is_forgotten_here() -> None:
    kinds = set(get_args(get_args(Block)[0]))
    assert kinds == {type(block) for block, _ in BLOCKS} | {NextSteps}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_what_every_block_says(form: str) -> None:
    whole = report(*(block for block, _ in BLOCKS), STEPS)
    rendered = FORMS[form](whole)
    for block, parts in BLOCKS:
        for part in parts:
            assert tight(part) in tight(rendered), f"{form} leaves out {part} of {block.type}"
    for part in ("report-title", "report-word", "0.62", "report-meta"):
        assert tight(part) in tight(rendered)


def test_next_steps_are_for_who_sits_at_the_desk() -> None:
    assert "gw next-command" in on_terminal(report(STEPS))
    for form in set(FORMS) - {"terminal"}:
        assert "next-command" not in FORMS[form](report(STEPS))


def test_a_card_leaves_out_what_is_not_read_at_a_glance() -> None:
    aside = Heading(text="aside-heading", brief=False)
    given = report(aside, Prose(text="aside-text"), Heading(text="shown"), Prose(text="shown-text"))
    card = on_terminal(given)
    assert "aside" not in card
    assert "shown-text" in card
    assert "aside-text" in markdown.text(given)


def test_a_card_says_how_many_it_leaves_out() -> None:
    many = tuple(Statement(text=f"item-{number}") for number in range(5))
    card = on_terminal(report(Heading(text="list"), Points(items=many, most=3, more="2 more")))
    assert "item-2" in card
    assert "item-3" not in card
    assert "2 more" in card


def test_a_card_quotes_the_same_words_once() -> None:
    quoted = Sentences(items=(STATEMENT,), quoted=True)
    card = on_terminal(report(Heading(text="claims"), quoted, Heading(text="sources")))
    assert card.count("quoted-words") == 1


def test_pictures_stand_in_the_file_itself() -> None:
    page = html.render(report(*(b for b, _ in BLOCKS if isinstance(b, Figure)))).decode()
    assert page.count('<img src="data:image/') == 2
    assert "img-src data:;" in page


def test_a_report_survives_json_with_its_pictures() -> None:
    whole = report(*(block for block, _ in BLOCKS))
    assert Report.model_validate_json(whole.model_dump_json()) == whole
