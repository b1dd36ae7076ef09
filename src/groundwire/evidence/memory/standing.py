"""What was believed at a moment: a pure reading of sightings, rivalries and withdrawals.

Nothing here depends on the order in which rows were written, nor on anything learned after the
moment in question; so what was believed on a day never changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from groundwire.model.memory import Moment, Remembered, Replaced, Rivalry, Sighting, Standing
from groundwire.words import coded, kept

# A contested or hedged claim stands beside what was believed; only a settled one replaces it.
_SETTLED = frozenset({"supported"})
FORGOTTEN = "difference.forgotten"

Known = Mapping[str, Remembered]  # rivals by id; one that is not there replaces nothing


class _Fall(NamedTuple):
    at: datetime
    kind: Literal["superseded", "withdrawn"]
    successor: str  # "" for a withdrawal
    who: str
    why: str


def standing(remembered: Remembered, known: Known, at: datetime | None = None) -> Standing:
    """Return how a belief stands at a moment; without one, after everything recorded."""
    seen = _until(effective(remembered), at)
    if not seen:
        return Standing(state="unknown")
    last = seen[-1]
    fall = _fall(remembered, last, known, at)
    return Standing(
        state=fall.kind if fall else "believed",
        verdict=last.verdict,
        confidence=last.confidence,
        learned_at=seen[0].learned_at,
        seen_at=last.learned_at,
        until=fall and fall.at,
        successor=(fall and fall.successor) or None,
        why=fall.why if fall else "",
    )


def history(remembered: Remembered, known: Known, at: datetime | None = None) -> tuple[Moment, ...]:
    """List what happened to a belief, in order: learned, seen again, replaced, withdrawn."""
    seen = _until(effective(remembered), at)
    claim_id = remembered.belief.id
    moments: list[Moment] = []
    for number, sighting in enumerate(seen):
        kind = "seen again" if number else "learned"
        moments.append(
            Moment(at=sighting.learned_at, kind=kind, claim_id=claim_id, who=sighting.run_id)
        )
        following = seen[number + 1].learned_at if number + 1 < len(seen) else None
        fall = _fall(remembered, sighting, known, following or at)
        if fall is not None and (following is None or fall.at < following):
            moments.append(
                Moment(
                    at=fall.at,
                    kind=fall.kind,
                    claim_id=claim_id,
                    who=fall.who,
                    why=fall.why,
                    successor=fall.successor or None,
                )
            )
    return tuple(moments)


def replaced(remembered: Remembered, known: Known, at: datetime | None = None) -> list[Replaced]:
    """List what this belief took the place of, the latest first."""
    claim_id = remembered.belief.id
    predecessors: list[Replaced] = []
    for rivalry in remembered.rivalries:
        other = known.get(rivalry.other_id)
        if other is None:
            continue
        before = standing(other, {**known, claim_id: remembered}, at)
        if before.successor == claim_id and before.learned_at and before.until:
            predecessors.append(
                Replaced(
                    claim_id=other.belief.id,
                    text=other.belief.text,
                    learned_at=before.learned_at,
                    until=before.until,
                    why=before.why,
                )
            )
    return sorted(predecessors, key=lambda each: (each.until, each.claim_id), reverse=True)


def effective(remembered: Remembered) -> list[Sighting]:
    """List sightings by time, without those that only reread what a person has withdrawn.

    A withdrawal holds against the pages that the belief rested on; another page is news.
    """
    kept_sightings: list[Sighting] = []
    pages: set[str] = set()
    ordered = sorted(remembered.sightings, key=lambda each: (each.learned_at, each.run_id))
    for sighting in ordered:
        documents = {ground.document_id for ground in sighting.grounds}
        held = not any(each.at < sighting.learned_at for each in remembered.withdrawals)
        if held or documents - pages:
            kept_sightings.append(sighting)
        pages |= documents
    return kept_sightings


def _until(sightings: Sequence[Sighting], at: datetime | None) -> list[Sighting]:
    return [each for each in sightings if at is None or each.learned_at <= at]


def _fall(
    remembered: Remembered, last: Sighting, known: Known, at: datetime | None
) -> _Fall | None:
    """Find the first event after a sighting that ended the belief; if equal, the withdrawal."""
    falls = [_Fall(e.at, "withdrawn", "", e.who, e.why) for e in remembered.withdrawals]
    falls += [_Fall(loss.at, "superseded", "", "", FORGOTTEN) for loss in remembered.losses]
    falls += _superseded(remembered, last, known)
    after = [f for f in falls if f.at >= last.learned_at and (at is None or f.at <= at)]
    return min(after, key=lambda fall: (fall.at, fall.successor), default=None)


def _superseded(remembered: Remembered, last: Sighting, known: Known) -> Iterator[_Fall]:
    # The day on which the newest page was published; "" when none is dated.
    own_day = max(map(_day, _until(effective(remembered), last.learned_at)), default="")
    for rivalry in remembered.rivalries:
        other = known.get(rivalry.other_id)
        if other is None:
            continue
        rival_day = ""
        for rival in effective(other):
            rival_day = max(rival_day, _day(rival))
            moment = max(rival.learned_at, last.learned_at)
            withdrawn = any(rival.learned_at <= each.at <= moment for each in other.withdrawals)
            if not withdrawn and _wins(rival, rival_day, last, own_day):
                yield _Fall(moment, "superseded", other.belief.id, rival.run_id, reason(rivalry))
                break


def _wins(rival: Sighting, rival_day: str, last: Sighting, own_day: str) -> bool:
    """Tell whether a rival's sighting replaces the last.

    Pages of a later day win; of the same day, or undated, what was learned later. Equal times
    replace nothing.
    """
    if rival.verdict not in _SETTLED:
        return False
    if rival_day and own_day and rival_day != own_day:
        return rival_day > own_day
    return rival.learned_at > last.learned_at


def _day(sighting: Sighting) -> str:
    return "" if sighting.said_at is None else sighting.said_at.date().isoformat()


def reason(rivalry: Rivalry) -> str:
    """Return why a belief fell, as `words.kept` stores it: its own value and its successor's."""
    if rivalry.kind == "polarity":
        return "difference.denied" if rivalry.mine == "yes" else "difference.said"
    kind = coded(f"difference.{rivalry.kind}")
    return kept("difference.is", kind=kind, mine=rivalry.mine, theirs=rivalry.theirs)
