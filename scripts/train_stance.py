"""Learn `evidence/data/stance_weights.tsv`, and say how well it does on what it has not seen.

    .venv/bin/python -m scripts.train_stance EVAL_FOLDER/verify [--write]

Needs numpy and scipy, which the product does not. One set of parameters for all sets. Each weight may only point
where its feature points (more shared words never speak against being related), and all are held small: with
features that overlap this matters more than the data. Classes and sets weigh the same, whatever their size.
Cases are parted by claim, and where sets share passages by passage, too, so that nothing is judged by its twin.
"""

from __future__ import annotations

# ruff: noqa: T201 — a script speaks by printing
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from lab.evaluation.figures import macro_f1, rows
from scipy.optimize import minimize

from groundwire.evidence.reading.stance_features import compare
from groundwire.evidence.reading.stance_model import EVEN, HEADS

OUT = Path(__file__).parents[1] / "src/groundwire/evidence/data/stance_weights.tsv"
FOLDS = 5
SEEDS = (0, 1, 2)
HELD = 0.03  # L2 on standardised features
SMALLEST = 0.004  # of a standardised weight that is worth a line

# Where each feature points: + towards the head's yes, - away from it, ~ either way.
SIGNS: dict[str, dict[str, str]] = {
    "related": {
        "+": "covered covered_most covered_near covered_anywhere covered_by_half exactly back pieces cosine first last acts "
        "focus names_here names_anywhere figures_same dates_same stands opposite",
        "-": "sentences figures_missing dates_missing question problems",
        "~": "specifics plain",
    },
    "contradicts": {
        "+": "names figures dates specifics names_differ figures_missing figures_differ counts_differ dates_differ "
        "negated_apart negated_apart_here one_negates one_negates_here one_reverses_here opposed opposed_here "
        "opposed_beside turned turned_here name_replaced verb_replaced opposite swapped",
        "-": "exactly back adjoining first acts figures_same counts_same both_negate plain stands",
        "~": "",
    },
    "partial": {
        "+": "figures_missing dates_missing problems hedged planned sentences",
        "-": "covered covered_most covered_near covered_anywhere covered_by_half back pieces cosine last acts focus "
        "names_anywhere dates_same stands",
        "~": "plain",
    },
}
BOUNDS = {"+": (0.0, None), "-": (None, 0.0), "~": (None, None)}
GRID = [np.linspace(0.44, 0.62, 10), np.linspace(0.46, 0.74, 15), np.linspace(0.38, 0.58, 11)]
# What each head is asked of, and what is its yes.
ASKED = {
    "related": lambda known, label: "unrelated" in known,
    "contradicts": lambda known, label: label != "unrelated",
    "partial": lambda known, label: "qualifies" in known and label in ("supports", "qualifies"),
}
YES = {
    "related": lambda label: label != "unrelated",
    "contradicts": lambda label: label == "contradicts",
    "partial": lambda label: label == "qualifies",
}
# The file that a set is known by, and our names of its labels.
LABELS = {
    "subtask3_claim_evidence_stance.jsonl": {
        "completely-support": "supports",
        "partially-support": "qualifies",
        "refute": "contradicts",
        "irrelevant": "unrelated",
    },
    "climate_fever.jsonl": {
        "SUPPORTS": "supports",
        "REFUTES": "contradicts",
        "NOT_ENOUGH_INFO": "unrelated",
    },
    "pairs.jsonl": {"SUPPORTED": "supports", "REFUTED": "contradicts"},
}


class Case(NamedTuple):
    """A claim, a passage, and what people said of them."""

    claim: str
    passage: str
    label: str


class JudgedSet(NamedTuple):
    """The cases of one set, and the labels it knows."""

    name: str
    known: tuple[str, ...]
    cases: list[Case]


def read_set(folder: Path) -> JudgedSet:
    """A set in any of the three forms: one passage a row, or several with a label each."""
    name = next(name for name in LABELS if (folder / name).is_file())
    labels, cases = LABELS[name], list[Case]()
    for row in rows(folder / name):
        said = row.get("stance") or row.get("label")
        for each in row.get(
            "evidences", [{"evidence": row.get("evidence"), "evidence_label": said}]
        ):
            text = each["evidence"]
            passage = text if isinstance(text, str) else "\n".join(text)
            cases.append(Case(row["claim"], passage, labels[each["evidence_label"]]))
    return JudgedSet(folder.name, tuple(labels.values()), cases)


