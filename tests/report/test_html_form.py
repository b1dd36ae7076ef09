"""The report as one HTML file: whole, without script, and safe whatever a result contains."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from tests.made_reports import (
    HOSTILE,
    LANGUAGES,
    QUOTES,
    SEARCHED,
    TITLES,
    answer,
    ask_run,
    failed_run,
    file_as,
    hostile_answer,
    hostile_signal,
    reported,
    tool_run,
    verify_run,
)

from groundwire.jobs.verify.signal import Signal
from groundwire.model.run import Run
from groundwire.report import html
from groundwire.report.plain import one_line
from groundwire.report.waterfall import signed
from groundwire.words import words

_KNOWN = frozenset(
    [
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "article",
        "header",
        "footer",
        "section",
        "aside",
        "div",
        "p",
        "h1",
        "h2",
        "h3",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "figure",
        "figcaption",
        "blockquote",
        "q",
        "pre",
        "strong",
        "span",
        "sup",
        "a",
        "bdi",
        "svg",
        "rect",
    ]
)


class _Reading(HTMLParser):
    """The page as a browser would read it: text, tags, attributes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.faults: list[str] = []
        self.links: list[str] = []
        self.styles = 0
        self._hidden = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _KNOWN:
            self.faults.append(f"<{tag}>")
        if tag == "style":
            self.styles += 1
        self._hidden = tag if tag == "style" else self._hidden
        for name, value in attrs:
            if name.startswith("on") or name in (
                "style",
                "src",
                "srcdoc",
                "formaction",
                "xlink:href",
            ):
                self.faults.append(f"{tag} {name}={value}")
            if name == "href":
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        self._hidden = "" if tag == self._hidden else self._hidden

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"<!--{data}-->")

    handle_pi = unknown_decl = handle_comment


def read(page: str) -> _Reading:
    reading = _Reading()
    reading.feed(page)
    reading.close()
    return reading


def faults(page: str) -> list[str]:
    """List whatever we did not write, or leads where it should not."""
    reading = read(page)
    wrong = [link for link in reading.links if not re.match(r"https?://|#", link)]
    many = [] if reading.styles == 1 else [f"{reading.styles} styles"]
    return [*reading.faults, *wrong, *many]


def shown(page: str) -> str:
    return " ".join("".join(read(page).text).replace("\u2060", "").split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_is_all_there(language: str) -> None:
    page = file_as("html", ask_run(language)).decode()
    text = shown(page)
    for sentence in answer(language).answer:
        assert sentence.text in text
    for part in (*QUOTES, *TITLES, "https://site1.example/a?b=1&c=2", "$0.0123"):
        assert part in text
    tag = {"en": "en", "zh": "zh-Hans", "zh-Hant": "zh-Hant"}[language]
    assert f'<html lang="{tag}">' in page
    assert faults(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_signal_shows_how_its_confidence_came_about(language: str) -> None:
    run = verify_run(language)
    page = file_as("html", run).decode()
    signal = Signal.model_validate(run.result)
    assert page.count('<rect class="track"') == len(signal.waterfall)
    text = shown(page)
    for row in signal.waterfall:
        assert words(language)(row.reason, **row.params) in text
        assert signed(row.delta) in text
    assert f"{signal.confidence:.2f}" in text


@pytest.mark.parametrize(
    "run", [failed_run("ask"), failed_run("verify"), tool_run("search", SEARCHED)]
)
def test_every_run_has_a_page(run: Run) -> None:
    assert faults(file_as("html", run).decode()) == []


def test_marks_lead_to_their_source_and_carry_its_words() -> None:
    page = file_as("html", ask_run()).decode()
    assert '<a href="#ask-0123456789-1">1</a>' in page
    assert '<li id="ask-0123456789-1" value="1">' in page
    assert f"<q>{QUOTES[0]}</q>" in page


def test_its_own_policy_allows_its_own_style_and_nothing_else() -> None:
    page = file_as("html", ask_run()).decode()
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    allowed = policy[1].replace("&#39;", "'").replace("&#43;", "+")
    assert allowed == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert page.index("Content-Security-Policy") < page.index("<title>")
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("run", [hostile_answer(), hostile_answer("zh"), hostile_signal()])
def test_malice_is_text(run: Run) -> None:
    page = file_as("html", run).decode()
    assert faults(page) == []
    shown_text = shown(page)
    for text in HOSTILE[:7] if run.kind == "ask" else HOSTILE[:4]:
        assert one_line(text) in shown_text
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069\u200b]", page)


def test_the_check_sees_a_page_that_is_not_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same malice with escaping off: whoever breaks it hears of it."""
    unguarded = html.environment().overlay(autoescape=False)
    monkeypatch.setattr(html, "environment", lambda: unguarded)
    found = faults(file_as("html", hostile_answer()).decode())
    assert any(fault == "<script>" for fault in found)
    assert any("onerror" in fault for fault in found)


def test_the_check_sees_a_link_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    run = hostile_answer()
    report = reported(run)
    block = next(block for block in report.blocks if block.type == "sources")
    evil = block.items[0].model_copy(update={"link": "javascript:alert(1)"})
    broken = block.model_copy(update={"items": (evil,)})
    page = html.render(report.model_copy(update={"blocks": (broken,)})).decode()
    assert faults(page) == ["javascript:alert(1)"]


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_thousands_of_sentences_are_all_there(count: int) -> None:
    page = file_as("html", hostile_answer(sentences=count)).decode()
    text = shown(page)
    assert all(f"Sentence {number} 句。" in text for number in (0, count // 2, count - 1))
    assert text.count("句。") == count
    assert faults(page) == []


def test_a_fragment_brings_its_style_and_stands_in_a_page() -> None:
    """For notebooks: nothing outside of it is styled, and nothing in it is a whole page."""
    run = ask_run("zh")
    part = html.fragment(reported(run))
    assert part.startswith('<div class="gw-report gw-fragment" lang="zh-Hans">')
    assert "<html" not in part
    assert "<body" not in part
    assert faults(part) == []
    (style,) = re.findall(r"<style>(.*?)</style>", part, re.DOTALL)
    bare = re.sub(r"\{[^{}]*\}", ";", re.sub(r"\([^()]*\)", "", style))
    selectors = re.split(r"[;,{}]", re.sub(r"@media[^{]*\{", "", bare))
    strayed = [name for name in selectors if not name.strip().startswith(".gw-report")]
    assert [name for name in strayed if name.strip()] == []
