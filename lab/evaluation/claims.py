"""Are claims judged right on given passages: the stance of each, then the table of confidence; no model.

Each passage is one origin, and takes the likeliest of the stances that its set knows, as in the evaluation of
stance. Factcheck-GPT (`factcheckgpt`): five passages of a web search a claim; a claim is called false when its
verdict is contradicted or contested, true otherwise; claims whose label is not_enough_evidence are left out.
Climate-FEVER (`climate_fever`): five sentences of an encyclopaedia a claim; support and nothing against it is
SUPPORTS, contradicted is REFUTES, contested is DISPUTED, anything else NOT_ENOUGH_INFO.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from groundwire.errors import InputError
from groundwire.evidence.reading.stance import judge as weigh
from groundwire.jobs.verify.confidence import judge
from groundwire.jobs.verify.feature_types import Camp, Features
from groundwire.model.stance import StanceLabel
from lab.evaluation.figures import EvaluationFigure, accuracy, macro_f1, rows
from lab.evaluation.kinds.stance import LABELS

FACTUALITY = "subtask4_claim_factuality.jsonl"
PASSAGES = "subtask3_claim_evidence_stance.jsonl"
CLIMATE = "climate_fever.jsonl"
_PRIOR = 0.5  # nothing is known of a claim before its passages are read
_LEFT_OUT = "not_enough_evidence"


class _Claim(BaseModel):
    claim: str
    label: str


class _Passage(BaseModel):
    claim: str
    evidence: str


class _Sentence(BaseModel):
    evidence: str


class _Climate(BaseModel):
    claim: str
    claim_label: str
    evidences: list[_Sentence]


_CLAIMS = TypeAdapter(list[_Claim])
_PASSAGES = TypeAdapter(list[_Passage])
_CLIMATES = TypeAdapter(list[_Climate])


def verdict_of(
    claim: str, passages: Sequence[str], known: Sequence[StanceLabel]
) -> tuple[str, bool]:
    """The verdict of a claim on these passages, and whether any of them supports it."""
    labels = [weigh(claim, passage)[1].likeliest(tuple(known)) for passage in passages]

    def camp(label: StanceLabel) -> Camp:
        ids = tuple(f"p{place}" for place, own in enumerate(labels) if own == label)
        return Camp(origins=ids, evidence_ids=ids)

    features = Features(
        preliminary=_PRIOR,
        search="worked",
        supports=camp("supports"),
        contradicts=camp("contradicts"),
        qualifies=camp("qualifies"),
    )
    return judge(features).verdict, bool(features.supports.origins)


def measure_factuality(folder: Path, limit: int = 0) -> tuple[list[EvaluationFigure], list[str]]:
    """F1 of the true and of the false claims of Factcheck-GPT."""
    try:
        claims = _CLAIMS.validate_python(rows(folder / FACTUALITY, limit))
        passages = _PASSAGES.validate_python(rows(folder / PASSAGES))
    except ValidationError as error:
        raise InputError(f"{folder.name}: a row has no claim with its label or passage") from error
    found: dict[str, list[str]] = {}
    for each in passages:
        found.setdefault(each.claim, []).append(each.evidence)
    pairs: list[tuple[str, str]] = []
    known = tuple(LABELS[PASSAGES].values())
    for each in claims:
        if each.label == _LEFT_OUT:
            continue
        verdict, _ = verdict_of(each.claim, found.get(each.claim, []), known)
        pairs.append((each.label, str(verdict not in ("contradicted", "contested")).lower()))
    return [
        EvaluationFigure(
            set=f"{folder.name}/claims",
            metric=f"f1_{label}",
            value=_f1(pairs, label),
            sample=len(pairs),
            of="claims",
        )
        for label in ("true", "false")
    ], [_shares(folder.name, pairs)]


def measure_climate(folder: Path, limit: int = 0) -> tuple[list[EvaluationFigure], list[str]]:
    """Macro-F1 of the labels of Climate-FEVER's claims."""
    try:
        claims = _CLIMATES.validate_python(rows(folder / CLIMATE, limit))
    except ValidationError as error:
        raise InputError(
            f"{folder.name}: a row has no claim with its label and evidence"
        ) from error
    pairs = [
        (each.claim_label, _climate(each.claim, [own.evidence for own in each.evidences]))
        for each in claims
    ]
    name = f"{folder.name}/claims"
    figures = [
        EvaluationFigure(set=name, metric=metric, value=value, sample=len(pairs), of="claims")
        for metric, value in (("macro_f1", macro_f1(pairs)), ("accuracy", accuracy(pairs)))
    ]
    return figures, [_shares(folder.name, pairs)]


def _climate(claim: str, passages: Sequence[str]) -> str:
    verdict, supported = verdict_of(claim, passages, tuple(LABELS[CLIMATE].values()))
    if verdict in ("contradicted", "contested"):
        return "REFUTES" if verdict == "contradicted" else "DISPUTED"
    return "SUPPORTS" if supported else "NOT_ENOUGH_INFO"


def _f1(pairs: Sequence[tuple[str, str]], label: str) -> float:
    hit = sum(1 for gold, said in pairs if gold == said == label)
    wrong = sum(1 for gold, said in pairs if (gold == label) != (said == label))
    return 2 * hit / (2 * hit + wrong) if hit or wrong else 0.0


def _shares(name: str, pairs: Sequence[tuple[str, str]]) -> str:
    said = sorted({own for _, own in pairs})
    parts = [
        f"{label} right {sum(1 for gold, own in pairs if gold == own == label)}"
        f" of {sum(1 for _, own in pairs if own == label)} said"
        f" and {sum(1 for gold, _ in pairs if gold == label)} there are"
        for label in said
    ]
    return f"{name} claims: {', '.join(parts)}"
