"""Which messages from intake are worth looking into: the high-value gate, and the rollout behind it."""

from __future__ import annotations

import hashlib

from groundwire.evidence.messages.profiles import Profile
from groundwire.jobs.verify.signal import Preliminary
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase

THRESHOLD = 0.75
_BUCKETS = 10_000  # a hundredth of a percent each


class Gated(Value):
    """Whether a message goes on, and why."""

    passed: bool
    reason: Phrase


def is_high_value(
    preliminary: Preliminary, profile: Profile, threshold: float = THRESHOLD
) -> Gated:
    """Types that always go deep, then those that never do, then the confidence.

    `threshold` is that of the message's source: priority channels have their own.
    """
    kind = preliminary.event_type
    if kind in profile.gate.always:
        return _gated(True, "always", kind=phrase(f"verify.type.{kind}"))
    if kind in profile.gate.never:
        return _gated(False, "never", kind=phrase(f"verify.type.{kind}"))
    confidence = preliminary.confidence
    reached = confidence >= threshold
    shown = {"confidence": f"{confidence:.2f}", "threshold": f"{threshold:.2f}"}
    return _gated(reached, "reached" if reached else "below", **shown)


def rolled_in(message_id: str, percent: float) -> Gated:
    """Whether a message is in the share that may go deep: by its id, so the same one always is.

    A larger share holds every smaller one.
    """
    digest = hashlib.sha256(f"rollout\n{message_id}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") % _BUCKETS
    passed = place < percent * _BUCKETS / 100
    return _gated(passed, "rolled_in" if passed else "rolled_out", percent=f"{percent:g}")


def _gated(passed: bool, name: str, **params: str | Phrase) -> Gated:
    return Gated(passed=passed, reason=phrase(f"verify.gate.{name}", **params))
