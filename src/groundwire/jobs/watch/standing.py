"""What a standing run needs of a watch: what it believes, and what it found changed."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.jobs.watch.ledger.attributes import called
from groundwire.jobs.watch.ledger.claims import Claim, Holder, Side
from groundwire.jobs.watch.letter import copies_of
from groundwire.jobs.watch.result import Noticed, WatchResult
from groundwire.jobs.watch.telling import by_weight, views
from groundwire.jobs.watch.values_told import told_value
from groundwire.model.change import Belief, Change, EditedPage, Given


def believes(result: WatchResult, language: str) -> tuple[Belief, ...]:
    """Return what a run believes: what was withdrawn is no longer among it."""
    return tuple(
        _belief(each, result, language) for each in by_weight(result.claims) if each.stands
    )


def changes(result: WatchResult, language: str) -> tuple[Change, ...]:
    """Return what a run found changed, what people are told of first, and each matter once."""
    once = (each for each in result.changes if not each.same_as)
    ordered = sorted(once, key=lambda each: not each.told)
    return tuple(_change(each, result, language) for each in ordered)


def _belief(claim: Claim, result: WatchResult, language: str) -> Belief:
    now = told_value(claim.attribute, claim.kind, claim, language)
    return Belief(
        id=claim.id,
        text=result.told.get(claim.id, claim.text),
        subject=claim.subject,
        attribute=claim.attribute,
        called=now.noun,
        value=claim.value,
        told=now.value,
        verdict=claim.verdict,
        as_of=claim.as_of,
        past=tuple(
            Given(
                value=each.value,
                told=told_value(claim.attribute, claim.kind, each, language).value,
                as_of=each.as_of,
            )
            for each in claim.past
        ),
        origins=_origins(claim.citations),
        citations=views(claim.citations),
    )


def _origins(holders: Sequence[Holder]) -> int:
    return len({each.origin for each in holders})


def _change(noticed: Noticed, result: WatchResult, language: str) -> Change:
    return Change(
        kind=noticed.kind,
        claim_id=noticed.claim_id,
        subject=noticed.subject,
        attribute=noticed.attribute,
        called=called(noticed.attribute, language),
        before=_side(noticed, noticed.before, noticed.said_before, language),
        after=_side(noticed, noticed.after, noticed.said_after, language),
        why=f"watch.reason.{noticed.reason}" if noticed.reason else "",
        met=noticed.met,
        alerts=noticed.told,
        edits=tuple(
            EditedPage(
                url=each.url,
                publisher=each.publisher,
                parts=tuple((part.before, part.after) for part in each.parts),
            )
            for each in result.edits
            if noticed.claim_id in each.claims
        ),
    )


def _side(noticed: Noticed, side: Side | None, said: str, language: str) -> Belief | None:
    if side is None:
        return None
    value = told_value(noticed.attribute, side.of, side, language)
    return Belief(
        id=noticed.claim_id,
        text=said or side.text,
        subject=noticed.subject,
        attribute=noticed.attribute,
        called=value.noun,
        value=side.value,
        told=value.value,
        verdict=side.verdict,
        as_of=side.as_of,
        origins=_origins(side.citations),
        copies=copies_of(side),
        citations=views(side.citations),
    )
