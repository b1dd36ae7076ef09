"""The exam of a question: items with known answers, and a scorer. A model's marks decide what its answers count for."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable
from typing import Generic

from groundwire.errors import IllegalState
from groundwire.evidence.memory.calibration import interval
from groundwire.llm.prompts import LANGUAGES, folders, load
from groundwire.model.base import JsonObject, Value, fingerprint
from groundwire.model.exam import ExamRow, Grade, Marks, Standing
from groundwire.model.phrase import phrase
from groundwire.reasoning.question import EMBEDDED, I, O, Question
from groundwire.report.waterfall import signed

FEWEST = 12  # items below which marks say nothing
_CERTAIN = 1.959964
_PLACES = 4
KNOWN = "embedded.json"  # beside the items: what the embedded answers score; written by `python -m scripts.embedded_scores`
# What a line of the table takes over from marks.
_OF_MARKS = (
    "score", "low", "high", "ahead_low", "ahead_high", "failures", "cost_micro", "taken_at", "run_id",
)  # fmt: skip


class Item(Value):
    """One item: what is asked, and what a right answer says."""

    id: str
    language: str  # zh, zh-Hant or en
    given: JsonObject  # read by the exam into the question's input
    expect: JsonObject  # read by the exam's scorer


@dataclass(frozen=True)
class Exam(Generic[I, O]):
    """Where the items are, how they are read, and what an answer is worth, in [0, 1]."""

    items: str  # its file: <job or group>/<question>, beside the prompts
    read: Callable[[JsonObject], I]
    score: Callable[[I, O, JsonObject], float]


@dataclass(frozen=True)
class Paper:
    """The items of an exam, and the version of their file."""

    items: tuple[Item, ...]
    version: str


class KnownScores(Value):
    """What the embedded answers score on one version of the items."""

    items: str
    scores: tuple[float, ...]


def names() -> tuple[str, ...]:
    """List every exam, in order."""
    return tuple(
        sorted(
            f"{group}/{file.name.removesuffix('.jsonl')}"
            for group, folder in folders("exams").items()
            for file in folder.iterdir()
            if file.name.endswith(".jsonl")
        )
    )


def paper(name: str) -> Paper:
    """Load the items of an exam; no two may have the same id."""
    group, _, question = name.partition("/")
    folder = folders("exams").get(group)
    if folder is None or not (folder / f"{question}.jsonl").is_file():
        raise IllegalState(f"there is no exam {name!r}")
    return _paper(folder / f"{question}.jsonl")


@cache
def _paper(file: Traversable) -> Paper:
    text = file.read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line.strip())
    items = tuple(Item.model_validate(json.loads(line)) for line in lines)
    if len({item.id for item in items}) != len(items):
        raise IllegalState(f"two items of {file.name} have the same id")
    return Paper(items, hashlib.sha256(text.encode()).hexdigest())


def prompts_version(question: Question[I, O]) -> str:
    """Hash the files of a question's prompt: marks earned under another prompt are void."""
    return fingerprint([load(question.prompt, language).sha256 for language in LANGUAGES])


def score_of(exam: Exam[I, O], given: I, value: O, expect: JsonObject) -> float:
    """Score an answer; a scorer that leaves [0, 1] is a bug."""
    found = exam.score(given, value, expect)
    if not 0.0 <= found <= 1.0:
        raise IllegalState(f"the exam {exam.items} gave a score of {found}")
    return found


def embedded_scores(question: Question[I, O]) -> tuple[float, ...]:
    """Score the embedded answer on every item, once a process."""
    if question.exam is None:
        raise IllegalState(f"{question.prompt} has no exam")
    return _embedded_scores(question, paper(question.exam.items).version)


@cache
def _embedded_scores(question: Question[I, O], _version: str) -> tuple[float, ...]:
    exam = question.exam
    if exam is None:
        return ()
    found: list[float] = []
    for item in paper(exam.items).items:
        given = exam.read(item.given)
        found.append(score_of(exam, given, question.embedded(given), item.expect))
    return tuple(found)


@cache
def _known_scores(group: str) -> Mapping[str, KnownScores]:
    folder = folders("exams").get(group)
    if folder is None or not (folder / KNOWN).is_file():
        return {}
    kept: JsonObject = json.loads((folder / KNOWN).read_text("utf-8"))
    return {name: KnownScores.model_validate(each) for name, each in kept.items()}


