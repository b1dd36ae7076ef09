"""Where a reader can go from a finished run: a further question, the same again but deeper, one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire import jobs
from groundwire.model.run import FINISHED
from groundwire.report.plain import one_line

if TYPE_CHECKING:
    from groundwire.model.base import JsonObject
    from groundwire.model.run import Run


@dataclass(frozen=True)
class Further:
    """A job that can take a run further; what it still needs is the subject, where `given` lacks it."""

    kind: str
    subject: str  # the field of its input that a person types
    given: JsonObject


def follow_ups(run: Run) -> tuple[Further, ...]:
    """List the jobs that take a further question on a run, in the order of the command bar."""
    if run.state not in FINISHED:
        return ()
    given = ((job, job.follow_up(run)) for job in _in_order() if job.follow_up is not None)
    return tuple(Further(job.kind, job.subject, each) for job, each in given if each)


def deeper(run: Run) -> Further | None:
    """Return the input that looks further into the same; None: there is nothing deeper."""
    job = jobs.find(run.kind) if run.kind in jobs.kinds() else None
    if job is None or job.deeper is None or run.state not in FINISHED:
        return None
    given = job.deeper(run)
    return Further(job.kind, job.subject, given) if given else None


def for_sentences(run: Run) -> tuple[str, ...]:
    """List the jobs that can look into a sentence of a finished run."""
    if run.state not in FINISHED:
        return ()
    return tuple(job.kind for job in _in_order() if job.on_sentence is not None)


def on_sentence(kind: str, sentence: str, run: Run) -> JsonObject:
    """Return the input of a job for one sentence of a run; {}: it has no use for it."""
    job = next((each for each in _in_order() if each.kind == kind), None)
    if job is None or job.on_sentence is None:
        return {}
    stated = jobs.report_of(run).cites(run).sentences
    citations = (each.citations for each in stated if one_line(each.text) == sentence)
    dates = (cited.published_at for group in citations for cited in group)
    return job.on_sentence(sentence, max((each for each in dates if each), default=None))


def _in_order() -> list[jobs.Job]:
    return sorted(jobs.offered(), key=lambda job: (job.bar.place, job.kind))
