"""The stance of whole pages, on families of pages written by somebody who had seen no rule.

Each set is a `families.jsonl` of claim, title, text and label (supports, contradicts, qualifies, unrelated): pages around
one claim that differ in meaning rather than in words. Nothing is learned from them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel

from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.position import position
from groundwire.model.base import fingerprint, short_id
from groundwire.model.source import Evidence
from groundwire.model.stance import StanceLabel
from lab.archives import document
from lab.evaluation.figures import (
    EvaluationFigure,
    Measured,
    Part,
    figure,
    macro_f1,
    mean_of,
    measure_sets,
    rows_as,
)

FAMILIES = "families.jsonl"
_FETCHED = datetime(2026, 1, 1, tzinfo=UTC)
_SIDES = ("supports", "contradicts")


class _Row(BaseModel):
    claim: str
    title: str
    text: str
    label: StanceLabel


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Measure each set: right labels, sides found, sides taken wrongly."""
    return await measure_sets("pages", folder, limit, FAMILIES, _measure)


def _measure(folder: Path, limit: int) -> Part:
    rows = rows_as(_Row, folder / FAMILIES, limit, "claim, title, text or label")
    labelled = [(row, _label(row)) for row in rows]
    parts = {"": labelled}
    for row, label in labelled:
        parts.setdefault(f"/{_language(row)}", []).append((row, label))
    figures = [
        each for part, pairs in parts.items() for each in _figures(f"{folder.name}{part}", pairs)
    ]
    return figures, []


def _figures(name: str, labelled: list[tuple[_Row, str]]) -> list[EvaluationFigure]:
    pairs: list[tuple[str, str]] = [(row.label, label) for row, label in labelled]
    figures = [
        mean_of(name, "accuracy", [gold == label for gold, label in pairs], "pages"),
        figure(name, "macro_f1", macro_f1(pairs), len(pairs), "pages"),
        mean_of(name, "wrong_side", [{a, b} == set(_SIDES) for a, b in pairs], "pages"),
    ]
    for side in _SIDES:
        found = [label == side for gold, label in pairs if gold == side]
        figures.append(mean_of(name, f"{side}_found", found, "pages"))
    return figures


def _label(row: _Row) -> StanceLabel:
    text = f"{row.title}\n\n{row.text}" if row.title else row.text
    url = f"https://{fingerprint(text)[:12]}.example/a"
    page = document(url, row.title, text, _FETCHED, publisher="", language=_language(row))
    evidence = Evidence(id=short_id("ev", [url]), kind="page", document=page, passages=())
    return position(row.claim, evidence).label


def _language(row: _Row) -> str:
    claim, page = analyse(row.claim).chinese, analyse(row.text).chinese
    return "across" if claim != page else "zh" if page else "en"