@dataclass
class Data:
    sets: list[JudgedSet]
    of: np.ndarray  # the number of the set of each case
    labels: np.ndarray
    groups: np.ndarray
    columns: dict[str, tuple[list[tuple[str, str]], np.ndarray]]  # by head: (feature, sign), values

    def rows(self, head: str) -> np.ndarray:
        keep = [
            ASKED[head](self.sets[of].known, label)
            for of, label in zip(self.of, self.labels, strict=True)
        ]
        return np.array(keep)

    def yes(self, head: str) -> np.ndarray:
        return np.array([YES[head](label) for label in self.labels], float)


def read(folder: Path) -> Data:
    paths = sorted(p for p in folder.iterdir() if any((p / name).is_file() for name in LABELS))
    sets = [read_set(path) for path in paths]
    cases = [(n, case) for n, each in enumerate(sets) for case in each.cases]
    values = [compare(case.claim, case.passage).values for _, case in cases]
    columns: dict[str, tuple[list[tuple[str, str]], np.ndarray]] = {}
    for head, signs in SIGNS.items():
        names = [(name, sign) for sign, listed in signs.items() for name in listed.split()]
        table = [[row[name] for name, _ in names] for row in values]
        columns[head] = (names, np.array(table, float))
    return Data(
        sets,
        np.array([n for n, _ in cases]),
        np.array([case.label for _, case in cases]),
        np.array(_groups([(n, case.claim, case.passage) for n, case in cases])),
        columns,
    )


def _groups(cases: Sequence[tuple[int, str, str]]) -> list[int]:
    """One number for all cases that share a claim or a passage, directly or through others."""
    parent: dict[tuple[str, int, str], tuple[str, int, str]] = {}

    def root(key: tuple[str, int, str]) -> tuple[str, int, str]:
        while parent.setdefault(key, key) != key:
            key = parent[key]
        return key

    for n, claim, passage in cases:
        parent[root(("claim", n, claim))] = root(("passage", n, passage))
    numbers: dict[tuple[str, int, str], int] = {}
    return [numbers.setdefault(root(("claim", n, claim)), len(numbers)) for n, claim, _ in cases]


def fit(data: Data, head: str, use: np.ndarray) -> np.ndarray:
    """Bias and weights for features as they are, learned from the cases to use."""
    names, table = data.columns[head]
    mean, spread = table.mean(0), table.std(0) + 1e-3
    keep = use & data.rows(head)
    x, y = (table[keep] - mean) / spread, data.yes(head)[keep]
    weight = _balance(y, data.of[keep])
    sign = 2 * y - 1

    def loss(t: np.ndarray) -> tuple[float, np.ndarray]:
        margin = sign * (x @ t[1:] + t[0])
        value = (weight * np.logaddexp(0, -margin)).mean() + HELD * (t[1:] ** 2).sum() / 2
        slope = -weight * sign / (1 + np.exp(margin)) / len(y)
        return value, np.concatenate([[slope.sum()], x.T @ slope + HELD * t[1:]])

    bounds = [(None, None), *(BOUNDS[sign] for _, sign in names)]
    found = minimize(
        loss, np.zeros(x.shape[1] + 1), jac=True, bounds=bounds, options={"maxiter": 500}
    )
    scaled = np.where(np.abs(found.x[1:]) < SMALLEST, 0.0, found.x[1:])
    weights = scaled / spread
    return np.concatenate([[found.x[0] - weights @ mean], weights])


def _balance(y: np.ndarray, of: np.ndarray) -> np.ndarray:
    weight = np.zeros(len(y))
    for n in set(of.tolist()):
        for answer in (0.0, 1.0):
            here = (of == n) & (y == answer)
            if here.any():
                weight[here] = 1 / here.sum()
    return weight * len(y) / weight.sum()


def answers(data: Data, head: str, t: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-(data.columns[head][1] @ t[1:] + t[0])))


