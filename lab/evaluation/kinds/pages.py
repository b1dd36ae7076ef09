"""What the product says of a page, on families of pages that somebody wrote who had seen no rule.

Each set is a `families.jsonl` of claim, title, text and label (supports, contradicts, qualifies, unrelated): pages around
one claim that differ in meaning rather than in words. Nothing is learned from them.
"""

from __future__ import annotations

import asyncio
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
    """Each set: right labels, sides found, sides taken wrongly."""
    return await measure_sets("pages", folder, limit, FAMILIES, _measure)


async def _measure(folder: Path, limit: int) -> Part:
    found = rows_as(_Row, folder / FAMILIES, limit, "claim, title, text or label")
    said = await asyncio.to_thread(lambda: [(row, _said(row)) for row in found])
    parts = {"": said}
    for row, label in said:
        parts.setdefault(f"/{_language(row)}", []).append((row, label))
    figures = [
        each for part, pairs in parts.items() for each in _figures(f"{folder.name}{part}", pairs)
    ]
    return figures, []


def _figures(name: str, said: list[tuple[_Row, str]]) -> list[EvaluationFigure]:
    pairs: list[tuple[str, str]] = [(row.label, label) for row, label in said]
    figures = [
        mean_of(name, "accuracy", [gold == own for gold, own in pairs], "pages"),
        figure(name, "macro_f1", macro_f1(pairs), len(pairs), "pages"),
        mean_of(name, "wrong_side", [{a, b} == set(_SIDES) for a, b in pairs], "pages"),
    ]
    for side in _SIDES:
        found = [own == side for gold, own in pairs if gold == side]
        figures.append(mean_of(name, f"{side}_found", found, "pages"))
    return figures


def _said(row: _Row) -> StanceLabel:
    text = f"{row.title}\n\n{row.text}" if row.title else row.text
    url = f"https://{fingerprint(text)[:12]}.example/a"
    page = document(url, row.title, text, _FETCHED, publisher="", language=_language(row))
    evidence = Evidence(id=short_id("ev", [url]), kind="page", document=page, passages=())
    return position(row.claim, evidence).label


def _language(row: _Row) -> str:
    claim, page = analyse(row.claim).chinese, analyse(row.text).chinese
    return "across" if claim != page else "zh" if page else "en"
