"""Learn what the features of `jobs.ask.ranking` are worth, from questions whose answers are known.

`python -m lab.training.answers ../shared/eval/ask` prints how often an answer is among the first one, two and three
sentences of a set that was not learned from; then the same for the second half of every set, learned from the first
half, and writes those weights. They are learned to put a sentence with the answer before all others (the softmax over
the sentences of a question), each at least zero. The offset is what makes a score of .5 as often right as wrong.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from groundwire.evidence.pages.passages import split
from groundwire.evidence.questions.candidates import candidates
from groundwire.evidence.questions.coverage import weigh_terms
from groundwire.evidence.questions.intent import parse_question
from groundwire.jobs.ask.nodes import choose
from groundwire.jobs.ask.ranking import NAMES, features
from groundwire.language.text.characters import detect_language
from groundwire.model.base import short_id
from groundwire.model.source import Evidence
from lab.archives import document
from lab.evaluation.figures import rows_as, sets_in
from lab.evaluation.kinds.ask import Asked, Doc, flat
from lab.evaluation.kinds.retrieval import MOMENT

Floats = NDArray[np.float64]
_PASSAGES, _SHOWN = 24, 3
_STEPS, _RATE, _SHRINK = 1500, 0.03, 1e-3
_WEIGHTS = Path(__file__).parents[2] / "src/groundwire/jobs/ask/ranking.json"


@dataclass(frozen=True)
class Ranked:
    """The sentences of one question: their features, and which of them hold an accepted answer."""

    values: Floats
    right: NDArray[np.bool_]


def read(folder: Path) -> list[Ranked]:
    """Read one set: for each question, the sentences that a run would choose from."""
    docs = rows_as(Doc, folder / "docs.jsonl", 0, "url, title and text")
    held = [_evidence(each) for each in docs]
    asked = rows_as(Asked, folder / "questions.jsonl", 0, "id, question and answers")
    return [_ranked(each, held) for each in asked if each.question.strip()]


def _evidence(doc: Doc) -> Evidence:
    language = detect_language(doc.text)
    page = document(doc.url, doc.title, doc.text, MOMENT, language=language)
    name = short_id("ev", [doc.url])
    return Evidence(id=name, kind="page", document=page, passages=split(page), origin_id=name)


def _ranked(asked: Asked, held: Sequence[Evidence]) -> Ranked:
    passages = choose(asked.question, (), held, _PASSAGES)
    intent = weigh_terms(parse_question(asked.question), passages)
    found = candidates(intent, passages)
    accepted = [flat(each) for each in asked.answers]
    right = [any(each in flat(one.text) for each in accepted) for one in found]
    values = np.array(features(asked.question, intent, found), dtype=np.float64)
    return Ranked(values.reshape(len(found), len(NAMES)), np.array(right, dtype=np.bool_))


def learn(sets: Sequence[Sequence[Ranked]]) -> Floats:
    """Learn the weights, every set weighing the same."""
    kept = [(one, 1 / len(each)) for each in sets for one in each if one.right.any()]
    values = np.concatenate([one.values for one, _ in kept])
    right = np.concatenate([one.right for one, _ in kept])
    group = np.repeat(np.arange(len(kept)), [len(one.right) for one, _ in kept])
    starts = np.flatnonzero(np.r_[True, group[1:] != group[:-1]])
    mass = np.array([weight for _, weight in kept])
    mass /= mass.sum()
    found = np.zeros(len(NAMES))
    first, second = np.zeros_like(found), np.zeros_like(found)
    for step in range(1, _STEPS + 1):
        score = values @ found
        raised = np.exp(score - np.maximum.reduceat(score, starts)[group])
        share = raised / np.add.reduceat(raised, starts)[group]
        wanted = raised * right
        wanted /= np.add.reduceat(wanted, starts)[group]
        slope = values.T @ ((share - wanted) * mass[group]) + _SHRINK * found
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        scale = np.sqrt(second / (1 - 0.999**step)) + 1e-9
        found = np.maximum(0.0, found - _RATE * first / (1 - 0.9**step) / scale)
    return found


def offset(sets: Sequence[Sequence[Ranked]], learned: Floats) -> float:
    """Find the score at which the best sentence is as often right as wrong: a logistic fit of one number."""
    best = [one.values @ learned for each in sets for one in each if len(one.right)]
    right = [one.right for each in sets for one in each if len(one.right)]
    tops = np.array([score.max() for score in best])
    hits = np.array([float(r[int(s.argmax())]) for s, r in zip(best, right, strict=True)])
    tries = [float(tops.min() + n / 400 * (tops.max() - tops.min())) for n in range(401)]
    loss = [_loss(tops - each, hits) for each in tries]
    return tries[int(np.argmin(loss))]


def _loss(score: Floats, hits: Floats) -> float:
    return float(np.mean(np.log1p(np.exp(-score)) + (1 - hits) * score))


def shown(each: Sequence[Ranked], learned: Floats) -> str:
    """Say how often an answer is among the first sentences."""
    shares: list[str] = []
    for most in range(1, _SHOWN + 1):
        hits = [float(one.right[np.argsort(-(one.values @ learned))[:most]].any()) for one in each]
        shares.append(f"{np.mean(hits):.3f}")
    return " ".join(shares)


def main(folder: Path) -> None:
    """Print the figures and write the weights."""
    sets = {path.name: read(path) for path in sets_in(folder, "questions.jsonl")}
    say = sys.stdout.write
    for name, each in sets.items():
        rest = learn([other for key, other in sets.items() if key != name])
        say(f"{name:12} learned without it: {shown(each, rest)} (n {len(each)})\n")
    halves = [each[::2] for each in sets.values()]
    learned = learn(halves)
    for name, each in sets.items():
        say(f"{name:12} second half: {shown(each[1::2], learned)} (n {len(each[1::2])})\n")
    values = {name: round(float(v), 3) for name, v in zip(NAMES, learned, strict=True)}
    origin = (
        f"lab.training.answers, {datetime.now(tz=UTC).date()}: every other question of {', '.join(sets)}"
        " (public questions on encyclopedia pages: XQuAD, DRCD, CMRC 2018); no text of them is here"
    )
    made = {"origin": origin, "weights": values, "offset": round(offset(halves, learned), 3)}
    _WEIGHTS.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
    say(f"{made}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
