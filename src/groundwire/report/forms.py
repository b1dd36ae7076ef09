"""The forms in which a run can be exported. A job adds its own in its `REPORT`.

A renderer is imported when its form is asked for: some take a while.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from groundwire.errors import InputError

if TYPE_CHECKING:
    from groundwire.model.run import Run
    from groundwire.report.reporting import JobReport

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@dataclass(frozen=True)
class Form:
    """How files of a form are named, what they are, and how one is made of a run."""

    suffix: str
    media_type: str
    render: Callable[[Run, JobReport], bytes]
    # Whether runs of a job have it: not every result has a picture.
    fits: Callable[[JobReport], bool] = lambda _job: True

    @property
    def is_text(self) -> bool:
        """Whether it can be shown on a terminal."""
        return "charset" in self.media_type


def _report(module: str, run: Run, job: JobReport) -> bytes:
    """Render a run's report with `render` of a module of this package."""
    rendered: bytes = import_module(f"groundwire.report.{module}").render(job.report(run))
    return rendered


def _png(run: Run, job: JobReport) -> bytes:
    """Draw the picture of a result, at twice the pixels of a screen."""
    from groundwire.report.press import render

    shown = job.picture(run) if job.picture else None
    if shown is None:
        raise InputError("error.no_form_picture", kind=run.kind, hint="hint.forms_with_pages")
    return render(shown, "card", "png")


def _json(run: Run, job: JobReport) -> bytes:
    return f"{json.dumps(job.result(run), ensure_ascii=False, indent=2)}\n".encode()


def _csv(run: Run, job: JobReport) -> bytes:
    from groundwire.report import csv

    return csv.render(job.sheet(run))


FORMS: Mapping[str, Form] = {
    "md": Form(".md", "text/markdown; charset=utf-8", partial(_report, "markdown")),
    "html": Form(".html", "text/html; charset=utf-8", partial(_report, "html")),
    "pdf": Form(".pdf", "application/pdf", partial(_report, "press")),
    "docx": Form(".docx", WORD, partial(_report, "docx")),
    "png": Form(".png", "image/png", _png, fits=lambda job: job.picture is not None),
    "json": Form(".json", "application/json; charset=utf-8", _json),
    "csv": Form(".csv", "text/csv; charset=utf-8", _csv),
}
