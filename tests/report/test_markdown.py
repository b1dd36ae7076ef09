"""The Markdown report: every quote a footnote, foreign text without power, both languages."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from io import StringIO

import pytest
from markdown_it import MarkdownIt
from rich.console import Console
from rich.theme import Theme
from tests.made_reports import reported, run_of

from groundwire.doors.cli.render import STYLES
from groundwire.jobs.ask.answer import AskResult
from groundwire.model.claim import CitationView
from groundwire.model.result import (
    Checks,
    Contested,
    Cost,
    Degraded,
    EvidenceView,
    Gap,
    Lineage,
    Origin,
    Sentence,
    Unsupported,
)
from groundwire.report import markdown, terminal
from groundwire.report.blocks import Report
from groundwire.report.links import local_name, web_link
from groundwire.report.markdown import escaped

AT = datetime(2023, 3, 11, tzinfo=UTC)


def ask_report(result: AskResult) -> Report:
    return reported(run_of(result.model_dump(mode="json"), "ask"))


def ask_markdown(result: AskResult) -> str:
    return markdown.text(ask_report(result))


def citation(number: int, quote: str = "3.3 billion", **more: str) -> CitationView:
    fields = {"url": f"https://site{number}.example/a", "title": f"Title {number}"} | more
    return CitationView(
        evidence_id=f"ev_{number}",
        publisher=f"Paper {number}",
        published_at=AT,
        quote=quote,
        start=0,
        end=len(quote),
        **fields,
    )


def evidence(number: int, *flags: str) -> EvidenceView:
    return EvidenceView(
        id=f"ev_{number}",
        document_id=f"doc_{number}",
        kind="page",
        url=f"https://site{number}.example/a",
        title=f"Title {number}",
        publisher=f"Paper {number}",
        published_at=AT,
        language="en",
        origin_id="ev_1",
        tier="wire",
        flags=flags,
    )


def whole(language: str = "en") -> AskResult:
    first = Sentence(text="One.", verdict="supported", citations=(citation(1), citation(2)))
    second = Sentence(text="Two.", verdict="qualified", citations=(citation(1, "the bank"),))
    side = Sentence(text="On the 10th.", verdict="contested", citations=(citation(3),))
    other = Sentence(text="On the 11th.", verdict="contested", citations=(citation(1),))
    copied = Lineage(evidence_id="ev_2", of="ev_1", how="wire copy of")
    return AskResult(
        run_id="ask-1",
        status="degraded",
        question="Why?",
        language=language,
        answer=(first, second),
        unsupported=(Unsupported(text="Three.", problems=("12 % is in no quote",)),),
        contested=(Contested(point="the day", sides=(side, other)),),
        gaps=(Gap(what="the amount", why="gap.nothing_found"),),
        degraded=(Degraded(part="search:tavily", code="auth", reason="no key", instead="archive"),),
        evidence=(evidence(1), evidence(2), evidence(3, "sample"), evidence(4, "injection")),
        origins=(Origin(id="ev_1", lead="ev_1", members=("ev_1", "ev_2"), lineage=(copied,)),),
        checks=Checks(supported=1, qualified=1, unsupported=1),
        cost=Cost(usd=0.0123, calls=4, cached=1),
    )


def test_sentences_carry_footnotes_and_footnotes_carry_quotes() -> None:
    report = ask_markdown(whole())
    assert "One.[^1][^2]" in report
    assert "Two.[^1]" in report
    note = report[report.index("[^1]: ") : report.index("[^2]: ")]
    assert note.startswith(
        "[^1]: [Title 1](https://site1.example/a) — Paper 1 (site1.example) · 2023-03-11 · wire"
    )
    assert "> “3.3 billion”" in note
    assert "> “the bank”" in note


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        (
            "en",
            ["## Answer", "● supported", "◔ qualified", "## Contested", "## What is missing",
             "## Unsupported, kept apart", "## Degraded", "4 articles → 1 origin", "wire copy of",
             ": 1 supported · 1 qualified · 1 unsupported\n", "nothing was found"],
        ),
        (
            "zh",
            ["## 回答", "● 有据", "◔ 部分有据", "## 说法不一", "## 尚缺", "## 未获支持，单独列出",
             "## 降级", "4 篇文章 → 1 个独立来源", "转载自", ": 有据 1 句 · 部分有据 1 句 · 无据 1 句\n", "没有找到相关内容"],
        ),
    ],
)  # fmt: skip
def test_every_part_has_its_words_in_both_languages(language: str, parts: list[str]) -> None:
    report = ask_markdown(whole(language))
    for part in parts:
        assert part in report, part


def test_the_sides_of_a_dispute_stand_next_to_each_other() -> None:
    """Under who said it, and when."""
    assert (
        "| Paper 3 (site3.example) 2023-03-11 | Paper 1 (site1.example) 2023-03-11 |\n"
        "| --- | --- |\n| On the 10th.[^3] | On the 11th.[^1] |"
    ) in ask_markdown(whole())


def test_publishers_that_were_also_read_are_named_once() -> None:
    result = whole()
    more = tuple(
        evidence(number).model_copy(update={"publisher": "Reuters", "url": "https://reuters.com/a"})
        for number in (5, 6)
    )
    report = ask_report(result.model_copy(update={"evidence": (*result.evidence, *more)}))
    assert "also read: Paper 4 (site4.example), Reuters" in report.imprint


@pytest.mark.parametrize(("language", "heading"), [("en", "## Flagged"), ("zh", "## 标记")])
def test_flags_have_a_heading(language: str, heading: str) -> None:
    assert f"\n{heading}\n" in ask_markdown(whole(language))


@pytest.mark.parametrize("name", ["Reuters", "路透社", "新華社"])
def test_a_name_that_a_page_gives_itself_is_shown_with_its_domain(name: str) -> None:
    cited = citation(1, url="https://news.evil.com/a").model_copy(update={"publisher": name})
    sentence = Sentence(text="One.", verdict="supported", citations=(cited,))
    result = AskResult(
        run_id="r", status="complete", question="Why?", language="en", answer=(sentence,)
    )
    assert f"{name} (evil.com)" in ask_markdown(result)
    card = Console(width=100, file=StringIO(), theme=Theme(STYLES))
    with card.capture() as captured:
        card.print(terminal.card(ask_report(result)))
    assert f"{name} (evil.com)" in captured.get()


def test_a_result_without_an_answer_says_so() -> None:
    empty = AskResult(run_id="r", status="complete", question="Why?", language="en")
    report = ask_markdown(empty)
    assert "No sentence could be supported by a quote." in report
    assert "## Sources" not in report


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("*a* _b_ `c`", r"\*a\* \_b\_ \`c\`"),
        ("[x](javascript:y)", r"\[x\](javascript&#58;y)"),
        ("<img src=x onerror=y>", r"\<img src=x onerror=y\>"),
        ("# not a heading", r"\# not a heading"),
        ("1. not a list", r"1\. not a list"),
        ("- not a list", r"\- not a list"),
        ("a | b", r"a \| b"),
        ("https://evil.example", "https&#58;//evil.example"),
        ("www.evil.example", "www&#46;evil.example"),
        ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
        ("two\nlines\x1b[31m\u202e", r"two lines \[31m"),
        ("3.3 billion, 12 % – 汉字。", "3.3 billion, 12 % – 汉字。"),
    ],
)
def test_foreign_text_reads_as_it_is(given: str, written: str) -> None:
    assert escaped(given) == written


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://a.example/x?y=1", "https://a.example/x?y=1"),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("file:///etc/passwd", None),
        ("https://f00.invalid/name.md", None),
        ("https://[broken", None),
        ("", None),
    ],
)
def test_only_web_addresses_are_links(url: str, link: str | None) -> None:
    assert web_link(url) == link


def test_a_link_cannot_break_out_of_its_brackets() -> None:
    nasty = citation(1, url="https://a.example/x) [evil](https://evil.example")
    sentence = Sentence(text="One.", verdict="supported", citations=(nasty,))
    report = ask_markdown(whole().model_copy(update={"answer": (sentence,), "contested": ()}))
    assert "](https://evil.example" not in report
    assert "(https://a.example/x%29%20%5Bevil%5D%28https://evil.example)" in report


def test_a_file_of_ones_own_is_named_not_linked() -> None:
    cited = citation(1, url="https://f00.invalid/my%20notes.md")
    sentence = Sentence(text="One.", verdict="supported", citations=(cited,))
    report = ask_markdown(whole().model_copy(update={"answer": (sentence,), "contested": ()}))
    assert local_name(cited.url) == "my notes.md"
    assert "(local file my notes.md)" in report
    assert ".invalid" not in report


@pytest.mark.parametrize("quote", ["# not a heading", "1. one", "- a", "> b", "* c", "+ d", "`e`"])
def test_a_quote_shows_as_it_was_whatever_it_begins_with(quote: str) -> None:
    """On the page that a reader makes of it, every character stands, and no structure."""
    sentence = Sentence(text=quote, verdict="supported", citations=(citation(1, quote),))
    result = whole().model_copy(update={"answer": (sentence,), "contested": ()})
    page = MarkdownIt().render(
        ask_markdown(result).replace("[^1]: ", "note: ").replace("\n    >", "\n>")
    )
    plain = re.sub(r"<[^>]+>", "", page).replace("&gt;", ">")
    assert f"“{quote}”" in plain
    assert f"\n{quote}" in plain
    assert "<h3" not in page
    assert page.count("<h1") == 1
