"""Edits of true sentences, by the reader that every job runs: negated, roles turned, other figures, days and names, hedged, retold.

The sentences are those of the sample and, below the folder, of the development sets' articles: none was learned from.
What is neither stated nor denied is read rightly where no side is taken, turned roles where they are not taken for
support; `unseen` are wordings that training leaves out, `negation` all kinds of it. `says` is what the product says, which may be
silent, and `says_wrong_side` where it takes a side that is not there.
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
_SENTENCES = 300  # a language, that are edited


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Each kind of edit, and each language; `limit` bounds the sentences of a language."""
    made = await asyncio.to_thread(_made, folder, limit or _SENTENCES)
    parts: dict[str, list[tuple[Pair, Reading]]] = defaultdict(list)
    for pair in made:
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


def _made(folder: Path, sentences: int) -> list[Pair]:
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder of articles")
    return generate(articles(folder), seed=1, most=sentences)


def _figures(name: str, found: list[tuple[Pair, Reading]]) -> list[EvaluationFigure]:
    likeliest = [_is_right(pair, reading.likeliest(_ALL)) for pair, reading in found]
    wrong = [reading.label in _SIDES - {pair.label} for pair, reading in found]
    says = [_is_right(pair, reading.label) for pair, reading in found]
    return [
        mean_of(name, "read_rightly", likeliest, "probes"),
        mean_of(name, "says", says, "probes"),
        mean_of(name, "says_wrong_side", wrong, "probes"),
    ]


def _is_right(pair: Pair, own: StanceLabel) -> bool:
    if pair.kind.startswith("roles"):
        return own != "supports"
    return own == pair.label if pair.label in _SIDES else own not in _SIDES
