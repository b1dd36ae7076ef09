"""How many right sentences the citation checker lets pass, and how many lies."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
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


class CitedSentence(BaseModel):
    """A sentence of a set, with its page and quotes."""

    id: int
    page: str
    language: str
    text: str
    quotes: tuple[str, ...]
    lie: str = ""  # what was changed; empty for a right sentence


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """One sentence, the language of its page, its check and the seconds it took."""

    sentence: CitedSentence
    page: str
    checked: Checked
    seconds: float

    @property
    def passed(self) -> bool:
        return self.checked.result != "unsupported"


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Measure each set: `pages.jsonl` (id, language, title, published_at, text) and `sentences.jsonl`.

    A sentence has its page, its quotes and, where it is a lie, the kind of change. It passes unless it is
    unsupported. Sentences with odd ids were read while the checker was written, even ones were not.
    """
    return await measure_sets("citations", folder, limit, SENTENCES, _measure)


def _measure(folder: Path, limit: int) -> Part:
    judged = judge(folder, limit)
    parts = [_figures(f"{folder.name}{name}", chosen) for name, chosen in _parts(judged)]
    return [each for figures in parts for each in figures], _notes(folder.name, judged)


def judge(folder: Path, limit: int = 0) -> list[CheckedSentence]:
    """Check every sentence of a set."""
    pages, sentences = read_set(folder, limit)
    found: list[CheckedSentence] = []
    for sentence in sentences:
        evidence = pages[sentence.page]
        passages = {1: (evidence, evidence.passages[0])}
        start = time.perf_counter()
        checked = check(sentence.text, [(1, quote) for quote in sentence.quotes], passages)
        spent = time.perf_counter() - start
        found.append(CheckedSentence(sentence, evidence.document.language, checked, spent))
    return found


def read_set(
    folder: Path, limit: int = 0
) -> tuple[Mapping[str, Evidence], Sequence[CitedSentence]]:
    """Read the pages of a set, by name, and its sentences."""
    pages = {page.id: page for page in rows_as(_Page, folder / PAGES, 0, "id, title or text")}
    evidence = {name: _evidence(page) for name, page in pages.items()}
    return evidence, rows_as(CitedSentence, folder / SENTENCES, limit, "page, text or quotes")


def _evidence(page: _Page) -> Evidence:
    stored = document(
        f"https://{page.id}.example/a",
        page.title,
        page.text,
        _FETCHED,
        published_at=datetime.combine(page.published_at, datetime.min.time(), UTC),
        language=page.language,
    )
    passage = Passage(
        id=short_id("ps", [stored.id]),
        document_id=stored.id,
        start=0,
        end=len(page.text),
        text=page.text,
    )
    return Evidence(
        id=short_id("ev", [stored.id]), kind="page", document=stored, passages=(passage,)
    )


def _parts(judged: Sequence[CheckedSentence]) -> list[tuple[str, list[CheckedSentence]]]:
    """Split into everything, each half, each language, and pairs across languages."""
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
    by_kind = ", ".join(f"{kind} {passed[kind]}/{lies[kind]}" for kind in sorted(lies))
    spent = sorted(1000 * each.seconds for each in judged)
    return [
        f"{name}: lies passed by kind: {by_kind}",
        f"{name}: {spent[len(spent) // 2]:.1f} ms a check in the middle, {spent[-1]:.1f} ms at most",
    ]
