"""Learn `evidence/data/event_weights.tsv`, and print how well it does on what it has not seen.

    .venv/bin/python -m scripts.train_event_types EVAL_FOLDER/verify/crypto_events [--write]

Needs numpy, which the product does not. Seven logistic heads, one for each tag that types of the crypto profile
stand for, over words, runs of characters and the profile's own word scores. It prints the mean F1 of five folds
with weights that have not seen the fold, of the profile's words alone, and of the shipped weights. The words of
the profile were written by hand by people who knew the development half of the set; the folds cannot undo that.
"""

from __future__ import annotations

# ruff: noqa: T201 — a script prints
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from groundwire.evidence.messages import event_types as rules
from groundwire.evidence.messages.event_types import HEADS, features, lexicon_scores, readable
from groundwire.evidence.messages.profiles import profile
from lab.evaluation import event_types as measured

OUT = Path(__file__).parents[1] / "src/groundwire/evidence/data/event_weights.tsv"
FOLDS = 5
SEEDS = (0, 1, 2)
HELD = 3.0  # the larger, the freer the weights
STEPS = 400
KEPT = 240  # weights of a head that are worth a line
TAG_OF = {
    "attack": "Hacks",
    "rules": "Regulation",
    "market": "Market moves",
    "adoption": "Adoption",
    "money": "Investment",
    "network": "Innovation",
    "people": "Culture",
}
Row = dict[str, float]
Weights = dict[str, dict[str, float]]


def rows_of(texts: Sequence[str]) -> list[Row]:
    crypto = profile("crypto")
    lows = [readable(text) for text in texts]
    return [features(low, lexicon_scores(low, crypto)[0]) for low in lows]


def learn(rows: Sequence[Row], tags: Sequence[tuple[str, ...]]) -> Weights:
    """Learn ridge logistic heads by gradient steps on the dual, without rare features."""
    counts: dict[str, int] = {}
    for row in rows:
        for name in row:
            counts[name] = counts.get(name, 0) + 1
    names = sorted(name for name, count in counts.items() if count > 1 or name.startswith("type:"))
    place = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(rows), len(names)))
    for number, row in enumerate(rows):
        for name, value in row.items():
            if name in place:
                table[number, place[name]] = value
    kernel = table @ table.T + 1
    top = np.linalg.eigvalsh(kernel)[-1]
    found: Weights = {}
    for head in HEADS:
        yes = np.array([TAG_OF[head] in each for each in tags])
        signs = np.where(yes, 1.0, -1.0)
        share = np.where(yes, len(yes) / (2 * max(1, yes.sum())), len(yes) / (2 * (~yes).sum()))
        weigh = np.sqrt(share)
        duals = np.zeros(len(yes))
        rate = 3.0 / (top * 0.25 * weigh.max() + 1 / HELD)
        for _ in range(STEPS):
            slope = -signs * weigh / (1 + np.exp(kernel @ duals * signs))
            duals -= rate * (slope + duals / HELD)
        values = table.T @ duals
        order = np.argsort(-np.abs(values))
        keep = [n for n in order if names[n].startswith("type:")]
        keep += [n for n in order if not names[n].startswith("type:")][:KEPT]
        found[head] = {"(bias)": float(duals.sum())} | {names[n]: float(values[n]) for n in keep}
    return found


def lines(weights: Weights, count: int) -> str:
    head = (
        "# Weights of the heads of evidence/event_types.py: head<TAB>feature<TAB>weight; `_` is a blank, `=` before whole words,",
        "# type: how strong the profile's own words of a type are. Learned by scripts/train_event_types.py from the tags of the",
        f"# development half of crypto_events ({count} titles; crypto-history, research use). Numbers only; no title is kept.",
    )
    body = [
        f"{name}\t{feature.replace(' ', '_') if not feature.startswith('type:') else feature}\t{value:.3f}"
        for name, values in weights.items()
        for feature, value in sorted(values.items())
    ]
    return "\n".join((*head, *body)) + "\n"


def use(weights: Weights) -> None:
    """Make the rules use these weights instead of the shipped ones."""
    biases = {head: values["(bias)"] for head, values in weights.items()}
    table: dict[str, tuple[tuple[str, float], ...]] = {}
    for head, values in weights.items():
        for feature, value in values.items():
            if feature != "(bias)":
                table[feature] = (*table.get(feature, ()), (head, value))
    rules._model = lambda: (biases, table)  # pyright: ignore[reportPrivateUsage]


def predict(texts: Sequence[str]) -> list[str]:
    crypto = profile("crypto")
    return [rules.event_type(text, crypto).event_type for text in texts]


def show(name: str, tags: Sequence[tuple[str, ...]], types: Sequence[str]) -> None:
    scores = measured.tag_scores(list(zip(tags, types, strict=True)))
    four = sum(scores[tag] for tag in measured.FOUR) / len(measured.FOUR)
    print(f"{name}: mean F1 {four:.3f};", ", ".join(f"{t} {v:.3f}" for t, v in scores.items()))


def main() -> None:
    cases = measured.read_cases(Path(sys.argv[1]))
    texts, tags = [case.title for case in cases], [case.tags for case in cases]
    rows = rows_of(texts)
    use({head: {"(bias)": 0.0} for head in HEADS})
    show("words of the profile alone", tags, predict(texts))
    for seed in SEEDS:
        fold = np.random.RandomState(seed).permutation(len(texts)) % FOLDS
        types = [""] * len(texts)
        for number in range(FOLDS):
            train = [n for n in range(len(texts)) if fold[n] != number]
            test = [n for n in range(len(texts)) if fold[n] == number]
            use(learn([rows[n] for n in train], [tags[n] for n in train]))
            for n, name in zip(test, predict([texts[n] for n in test]), strict=True):
                types[n] = name
        show(f"five folds, seed {seed}", tags, types)
    final = learn(rows, tags)
    use(final)
    show("shipped weights, on what they were learned from", tags, predict(texts))
    if "--write" in sys.argv:
        OUT.write_text(lines(final, len(texts)), encoding="utf-8")
        print(f"{OUT.name}: {sum(map(len, final.values()))} weights")


if __name__ == "__main__":
    main()
