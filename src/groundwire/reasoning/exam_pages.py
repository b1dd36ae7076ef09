"""Pages of exam items as the evidence that code would make of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime

from pydantic import AliasChoices, Field

from groundwire.evidence.pages.assembly import page_evidence
from groundwire.language.text.characters import detect_language
from groundwire.model.base import Value, short_id
from groundwire.model.query import Hit
from groundwire.model.source import Document, Evidence, NumberedPassage, Passage, Tier

READ_AT = datetime(2026, 1, 1, tzinfo=UTC)  # an exam has no clock of its own


class ExamPage(Value):
    """A page as an examiner writes it."""

    title: str
    publisher: str = ""
    # 2026-03-01, or nothing; the items of some exams call it the date.
    published: str = Field(default="", validation_alias=AliasChoices("published", "date"))
    language: str = ""
    tier: Tier = "established"
    text: str


class OnPages(Value):
    """What an item gives whose question is answered from pages."""

    passages: tuple[ExamPage, ...]

    def pages(self) -> list[Evidence]:
        """List them as evidence."""
        return [page_of(each, number) for number, each in enumerate(self.passages, start=1)]

    def shown(self) -> tuple[NumberedPassage, ...]:
        """List them as they are shown, each under its number."""
        return tuple(numbered(each, number) for number, each in enumerate(self.passages, start=1))


def page_of(page: ExamPage, number: int = 1) -> Evidence:
    """Build the evidence of a page; its number keeps pages of one item apart."""
    url = f"https://page-{number}.example/"
    sha256 = hashlib.sha256(page.text.encode()).hexdigest()
    published = datetime.fromisoformat(page.published) if page.published else None
    if published is not None and published.tzinfo is None:
        published = published.replace(tzinfo=UTC)
    document = Document(
        id=short_id("doc", [url, sha256]),
        url=url,
        canonical_url=url,
        publisher=page.publisher or f"page-{number}.example",
        title=page.title,
        published_at=published,
        language=page.language or detect_language(page.text),
        text=page.text,
        sha256=sha256,
        fetched_at=READ_AT,
    )
    hit = Hit(provider="exam", rank=number, url=url, title=page.title, content=page.text)
    return page_evidence(document, hit)


def numbered(page: ExamPage, number: int) -> NumberedPassage:
    """Give the one passage of a page its number; each page is of its own origin."""
    evidence = page_of(page, number)
    return NumberedPassage(
        number=number,
        passage_id=evidence.passages[0].id,
        evidence_id=evidence.id,
        title=page.title,
        publisher=page.publisher,
        date=page.published,
        language=evidence.document.language,
        tier=page.tier,
        origin_id=evidence.id,
        flags=evidence.flags,
        relevance=1.0,
        text=page.text,
    )


def places(passages: Iterable[NumberedPassage]) -> dict[int, tuple[Evidence, Passage]]:
    """Return the page and the passage behind each number, from what a question shows of them."""
    found: dict[int, tuple[Evidence, Passage]] = {}
    for each in passages:
        page = ExamPage(
            title=each.title,
            publisher=each.publisher,
            published=each.date,
            language=each.language,
            text=each.text,
        )
        evidence = page_of(page, each.number)
        found[each.number] = (evidence, evidence.passages[0])
    return found
