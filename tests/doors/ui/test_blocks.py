"""Every block of a report on a page: drawn, marked, described, and harmless whatever it says."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import get_args

import pytest

from groundwire.doors.language import tag
from groundwire.doors.ui.render import environment
from groundwire.report import blocks
from groundwire.report.blocks import Block, Excerpt, Mark, Report, SourceEntry, Statement
from groundwire.report.page import PageContent
from groundwire.report.waterfall import bars
from groundwire.words import words
from tests.doors.ui.scrutiny import faults

_IMAGE = re.compile(r'<img class="picture" src="data:image/png;base64,[\w+/=]+" [^<>]*>')
HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(1)> " \u202eevil\x1b[31m'
MARK = Mark(
    number=1, quotes=(Excerpt(text="a quote", start=3, end=10),), evidence_id="ev_1"
)  # fmt: skip
STATEMENT = Statement(
    text="It fell.", tone="contested", word="contested", marks=(MARK,), about="why"
)
TABLE = blocks.Table(head=("day", "n"), rows=(("2023", "1"), ("2024", HOSTILE)))
PNG = blocks.FigureImage(media_type="image/png", data=b"\x89PNG", width=40, height=20)
ALL: tuple[Block, ...] = (
    blocks.Notice(tone="insufficient", title="Only an impression", text=HOSTILE),
    blocks.Heading(text="Said", name="claims"),
    blocks.Sentences(items=(STATEMENT,)),
    blocks.Points(items=(STATEMENT, Statement(text=HOSTILE, about=HOSTILE))),
    blocks.Points(items=(Statement(text="plain", about="why", level=1),)),
    blocks.Sides(point=HOSTILE, items=(STATEMENT, STATEMENT)),
    blocks.Paragraph(spans=(blocks.TextSpan(text="Old", marks=(MARK,)),)),
    blocks.Quotation(text=HOSTILE * 20, about="api"),
    blocks.Prose(text="one\n\ntwo"),
    blocks.Code(text='{"a": 1}'),
    blocks.FactList(items=(blocks.Fact(name="type", value=HOSTILE),)),
    TABLE,
    blocks.Figure(picture=PNG, caption="It rose.", marks=(MARK,), table=TABLE),
    blocks.Overview(
        begin="2023", end=HOSTILE, threads=(HOSTILE,),
        dots=(blocks.Dot(at=0.0, weight="high", strand=1, name="tn_1", text=HOSTILE),),
        arcs=(blocks.Arc(begin=0, end=1, text=HOSTILE),),
        choices=(blocks.Choice(name="thread", title=HOSTILE, options=("all", HOSTILE)),),
    ),
    blocks.Timeline(
        items=(
            blocks.TimelineNode(
                dates=(
                    blocks.NodeDate(when="2023-03-11"),
                    blocks.NodeDate(when="2023-03-12", who="another", marks=(MARK,)),
                ),
                text="It lost its peg.",
                marks=(MARK,),
                weight="high",
                thread="reserves",
                tone="contested",
                word="contested",
                told=(blocks.Statement(text=HOSTILE, marks=(MARK,)),),
                about=HOSTILE,
            ),
        )
    ),
    blocks.Diff(
        head=("before", "now"),
        rows=(
            blocks.DiffRow(change="changed", word="changed", before="3 banks", after="4 banks",
                           after_marks=(MARK,), about=HOSTILE),
            blocks.DiffRow(change="added", word="new", after=HOSTILE),
        ),
    ),
    blocks.Waterfall(
        head=("Rule", "Delta", "Sum", "Reason"),
        tone="supported",
        steps=(blocks.WaterfallStep(rule="first", delta=0.5, total=0.5, reason="r", marks=(MARK,)),),
    ),
    blocks.Course(
        head=("As of", "Verdict", "Sides", "New"),
        moments=(
            blocks.CourseMoment(when="2024-01-09", tone="insufficient", word="insufficient", score=0.4),
            blocks.CourseMoment(when=HOSTILE, tone="contradicted", word="contradicted", score=0.2,
                                about=HOSTILE, known=("ev_1",),
                                news=(blocks.TextSpan(text=HOSTILE, marks=(MARK,)),)),
        ),
        unknown=HOSTILE,
    ),
    blocks.Sources(items=(SourceEntry(title=HOSTILE, link="https://a.example/x"),)),
)  # fmt: skip
EVIDENCE = (
    blocks.Sources(
        items=(
            SourceEntry(
                number=1, title="A page", publisher="P", about=("2023-03-11", "wire", "official"),
                evidence_id="ev_1", document_id="doc_1", tier="wire",
            ),
        )
    ),
)  # fmt: skip


def drawn(*shown: Block) -> tuple[PageContent, list[tuple[str, str]]]:
    report = Report(
        run_id="toy-0000000001", kind="toy", language="en", title="t",
        made_at=datetime(2026, 11, 16, tzinfo=UTC), blocks=(*shown, *EVIDENCE),
    )  # fmt: skip
    content = PageContent(report)
    values = {
        "content": content, "t": words("en"), "lang": "en", "tag": tag, "bars": bars, "sentence_kinds": (),
    }  # fmt: skip
    return content, [
        (
            each.type,
            environment().get_template(f"blocks/{each.type}.html").render(values, block=each),
        )
        for _, held in content.sections
        for each in held
    ]


def test_every_kind_of_block_is_drawn_and_harmless():
    content, found = drawn(*ALL)
    kinds = {each.model_fields["type"].default for each in get_args(get_args(Block)[0])}
    assert {kind for kind, _ in found} == kinds - {"heading", "origins", "next_steps"}
    for kind, text in found:
        # The one picture of a page is our own, and its address holds it.
        assert faults(_IMAGE.sub("", text)) == [], kind
        assert "<script" not in text and "\u202e" not in text and "\x1b" not in text
    assert content.ledger is not None and content.ledger.articles == 1
    assert content.ledger.used[0].lead.source.more == ("official",)


@pytest.mark.parametrize("kind", ["sentences", "points", "sides", "figure", "timeline", "diff"])
def test_what_is_said_leads_to_its_passage_and_has_a_card(kind: str):
    content, found = drawn(*ALL)
    cards = {chip.id for chip in content.chips}
    text = next(text for name, text in found if name == kind)
    href = 'href="/evidence/doc_1?run=toy-0000000001&amp;start=3&amp;end=10#passage"'
    assert href in text
    described = text.partition('aria-describedby="')[2].partition('"')[0]
    assert described in cards


def test_a_timeline_names_other_dates_and_a_difference_its_change():
    texts = dict(drawn(*ALL)[1])
    assert "2023-03-12" in texts["timeline"] and "another" in texts["timeline"]
    assert "<del>" in texts["diff"] and "<ins>" in texts["diff"] and ">changed<" in texts["diff"]
    assert (
        'src="data:image/png;base64,iVBORw=="' in texts["figure"]
        and 'alt="It rose."' in texts["figure"]
    )
