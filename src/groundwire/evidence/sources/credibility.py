"""How far evidence is believed before anything is compared."""

from __future__ import annotations

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
# The share that a flag leaves; retracted and satirical pages support nothing.
_LEFT = {
    "correction": 0.9,
    "injection": 0.3,
    "opinion": 0.8,
    "retraction": 0.1,
    "satire": 0.0,
    "snippet": 0.7,
}
_UNDATED = 0.9


def credibility(evidence: Evidence) -> float:
    """Start from the tier's base, and lower it by each flag in turn and for a missing date."""
    score = _BASE[evidence.tier]
    flags = {*evidence.flags, evidence.kind}  # a snippet lowers, a page does not
    for flag in sorted(flags):
        score = round(score * _LEFT.get(flag, 1.0), 4)
    return round(score * _UNDATED, 4) if evidence.document.published_at is None else score
