"""What the toy counted, as a report."""

from __future__ import annotations

from groundwire.model.run import Run
from groundwire.report.blocks import Heading, Paragraph, Report, TextSpan
from groundwire.report.data import data_report, data_sheet, result_of
from groundwire.report.reporting import JobReport


def _report(run: Run, language: str = "") -> Report:
    plain = data_report(run, language)
    if run.result is None:
        return plain
    counted = f"{run.result['said']}: {run.result['count']}"
    blocks = (Heading(text="Counted", name="counted"), Paragraph(spans=(TextSpan(text=counted),)))
    return plain.model_copy(update={"blocks": blocks})


REPORT = JobReport(result=result_of, report=_report, sheet=data_sheet)
