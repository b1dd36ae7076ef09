"""A figure with its sample size, and the floors that it must not fall below."""

from __future__ import annotations

import gzip
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from groundwire.errors import InputError
from groundwire.model.base import Value

Row = TypeVar("Row", bound=BaseModel)


class EvaluationFigure(Value):
    """One number: of which set, by which metric, over how many cases."""

    set: str  # the set's folder, and the variant behind a slash: ir_scifact/sqlite
    metric: str  # ndcg@10, f1, macro_f1
    value: float
    sample: int
    of: str  # what was counted: queries, pages, messages
    note: str = ""

    @property
    def name(self) -> str:
        """What a floor is filed under."""
        return f"{self.set}.{self.metric}"


class Measured(Value):
    """What came of one evaluation."""

    kind: str
    figures: tuple[EvaluationFigure, ...]
    notes: tuple[str, ...] = ()
    limited: bool = False  # only a part of the data: floors are shown, not judged


class Evaluation(Protocol):
    """What a module in `kinds/` is: it measures the sets that it finds in a folder.

    `folder` is a set or a folder of sets; `limit` takes only the first cases of each, 0 all.
    Raises `InputError` when it finds nothing that it can read.
    """

    async def measure(self, folder: Path, limit: int = 0) -> Measured: ...


Part = tuple[list[EvaluationFigure], list[str]]  # the figures of one set, and notes on them
Floors = dict[str, dict[str, float]]
_FLOORS = TypeAdapter(Floors)


async def measure_sets(
    kind: str, folder: Path, limit: int, holds: str, one: Callable[[Path, int], Awaitable[Part]]
) -> Measured:
    """Measure every set of a folder that holds a file of this name, one after the other."""
    return collected(kind, [await one(path, limit) for path in sets_in(folder, holds)], limit)


def collected(kind: str, parts: Iterable[Part], limit: int) -> Measured:
    """The figures of all sets, and the notes on them."""
    figures, notes = zip(*parts, strict=True)
    return Measured(
        kind=kind,
        figures=tuple(each for some in figures for each in some),
        notes=tuple(each for some in notes for each in some),
        limited=limit > 0,
    )


def figure(
    name: str, metric: str, value: float, sample: int, of: str, note: str = ""
) -> EvaluationFigure:
    """One figure."""
    return EvaluationFigure(set=name, metric=metric, value=value, sample=sample, of=of, note=note)


def mean_of(
    name: str, metric: str, values: Sequence[float], of: str, note: str = ""
) -> EvaluationFigure:
    """The mean of what each case came to; of yes and no, the share of yes."""
    value = sum(values) / len(values) if values else 0.0
    return figure(name, metric, value, len(values), of, note)


def read_floors(path: Path) -> Floors:
    """Floors by kind and by figure; none when there is no such file."""
    if not path.is_file():
        return {}
    try:
        return _FLOORS.validate_json(path.read_bytes())
    except ValidationError as error:
        raise InputError(f"{path} does not hold floors: {error.error_count()} faults") from error


def below(measured: Measured, floors: Floors) -> list[EvaluationFigure]:
    """The figures that fell below their floor; a part of the data proves nothing."""
    wanted = floors.get(measured.kind, {})
    if measured.limited:
        return []
    return [each for each in measured.figures if each.value < wanted.get(each.name, float("-inf"))]


def places_in(folder: Path) -> list[Path]:
    """The folder itself, and those directly in it."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}")
    return [folder, *sorted(path for path in folder.iterdir() if path.is_dir())]


def sets_in(folder: Path, holds: str) -> list[Path]:
    """The folder itself, or those directly in it, that hold a file of this name."""
    found = [each for each in places_in(folder) if (each / holds).is_file()]
    if not found:
        raise InputError(f"nothing in {folder} can be measured: no {holds} there")
    return found


def rows(path: Path, limit: int = 0) -> list[dict[str, object]]:
    """The objects of a JSONL file, a line each; a broken line is named."""
    found: list[dict[str, object]] = []
    # Not `splitlines`: texts hold line separators of other kinds.
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
    """The rows of a file in their form; `lacks` says what one of another form has not."""
    try:
        return [form.model_validate(row) for row in rows(path, limit)]
    except ValidationError as error:
        raise InputError(f"{path.parent.name}/{path.name}: a line without {lacks}") from error


def unzipped(path: Path) -> bytes:
    """A page that is kept gzipped."""
    try:
        return gzip.decompress(path.read_bytes())
    except (OSError, EOFError) as error:
        raise InputError(f"{path.name} in {path.parent} cannot be read") from error


def macro_f1(pairs: list[tuple[str, str]]) -> float:
    """Mean over the gold labels of each label's F1; pairs of (gold, said)."""
    scores: list[float] = []
    for label in sorted({gold for gold, _ in pairs}):
        hit = sum(1 for gold, said in pairs if gold == said == label)
        wrong = sum(1 for gold, said in pairs if (gold == label) != (said == label))
        scores.append(2 * hit / (2 * hit + wrong) if hit or wrong else 0.0)
    return sum(scores) / len(scores) if scores else 0.0
