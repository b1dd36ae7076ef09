"""Exams for people: the table of marks, and who decided in a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from groundwire.model.call import MICRO
from groundwire.model.exam import ExamRow, question_name
from groundwire.report import blocks
from groundwire.report.plain import day
from groundwire.report.sections import section

if TYPE_CHECKING:
    from groundwire.model.result import Decided
    from groundwire.words import Words

_EMBEDDED = "embedded"
_COLUMNS = ("question", "who", "score", "ahead", "grade", "cost", "taken")


def head(say: Words) -> tuple[str, ...]:
    """Return the heads of the table of marks."""
    return tuple(say(f"marks.column.{name}") for name in _COLUMNS)


def cells(row: ExamRow, say: Words) -> tuple[str, ...]:
    """Return one line of the table of marks, under its heads."""
    return (
        asked(row.question, say),
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
    """Say what the answers count for; a model without marks, why it has none."""
    if row.score is None and row.why is None:
        return say("standing.grade.none")
    if row.grade is None:
        return ""
    if row.score is None and row.why is not None:
        return say.phrase(row.why)
    return say.name("standing.grade", row.grade)


def _score(row: ExamRow) -> str:
    if row.score is None or row.low is None or row.high is None:
        return "–"
    return f"{row.score:.2f} ({row.low:.2f}–{row.high:.2f}, n={row.items})"


def _ahead(row: ExamRow) -> str:
    if row.ahead_low is None or row.ahead_high is None:
        return ""
    return f"{row.ahead_low:+.2f} … {row.ahead_high:+.2f}"


def marks_table(rows: Sequence[ExamRow], say: Words) -> blocks.Table:
    return blocks.Table(head=head(say), rows=tuple(cells(row, say) for row in rows))


def decided(found: Sequence[Decided], say: Words) -> Iterator[blocks.Block]:
    """Tell who decided, one line for each question; nothing where nothing hung on it."""
    items = (
        blocks.Statement(
            text=f"{asked(each.question, say)}{say('list.colon')}{who(each.by, say)}",
            word=say.name("standing.grade", each.vote),
            about=say.phrases(each.why),
        )
        for each in found
    )
    yield from section("decided", say("report.decided"), items)
