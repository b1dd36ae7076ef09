"""Exams as reports: the table of marks, and why each model has its standing."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.jobs.exam.job import ExamResult
from groundwire.model.run import Run
from groundwire.report import blocks, exams, sections
from groundwire.report.csv import Sheet
from groundwire.report.data import result_of
from groundwire.report.plain import usd
from groundwire.report.reporting import JobReport
from groundwire.words import Words, words

_HEAD = (
    "run", "question", "who", "items", "score", "low", "high", "ahead_low", "ahead_high", "grade",
    "failures", "cost_micro", "taken_at",
)  # fmt: skip


def _result(run: Run) -> ExamResult | None:
    return None if run.result is None else ExamResult.model_validate(run.result)


def _report(run: Run, language: str = "") -> blocks.Report:
    say = words(language or sections.language_of(run, ""))
    found = _result(run)
    return sections.build_report(
        run,
        say,
        title=str(run.input.get("model") or say("exam.everybody")),
        meta=(say.name("state", run.state),),
        blocks=(
            *sections.without_result(run, say),
            *(() if found is None else _blocks(found, say)),
            *sections.colophon(run, _facts(found, say), say),
        ),
    )


def _blocks(found: ExamResult, say: Words) -> Iterator[blocks.Block]:
    yield exams.marks_table(found.rows, say)
    yield blocks.Paragraph(spans=(blocks.TextSpan(text=_total(found, say)),))
    # One reason for several questions is said once.
    asked: dict[str, list[str]] = {}
    for row in found.rows:
        if row.why is not None:
            asked.setdefault(say.phrase(row.why), []).append(exams.asked(row.question, say))
    reasons = (
        blocks.Statement(text=say.listed(dict.fromkeys(names)), about=why)
        for why, names in asked.items()
    )
    yield from sections.section("why", say("exam.reasons"), reasons)


def _total(found: ExamResult, say: Words) -> str:
    """Say what the run cost in all: exams that were marked before, and their cost, are not in it."""
    sat = [row for row in found.rows if row.run_id == found.run_id]
    items = sum(row.items for row in sat)
    return say("exam.total", n=len(sat), items=items, usd=usd(found.cost.usd))


def _facts(found: ExamResult | None, say: Words) -> Iterator[blocks.Fact]:
    if found is not None:
        yield blocks.Fact(name=say("report.label.cost"), value=sections.spent(found.cost, say))


def _sheet(run: Run) -> Sheet:
    found = _result(run)
    rows = () if found is None else found.rows
    values = (row.model_dump(mode="json") for row in rows)
    return Sheet(
        head=_HEAD,
        rows=tuple((run.id, *(value[name] for name in _HEAD[1:])) for value in values),
    )


REPORT = JobReport(result=result_of, report=_report, sheet=_sheet, noun=ExamResult)
