"""Signals as reports."""

from __future__ import annotations

from groundwire.jobs.verify.signal import Signal
from groundwire.model.base import JsonObject
from groundwire.model.run import FINISHED, Run
from groundwire.report.blocks import Quotation, Report, Sheet
from groundwire.report.job import Reporting, Said
from groundwire.report.plain import cut, one_line
from groundwire.report.report_markdown import report_markdown
from groundwire.report.sections import colophon, made, spoken, tongue, without_result
from groundwire.report.signal_markdown import signal_markdown
from groundwire.report.signal_report import signal_card, signal_report
from groundwire.report.signal_sheet import signal_sheet


def _result(run: Run) -> JsonObject:
    """The signal; a run that ended without one says why."""
    if run.result is not None:
        return run.result
    status = run.state if run.state in FINISHED else "failed"
    why = run.error or f"the run is {run.state}"
    return {"run_id": run.id, "status": status, "message": run.input, "error": {"message": why}}


def _markdown(run: Run) -> str:
    if run.result is None:
        return report_markdown(_bare(run))
    return signal_markdown(Signal.model_validate(run.result))


def _said(run: Run) -> Said:
    if run.result is None:
        return Said()
    signal = Signal.model_validate(run.result)
    return Said((*signal.claims, *signal.findings), signal.evidence)


def _sheet(run: Run) -> Sheet:
    return signal_sheet(run.id, None if run.result is None else Signal.model_validate(run.result))


def _report(run: Run) -> Report:
    if run.result is None:
        return _bare(run)
    return signal_report(run)


def _card(run: Run) -> Report | None:
    return _bare(run) if run.result is None else signal_card(run)


def _bare(run: Run) -> Report:
    """A message that was not looked into, and why."""
    text = str(run.input.get("text", ""))
    ours = tongue(spoken(run, text))
    return made(
        run,
        ours,
        title=cut(one_line(text), 120) or run.id,
        blocks=(
            *without_result(run, ours),
            Quotation(text=text, about=str(run.input.get("source", ""))),
            *colophon(run, (), ours),
        ),
    )


REPORTING = Reporting(
    result=_result,
    report=_report,
    markdown=_markdown,
    sheet=_sheet,
    said=_said,
    card=_card,
    noun=Signal,
)
