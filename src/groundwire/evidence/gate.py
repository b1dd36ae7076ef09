"""Which messages from intake are worth looking into: the high-value gate, and the rollout behind it."""

from __future__ import annotations

import hashlib

from groundwire.evidence.profiles import Profile
from groundwire.model.base import Noun
from groundwire.model.signal import Preliminary

THRESHOLD = 0.75
_BUCKETS = 10_000  # a hundredth of a percent each


class Gated(Noun):
    """Whether a message goes on, and why, in words."""

    passed: bool
    reason: str


def is_high_value(
    preliminary: Preliminary, profile: Profile, threshold: float = THRESHOLD
) -> Gated:
    """Types that always go deep, then those that never do, then the confidence.

    `threshold` is that of the message's source: priority channels have their own.
    """
    kind = preliminary.event_type
    if kind in profile.gate.always:
        return Gated(passed=True, reason=f"{kind} is always looked into")
    if kind in profile.gate.never:
        return Gated(passed=False, reason=f"{kind} is never looked into unasked")
    confidence = preliminary.confidence
    if confidence >= threshold:
        return Gated(
            passed=True, reason=f"confidence {confidence:.2f} reaches the threshold {threshold:.2f}"
        )
    return Gated(
        passed=False, reason=f"confidence {confidence:.2f} is below the threshold {threshold:.2f}"
    )


def rolled_in(message_id: str, percent: float) -> Gated:
    """Whether a message is in the share that may go deep: by its id, so the same one always is.

    A larger share holds every smaller one.
    """
    digest = hashlib.sha256(f"rollout\n{message_id}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") % _BUCKETS
    if place < percent * _BUCKETS / 100:
        return Gated(passed=True, reason=f"in the {percent:g} % that may go deep")
    return Gated(passed=False, reason=f"outside the {percent:g} % that may go deep")
