"""What a job says about its runs as reports, and how that of a run is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from groundwire import plugins

if TYPE_CHECKING:
    from groundwire.jobs.verify.signal import SignalClaim
    from groundwire.model.base import JsonObject
    from groundwire.model.result import EvidenceView, Sentence
    from groundwire.model.run import Run
    from groundwire.report.blocks import Report, Sheet

JOBS = plugins.load("groundwire.report.jobs")
_PLAIN = "tool"  # of a job that has no file of its own


@dataclass(frozen=True)
class Said:
    """The checked sentences of a result, and the evidence that they cite."""

    sentences: tuple[Sentence | SignalClaim, ...] = ()
    evidence: tuple[EvidenceView, ...] = ()


def nothing_said(_run: Run) -> Said:
    """Of a job whose result cites nothing."""
    return Said()


def no_picture(_run: Run) -> Report | None:
    """Of a job whose result has no picture."""
    return None


@dataclass(frozen=True)
class Reporting:
    """Declared as `REPORTING` by each file of `jobs/`. Each works on a run without a result too."""

    result: Callable[[Run], JsonObject]  # what it gave, or in the same manner why not
    report: Callable[[Run], Report]
    markdown: Callable[[Run], str]
    sheet: Callable[[Run], Sheet]  # for spreadsheets, one row for each citation
    said: Callable[[Run], Said] = nothing_said
    card: Callable[[Run], Report | None] = no_picture  # what its picture shows
    noun: type[BaseModel] | None = None  # that a result must be for all of these; None: any will do

    @property
    def pictured(self) -> bool:
        return self.card is not no_picture


def reporting(kind: str) -> Reporting:
    """That of a job's runs."""
    found: Reporting = JOBS[kind if kind in JOBS else _PLAIN].REPORTING
    return found


def understood(run: Run) -> bool:
    """Whether its job can read the result: another version may have stored another shape."""
    noun = reporting(run.kind).noun
    if noun is None or run.result is None:
        return True
    try:
        noun.model_validate(run.result)
    except ValidationError:
        return False
    return True


def reporting_of(run: Run) -> Reporting:
    """That of its job, or the plain one where its job cannot read the result."""
    return reporting(run.kind if understood(run) else _PLAIN)
