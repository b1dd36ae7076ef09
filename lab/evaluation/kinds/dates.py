"""Publication dates of pages: precision, recall and F, counted as htmldate's own evaluation does."""

from __future__ import annotations

import asyncio
import gzip
import time
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from groundwire.errors import InputError, Unreadable
from groundwire.fetch.charset import decode
from groundwire.fetch.extracted import DateHow
from groundwire.fetch.metadata import read_about
from groundwire.fetch.tree import parse
from lab.evaluation.figures import EvaluationFigure, Measured, rows, sets_in

TRUTH = "ground_truth.jsonl"


@dataclass(frozen=True, slots=True)
class Judged:
    """One page: the day that is right, the day that was found, how, and what finding it took."""

    right: str | None
    found: str | None
    how: DateHow
    seconds: float


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Each set: `ground_truth.jsonl` (file, url, date) and `html/<file>.gz`.

    As htmldate counts: a day found that is the right one is a true positive, another day a false
    positive, none where there is one a false negative. Precision is TP / (TP + FP), recall
    TP / (TP + FN), F their harmonic mean. A page of which no day is known counts as false if one
    is found, and not at all otherwise. Only the day is compared, as the page writes it.
    """
    figures: list[EvaluationFigure] = []
    notes: list[str] = []
    for each in sets_in(folder, (TRUTH,)):
        judged = await asyncio.to_thread(_judge, each, limit)
        figures.extend(_figures(each.name, judged))
        notes.append(_note(each.name, judged))
    return Measured(kind="dates", figures=tuple(figures), notes=tuple(notes), limited=limit > 0)


def _judge(folder: Path, limit: int) -> list[Judged]:
    # Zones, as for a page that is read now.
    latest = datetime.now(UTC).date() + timedelta(days=2)
    return [_one(folder, row, latest) for row in rows(folder / TRUTH, limit)]


def _one(folder: Path, row: dict[str, object], latest: date) -> Judged:
    name, url, right = row.get("file"), row.get("url"), row.get("date")
    if not isinstance(name, str) or not isinstance(url, str):
        raise InputError(f"{folder.name}/{TRUTH}: a line without file or url")
    body = _body(folder / "html" / f"{name}.gz")
    start = time.process_time()
    try:
        about = read_about(parse(decode(body, "text/html")), url, latest)
        found, how = about.published_at, about.published_how
    except Unreadable:
        found, how = None, "unknown"
    return Judged(
        # Where no day is known the sets have null or NaN.
        right=right[:10] if isinstance(right, str) else None,
        found=found[:10] if found else None,
        how=how,
        seconds=time.process_time() - start,
    )


def _body(path: Path) -> bytes:
    try:
        return gzip.decompress(path.read_bytes())
    except (OSError, EOFError) as error:
        raise InputError(f"{path.name} in {path.parent} cannot be read") from error


def _figures(name: str, judged: list[Judged]) -> list[EvaluationFigure]:
    hits = sum(1 for each in judged if each.found is not None and each.found == each.right)
    wrong = sum(1 for each in judged if each.found is not None and each.found != each.right)
    missed = sum(1 for each in judged if each.found is None and each.right is not None)
    precision = hits / (hits + wrong) if hits + wrong else 0.0
    recall = hits / (hits + missed) if hits + missed else 0.0
    both = precision + recall
    values = {
        "f1": 2 * precision * recall / both if both else 0.0,
        "precision": precision,
        "recall": recall,
    }
    return [
        EvaluationFigure(set=name, metric=metric, value=value, sample=len(judged), of="pages")
        for metric, value in values.items()
    ]


def _note(name: str, judged: list[Judged]) -> str:
    kinds = sorted({each.how for each in judged})
    parts = [
        f"{how} {sum(1 for each in of if each.found == each.right)}/{len(of)}"
        for how in kinds
        if (of := [each for each in judged if each.how == how])
    ]
    spent = 1000 * sum(each.seconds for each in judged) / len(judged) if judged else 0.0
    return (
        f"{name}: right of found by {', '.join(parts)}; "
        f"{spent:.1f} ms of CPU a page from bytes to date"
    )
