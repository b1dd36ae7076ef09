"""Learn what the signs of a cited sentence are worth: `python -m lab.training.citations DIR [--out FILE]`.

DIR is a folder of sets of right sentences and lies (`evals/citations`). Each set is shown as it comes out of what was learned
from the others; the weights that are written are learned from all. Only sentences that no veto refuses are learned from.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import groundwire.evidence.reading.data as data
from groundwire.evidence.citations.certainty import check_certainty
from groundwire.evidence.citations.checker import is_verbatim, statement
from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.likelihood import WEIGHTS, values
from groundwire.evidence.citations.meaning import (
    CARRIED,
    bare,
    is_taken_back,
    signs_of,
    speakers,
    vetoes,
)
from groundwire.evidence.citations.parties import check_names
from groundwire.evidence.citations.problems import Findings
from groundwire.evidence.citations.quotes import QuotePlace, locate
from groundwire.evidence.citations.values import check_dates, check_figures
from groundwire.evidence.reading.reader import claim_of
from groundwire.model.source import Evidence
from lab.evaluation.kinds.citations import SENTENCES, CitedSentence, read_set

Floats = NDArray[np.float64]
ORIGIN = (
    "Learned by lab.training.citations from right sentences and lies of evals/citations, written for the project; only weights of "
    "signs, none of their text."
)
_HELD = 40.0  # how strongly weights are held near zero
_MASS = 200.0  # of the right sentences of a set, and of its lies
_ROUNDS = 40
_THRESHOLDS = (0.5, 0.55, CARRIED, 0.65, 0.7)


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence of a set: whether it is right, and its signs, or what comes of it without them."""

    name: str
    right: bool
    seen: Mapping[str, float] | None = None
    passes: bool = False  # without signs: it stands word for word, or a veto refuses it


@dataclass(frozen=True, slots=True)
class Curve:
    """A logistic curve over named signs."""

    names: tuple[str, ...]
    bias: float
    weights: Floats

    def of(self, seen: Mapping[str, float]) -> float:
        total = self.bias + sum(
            float(w) * seen[n] for n, w in zip(self.names, self.weights, strict=True)
        )
        return 1.0 / (1.0 + math.exp(-total))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path(str(data.__file__)).with_name(WEIGHTS))
    chosen = parser.parse_args(arguments)
    rows = [
        row
        for folder in sorted(each.parent for each in chosen.folder.glob(f"*/{SENTENCES}"))
        for row in rows_of(folder)
    ]
    print("\n".join(table(rows)))  # noqa: T201
    chosen.out.write_text(_written(fit(rows)), encoding="utf-8")


def rows_of(folder: Path) -> list[Row]:
    """Collect the signs of every sentence of a set."""
    pages, sentences = read_set(folder)
    return [_row(folder.name, each, pages[each.page]) for each in sentences]


def _row(name: str, sentence: CitedSentence, page: Evidence) -> Row:
    right = not sentence.lie
    passages = {1: (page, page.passages[0])}
    found = [locate(1, quote, passages) for quote in sentence.quotes]
    places = [each for each in found if isinstance(each, QuotePlace)]
    flat = statement(sentence.text)
    if not places or not bare(flat):
        return Row(name, right)
    grounds = Grounds(places)
    if is_taken_back(grounds):
        return Row(name, right)
    if is_verbatim(flat, grounds):
        return Row(name, right, passes=True)
    claim = claim_of(flat, grounds.published)
    numbers = check_figures(claim, grounds)
    others = (check_dates(claim, grounds, ""), check_names(claim, grounds))
    speaking = speakers(grounds.align(claim))
    refused = any(each.problems for each in (numbers, *others))
    if refused or vetoes(claim, grounds, speaking):
        return Row(name, right)
    certainty = Findings()
    check_certainty(claim, speaking, certainty)
    signs = signs_of(claim, grounds, speaking, "", certainty, unsure=bool(numbers.unsure))
    return Row(name, right, values(signs))


def fit(rows: Sequence[Row]) -> Curve:
    """Learn from every set alike, and from its right sentences and its lies alike."""
    known = [(row, row.seen) for row in rows if row.seen is not None]
    names = tuple(known[0][1])
    seen = np.array([[each[name] for name in names] for _, each in known])
    right = np.array([float(row.right) for row, _ in known])
    groups = [(row.name, row.right) for row, _ in known]
    mass = np.array([_MASS / groups.count(group) for group in groups])
    mean, spread = seen.mean(axis=0), seen.std(axis=0) + 1e-6
    found = _newton(np.c_[np.ones(len(seen)), (seen - mean) / spread], right, mass)
    weights = found[1:] / spread
    return Curve(names, float(found[0] - weights @ mean), weights)


def _newton(seen: Floats, right: Floats, mass: Floats) -> Floats:
    """Find the weights of a logistic curve; all but the first are held near zero."""
    weights = np.zeros(seen.shape[1])
    held = np.eye(seen.shape[1]) * _HELD
    held[0, 0] = 1e-6
    for _ in range(_ROUNDS):
        likely = 1 / (1 + np.exp(-seen @ weights))
        slope = seen.T @ (mass * (likely - right)) + held @ weights
        bend = (seen * (mass * likely * (1 - likely))[:, None]).T @ seen + held
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if float(np.abs(step).max()) < 1e-9:
            break
    return weights


def table(rows: Sequence[Row]) -> list[str]:
    """Say for each set, learned from the others, which share of right sentences and of lies passes at a threshold."""
    lines = ["set: right passed / lies passed at " + ", ".join(f"{each:g}" for each in _THRESHOLDS)]
    for name in dict.fromkeys(row.name for row in rows):
        curve = fit([row for row in rows if row.name != name])
        asked = [row for row in rows if row.name == name]
        found = [
            (row.right, curve.of(row.seen) if row.seen else float(row.passes)) for row in asked
        ]
        lines.append(f"{name}: " + ", ".join(_rates(found, least) for least in _THRESHOLDS))
    return lines


def _rates(found: Sequence[tuple[bool, float]], least: float) -> str:
    shares = (
        [likely >= least for right, likely in found if right is wanted] for wanted in (True, False)
    )
    return " / ".join(f"{sum(each) / max(1, len(each)):.3f}" for each in shares)


def _written(curve: Curve) -> str:
    weights = {n: round(float(w), 4) for n, w in zip(curve.names, curve.weights, strict=True)}
    found = {"origin": ORIGIN, "bias": round(curve.bias, 4), "weights": weights}
    return json.dumps(found, indent=1) + "\n"


if __name__ == "__main__":
    main()
