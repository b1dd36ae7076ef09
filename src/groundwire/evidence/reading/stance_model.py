"""Three small logistic models behind a stance: is it related, does it contradict, is it only a part."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

from groundwire.evidence.data import data_lines
from groundwire.model.stance import StanceLabel, StanceScores

HEADS = ("related", "contradicts", "partial")
EVEN = 0.5
ALL: tuple[StanceLabel, ...] = ("supports", "contradicts", "qualifies", "unrelated")


@dataclass(frozen=True, slots=True)
class Head:
    """One model: weights by feature, and from where on its answer is yes."""

    bias: float
    threshold: float
    weights: tuple[tuple[str, float], ...]

    def probability(self, values: Mapping[str, float]) -> float:
        total = self.bias + sum(weight * values[name] for name, weight in self.weights)
        return 1 / (1 + math.exp(-total))


@dataclass(frozen=True, slots=True)
class Leaning:
    """What the three models say of a passage."""

    related: float
    contradicts: float  # if it is related
    partial: float  # if it is related and does not contradict

    @property
    def scores(self) -> StanceScores:
        agrees = self.related * (1 - self.contradicts)
        return StanceScores(
            supports=round(agrees * (1 - self.partial), 6),
            contradicts=round(self.related * self.contradicts, 6),
            qualifies=round(agrees * self.partial, 6),
            unrelated=round(1 - self.related, 6),
        )

    def likeliest(self, known: Collection[StanceLabel] = ALL) -> StanceLabel:
        """The likeliest of these labels: a question that they leave open is not asked.

        Beside passages that have nothing to do with a claim a contradiction needs more than to
        be likelier than support; where every passage takes a side it needs no more.
        """
        heads = read_heads()
        open_ended = "unrelated" in known
        if open_ended and self.related < heads["related"].threshold:
            return "unrelated"
        if self.contradicts >= (heads["contradicts"].threshold if open_ended else EVEN):
            return "contradicts"
        if "qualifies" in known and self.partial >= heads["partial"].threshold:
            return "qualifies"
        return "supports"


def lean(values: Mapping[str, float]) -> Leaning:
    """What the models say of these features."""
    heads = read_heads()
    return Leaning(*(heads[name].probability(values) for name in HEADS))


@cache
def read_heads() -> dict[str, Head]:
    """The models as they were learned; the file says from what."""
    rows = [line.split("\t") for line in data_lines("stance_weights.tsv")]
    found: dict[str, Head] = {}
    for name in HEADS:
        own = {feature: float(value) for head, feature, value in rows if head == name}
        bias, threshold = own.pop("(bias)"), own.pop("(threshold)")
        found[name] = Head(bias, threshold, tuple(own.items()))
    return found
