"""Outcomes of signals: people report them, and calibration is computed from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast, get_args

from groundwire import jobs, plugins
from groundwire.app.part import AppPart
from groundwire.errors import InputError, NotFoundHere
from groundwire.evidence.memory.calibration import FEWEST, brier, fit, pairs_of, reliability
from groundwire.model.base import Value
from groundwire.model.history import JudgedEventRow
from groundwire.model.outcome import (
    Calibration,
    Feedback,
    FeedbackEntry,
    Outcome,
    SourceRecord,
    Tenth,
)
from groundwire.model.phrase import phrase
from groundwire.model.run import FINISHED, Run

OUTCOMES: tuple[str, ...] = get_args(Outcome)
_LONGEST_NOTE = 2_000


class Labelling(Value):
    """What is known of a signal now, what was said of it before, and how many are known."""

    signal: JudgedEventRow
    history: tuple[Feedback, ...]  # newest first; the first one holds
    labels: int
    fewest: int = FEWEST


class CalibrationReport(Value):
    """What confidences were worth so far; `calibration` is None below `fewest` labels."""

    labels: int
    fewest: int = FEWEST
    brier: float | None = None
    brier_calibrated: float | None = None  # of the same labels, after the steps below
    reliability: tuple[Tenth, ...] = ()
    calibration: Calibration | None = None
    sources: tuple[SourceRecord, ...] = ()


class Judgements(AppPart):
    """Judged events and their outcomes."""

    async def label(self, name: str, outcome: str, *, by: str, note: str = "") -> Labelling:
        """Record the outcome of a signal; of several, the newest counts."""
        if outcome not in OUTCOMES:
            raise plugins.unknown("noun.outcome", outcome, OUTCOMES)
        text = note.strip()
        if len(text) > _LONGEST_NOTE:
            raise InputError("error.note_too_long", n=len(text), most=_LONGEST_NOTE)
        run = await self._run(name)
        now = self._app.clock()
        row = await self._app.store.signals.feedback(
            Feedback(run_id=run.id, outcome=cast(Outcome, outcome), by=by, note=text, at=now)
        )
        history = await self._app.store.signals.history(run.id)
        labels = await self._app.store.signals.labelled(now)
        return Labelling(signal=row, history=tuple(history), labels=len(labels))

    async def calibration(self) -> CalibrationReport:
        """Compute the calibration anew from every label, so that it can be checked by hand."""
        from groundwire.evidence.memory.calibration import Pair, apply

        now = self._app.clock()
        labelled = await self._app.store.signals.labelled(now)
        pairs = pairs_of(labelled)
        fitted = fit(pairs, now)
        after = [Pair(apply(fitted, pair.score), pair.value) for pair in pairs]
        return CalibrationReport(
            labels=len(labelled),
            brier=brier(pairs),
            brier_calibrated=brier(after) if fitted is not None else None,
            reliability=reliability(pairs),
            calibration=fitted,
            sources=tuple(await self._app.store.signals.sources(now)),
        )

    async def _run(self, name: str) -> Run:
        """Find the run by its name; `last` is the last one that verified something."""
        kind = jobs.for_messages()[0].kind
        if name == "last":
            found = await self._app.runs.recent(limit=1, kind=kind)
            if not found:
                raise NotFoundHere("error.nothing_verified", hint="hint.signal_first", job=kind)
            run = found[0]
        else:
            run = await self._app.runs.find(name)
        if jobs.find(run.kind).leaves is None:
            raise InputError(
                "error.no_signal_kind",
                run=run.id,
                kind=run.kind,
                hint="hint.list_signals",
                job=kind,
            )
        if run.state not in FINISHED:
            state = phrase(f"state.{run.state}")
            raise InputError("error.no_signal_yet", run=run.id, state=state, hint="hint.follow")
        return run

    async def recent(self, limit: int = 20, owner: str | None = None) -> Sequence[JudgedEventRow]:
        """List the newest first; of one owner's runs only, where one is named."""
        return await self._app.store.signals.recent(limit, owner)

    async def feedback(self, limit: int = 20, owner: str | None = None) -> Sequence[FeedbackEntry]:
        """List the latest feedback that people gave, newest first."""
        return await self._app.store.signals.recent_feedback(limit, owner)

    async def history(self, run_id: str) -> Sequence[Feedback]:
        """List all feedback on the event that a run judged, newest first."""
        return await self._app.store.signals.history(run_id)
