"""The citation checker: how many right sentences it lets pass, and how many lies."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from pydantic import BaseModel

from groundwire.evidence.citations.checker import check
from groundwire.model.base import short_id
from groundwire.model.claim import Checked
from groundwire.model.source import Evidence, Passage
from lab.archives import document
from lab.evaluation.figures import EvaluationFigure, Measured, Part, mean_of, measure_sets, rows_as

SENTENCES, PAGES = "sentences.jsonl", "pages.jsonl"
_FETCHED = datetime(2026, 1, 1, tzinfo=UTC)


class _Page(BaseModel):
    id: str
    language: str
    title: str
    published_at: date
    text: str


class _Sentence(BaseModel):
    id: int
    page: str
    language: str
    text: str
    quotes: tuple[str, ...]
    lie: str = ""  # what was changed; nothing for a right sentence


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """One sentence, the language of its page, what came of it and what that took."""

    sentence: _Sentence
    page: str
    checked: Checked
    seconds: float

    @property
    def passed(self) -> bool:
        return self.checked.result != "unsupported"


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Each set: `pages.jsonl` (id, language, title, published_at, text) and `sentences.jsonl`.

    A sentence has its page, its quotes and, where it is a lie, the kind of change. It passes when it
    is not unsupported. Sentences with odd ids were read while the checker was made, even ones were not.
    """
    return await measure_sets("citations", folder, limit, SENTENCES, _measure)


async def _measure(folder: Path, limit: int) -> Part:
    judged = await asyncio.to_thread(judge, folder, limit)
    figures: list[EvaluationFigure] = []
    for name, chosen in _parts(judged):
        figures.extend(_figures(f"{folder.name}{name}", chosen))
    return figures, [*_notes(folder.name, judged)]


def judge(folder: Path, limit: int = 0) -> list[CheckedSentence]:
    """Check every sentence of a set."""
    pages = {page.id: page for page in rows_as(_Page, folder / PAGES, 0, "id, title or text")}
    held = {name: _evidence(page) for name, page in pages.items()}
    found: list[CheckedSentence] = []
    for sentence in rows_as(_Sentence, folder / SENTENCES, limit, "page, text or quotes"):
        evidence = held[sentence.page]
        passages = {1: (evidence, evidence.passages[0])}
        start = time.perf_counter()
        checked = check(sentence.text, [(1, quote) for quote in sentence.quotes], passages)
        spent = time.perf_counter() - start
        found.append(CheckedSentence(sentence, pages[sentence.page].language, checked, spent))
    return found


def _evidence(page: _Page) -> Evidence:
    held = document(
        f"https://{page.id}.example/a",
        page.title,
        page.text,
        _FETCHED,
        published_at=datetime.combine(page.published_at, datetime.min.time(), UTC),
        language=page.language,
    )
    passage = Passage(
        id=short_id("ps", [held.id]),
        document_id=held.id,
        start=0,
        end=len(page.text),
        text=page.text,
    )
    return Evidence(id=short_id("ev", [held.id]), kind="page", document=held, passages=(passage,))


def _parts(judged: Sequence[CheckedSentence]) -> list[tuple[str, list[CheckedSentence]]]:
    """Everything, each half, and each language; across languages is a part of its own."""
    found = [
        ("", list(judged)),
        ("/odd", [each for each in judged if each.sentence.id % 2]),
        ("/even", [each for each in judged if not each.sentence.id % 2]),
    ]
    for language in sorted({each.sentence.language for each in judged}):
        chosen = [each for each in judged if each.sentence.language == language]
        found.append((f"/{language}", chosen))
    across = [each for each in judged if (each.page == "en") != (each.sentence.language == "en")]
    return [*found, ("/across", across)]


def _figures(name: str, judged: Sequence[CheckedSentence]) -> list[EvaluationFigure]:
    right = [each.passed for each in judged if not each.sentence.lie]
    whole = [each.checked.result == "supported" for each in judged if not each.sentence.lie]
    lies = [not each.passed for each in judged if each.sentence.lie]
    return [
        mean_of(name, "right_passed", right, "right sentences"),
        mean_of(name, "right_supported", whole, "right sentences"),
        mean_of(name, "lies_refused", lies, "lies"),
    ]


def _notes(name: str, judged: Sequence[CheckedSentence]) -> list[str]:
    lies = Counter(each.sentence.lie for each in judged if each.sentence.lie)
    passed = Counter(each.sentence.lie for each in judged if each.sentence.lie and each.passed)
    told = ", ".join(f"{kind} {passed[kind]}/{lies[kind]}" for kind in sorted(lies))
    spent = sorted(1000 * each.seconds for each in judged)
    return [
        f"{name}: lies passed by kind: {told}",
        f"{name}: {spent[len(spent) // 2]:.1f} ms a check in the middle, {spent[-1]:.1f} ms at most",
    ]
