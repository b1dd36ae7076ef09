"""The stance of passages towards claims, by the reader of every job: accuracy, macro-F1, wrong side.

The sets name stances differently (`lab.training.sets`); a question that a set's labels leave open is not asked, so
that for FC_Chinese and FEVER-Symmetric only the direction counts. `says_wrong_side` is what the product does: it takes
a side only where it is all but sure. The encoders have learned from the development parts of these sets, so only claims
that were kept back from them are asked (one in five; OCNLI has a test part of its own).
"""

from __future__ import annotations

import time
from pathlib import Path

from groundwire.errors import InputError
from groundwire.evidence.reading.reader import Reading, read
from groundwire.model.stance import StanceLabel
from lab.evaluation.figures import Measured, Part, collected, figure, macro_f1, mean_of
from lab.training.pairs import Pair
from lab.training.sets import asked

_LABELS: tuple[StanceLabel, ...] = ("supports", "contradicts", "qualifies", "unrelated")


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Measure every set in the folder; `limit` bounds the pairs of each."""
    sets = asked(folder)
    if not sets:
        raise InputError(f"nothing in {folder} can be measured: no set of claims and passages")
    parts = [measure_set(name, pairs[: limit or None]) for name, pairs in sets.items()]
    return collected("stance", parts, limit)


def measure_set(name: str, pairs: list[Pair]) -> Part:
    """Compute the figures of one set."""
    labels = {pair.label for pair in pairs}
    known: tuple[StanceLabel, ...] = tuple(label for label in _LABELS if label in labels)
    begun = time.process_time()
    readings: list[Reading] = [read(pair.claim, pair.passage) for pair in pairs]
    milliseconds = (time.process_time() - begun) / max(1, len(pairs)) * 1000
    likeliest = [
        (pair.label, reading.likeliest(known))
        for pair, reading in zip(pairs, readings, strict=True)
    ]
    says = [(pair.label, reading.label) for pair, reading in zip(pairs, readings, strict=True)]
    figures = [
        mean_of(name, "accuracy", [float(a == b) for a, b in likeliest], "pairs"),
        figure(name, "macro_f1", macro_f1(likeliest), len(pairs), "pairs"),
        mean_of(name, "wrong_side", _wrong(likeliest), "pairs"),
        mean_of(name, "says_wrong_side", _wrong(says), "pairs"),
    ]
    sided = sum(label in ("supports", "contradicts") for _, label in says)
    return figures, [
        f"{name}: a side is taken on {sided} of {len(pairs)}; {milliseconds:.1f} ms a pair"
    ]


def _wrong(pairs: list[tuple[str, str]]) -> list[float]:
    return [float({gold, label} == {"supports", "contradicts"}) for gold, label in pairs]
