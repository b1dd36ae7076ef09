"""The latest answers: the question, how it begins, what it rests on."""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.doors.ui.finished import latest, read
from groundwire.doors.ui.section import Section
from groundwire.doors.ui.visits import Visit
from groundwire.jobs.ask.answer import AskResult

_SHOWN = 4


async def _load(visit: Visit) -> Mapping[str, object]:
    runs = await latest(visit, "ask", _SHOWN)
    return {"answers": [(run, read(AskResult, run)) for run in runs]}


SECTION = Section(name="answers", place=30, template="sections/answers.html", load=_load)
