"""Train the reader and show in one table how it does: `python -m lab.training.reader DIR [--out FILE]`.

DIR is the folder of development sets. Each public set is shown cross-validated (folds share neither a claim nor a
passage) and left out of training; generated probes are shown by kind and language, on articles that were not learned
from. The weights are written where the reader loads them.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import groundwire.evidence.reading.data as data
from groundwire.evidence.reading.alignment import align
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.features import NAMES, features
from groundwire.evidence.reading.reader import Reading, claim_of, decide
from groundwire.evidence.reading.trees import WEIGHTS, Weights
from groundwire.model.stance import StanceLabel
from lab.training.boosting import GENERATED, Rows, learn, write
from lab.training.pairs import LANGUAGES, Pair, articles, generate
from lab.training.sets import public, tested

FOLDS = 4
ORIGIN = (
    "Learned by lab.training.reader from pairs of Factcheck-GPT (Apache-2.0), Climate-FEVER, FC_Chinese (CHEF), OCNLI (CC-BY-NC), "
    "FEVER-Symmetric (CC-BY-SA) and from generated pairs; only weights of features, none of their text."
)
# What counts as read rightly: for what is neither stated nor denied it is enough to take no side.
_RIGHT: dict[str, frozenset[str]] = {
    "supports": frozenset({"supports"}), "contradicts": frozenset({"contradicts"}), "qualifies": frozenset({"qualifies", "unrelated"}),
    "other": frozenset({"qualifies", "unrelated"}), "unrelated": frozenset({"unrelated", "qualifies"}),
}  # fmt: skip
_SIDES = ("supports", "contradicts")
_ROLES = frozenset({"contradicts", "qualifies", "unrelated"})


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path(str(data.__file__)).with_name(WEIGHTS))
    parser.add_argument("--sentences", type=int, default=300, help="edited a language")
    chosen = parser.parse_args(arguments)
    print("\n".join(train(chosen.folder, chosen.out, chosen.sentences)))  # noqa: T201


def train(folder: Path, out: Path, sentences: int) -> list[str]:
    """Train, write the weights, and return the table."""
    begun = time.monotonic()
    sets = {name: _rows(name, pairs) for name, pairs in public(folder).items()}
    test_pairs = {name: found for name in sets if (found := tested(folder, name)) is not None}
    test_rows = {name: _rows(name, pairs) for name, pairs in test_pairs.items()}
    made = _rows(GENERATED, generate(articles(folder), seed=1, most=sentences))
    lines = [
        f"{'set':18}{'pairs':>7}   cross-validated: acc  F1  wrong side   learned without it: acc  F1  wrong side"
    ]
    kept_apart = [folds(part.pairs) for part in (*sets.values(), made)]
    crossed: dict[str, list[tuple[Pair, Reading]]] = defaultdict(list)
    for fold in range(FOLDS):
        parts = [
            part.only(
                [n for n in range(len(part.pairs)) if kept[n] != fold and not part.pairs[n].unseen]
            )
            for part, kept in zip((*sets.values(), made), kept_apart, strict=True)
        ]
        learned = learn(parts, ORIGIN)
        for part, kept in zip((*sets.values(), made), kept_apart, strict=True):
            held = part.only([n for n in range(len(part.pairs)) if kept[n] == fold])
            crossed[part.name].extend(_read(held, learned))
    final_parts = [
        *sets.values(),
        made.only([n for n, pair in enumerate(made.pairs) if not pair.unseen]),
    ]
    for name, part in sets.items():
        without = learn([each for each in final_parts if each.name != name], ORIGIN)
        other = _figures(_read(test_rows.get(name, part), without))
        lines.append(
            f"{name:18}{len(test_rows.get(name, part).pairs):>7}   {'':17}{_figures(crossed[name])}   {'':20}{other}"
        )
    lines.extend(["", *_probes(crossed[GENERATED])])
    learned = learn(final_parts, ORIGIN)
    text = write({name: head.trees for name, head in learned.heads.items()}, ORIGIN)
    out.write_text(text + "\n", "utf-8")
    lines.append(f"\n{out.name}: {len(text) / 1000:.0f} kB; {time.monotonic() - begun:.0f} s")
    return lines


def _rows(name: str, pairs: Sequence[Pair]) -> Rows:
    found = [
        list(features(align(claim_of(pair.claim), analyse(pair.passage))).values())
        for pair in pairs
    ]
    return Rows(name, pairs, np.array(found).reshape(len(found), len(NAMES)))


def folds(pairs: Sequence[Pair]) -> list[int]:
    """Assign pairs to folds, so that what shares a claim, a passage or an article stays together."""
    leader: dict[str, str] = {}

    def find(key: str) -> str:
        while leader.setdefault(key, key) != key:
            key = leader[key]
        return key

    for pair in pairs:
        keys = [pair.group] if pair.group else [pair.claim, pair.passage]
        for key in keys[1:]:
            leader[find(key)] = find(keys[0])
    heads = [find(pair.group or pair.claim) for pair in pairs]
    order = {head: n for n, head in enumerate(sorted(set(heads), key=lambda h: (hash_of(h), h)))}
    return [order[head] % FOLDS for head in heads]


def hash_of(text: str) -> int:
    """Hash a text to the same number in every process, unlike `hash`."""
    value = 0
    for char in text[:64]:
        value = (value * 131 + ord(char)) % 1_000_003
    return value


def _read(rows: Rows, learned: Weights) -> list[tuple[Pair, Reading]]:
    """Read every pair by its features alone, with the learned heads."""
    found: list[tuple[Pair, Reading]] = []
    for pair, values in zip(rows.pairs, rows.values.tolist(), strict=True):
        same, against, stated = (
            learned.heads[name].probability(values) for name in ("same", "against", "stated")
        )
        seen = dict(zip(NAMES, values, strict=True))
        label, probability, sign = decide(seen, same, against, stated)
        reading = Reading(label, probability, sign, same, against, stated, "", 0, 0, {})
        found.append((pair, reading))
    return found


def _figures(found: Sequence[tuple[Pair, Reading]]) -> str:
    known = _known(found)
    said = [(pair.label, reading.likeliest(known)) for pair, reading in found]
    accuracy = sum(gold == answer for gold, answer in said) / len(said)
    return f"{accuracy:5.3f} {_macro(said, known):5.3f} {_wrong(said):5.3f}"


def _known(found: Sequence[tuple[Pair, Reading]]) -> tuple[StanceLabel, ...]:
    labels = {pair.label for pair, _ in found}
    known: tuple[StanceLabel, ...] = ("supports", "contradicts", "qualifies", "unrelated")
    return tuple(label for label in known if label in labels)


def _macro(said: Sequence[tuple[str, str]], known: Sequence[str]) -> float:
    scores: list[float] = []
    for label in known:
        hit = sum(gold == answer == label for gold, answer in said)
        wide = sum(answer == label for _, answer in said) + sum(gold == label for gold, _ in said)
        scores.append(2 * hit / wide if wide else 0.0)
    return sum(scores) / len(scores)


def _wrong(said: Sequence[tuple[str, str]]) -> float:
    return sum({gold, answer} == {"supports", "contradicts"} for gold, answer in said) / len(said)


def _probes(found: Sequence[tuple[Pair, Reading]]) -> list[str]:
    """Tabulate the share read rightly by kind and language, then how often the product is right or on a wrong side."""
    cells: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for pair, reading in found:
        wanted = _ROLES if pair.kind.startswith("roles") else _RIGHT[pair.label]
        answer = reading.likeliest()
        for kind in (pair.kind, "all"):
            for column in (pair.language, "all", *(["unseen"] if pair.unseen else [])):
                cells[kind, column].append(answer in wanted)
            cells[kind, "wrong"].append(answer in _SIDES and answer != pair.label)
            cells[kind, "says"].append(reading.label in wanted)
            cells[kind, "says wrong"].append(
                reading.label in _SIDES and reading.label != pair.label
            )
    columns = (*LANGUAGES, "all", "unseen", "wrong", "says", "says wrong")
    lines = [f"{'probe':22}{'n':>6}" + "".join(f"{name:>11}" for name in columns)]
    kinds = sorted({kind for kind, _ in cells} - {"all"})
    for kind in (*kinds, "all"):
        shares = [cells.get((kind, column), []) for column in columns]
        row = "".join(f"{sum(each) / len(each):11.3f}" if each else f"{'':>11}" for each in shares)
        lines.append(f"{kind:22}{len(cells[kind, 'all']):>6}{row}")
    return lines


if __name__ == "__main__":
    main()
