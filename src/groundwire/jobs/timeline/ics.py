"""A timeline as a calendar: what happened and what is due, each as the days that it may stand for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from groundwire.errors import InputError
from groundwire.jobs.timeline.result import Node, TimelineResult
from groundwire.model.run import Run
from groundwire.report.forms import Form
from groundwire.report.plain import one_line
from groundwire.report.reporting import JobReport

_LINE = 73  # bytes, after which a line is folded: 75 with what folding adds
_SPECIAL = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,"})
_STATUS = {
    "happened": "CONFIRMED",
    "planned": "TENTATIVE",
    "due": "TENTATIVE",
    "denied": "CANCELLED",
}


def render(run: Run, job: JobReport) -> bytes:
    """Write the nodes as events of whole days; a year is a year long, not 1 January."""
    if job.noun is not TimelineResult:
        raise InputError("timeline.no_calendar", kind=run.kind, hint="hint.forms_with_pages")
    nodes = TimelineResult.model_validate(run.result).nodes if run.result else ()
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Groundwire//timeline//EN"]
    for node in nodes:
        lines += _event(node, run)
    lines.append("END:VCALENDAR")
    return "".join(f"{folded}\r\n" for line in lines for folded in _folded(line)).encode()


def _event(node: Node, run: Run) -> Iterator[str]:
    after = node.interval.end + timedelta(days=1)
    told = " ".join(each.text for each in node.description)
    cited = (each for said in node.description for each in said.citations)
    addresses = dict.fromkeys(each.url for each in cited)
    yield "BEGIN:VEVENT"
    yield f"UID:{node.id}@groundwire"  # the same in every run that tells it: calendars replace it
    yield f"DTSTAMP:{run.now:%Y%m%dT%H%M%SZ}"
    yield f"DTSTART;VALUE=DATE:{node.interval.begin:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{after:%Y%m%d}"
    yield f"SUMMARY:{_text(node.title)}"
    yield f"DESCRIPTION:{_text(' '.join((told, *addresses)))}"
    yield f"CATEGORIES:{_text(node.thread)}"
    yield f"STATUS:{_STATUS[node.standing]}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _text(text: str) -> str:
    return one_line(text).translate(_SPECIAL)


def _folded(line: str) -> Iterator[str]:
    """Fold a line between characters so that no part is too long; the parts go on after a space."""
    part, size, lead = "", 0, ""
    for char in line:
        width = len(char.encode())
        if size + width > _LINE:
            yield lead + part
            part, size, lead = "", 0, " "
        part += char
        size += width
    yield lead + part


ICS = Form(".ics", "text/calendar; charset=utf-8", render)
