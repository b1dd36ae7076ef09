"""The latest signals: time, verdict, confidence, asset, sentence."""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.doors.ui.finished import latest, read
from groundwire.doors.ui.section import Section
from groundwire.doors.ui.visits import Visit
from groundwire.jobs.verify.signal import Signal


async def _load(visit: Visit) -> Mapping[str, object]:
    runs = await latest(visit, "verify")
    return {"signals": [(run, read(Signal, run)) for run in runs]}


SECTION = Section(name="signals", place=20, template="sections/signals.html", load=_load)
