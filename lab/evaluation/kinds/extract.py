"""How well the article of a page is extracted, and nothing else: F1 over its words.

A set is a folder with `ground_truth.jsonl` (id, url, page_type, main_content, with, without) and the
pages in `html/`, gzipped. The words of the extracted and of the true text are compared as bags
(lower case, runs of letters and digits); F1 is averaged over pages, so that a long page counts as
one. A page that is refused as unreadable scores as empty.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, Field

from groundwire.errors import InputError, Unreadable
from lab.evaluation.figures import (
    EvaluationFigure,
    Measured,
    Part,
    mean_of,
    measure_sets,
    rows_as,
    unzipped,
)

TRUTH = "ground_truth.jsonl"
_WORD = re.compile(r"[^\W_]+")


class _Row(BaseModel):
    id: str | int
    url: str | None
    page_type: str | None = None
    main_content: str | None = None
    wanted: list[str] | None = Field(None, alias="with")  # sentences that must be there
    unwanted: list[str] | None = Field(None, alias="without")  # and that must not


class _Score(NamedTuple):
    kind: str
    f1: float
    kept: float  # of the wanted sentences
    clean: float  # of the unwanted ones
    readable: bool


async def measure(folder: Path, limit: int = 0) -> Measured:
    return await measure_sets("extract", folder, limit, TRUTH, _measure)


def _measure(folder: Path, limit: int) -> Part:
    rows, pages = zip(*_cases(folder, limit), strict=True)
    with ProcessPoolExecutor(max_workers=2) as pool:
        scores = list(pool.map(_score, rows, pages))
    refused = sum(1 for each in scores if not each.readable)
    note = f"{folder.name}: {refused} of {len(scores)} pages were refused as unreadable"
    return _figures(folder.name, scores), [note]


def _cases(folder: Path, limit: int) -> list[tuple[_Row, Path]]:
    """List the rows whose page is in the set."""
    found = [
        (row, pages[0])
        for row in rows_as(_Row, folder / TRUTH, limit, "id or url")
        if (pages := sorted(folder.glob(f"html/*{row.id}.html.gz")))
    ]
    if not found:
        raise InputError(f"{folder.name}: none of its pages is there")
    return found


def _figures(name: str, scores: Sequence[_Score]) -> list[EvaluationFigure]:
    """Compute the figures of the set, then of its kinds of pages where there are several."""
    kinds = sorted({each.kind for each in scores})
    parts = [(name, scores)]
    if len(kinds) > 1:
        parts += [(f"{name}/{kind}", [s for s in scores if s.kind == kind]) for kind in kinds]
    found: list[EvaluationFigure] = []
    for part, chosen in parts:
        kept, clean = (
            sum(getattr(s, field) for s in chosen) / len(chosen) for field in ("kept", "clean")
        )
        note = f"wanted sentences kept {kept:.0%}, unwanted left out {clean:.0%}"
        found.append(mean_of(part, "f1", [each.f1 for each in chosen], "pages", note))
    return found


def _score(row: _Row, page: Path) -> _Score:
    # Imported late: this runs in a process of its own.
    from groundwire.fetch.extract import extract

    body = unzipped(page)
    try:
        text, readable = extract(body, "text/html", row.url or "").text, True
    except Unreadable:
        text, readable = "", False
    return _Score(
        kind=row.page_type or "page",
        f1=word_f1(text, row.main_content or ""),
        kept=_share(row.wanted or (), text),
        clean=1.0 - _share(row.unwanted, text) if row.unwanted else 1.0,
        readable=readable,
    )


def _share(sentences: Sequence[str], text: str) -> float:
    flat = " ".join(_words(text))
    found = sum(1 for each in sentences if " ".join(_words(each)) in flat)
    return found / len(sentences) if sentences else 1.0


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def word_f1(extracted: str, truth: str) -> float:
    """Compute F1 over the two bags of words; two empty texts are the same."""
    extracted_words, true_words = Counter(_words(extracted)), Counter(_words(truth))
    if not extracted_words or not true_words:
        return float(extracted_words == true_words)
    common = (extracted_words & true_words).total()
    return 2 * common / (extracted_words.total() + true_words.total())
