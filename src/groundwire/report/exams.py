"""Exams for people: the table of marks, and who decided in a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from groundwire.model.call import MICRO
from groundwire.model.exam import ExamRow, question_name
from groundwire.report import blocks
from groundwire.report.plain import day
from groundwire.report.sections import section
from groundwire.report.waterfall import signed

if TYPE_CHECKING:
    from groundwire.model.result import Decided
    from groundwire.words import Words

_EMBEDDED = "embedded"
_COLUMNS = ("question", "embedded", "who", "score", "ahead", "grade", "cost", "taken")


def head(say: Words) -> tuple[str, ...]:
    """Return the heads of the table of marks."""
    return tuple(say(f"marks.column.{name}") for name in _COLUMNS)


class Line(NamedTuple):
    """One line of the table of marks: a model beside the embedded answer to the same question."""

    question: str
    cells: tuple[str, ...]  # under the heads
    run_id: str


def lines(rows: Sequence[ExamRow], say: Words) -> list[Line]:
    """Set each model beside the embedded answer; a question with several models is named once."""
    found: list[Line] = []
    for question, group in groupby(rows, key=lambda row: row.question):
        held = list(group)
        own = next((row for row in held if row.who == _EMBEDDED), held[0])
        name = f"{asked(question, say)} (n={own.items})"
        models = [row for row in held if row.who != _EMBEDDED]
        firsts = [(name, _score(own)), *[("", "")] * len(models)]
        found += [
            Line(question, (*first, *_about(row, say)), row.run_id)
            for first, row in zip(firsts, models, strict=False)
        ]
        if not models:
            found.append(Line(question, (*firsts[0], *[""] * (len(_COLUMNS) - 2)), ""))
    return found


def _about(row: ExamRow, say: Words) -> tuple[str, ...]:
    return (
        who(row.who, say),
        _score(row),
        _ahead(row),
        grade(row, say),
        f"${row.cost_micro / MICRO:.4f}" if row.taken_at else "",
        day(row.taken_at) or "",
    )


def asked(question: str, say: Words) -> str:
    """Name a question; one without words by its prompt."""
    return say.maybe(question_name(question).code, question)


def who(name: str, say: Words) -> str:
    return say("report.embedded") if name == _EMBEDDED else name


def grade(row: ExamRow, say: Words) -> str:
    """Say what a model's answers count for."""
    if row.score is None or row.grade is None:
        # Why stands once, below the table.
        return say("standing.grade.none" if row.why is None else "standing.grade.failed")
    return say.name("standing.grade", row.grade)


def _score(row: ExamRow) -> str:
    if row.score is None or row.low is None or row.high is None:
        return "–"
    return f"{row.score:.2f} ({row.low:.2f}–{row.high:.2f})"


def _ahead(row: ExamRow) -> str:
    if row.ahead_low is None or row.ahead_high is None:
        return ""
    return f"{signed(round(row.ahead_low, 2))} … {signed(round(row.ahead_high, 2))}"


def marks_table(rows: Sequence[ExamRow], say: Words) -> blocks.Table:
    """Return the table as a run shows it: by how much it is ahead stands with the reasons."""
    shown = [place for place, name in enumerate(_COLUMNS) if name not in ("ahead", "taken")]

    def of_run(cells: Sequence[str]) -> tuple[str, ...]:
        return tuple(cells[place] for place in shown)

    return blocks.Table(
        head=of_run(head(say)), rows=tuple(of_run(each.cells) for each in lines(rows, say))
    )


def decided(found: Sequence[Decided], say: Words) -> Iterator[blocks.Block]:
    """Tell who decided, one line for each question; nothing where nothing hung on it."""
    items = (
        blocks.Statement(
            # A vote is no judgement of a page: it has no colour, no shape, and is said everywhere.
            text=f"{asked(each.question, say)}{say('list.colon')}{who(each.by, say)}"
            f" · {say.name('standing.grade', each.vote)}",
            about=say.phrases(each.why),
        )
        for each in found
    )
    yield from section("decided", say("report.decided"), items)
