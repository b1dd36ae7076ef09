"""Answers of the embedded reasoner: right, wrong or missing, for each set and its language.

A set is a folder with `docs.jsonl` (url, title, text) and `questions.jsonl` (id, question, answers). Its documents
are put into an empty archive, and every question is asked of the app itself, offline and without a model. An answer
is right if an accepted answer stands in a sentence that is shown with its citation, wrong if sentences are shown and
none has it, missing if nothing is shown.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from pathlib import Path

from pydantic import BaseModel

from groundwire.jobs.ask.answer import AskResult
from groundwire.language.text.characters import detect_language, simplify
from lab.archives import document, fresh_app
from lab.evaluation.figures import (
    EvaluationFigure,
    Measured,
    Part,
    collected,
    mean_of,
    rows_as,
    sets_in,
)
from lab.evaluation.kinds.retrieval import MOMENT

_AT_ONCE = 4
_MARKS = re.compile(r"[\W_]+")
_OUTCOMES = ("right", "wrong", "missing")


class Doc(BaseModel):
    """A page of the archive."""

    url: str
    title: str
    text: str


class Asked(BaseModel):
    """A question and the answers that count as right."""

    id: str
    question: str
    answers: list[str]


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Measure every set in the folder; `limit` bounds the questions of each."""
    parts = [await _measure_set(path, limit) for path in sets_in(folder, "questions.jsonl")]
    return collected("ask", parts, limit)


async def _measure_set(folder: Path, limit: int) -> Part:
    docs = rows_as(Doc, folder / "docs.jsonl", 0, "url, title and text")
    rows = rows_as(Asked, folder / "questions.jsonl", limit, "id, question and answers")
    questions = [each for each in rows if each.question.strip()]
    async with fresh_app(offline=True) as app:
        stored = [
            document(
                each.url,
                each.title,
                each.text,
                MOMENT,
                language=detect_language(each.text),
                media_type="text/plain",
            )
            for each in docs
        ]
        await app.store.index.add(stored)
        slots = asyncio.Semaphore(_AT_ONCE)

        async def ask(asked: Asked) -> AskResult:
            async with slots:
                return await app.result(await app.run("ask", question=asked.question))

        results = await asyncio.gather(*map(ask, questions))
    judged = [judge(result, each.answers) for result, each in zip(results, questions, strict=True)]
    empty = len(rows) - len(questions)
    notes = [f"{folder.name}: {empty} without a question left out"] if empty else []
    return _figures(folder.name, questions, judged), notes


def _figures(name: str, questions: list[Asked], judged: list[str]) -> list[EvaluationFigure]:
    language = detect_language(" ".join(each.question for each in questions))
    note = f"{language}, {len(questions)} questions"
    return [
        mean_of(name, outcome, [float(each == outcome) for each in judged], "questions", note)
        for outcome in _OUTCOMES
    ]


def judge(result: AskResult, accepted: list[str]) -> str:
    """Say whether an answer is right, wrong or missing."""
    shown = [sentence for sentence in result.answer if sentence.citations]
    if not shown:
        return "missing"
    texts = [flat(each.text) for each in shown]
    wanted = [flat(each) for each in accepted]
    return "right" if any(w and w in text for w in wanted for text in texts) else "wrong"


def flat(text: str) -> str:
    """Reduce a text to what two copies share, whatever their script, width, case or punctuation."""
    return _MARKS.sub("", simplify(unicodedata.normalize("NFKC", text)).lower())
