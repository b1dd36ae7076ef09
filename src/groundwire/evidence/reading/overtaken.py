"""Pages that later ones have overtaken: "not yet" before it happened, an earlier event before a denial."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from groundwire.model.source import Evidence
from groundwire.model.stance import StanceLabel

# A denial of some days ago does not speak of what others report now; one of yesterday may, unless
# a party itself, or several, say since that it has happened.
_DAYS = timedelta(days=3)
_SOONER = timedelta(hours=20)
_SEVERAL = 2
# What was reported this long before a denial is another event of the same kind.
_LONG_BEFORE = timedelta(days=30)


def current(
    evidence: Sequence[Evidence], taken: Mapping[str, StanceLabel], official: Collection[str]
) -> dict[str, StanceLabel]:
    """The sides that still count; pages without a date are never overtaken and overtake nothing."""
    when = {
        each.id: each.document.published_at
        for each in evidence
        if each.document.published_at is not None
    }
    behind = _dated("supports", taken, when)
    against = _dated("contradicts", taken, when)
    if not behind or not against:
        return dict(taken)
    undated = any(
        each not in when and label in ("supports", "contradicts") for each, label in taken.items()
    )
    if undated:
        return dict(taken)
    gone = {each for each, at in against.items() if _has_happened(at, behind, official)} | {
        each
        for each, at in behind.items()
        if min(against.values()) - at > _LONG_BEFORE
        and max(behind.values()) < min(against.values())
    }
    return {each: label for each, label in taken.items() if each not in gone}


def _dated(
    side: StanceLabel, taken: Mapping[str, StanceLabel], when: Mapping[str, datetime]
) -> dict[str, datetime]:
    return {each: when[each] for each, label in taken.items() if label == side and each in when}


def _has_happened(at: datetime, behind: Mapping[str, datetime], official: Collection[str]) -> bool:
    """Whether all who support it do so later, and late or surely enough."""
    first = min(behind.values())
    if first - at > _DAYS:
        return True
    sure = len(behind) >= _SEVERAL or any(each in official for each in behind)
    return sure and first - at >= _SOONER
