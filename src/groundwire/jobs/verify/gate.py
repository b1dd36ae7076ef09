"""Which messages from intake are worth looking into: the high-value gate, and the rollout behind it."""

from __future__ import annotations

import hashlib

from groundwire.evidence.messages.profiles import Profile
from groundwire.jobs.verify.signal import Preliminary
from groundwire.language.text.script import in_script
from groundwire.model.base import Value

THRESHOLD = 0.75
_BUCKETS = 10_000  # a hundredth of a percent each


_TEXTS: dict[str, tuple[str, str]] = {
    "always": ("{} is always looked into", "{} 类消息一律深入核查"),
    "never": ("{} is never looked into unasked", "{} 类消息不主动核查"),
    "reached": (
        "confidence {:.2f} reaches the threshold {:.2f}",
        "置信度 {:.2f} 达到门槛 {:.2f}",
    ),
    "below": (
        "confidence {:.2f} is below the threshold {:.2f}",
        "置信度 {:.2f} 低于门槛 {:.2f}",
    ),
    "rolled_in": ("in the {:g} % that may go deep", "在可深入核查的 {:g} % 之内"),
    "rolled_out": ("outside the {:g} % that may go deep", "不在可深入核查的 {:g} % 之内"),
}


class Gated(Value):
    """Whether a message goes on, and why, in words of the desk's language."""

    passed: bool
    reason: str


def is_high_value(
    preliminary: Preliminary, profile: Profile, threshold: float = THRESHOLD, language: str = "en"
) -> Gated:
    """Types that always go deep, then those that never do, then the confidence.

    `threshold` is that of the message's source: priority channels have their own.
    """
    kind = preliminary.event_type
    if kind in profile.gate.always:
        return _gated(True, "always", language, kind)
    if kind in profile.gate.never:
        return _gated(False, "never", language, kind)
    confidence = preliminary.confidence
    reached = confidence >= threshold
    return _gated(reached, "reached" if reached else "below", language, confidence, threshold)


def rolled_in(message_id: str, percent: float, language: str = "en") -> Gated:
    """Whether a message is in the share that may go deep: by its id, so the same one always is.

    A larger share holds every smaller one.
    """
    digest = hashlib.sha256(f"rollout\n{message_id}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") % _BUCKETS
    passed = place < percent * _BUCKETS / 100
    return _gated(passed, "rolled_in" if passed else "rolled_out", language, percent)


def _gated(passed: bool, code: str, language: str, *parts: str | float) -> Gated:
    english, chinese = _TEXTS[code]
    text = in_script(chinese, language) if language.startswith("zh") else english
    return Gated(passed=passed, reason=text.format(*parts))
