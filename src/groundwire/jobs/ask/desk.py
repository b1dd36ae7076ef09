"""Questions on the desk: what looks like one, and how answers are listed."""

from __future__ import annotations

from groundwire.jobs.ask.answer import AskResult
from groundwire.model.base import JsonObject
from groundwire.model.desk import CommandBar, DeskSection, Entry, Typed
from groundwire.model.source import Document
from groundwire.words import Words

_TITLE = 200  # characters of a page's title that a question repeats


def _fits(typed: Typed) -> float:
    if typed.asks:
        return 0.4 if typed.doubts else 0.9
    return 0.5 if typed.topic else 0.1


def _entry(result: AskResult) -> Entry:
    return Entry(
        title=result.question,
        text=" ".join(sentence.text for sentence in result.answer),
        missing=" ".join(gap.what for gap in result.gaps[:1]),
        articles=len(result.evidence),
        origins=len(result.origins),
    )


def on_page(page: Document, say: Words) -> JsonObject:
    """Ask what is known about what a page is about."""
    title = " ".join((page.title or page.text).split())[:_TITLE].strip(" “”「」")
    return {"question": say("ask.page.question", title=title)} if title else {}


BAR = CommandBar(
    field="question",
    fits=_fits,
    names=("question", "q", "问", "問", "提问", "提問"),
    place=10,
    examples=("ask.example.1",),
)
SECTION = DeskSection(entry=_entry, place=30, most=4)
