"""A run in each of its forms. A renderer is imported when a form asks for it: some take a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.errors import InputError
from groundwire.report.job import reporting_of

if TYPE_CHECKING:
    from groundwire.model.run import Run

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def markdown(run: Run) -> bytes:
    return reporting_of(run).markdown(run).encode()


def html(run: Run) -> bytes:
    from groundwire.report import html

    return html.render(reporting_of(run).report(run))


def pdf(run: Run) -> bytes:
    from groundwire.report import pdf

    return pdf.render(reporting_of(run).report(run))


def docx(run: Run) -> bytes:
    from groundwire.report import docx

    return docx.render(reporting_of(run).report(run))


def png(run: Run) -> bytes:
    from groundwire.report import png

    card = reporting_of(run).card(run)
    if card is None:
        raise InputError(
            f"a run of {run.kind} has no picture", hint="take another form: html, pdf, docx or md"
        )
    return png.render(card)


def json(run: Run) -> bytes:
    import json

    text = json.dumps(reporting_of(run).result(run), ensure_ascii=False, indent=2)
    return f"{text}\n".encode()


def csv(run: Run) -> bytes:
    from groundwire.report import csv

    return csv.render(reporting_of(run).sheet(run))
