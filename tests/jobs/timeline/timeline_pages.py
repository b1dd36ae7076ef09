"""Pages as a run holds them, for the tests of histories."""

from __future__ import annotations

from datetime import UTC, datetime

from lab.archives import document

from groundwire.evidence.pages.passages import split
from groundwire.jobs.timeline.pages import Page
from groundwire.language.text.characters import detect_language
from groundwire.model.base import short_id
from groundwire.model.source import Evidence

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)


def held(text: str, day: str = "", title: str = "", url: str = "", origin: str = "") -> Evidence:
    """Hold a page that was published on a day or at a moment; without one, nobody knows when it was."""
    page = document(
        url or f"https://news.example/{short_id('a', [day, title, text])}",
        title,
        text,
        NOW,
        language=detect_language(text),
        published_at=day if "T" in day else f"{day}T00:00:00Z" if day else None,
    )
    name = short_id("ev", [page.id])
    return Evidence(
        id=name, kind="page", document=page, passages=split(page), origin_id=origin or name
    )


def read(text: str, day: str = "", title: str = "") -> Page:
    return Page(held(text, day, title))
