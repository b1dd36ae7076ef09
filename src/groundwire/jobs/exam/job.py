"""exam: models sit the exams of questions, and what their answers count for is kept."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from groundwire import plugins
from groundwire.context import Context
from groundwire.jobs import Job, examined
from groundwire.model.base import JsonObject, Value
from groundwire.model.exam import ExamRow
from groundwire.model.result import Cost
from groundwire.reasoning.exam import embedded_row, paper, row_of


class ExamInput(Value):
    """Who sits which exams."""

    model: str = Field(default="", description="vendor:model, or a tier; empty: every model")
    questions: tuple[str, ...] = Field(default=(), description="empty: every question with an exam")
    again: bool = Field(default=False, description="also where there are valid marks")

    @model_validator(mode="after")
    def _check_questions(self) -> Self:
        known = [each.prompt for each in examined()]
        for name in self.questions:
            if name not in known:
                raise plugins.unknown("noun.question", name, known)
        return self


class ExamResult(Value):
    """The table of marks: for each question the embedded answer first, then the models."""

    run_id: str
    status: Literal["complete", "degraded", "failed"]
    rows: tuple[ExamRow, ...]
    cost: Cost = Field(default_factory=Cost)
    latency_ms: int = 0


async def run(context: Context, given: ExamInput) -> ExamResult:
    rows: list[ExamRow] = []
    for question in examined():
        if question.exam is None or (given.questions and question.prompt not in given.questions):
            continue
        found = await context.examine(question, given.model, again=given.again)
        marks = next((each.marks for each in found if each.marks), None)
        items = len(paper(question.exam.items).items)
        rows.append(embedded_row(question, items, marks))
        rows += [row_of(each, items) for each in found]
    graded = [each for each in rows if each.grade is not None]
    unmarked = [each for each in graded if each.score is None]
    return ExamResult(
        run_id=context.run_id, status=_status(len(graded), len(unmarked)), rows=tuple(rows)
    )


def _status(graded: int, unmarked: int) -> Literal["complete", "degraded", "failed"]:
    """Return the status: failed where no exam could be finished, so that the run can be resumed."""
    if not unmarked:
        return "complete"
    return "failed" if unmarked == graded else "degraded"


def draw() -> str:
    return "graph TD;\n  start([start]) --> exam --> finish([end]);\n"


def text(given: JsonObject) -> str:
    return " ".join([given["model"] or "exam", *given["questions"]])


JOB = Job(kind="exam", input=ExamInput, result=ExamResult, run=run, draw=draw, text=text)
