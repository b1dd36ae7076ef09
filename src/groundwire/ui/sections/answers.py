"""The latest answers: the question, how it begins, what it rests on."""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.model.result import AskResult
from groundwire.ui.finished import latest, read
from groundwire.ui.section import Section
from groundwire.ui.visits import Visit

_SHOWN = 4


async def _load(visit: Visit) -> Mapping[str, object]:
    runs = await latest(visit, "ask", _SHOWN)
    return {"answers": [(run, read(AskResult, run)) for run in runs]}


SECTION = Section(name="answers", place=30, template="sections/answers.html", load=_load)
