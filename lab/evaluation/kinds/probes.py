"""Edits of true sentences, read by the reader of every job: negated, roles swapped, other figures, days and names, hedged, retold.

The sentences are those of the sample and, below the folder, of the development sets' articles: none was learned from.
What is neither stated nor denied is read rightly where no side is taken, swapped roles where they are not taken for
support; `unseen` are wordings that training leaves out, `negation` all kinds of it. `says` is what the product says,
which may be nothing, and `says_wrong_side` is the share where it takes a side that is not there.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from pathlib import Path

from groundwire.errors import InputError
from groundwire.evidence.reading.reader import Reading, read
from groundwire.model.stance import StanceLabel
from lab.evaluation.figures import EvaluationFigure, Measured, collected, mean_of
from lab.training.pairs import Pair, articles, generate

_ALL: tuple[StanceLabel, ...] = ("supports", "contradicts", "qualifies", "unrelated")
_SIDES = frozenset({"supports", "contradicts"})
_SENTENCES = 300  # edited per language


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Measure each kind of edit and each language; `limit` bounds the sentences of a language."""
    probes = await asyncio.to_thread(_make_probes, folder, limit or _SENTENCES)
    parts: dict[str, list[tuple[Pair, Reading]]] = defaultdict(list)
    for pair in probes:
        reading = read(pair.claim, pair.passage)
        kinds = {pair.kind, "all"}
        if "negated" in pair.kind:
            kinds.add("negation")
        if pair.unseen:
            kinds.add("unseen")
        for kind in kinds:
            for name in (kind, f"{kind}/{pair.language}"):
                parts[name].append((pair, reading))
    figures = [each for name in sorted(parts) for each in _figures(name, parts[name])]
    return collected("probes", [(figures, [])], limit)


def _make_probes(folder: Path, sentences: int) -> list[Pair]:
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder of articles")
    probes = generate(articles(folder), seed=1, most=sentences)
    return [each for each in probes if each.claim != each.passage or each.kind == "same"]


def _figures(name: str, found: list[tuple[Pair, Reading]]) -> list[EvaluationFigure]:
    likeliest = [_is_right(pair, reading.likeliest(_ALL)) for pair, reading in found]
    wrong = [reading.label in _SIDES - {pair.label} for pair, reading in found]
    says = [_is_right(pair, reading.label) for pair, reading in found]
    return [
        mean_of(name, "read_rightly", likeliest, "probes"),
        mean_of(name, "says", says, "probes"),
        mean_of(name, "says_wrong_side", wrong, "probes"),
    ]


def _is_right(pair: Pair, label: StanceLabel) -> bool:
    if pair.kind.startswith("roles"):
        return label != "supports"
    return label == pair.label if pair.label in _SIDES else label not in _SIDES
