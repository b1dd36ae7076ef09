"""A figure with its sample size, and the floors that it must not fall below."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from groundwire.errors import InputError
from groundwire.model.base import Value

Row = TypeVar("Row", bound=BaseModel)


class EvaluationFigure(Value):
    """One number: for which set, by which metric, over how many cases."""

    set: str  # the set's folder, and the variant behind a slash: ir_scifact/sqlite
    metric: str  # ndcg@10, f1, macro_f1
    value: float
    sample: int
    of: str  # what was counted: queries, pages, messages
    note: str = ""

    @property
    def name(self) -> str:
        """The name under which a floor is filed."""
        return f"{self.set}.{self.metric}"


class Measured(Value):
    """The result of one evaluation."""

    kind: str
    figures: tuple[EvaluationFigure, ...]
    notes: tuple[str, ...] = ()
    limited: bool = False  # to a part of the data: floors are shown, not judged


Part = tuple[list[EvaluationFigure], list[str]]  # the figures of one set, and notes on them
Floors = dict[str, dict[str, float]]
_FLOORS = TypeAdapter(Floors)


async def measure_sets(
    kind: str, folder: Path, limit: int, marker: str, measure: Callable[[Path, int], Part]
) -> Measured:
    """Measure one set of a folder after the other, off the loop; the file `marker` makes it a set."""
    parts = [await asyncio.to_thread(measure, path, limit) for path in sets_in(folder, marker)]
    return collected(kind, parts, limit)


def collected(kind: str, parts: Iterable[Part], limit: int) -> Measured:
    """Collect the figures of all sets and the notes on them."""
    figures, notes = zip(*parts, strict=True)
    return Measured(
        kind=kind,
        figures=tuple(each for group in figures for each in group),
        notes=tuple(each for group in notes for each in group),
        limited=limit > 0,
    )


def figure(
    name: str, metric: str, value: float, sample: int, of: str, note: str = ""
) -> EvaluationFigure:
    return EvaluationFigure(set=name, metric=metric, value=value, sample=sample, of=of, note=note)


def mean_of(
    name: str, metric: str, values: Sequence[float], of: str, note: str = ""
) -> EvaluationFigure:
    """Compute the mean over cases; for yes and no, the share of yes."""
    value = sum(values) / len(values) if values else 0.0
    return figure(name, metric, value, len(values), of, note)


def read_floors(path: Path) -> Floors:
    """Read floors by kind and figure; none when there is no such file."""
    if not path.is_file():
        return {}
    try:
        return _FLOORS.validate_json(path.read_bytes())
    except ValidationError as error:
        raise InputError(f"{path} does not hold floors: {error.error_count()} faults") from error


def below(measured: Measured, floors: Floors) -> list[EvaluationFigure]:
    """List the figures below their floor; none on limited data, which proves nothing."""
    minimums = floors.get(measured.kind, {})
    if measured.limited:
        return []
    return [
        each for each in measured.figures if each.value < minimums.get(each.name, float("-inf"))
    ]


def places_in(folder: Path) -> list[Path]:
    """List the folder itself and the folders directly in it."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}")
    return [folder, *sorted(path for path in folder.iterdir() if path.is_dir())]


def sets_in(folder: Path, marker: str) -> list[Path]:
    """Find the folders with a file of this name, among the folder itself and those directly in it."""
    found = [each for each in places_in(folder) if (each / marker).is_file()]
    if not found:
        raise InputError(f"nothing in {folder} can be measured: no {marker} there")
    return found


def rows(path: Path, limit: int = 0) -> list[dict[str, object]]:
    """Read the objects of a JSONL file, one per line; an error names the broken line."""
    found: list[dict[str, object]] = []
    # Not `splitlines`: texts contain other kinds of line separators.
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise InputError(f"{path.name}, line {number}: not JSON") from error
        if limit and len(found) >= limit:
            break
    return found


def rows_as(form: type[Row], path: Path, limit: int, lacks: str) -> list[Row]:
    """Read the rows of a file as models; `lacks` says what a row of another form is missing."""
    try:
        return [form.model_validate(row) for row in rows(path, limit)]
    except ValidationError as error:
        raise InputError(f"{path.parent.name}/{path.name}: a line without {lacks}") from error


def unzipped(path: Path) -> bytes:
    """Read a page that is stored gzipped."""
    try:
        return gzip.decompress(path.read_bytes())
    except (OSError, EOFError) as error:
        raise InputError(f"{path.name} in {path.parent} cannot be read") from error


def macro_f1(pairs: list[tuple[str, str]]) -> float:
    """Average the F1 of each gold label; pairs are (gold, predicted)."""
    scores: list[float] = []
    for label in sorted({gold for gold, _ in pairs}):
        hit = sum(1 for gold, predicted in pairs if gold == predicted == label)
        wrong = sum(1 for gold, predicted in pairs if (gold == label) != (predicted == label))
        scores.append(2 * hit / (2 * hit + wrong) if hit or wrong else 0.0)
    return sum(scores) / len(scores) if scores else 0.0
