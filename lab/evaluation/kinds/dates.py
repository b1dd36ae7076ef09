"""Publication dates of pages: precision, recall and F, counted as htmldate's own evaluation does."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from pydantic import BaseModel

from groundwire.errors import Unreadable
from groundwire.fetch.charset import decode
from groundwire.fetch.extracted import DateHow
from groundwire.fetch.metadata import read_metadata
from groundwire.fetch.tree import parse
from lab.evaluation.figures import (
    EvaluationFigure,
    Measured,
    Part,
    figure,
    measure_sets,
    rows_as,
    unzipped,
)

TRUTH = "ground_truth.jsonl"


class _Row(BaseModel):
    file: str
    url: str
    date: str | float | None = None  # null or NaN where no day is known


@dataclass(frozen=True, slots=True)
class DatedPage:
    """One page: its true day, the day that was found and how, and the CPU seconds it took."""

    right: str | None
    found: str | None
    how: DateHow
    seconds: float


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Measure each set: `ground_truth.jsonl` (file, url, date) and `html/<file>.gz`.

    As htmldate counts: the right day is a true positive, another day a false positive, no day where
    there is one a false negative. Precision is TP / (TP + FP), recall TP / (TP + FN), F their harmonic
    mean. A page without a known day counts as false if one is found, and not at all otherwise. Only
    the day is compared, as the page writes it.
    """
    return await measure_sets("dates", folder, limit, TRUTH, _measure)


def _measure(folder: Path, limit: int) -> Part:
    # Two days ahead for time zones, as for a page that is read now.
    latest = datetime.now(UTC).date() + timedelta(days=2)
    cases = rows_as(_Row, folder / TRUTH, limit, "file or url")
    judged = [_judge(folder, case, latest) for case in cases]
    return _figures(folder.name, judged), [_note(folder.name, judged)]


def _judge(folder: Path, case: _Row, latest: date) -> DatedPage:
    body = unzipped(folder / "html" / f"{case.file}.gz")
    start = time.process_time()
    try:
        about = read_metadata(parse(decode(body, "text/html")), case.url, latest)
        found, how = about.published_at, about.published_how
    except Unreadable:
        found, how = None, "unknown"
    return DatedPage(
        right=case.date[:10] if isinstance(case.date, str) else None,
        found=found[:10] if found else None,
        how=how,
        seconds=time.process_time() - start,
    )


def _figures(name: str, judged: list[DatedPage]) -> list[EvaluationFigure]:
    hits = sum(1 for each in judged if each.found is not None and each.found == each.right)
    wrong = sum(1 for each in judged if each.found is not None and each.found != each.right)
    missed = sum(1 for each in judged if each.found is None and each.right is not None)
    precision = hits / (hits + wrong) if hits + wrong else 0.0
    recall = hits / (hits + missed) if hits + missed else 0.0
    both = precision + recall
    f1 = 2 * precision * recall / both if both else 0.0
    return [
        figure(name, metric, value, len(judged), "pages")
        for metric, value in (("f1", f1), ("precision", precision), ("recall", recall))
    ]


def _note(name: str, judged: list[DatedPage]) -> str:
    parts = [
        f"{how} {sum(1 for each in pages if each.found == each.right)}/{len(pages)}"
        for how in sorted({each.how for each in judged})
        if (pages := [each for each in judged if each.how == how])
    ]
    spent = 1000 * sum(each.seconds for each in judged) / len(judged) if judged else 0.0
    return (
        f"{name}: right of found by {', '.join(parts)}; "
        f"{spent:.1f} ms of CPU a page from bytes to date"
    )
