"""Three heads of small boosted trees, learned with LightGBM (`pip install lightgbm`) and written for plain Python.

Every set weighs the same whatever its size; within a set yes and no weigh the same; generated pairs are a fixed share
of the whole, every kind in every language alike. Each feature may only count in the direction of its sign.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundwire.evidence.reading.features import NAMES
from groundwire.evidence.reading.trees import HEADS, Tree, Weights, parse
from lab.training.heads import columns
from lab.training.pairs import HEADS as ANSWERS
from lab.training.pairs import Pair

Floats = NDArray[np.float64]
GENERATED = "generated"
# The share of generated pairs in what each head learns from: unrelated ones are too easy to teach more than a little.
_SHARES = {"same": 0.13, "against": 0.36, "stated": 0.5}
_MASS = {"chef_zh": 0.5, "fever_symmetric": 0.5}
_TREES = 150
_PARAMETERS: dict[str, Any] = {
    "objective": "binary", "num_leaves": 8, "learning_rate": 0.1, "min_data_in_leaf": 40, "feature_fraction": 0.5,
    "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 10.0, "max_bin": 63, "seed": 1, "num_threads": 1,
    "verbose": -1, "deterministic": True, "force_row_wise": True,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rows:
    """Pairs with their features; `name` is the set, or `generated`."""

    name: str
    pairs: Sequence[Pair]
    values: Floats

    def only(self, chosen: Sequence[int]) -> Rows:
        return Rows(self.name, [self.pairs[n] for n in chosen], self.values[list(chosen)])


def learn(parts: Sequence[Rows], origin: str) -> Weights:
    """Train the heads on these sets."""
    return parse(write({head: _head(parts, head) for head in HEADS}, origin))


def write(heads: dict[str, list[Tree]], origin: str) -> str:
    """Serialise the weights in the form that the reader loads."""
    found = {"origin": origin, "names": list(NAMES), "heads": heads}
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False)


def _head(parts: Sequence[Rows], head: str) -> list[Tree]:
    number = HEADS.index(head)
    places, directions = columns(head)
    values: list[Floats] = []
    answers: list[Floats] = []
    masses: list[Floats] = []
    for part in parts:
        kept = [n for n, pair in enumerate(part.pairs) if ANSWERS[pair.label][number] is not None]
        yes = np.array([float(ANSWERS[part.pairs[n].label][number] or 0) for n in kept])
        # A set that knows only one answer would teach how to recognise the set.
        if len(kept) < 20 or yes.min() == yes.max():
            continue
        mass = _generated_mass(part, kept) if part.name == GENERATED else np.ones(len(kept))
        for answer in (0.0, 1.0):
            mass[yes == answer] /= 2 * mass[yes == answer].sum()
        values.append(part.values[kept][:, places])
        answers.append(yes)
        masses.append(mass * _MASS.get(part.name, 1.0))
        if part.name == GENERATED:
            public = sum(float(m.sum()) for m in masses[:-1])
            share = _SHARES[head]
            masses[-1] *= public * share / (1 - share) if public else 1.0
    return boost(
        np.concatenate(values),
        np.concatenate(answers),
        np.concatenate(masses),
        directions,
        places,
        _TREES,
    )


def boost(
    values: Floats,
    answers: Floats,
    masses: Floats,
    directions: Sequence[int],
    places: Sequence[int],
    trees: int,
) -> list[Tree]:
    """Learn one head; `places` are the positions of its features in the reader's list."""
    lightgbm: Any = import_module("lightgbm")  # few need it: installed by hand
    found = lightgbm.Dataset(values, answers, weight=masses / masses.mean())
    chosen = _PARAMETERS | {"monotone_constraints": list(directions)}
    dumped = lightgbm.train(chosen, found, trees).dump_model()
    return [_tree(each["tree_structure"], places) for each in dumped["tree_info"]]


def _generated_mass(part: Rows, kept: Sequence[int]) -> Floats:
    kinds = Counter((part.pairs[n].kind, part.pairs[n].language) for n in kept)
    return np.array([1.0 / kinds[part.pairs[n].kind, part.pairs[n].language] for n in kept])


def _tree(node: dict[str, Any], places: Sequence[int]) -> Tree:
    if "leaf_value" in node:
        return round(float(node["leaf_value"]), 4)
    # Features have three decimals, thresholds lie between them.
    threshold = round(float(node["threshold"]), 4)
    return [
        places[int(node["split_feature"])],
        threshold,
        _tree(node["left_child"], places),
        _tree(node["right_child"], places),
    ]
