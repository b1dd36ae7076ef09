"""Does the embedded reasoner see what a passage says about a claim: accuracy and macro-F1, no model, no network.

The sets name stances differently. Factcheck-GPT (`factcheckgpt`): completely-support is supports,
partially-support is qualifies, refute is contradicts, irrelevant is unrelated. Climate-FEVER
(`climate_fever`): SUPPORTS, REFUTES, and NOT_ENOUGH_INFO is unrelated; nothing there is only
qualified. FC_Chinese (`chef_zh`): SUPPORTED and REFUTED; everything there is related. The same
parameters decide for all of them; a question that a set's labels leave open is not asked, so that
for `chef_zh` only the direction counts.

The product itself calls fewer passages supporting or contradicting (`evidence.stance`), because a
wrong one costs more than a missed one; how often it is right when it does is in the notes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, TypeAdapter, ValidationError

from groundwire.errors import InputError
from groundwire.evidence.reading.stance import judge
from groundwire.model.stance import StanceLabel
from lab.evaluation.figures import EvaluationFigure, Measured, accuracy, macro_f1, rows, sets_in

LABELS: dict[str, dict[str, StanceLabel]] = {
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
_SHORT = 200  # characters of a passage, for the time a short pair takes


class _Evidence(BaseModel):
    """One of several passages of a claim."""

    evidence: str
    evidence_label: str


class _Row(BaseModel):
    """A row of any of the sets: one passage, or several with a label each."""

    claim: str
    evidence: str | list[str] = ""
    stance: str = ""
    label: str = ""
    evidences: list[_Evidence] = []


_ROW = TypeAdapter(_Row)


class Case(NamedTuple):
    """A claim, a passage, and what people said of them."""

    claim: str
    passage: str
    label: StanceLabel


class JudgedSet(NamedTuple):
    """The cases of one set, and the labels it knows."""

    name: str
    known: tuple[StanceLabel, ...]
    cases: list[Case]


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Every set in the folder; `limit` bounds the rows of each file."""
    figures: list[EvaluationFigure] = []
    notes: list[str] = []
    for path in sets_in(folder, tuple(LABELS)):
        given = read_set(path, limit)
        pairs: list[tuple[str, str]] = []
        chosen: list[tuple[str, str]] = []
        took: list[float] = []
        for case in given.cases:
            before = time.process_time()
            stance, leaning = judge(case.claim, case.passage)
            if len(case.passage) <= _SHORT:
                took.append(time.process_time() - before)
            pairs.append((case.label, leaning.likeliest(given.known)))
            chosen.append((case.label, stance.label))
        for metric, value in (("accuracy", accuracy(pairs)), ("macro_f1", macro_f1(pairs))):
            figures.append(
                EvaluationFigure(
                    set=given.name, metric=metric, value=value, sample=len(pairs), of="pairs"
                )
            )
        notes.append(f"{given.name}: {', '.join(_precision(chosen))}{_time(took)}")
    return Measured(kind="stance", figures=tuple(figures), notes=tuple(notes), limited=limit > 0)


def read_set(folder: Path, limit: int = 0) -> JudgedSet:
    """The cases of a set's folder; a label that nobody knows is refused."""
    name = next(name for name in LABELS if (folder / name).is_file())
    labels = LABELS[name]
    cases: list[Case] = []
    for claim, passage, label in _pairs(rows(folder / name, limit)):
        if label not in labels:
            raise InputError(f"{name}: no stance is called {label!r}; known: {', '.join(labels)}")
        cases.append(Case(claim, passage, labels[label]))
    return JudgedSet(folder.name, tuple(labels.values()), cases)


def _pairs(found: list[dict[str, object]]) -> Iterator[tuple[str, str, str]]:
    """(claim, passage, label) of every row, whichever form it has."""
    for row in found:
        try:
            parsed = _ROW.validate_python(row)
        except ValidationError as error:
            raise InputError("a row has no claim with evidence and its stance") from error
        for each in parsed.evidences:
            yield parsed.claim, each.evidence, each.evidence_label
        if not parsed.evidences:
            parts = [parsed.evidence] if isinstance(parsed.evidence, str) else parsed.evidence
            yield parsed.claim, "\n".join(parts), parsed.stance or parsed.label


def _precision(chosen: list[tuple[str, str]]) -> Iterator[str]:
    for label in ("supports", "contradicts"):
        said = [gold for gold, own in chosen if own == label]
        right = sum(gold == label for gold in said)
        yield f"{label} right {right} of {len(said)}"


def _time(took: list[float]) -> str:
    if not took:
        return ""
    mean = 1000 * sum(took) / len(took)
    return f", {mean:.2f} ms of CPU a pair of at most {_SHORT} characters ({len(took)})"
