"""What a standing run needs of a watch: the input of its next run, and its claims over time."""

from __future__ import annotations

from groundwire.jobs.watch.ledger.claims import Change as Noticed
from groundwire.jobs.watch.ledger.claims import Claim, Holder, Side
from groundwire.jobs.watch.result import WatchResult
from groundwire.model.base import JsonObject
from groundwire.model.change import Belief, Change
from groundwire.model.claim import CitationView


def again(given: JsonObject, schedule_id: str, previous: str) -> JsonObject:
    """Return the input of the next run, which is compared with the last that has a result."""
    return {**given, "watch": schedule_id, "previous": previous}


def believes(result: WatchResult) -> tuple[Belief, ...]:
    """Return what a run believes: what was withdrawn is no longer among it."""
    return tuple(_belief(each) for each in result.claims if each.stands)


def changes(result: WatchResult) -> tuple[Change, ...]:
    return tuple(_change(each) for each in result.changes)


def _belief(claim: Claim) -> Belief:
    return Belief(
        id=claim.id,
        text=claim.text,
        subject=claim.subject,
        attribute=claim.attribute,
        value=claim.value,
        verdict=claim.verdict,
        citations=_citations(claim.citations),
    )


def _change(noticed: Noticed) -> Change:
    fields = noticed.model_dump(include={"kind", "claim_id", "subject", "attribute", "alerts"})
    before, after = (_side(noticed, each) for each in (noticed.before, noticed.after))
    return Change(**fields, before=before, after=after)


def _side(noticed: Noticed, side: Side | None) -> Belief | None:
    if side is None:
        return None
    return Belief(
        id=noticed.claim_id,
        text=side.text,
        subject=noticed.subject,
        attribute=noticed.attribute,
        value=side.value,
        verdict=side.verdict,
        citations=_citations(side.citations),
    )


def _citations(holders: tuple[Holder, ...]) -> tuple[CitationView, ...]:
    fields = set(CitationView.model_fields)
    return tuple(CitationView(**each.model_dump(include=fields)) for each in holders)