def known_scores(question: Question[I, O]) -> tuple[float, ...]:
    """Return the embedded scores that ship with these very items; empty where none do.

    A page waits for nothing: to compute them all takes half a minute.
    """
    if question.exam is None:
        return ()
    group, _, name = question.exam.items.partition("/")
    found = _known_scores(group).get(name)
    if found is None or found.items != paper(question.exam.items).version:
        return ()
    return found.scores


# --- marks -------------------------------------------------------------------------------------


def marked(marks: Marks, scores: Sequence[float], embedded: Sequence[float], reader: str) -> Marks:
    """Return marks with their figures worked out from the scores of both, item by item."""
    ahead = ahead_interval(scores, embedded)
    score = _mean(scores)
    low, high = interval(score, len(scores))
    return marks.model_copy(
        update={
            "reader": reader,
            "count": len(scores),
            "score": score,
            "low": low,
            "high": high,
            "embedded": _mean(embedded),
            "ahead_low": ahead[0],
            "ahead_high": ahead[1],
            "scores": tuple(scores),
        }
    )


def ahead_interval(scores: Sequence[float], embedded: Sequence[float]) -> tuple[float, float]:
    """Return by how much a model is ahead of the embedded answer an item, with 95 % certainty.

    It is the t interval of the paired differences with two more items, one won outright and one
    lost: without them equal differences would have no spread at all, and three lucky items would
    decide. Of items that are right or wrong it then says what the exact sign test says: six won
    and none lost are enough, five are not.
    """
    if len(scores) != len(embedded):
        raise IllegalState("paired scores differ in number")
    differences = [mine - other for mine, other in zip(scores, embedded, strict=True)] + [1.0, -1.0]
    count = len(differences)
    mean = math.fsum(differences) / count
    variance = math.fsum((each - mean) ** 2 for each in differences) / (count - 1)
    half = _student(count - 1) * math.sqrt(variance / count)
    return round(max(-1.0, mean - half), _PLACES), round(min(1.0, mean + half), _PLACES)


def _student(freedom: int) -> float:
    """Return the t quantile for 95 % by Cornish and Fisher: within a hundredth from five degrees on."""
    z = _CERTAIN
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def grade_of(marks: Marks) -> Grade:
    """Return what marks give a model: clearly better decides, clearly worse is not asked."""
    if marks.count < FEWEST:
        return "advises"
    if marks.ahead_low > 0:
        return "decides"
    return "not_asked" if marks.ahead_high < 0 else "advises"


def standing_of(marks: Marks) -> Standing:
    """Return the standing that marks give, with its reason."""
    grade = grade_of(marks)
    code = f"standing.why.{'few' if marks.count < FEWEST else grade}"
    why = phrase(
        code,
        model=marks.model,
        n=marks.count,
        score=f"{marks.score:.2f}",
        embedded=f"{marks.embedded:.2f}",
        low=signed(round(marks.ahead_low, 2)),
        high=signed(round(marks.ahead_high, 2)),
        fewest=FEWEST,
    )
    return Standing(model=marks.model, question=marks.question, grade=grade, why=why, marks=marks)


def embedded_row(question: Question[I, O], items: int, marks: Marks | None) -> ExamRow:
    """Return the line of the embedded answer: from marks that were compared with it, else the scores that ship."""
    row = ExamRow(question=question.prompt, who=EMBEDDED, items=items)
    known = known_scores(question)
    if marks is None and not known:
        return row
    score, count = (_mean(known), len(known)) if marks is None else (marks.embedded, marks.count)
    low, high = interval(score, count)
    return row.model_copy(update={"score": score, "low": low, "high": high})


def row_of(standing: Standing, items: int) -> ExamRow:
    """Return the line of a model."""
    marks = standing.marks
    row = ExamRow(
        question=standing.question,
        who=standing.model,
        items=items,
        grade=standing.grade,
        why=standing.why,
    )
    if marks is None:
        return row
    return row.model_copy(update={name: getattr(marks, name) for name in _OF_MARKS})


def _mean(scores: Sequence[float]) -> float:
    return round(math.fsum(scores) / len(scores), _PLACES) if scores else 0.0