def crossed(data: Data, use: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    """Each case of those to use, answered by models that saw none of its group."""
    groups = np.unique(data.groups[use])
    np.random.default_rng(seed).shuffle(groups)
    fold = np.full(data.groups.max() + 1, -1)
    fold[groups] = np.arange(len(groups)) % FOLDS
    mine = fold[data.groups]
    out = {head: np.zeros(len(data.labels)) for head in HEADS}
    for number in range(FOLDS):
        train, test = use & (mine != number), use & (mine == number)
        for head in HEADS:
            if (train & data.rows(head)).any():
                out[head][test] = answers(data, head, fit(data, head, train))[test]
    return out


def decide(
    data: Data, said: dict[str, np.ndarray], cut: Sequence[float], n: int, use: np.ndarray
) -> list[tuple[str, str]]:
    """(gold, said) of one set, by the rule of `Leaning.likeliest`."""
    here = use & (data.of == n)
    known = data.sets[n].known
    r, d, p = (said[head][here] for head in HEADS)
    label = np.where((p >= cut[2]) if "qualifies" in known else False, "qualifies", "supports")
    label = np.where(d >= (cut[1] if "unrelated" in known else EVEN), "contradicts", label)
    if "unrelated" in known:
        label = np.where(r < cut[0], "unrelated", label)
    return list(zip(data.labels[here].tolist(), label.tolist(), strict=True))


def best_cut(data: Data, said: dict[str, np.ndarray], use: np.ndarray) -> tuple[float, ...]:
    """The thresholds with the best mean macro-F1; ties go to the first."""

    def worth(cut: tuple[float, ...]) -> float:
        present = [n for n in range(len(data.sets)) if (use & (data.of == n)).any()]
        return sum(macro_f1(decide(data, said, cut, n, use)) for n in present) / len(present)

    return max((tuple(float(c) for c in cut) for cut in product(*GRID)), key=worth)


def report(data: Data) -> tuple[float, ...]:
    """Print what is to be expected of unseen data; gives the thresholds to ship."""
    everything = np.ones(len(data.labels), bool)
    cuts: list[tuple[float, ...]] = []
    for seed in SEEDS:
        said = crossed(data, everything, seed)
        cut = best_cut(data, said, everything)
        cuts.append(cut)
        line = [_line(data, said, cut, n, everything) for n in range(len(data.sets))]
        print(f"cross-validated, seed {seed}, thresholds {np.round(cut, 2)}: {'; '.join(line)}")
    for n, each in enumerate(data.sets):
        others = everything & (data.of != n)
        cut = best_cut(data, crossed(data, others, 0), others)
        said: dict[str, np.ndarray] = {}
        for head in HEADS:
            learns = (others & data.rows(head)).any()
            t = fit(data, head, others) if learns else None
            said[head] = np.zeros(len(data.labels)) if t is None else answers(data, head, t)
        print(f"learned without {each.name}: {_line(data, said, cut, n, everything)}")
    return tuple(float(np.median([cut[i] for cut in cuts])) for i in range(len(HEADS)))


def _line(
    data: Data, said: dict[str, np.ndarray], cut: Sequence[float], n: int, use: np.ndarray
) -> str:
    pairs = decide(data, said, cut, n, use)
    hits = sum(gold == own for gold, own in pairs) / len(pairs)
    return f"{data.sets[n].name} accuracy {hits:.3f} macro-F1 {macro_f1(pairs):.3f} ({len(pairs)})"


def write(data: Data, cut: Sequence[float]) -> None:
    everything = np.ones(len(data.labels), bool)
    of = ", ".join(f"{each.name} ({len(each.cases):,} pairs)" for each in data.sets)
    lines = [
        "# Weights of evidence/stance_model.py: head<TAB>feature<TAB>weight, for features of evidence/stance_features.py as they are.",
        f"# Learned by scripts/train_stance.py from the development parts of {of}:",
        "# Factcheck-GPT (Apache-2.0), Climate-FEVER and FC_Chinese (research use). Numbers only; no word of any text is kept.",
    ]
    for head, threshold in zip(HEADS, cut, strict=True):
        t = fit(data, head, everything)
        lines.append(f"{head}\t(bias)\t{t[0]:.4f}")
        lines.append(f"{head}\t(threshold)\t{threshold:.3f}")
        for (name, _), weight in zip(data.columns[head][0], t[1:], strict=True):
            if weight:
                lines.append(f"{head}\t{name}\t{weight:.4f}")
    OUT.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"wrote {OUT.name}")


def main() -> None:
    data = read(Path(sys.argv[1]))
    cut = report(data)
    if "--write" in sys.argv:
        write(data, cut)


if __name__ == "__main__":
    main()
