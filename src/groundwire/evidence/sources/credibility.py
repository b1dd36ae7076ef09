"""How far a piece of evidence is believed before anything is compared, taken apart."""

from __future__ import annotations

from groundwire.model.base import Value
from groundwire.model.source import Evidence, Tier

_BASE: dict[Tier, float] = {
    "primary": 0.95,
    "wire": 0.9,
    "established": 0.8,
    "trade": 0.7,
    "aggregator": 0.5,
    "unknown": 0.4,
    "social": 0.3,
    "satire": 0.0,
}
# What a flag leaves of it; retracted and satirical pages support nothing.
_LEFT = {
    "correction": 0.9,
    "injection": 0.3,
    "opinion": 0.8,
    "retraction": 0.1,
    "satire": 0.0,
    "snippet": 0.7,
}
_UNDATED = 0.9


class CredibilityPart(Value):
    """One rule and what it added; the parts add up to the score."""

    rule: str  # tier:wire, flag:snippet, undated
    delta: float


class Credibility(Value):
    """A score in [0, 1] and the parts that it is the sum of, in order."""

    score: float
    parts: tuple[CredibilityPart, ...]


def credibility(evidence: Evidence) -> Credibility:
    """Return the tier's base, lowered by each flag in turn; a page without a date by a little."""
    parts = [CredibilityPart(rule=f"tier:{evidence.tier}", delta=_BASE[evidence.tier])]
    score = _BASE[evidence.tier]
    flags = {*evidence.flags, evidence.kind}  # a snippet lowers, a page does not
    lowering = [(f"flag:{flag}", _LEFT[flag]) for flag in sorted(flags) if flag in _LEFT]
    if evidence.document.published_at is None:
        lowering.append(("undated", _UNDATED))
    for rule, left in lowering:
        lowered = round(score * left, 4)
        parts.append(CredibilityPart(rule=rule, delta=round(lowered - score, 4)))
        score = lowered
    return Credibility(score=score, parts=tuple(parts))
