"""Train the heads that judge whole pages, and show how they do: `python -m lab.training.pages DIR`.

Each row of the table is a set that was left out of training and then asked about. The weights that are written were
learned from everything; no scenario is among it. Train the reader first (`python -m lab.training.reader`): the heads
for pages see its readings.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import groundwire.evidence.reading.data as data
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.pages import view_page
from groundwire.evidence.reading.reader import claim_of
from groundwire.evidence.reading.trees import HEADS, PAGE_WEIGHTS, Tree, Weights, parse
from lab.training.auc import auc
from lab.training.boosting import boost
from lab.training.page_pairs import PagePair, page_pairs
from lab.training.pairs import HEADS as ANSWERS

Floats = NDArray[np.float64]
ORIGIN = (
    "Learned by lab.training.pages from headlines and articles, generated and public pairs, and news written for this "
    "project; only weights of features, none of their text."
)
_MASS = {"table_paraphrase": 2.0, "table_position": 2.0}
_TREES = 120
_TURNS = [
    "negation_differs",
    "denied_there",
    "false_there",
    "false_after",
    "ended_there",
    "opposed_weight",
    "figure_other",
    "date_other",
    "count_other",
    "figure_negated",
    "roles_turned",
    "name_replaced",
    "taken_back_there",
]
_UNSURE = [
    "retold_there",
    "hedged_there",
    "planned_there",
    "asked_there",
    "labelled",
    "figure_bound",
    "part_there",
]
# Head: what speaks for yes, what for no, what may do either; by how the names of features begin.
_SIGNS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "same": (
        ("same", "covered", "acts_", "supports", "contradicts", "grams", "values_same", "plain"),
        ("missing", "values_none", "late", "long_ago", "sentences", "name_replaced"),
        (),
    ),
    "against": (
        ("against", "contradicts", "debunking", "denied_share", *_TURNS),
        ("supports", "stated", "plain", "values_same"),
        ("covered", "acts_", "same", "grams", "missing", "values_none"),
    ),
    "stated": (
        ("stated", "covered", "acts_", "same", "grams", "supports", "values_same", "plain"),
        ("against", "contradicts", "missing", "values_none", "debunking", "retelling", "denied_share", "retold_share",
         *_TURNS, *_UNSURE),
        (),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PageRows:
    """Pairs with the features that the heads see."""

    pairs: list[PagePair]
    names: tuple[str, ...]
    values: Floats

    def only(self, chosen: NDArray[np.bool_]) -> PageRows:
        kept = np.flatnonzero(chosen)
        return PageRows([self.pairs[n] for n in kept], self.names, self.values[kept])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--out", type=Path, default=Path(str(data.__file__)).with_name(PAGE_WEIGHTS)
    )
    chosen = parser.parse_args(arguments)
    print("\n".join(train(chosen.folder, chosen.out)))  # noqa: T201


def train(folder: Path, out: Path) -> list[str]:
    """Train, write the weights, and return the table."""
    rows = view(page_pairs(folder))
    lines = [f"{'learned without':22}{'pages':>7}   same AUC   against AUC   stated AUC"]
    sets = np.array([pair.name for pair in rows.pairs])
    for name in sorted({name for name in sets if name.startswith(("news_", "table_"))}):
        lines.append(_row(name, rows, sets == name))
    out.write_text(write(learn(rows), rows.names) + "\n", "utf-8")
    return [*lines, f"{out.name}: {out.stat().st_size / 1000:.0f} kB, {len(rows.pairs)} pages"]


def view(pairs: list[PagePair]) -> PageRows:
    """Read every page and collect its features."""
    seen = [
        view_page(
            claim_of(pair.claim, pair.said),
            analyse(pair.text, title=pair.title, published=pair.published),
        ).features
        for pair in pairs
    ]
    names = tuple(sorted(seen[0]))
    return PageRows(pairs, names, np.array([[each[name] for name in names] for each in seen]))


def learn(rows: PageRows) -> dict[str, list[Tree]]:
    """Learn every head."""
    return {head: _head(rows, head) for head in HEADS}


def write(heads: dict[str, list[Tree]], names: Sequence[str]) -> str:
    """Serialise the weights in the form that the reader loads."""
    found = {"origin": ORIGIN, "names": list(names), "heads": heads}
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False)


def _head(rows: PageRows, head: str) -> list[Tree]:
    number = HEADS.index(head)
    places, directions = _columns(rows.names, head)
    values: list[Floats] = []
    answers: list[Floats] = []
    masses: list[Floats] = []
    sets = [pair.name for pair in rows.pairs]
    for name in sorted(set(sets)):
        kept = [
            n
            for n, pair in enumerate(rows.pairs)
            if sets[n] == name and ANSWERS[pair.label][number] is not None
        ]
        yes = np.array([float(ANSWERS[rows.pairs[n].label][number] or 0) for n in kept])
        if len(kept) < 20 or yes.min() == yes.max():
            continue
        mass = np.ones(len(kept))
        for answer in (0.0, 1.0):
            mass[yes == answer] /= 2 * mass[yes == answer].sum()
        values.append(rows.values[kept][:, places])
        answers.append(yes)
        masses.append(mass * _MASS.get(name, 1.0))
    return boost(
        np.concatenate(values),
        np.concatenate(answers),
        np.concatenate(masses),
        directions,
        places,
        _TREES,
    )


def _columns(names: Sequence[str], head: str) -> tuple[list[int], list[int]]:
    places: list[int] = []
    directions: list[int] = []
    for place, name in enumerate(names):
        for signs, direction in zip(_SIGNS[head], (1, -1, 0), strict=True):
            if name.startswith(signs):
                places.append(place)
                directions.append(direction)
                break
    return places, directions


def _row(name: str, rows: PageRows, held: NDArray[np.bool_]) -> str:
    learned = parse(write(learn(rows.only(~held)), rows.names))
    asked = rows.only(held)
    shares = [_auc(asked, learned, head) for head in HEADS]
    return f"{name:22}{len(asked.pairs):>7}" + "".join(f"{share:12.3f}" for share in shares)


def _auc(rows: PageRows, learned: Weights, head: str) -> float:
    number = HEADS.index(head)
    return auc(
        [
            (learned.heads[head].probability(values), ANSWERS[pair.label][number])
            for pair, values in zip(rows.pairs, rows.values.tolist(), strict=True)
        ]
    )


if __name__ == "__main__":
    main()
