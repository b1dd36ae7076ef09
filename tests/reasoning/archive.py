"""The sample articles as evidence, with the marks that the archive's own notes declare."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import cast

from groundwire.evidence.pages.passages import split
from groundwire.jobs.ask.nodes import choose
from groundwire.jobs.ask.write_answer import QUESTION, WriteInput, Written
from groundwire.model.base import short_id
from groundwire.model.source import Document, Evidence, NumberedPassage, Passage, Tier

READ_AT = datetime(2025, 11, 1, tzinfo=UTC)
# What the notes of the articles say, as the flags that pages get.
_FLAGS = {
    "injected": "injection",
    "satire": "satire",
    "correction": "correction",
    "opinion": "opinion",
    "stale": "stale",
}


@cache
def evidence() -> tuple[Evidence, ...]:
    folder = files("groundwire.sample") / "articles"
    named = sorted((file for file in folder.iterdir()), key=lambda file: file.name)
    return tuple(
        _evidence(file.name.removesuffix(".md"), file.read_text("utf-8")) for file in named
    )


def _evidence(stem: str, source: str) -> Evidence:
    _, head, body = source.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.strip().splitlines())
    text, url, note = body.strip(), fields["url"], fields.get("note", "")
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    document = Document(
        id=stem,
        url=url,
        canonical_url=url,
        publisher=fields["publisher"],
        title=fields["title"],
        published_at=datetime.fromisoformat(fields["published_at"]),
        published_how="declared",
        language=fields["language"],
        text=text,
        sha256=sha256,
        fetched_at=READ_AT,
        sample=True,
    )
    copied = note.partition(" of ")[2].split(";")[0].strip()
    origin = copied if copied[:3].isdigit() else stem
    return Evidence(
        id=short_id("ev", [url, sha256]),
        kind="page",
        document=document,
        passages=split(document),
        origin_id=origin,
        tier=cast("Tier", fields["tier"]),
        flags=tuple(sorted(flag for word, flag in _FLAGS.items() if word in note)),
    )


def passages(question: str, *topics: str, limit: int = 24) -> tuple[NumberedPassage, ...]:
    """Build what a run over these articles would show to the writer."""
    held = [each for each in evidence() if not topics or any(t in each.document.id for t in topics)]
    return choose(question, (), held, limit)


def write(question: str, *topics: str, language: str | None = None) -> tuple[Written, WriteInput]:
    question_language = "zh" if any("\u4e00" <= char <= "\u9fff" for char in question) else "en"
    given = WriteInput(
        question=question,
        language=language or question_language,
        today="2025-11-01",
        max_sentences=8,
        passages=passages(question, *topics),
    )
    return QUESTION.embedded(given), given


def numbered(given: WriteInput) -> dict[int, tuple[Evidence, Passage]]:
    """Map passage numbers to evidence and passage, as the checker wants them."""
    places = {p.id: (each, p) for each in evidence() for p in each.passages}
    return {passage.number: places[passage.passage_id] for passage in given.passages}


def article(given: WriteInput, number: int) -> str:
    """Name the file of a passage number, without the file's own number."""
    return numbered(given)[number][0].document.id.partition("-")[2]
