"""The latest signals: time, verdict, confidence, asset, sentence."""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.model.signal import Signal
from groundwire.ui.finished import latest, read
from groundwire.ui.section import Section
from groundwire.ui.visits import Visit


async def _load(visit: Visit) -> Mapping[str, object]:
    runs = await latest(visit, "verify")
    return {"signals": [(run, read(Signal, run)) for run in runs]}


SECTION = Section(name="signals", place=20, template="sections/signals.html", load=_load)
