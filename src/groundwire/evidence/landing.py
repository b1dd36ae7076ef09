"""What a finished signal leaves behind: its row in the memory of events."""

from __future__ import annotations

from groundwire.errors import InputError
from groundwire.evidence.urls import host_of, registrable_domain
from groundwire.model.signal import Landing, Signal, SignalEvidence, Witness

_CALIBRATION = "calibration"  # the row of the waterfall that `evidence.confidence` adds last


def landing(signal: Signal, *, rolled_in: bool = True) -> Landing:
    """A signal as it is remembered; `rolled_in`: its message was within the rollout's share."""
    before = signal.preliminary
    twin = next((each for each in signal.memory if each.run_id == signal.duplicate_of), None)
    return Landing(
        message_id=signal.message.id,
        source=signal.message.source,
        text=signal.message.text,
        summary=signal.summary,
        event_type=signal.event_type,
        asset=signal.asset,
        assets=before.assets,
        asset_name=signal.asset_name,
        keywords=before.keywords,
        profile=before.profile,
        preliminary=before.confidence,
        score=_uncalibrated(signal),
        confidence=signal.confidence,
        verdict=signal.verdict,
        path=signal.path,
        risk_flags=signal.risk_flags,
        evidence=tuple(_witness(each) for each in signal.evidence),
        rolled_in=rolled_in,
        tool_calls=len(signal.tools),
        duplicate_of=signal.duplicate_of,
        similarity=1.0 if twin is None else twin.similarity,
        why=f"run {signal.duplicate_of} told of the same event" if signal.duplicate_of else "",
    )


def _uncalibrated(signal: Signal) -> float:
    """Calibration is fitted on what it corrects, not on its own corrections."""
    rows = [row.delta for row in signal.waterfall if row.rule == _CALIBRATION]
    return round(min(1.0, max(0.0, signal.confidence - sum(rows))), 6)


def _witness(evidence: SignalEvidence) -> Witness:
    return Witness(
        evidence_id=evidence.id,
        document_id=evidence.document_id,
        domain=_domain(evidence.url),
        stance=evidence.stance,
    )


def _domain(url: str) -> str:
    try:
        return registrable_domain(host_of(url))
    except InputError:
        return ""
