"""Changes of a watch's claims over simulated months, by the ledger alone: each day's pages go straight to its functions.

A set is a file of months, one a line (`*.jsonl`), or all months of a folder (`month-*.json`, as `python -m lab.months`
writes them). `noisy_days` counts days with an alert on which nothing changed. How a reported change matches an expected
one is said in `lab/evaluation/changes.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from groundwire.errors import InputError
from lab.evaluation.changes import Score, lines, score_month
from lab.evaluation.figures import (
    EvaluationFigure,
    Measured,
    Part,
    collected,
    figure,
    places_in,
    rows_as,
)
from lab.months.month import DAYS, Month


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Measure each set below a folder; `limit` bounds the months of a set."""
    parts = await asyncio.to_thread(lambda: [_measure(*each, limit) for each in _sets(folder)])
    if not parts:
        raise InputError(f"nothing in {folder} can be measured: no months there")
    return collected("changes", parts, limit)


def _sets(folder: Path) -> Iterator[tuple[str, tuple[Month, ...]]]:
    for place in places_in(folder):
        for path in sorted(place.glob("*.jsonl")):
            yield path.stem, tuple(rows_as(Month, path, 0, "a month"))
        months = tuple(_month(path) for path in sorted(place.glob("month-*.json")))
        if months:
            yield place.name, months


def _month(path: Path) -> Month:
    try:
        return Month.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise InputError(f"{path} holds no month: {error.error_count()} faults") from error


def _measure(name: str, months: tuple[Month, ...], limit: int) -> Part:
    whole = Score()
    figures: list[EvaluationFigure] = []
    notes: list[str] = []
    chosen = months[:limit] if limit else months
    for language in sorted({month.language for month in chosen}):
        score = Score()
        for month in chosen:
            if month.language == language:
                found = score_month(month)
                notes.extend(f"{name}/{language}-{month.seed} {line}" for line in lines(found))
                score.add(found)
        whole.add(score)
        figures.extend(_figures(f"{name}/{language}", score))
    figures = [*_figures(name, whole), *figures]
    days = DAYS * len(chosen)
    figures.append(figure(name, "noisy_days", len(whole.noisy_days), days, "days"))
    return figures, notes


def _figures(name: str, score: Score) -> list[EvaluationFigure]:
    reported, expected = (len(score.found) + len(each) for each in (score.wrong, score.missed))
    return [
        figure(name, "precision", score.precision, reported, "reported changes"),
        figure(name, "recall", score.recall, expected, "expected changes"),
    ]
