"""What a job declares about its runs as reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from pydantic import BaseModel

    from groundwire.model.base import Json, JsonObject
    from groundwire.model.event import Event
    from groundwire.model.phrase import Phrase
    from groundwire.model.result import Degraded, EvidenceView, Gap, Sentence
    from groundwire.model.run import Run
    from groundwire.model.source import Document
    from groundwire.report.blocks import Block, NextStep, Report
    from groundwire.report.csv import Sheet
    from groundwire.report.forms import Form
    from groundwire.words import Words


class CitedText(NamedTuple):
    """The checked sentences of a result, and the evidence that they cite."""

    sentences: tuple[Sentence, ...] = ()
    evidence: tuple[EvidenceView, ...] = ()


class Failure(NamedTuple):
    """Why a run has nothing to show, in one sentence, and what to do."""

    message: str
    hint: str = ""


def ended_without(run: Run) -> Phrase:
    """Return why a run has no result: its error, else its state."""
    from groundwire.model.phrase import phrase, phrase_kept

    if run.error:
        return phrase_kept(run.error)
    return phrase("run.is", state=phrase(f"state.{run.state}"))


def why_without_result(run: Run) -> Failure | None:
    """Explain why a run ended without a result; None: it has one."""
    if run.result is not None:
        return None
    from groundwire.report.data import about
    from groundwire.report.sections import language_of
    from groundwire.words import words

    say = words(language_of(run, about(run.input, run.kind)))
    why = say.phrase(ended_without(run))
    return Failure(why, say("hint.resume_run", run=run.id))


def why_failed(
    run: Run, language: str, gaps: Sequence[Gap], degraded: Sequence[Degraded]
) -> Failure:
    """Explain in one sentence why a run has a result that failed, with whatever failed first."""
    from groundwire.words import words

    say = words(language)
    gap = gaps[0] if gaps else None
    why = say.stored(run.error) or (say(gap.why, **gap.params) if gap else say("error.run_failed"))
    if not run.error and degraded:
        first = degraded[0]
        failed = f"{say.part(first.part)}{say('list.colon')}{say(first.reason, **first.params)}"
        why = say.phrases((why, failed))
    return Failure(why, say("hint.resume_run", run=run.id))


class MakeReport(Protocol):
    """Makes the report of a run, in its own language where no reader's is given."""

    def __call__(self, run: Run, language: str = "") -> Report: ...


@dataclass(frozen=True)
class JobReport:
    """Declared as `REPORT` in `jobs/<name>/report.py`; each part also works without a result."""

    result: Callable[[Run], JsonObject]  # its result, or in the same form why there is none
    report: MakeReport
    sheet: Callable[[Run], Sheet]  # for spreadsheets, one row for each citation
    cites: Callable[[Run], CitedText] = lambda _run: CitedText()
    picture: Callable[[Run], Report | None] | None = None  # what its picture shows, if it has one
    # What its own events have told so far, shown until there is a result.
    so_far: Callable[[Sequence[Event], Words], Iterable[Block]] = lambda _events, _say: ()
    noun: type[BaseModel] | None = None  # the type that a result must have; None: any will do
    # What programs know a run by, and what they read of its result; None: the report as text.
    name: Callable[[Run], str] = lambda run: run.kind
    values: Callable[[Run], Json] | None = None
    failure: Callable[[Run], Failure | None] = why_without_result
    next_steps: Callable[..., Sequence[NextStep]] | None = None  # of a run that ended
    page: Callable[[Run], Document | None] = lambda _run: None  # the one page that it was to read
    forms: Mapping[str, Form] = field(default_factory=dict["str", "Form"])  # of its own, by name
