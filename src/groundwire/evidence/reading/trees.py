"""Boosted trees evaluated in plain Python: three heads, each a sum of small trees through a logistic curve.

A tree is `[feature, threshold, left, right]` or the value of its leaf; it is followed to the left when the feature is
at most the threshold. The weights are made by `lab.training.reader` and `lab.training.pages`, and name their origin.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias, cast

Tree: TypeAlias = "float | list[int | float | Tree]"
HEADS = ("same", "against", "stated")
_DATA = "groundwire.evidence.reading.data"
WEIGHTS, PAGE_WEIGHTS = "reader.json", "pages.json"


@dataclass(frozen=True, slots=True)
class Head:
    """One yes-or-no question, answered by trees over the features."""

    trees: list[Tree]

    def probability(self, values: Sequence[float]) -> float:
        """Compute how likely yes is, for features in the order of `Weights.names`."""
        total = 0.0
        for tree in self.trees:
            node: Any = tree
            while node.__class__ is list:  # the reader's innermost loop
                feature, threshold, left, right = node
                node = left if values[feature] <= threshold else right
            total += node
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@dataclass(frozen=True, slots=True)
class Weights:
    """The learned heads, the names of the features they know, and where they come from."""

    names: tuple[str, ...]
    heads: dict[str, Head]
    origin: str


@cache
def weights() -> Weights:
    """Load the weights of the reader's heads, once."""
    return parse(files(_DATA).joinpath(WEIGHTS).read_text("utf-8"))


@cache
def page_weights() -> Weights:
    """Load the weights of the heads that judge whole pages, once."""
    return parse(files(_DATA).joinpath(PAGE_WEIGHTS).read_text("utf-8"))


def parse(text: str) -> Weights:
    """Parse weights as the trainers write them."""
    found = cast("dict[str, object]", json.loads(text))
    heads = cast("dict[str, list[Tree]]", found["heads"])
    return Weights(
        names=tuple(cast("list[str]", found["names"])),
        heads={name: Head(heads[name]) for name in HEADS},
        origin=str(found["origin"]),
    )
