"""What changed: the claims of the last run beside what was heard today, at most one change for each claim.

The rules are those of the specification's "What counts as a change"; each has its place in `_judge`, in the order in
which they outrank one another: another value, withdrawn, contested, confirmed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.jobs.watch.ledger.claims import (
    Change,
    ChangeKind,
    Claim,
    Compared,
    Edit,
    Holder,
    Ledger,
    NotSeen,
    Reason,
    Side,
    Today,
)
from groundwire.jobs.watch.ledger.denials import as_news, beside, denied_by
from groundwire.jobs.watch.ledger.hearing import Heard, Hearing, hear
from groundwire.jobs.watch.ledger.keeping import keep
from groundwire.jobs.watch.ledger.matching import claim_for, fit_of, says_the_same
from groundwire.jobs.watch.ledger.presupposed import presupposed
from groundwire.jobs.watch.ledger.statements import Statement
from groundwire.jobs.watch.ledger.tally import Tally, first_claim, is_settled, verdict_of
from groundwire.jobs.watch.ledger.values import (
    same_unit,
)
from groundwire.jobs.watch.ledger.which import clause_of
from groundwire.language.text.spans import Span
from groundwire.model.claim import Verdict

_WORDS = frozenset(
    {"state", "act"}
)  # kinds of what a sentence tells with its figure, where it has one
_RANK: dict[Verdict, int] = {"supported": 3, "qualified": 2, "contested": 1}


def compare(before: Ledger | None, today: Today) -> Compared:
    """Compare a day with what was believed; the first run is the brief, in which nothing can have changed."""
    ledger = before or Ledger()
    hearing = hear(today, ledger)
    claims = {claim.id: claim for claim in ledger.claims}
    heard = _by_claim(hearing, claims, today)
    changes: list[Change] = []
    not_seen: list[NotSeen] = []
    for claim_id in sorted(claims):
        claim = claims[claim_id]
        kept = keep(claim, today, hearing)
        not_seen.extend(kept.not_seen if claim.stands else ())
        is_new = all(claim_id != each.id for each in ledger.claims)
        tally = Tally(claim, kept, tuple(heard.get(claim_id, ())), today, hearing)
        claims[claim_id], change = _begin(tally) if is_new else _judge(tally)
        if change is not None:
            changes.append(change)
    after = Ledger(claims=tuple(claims[each] for each in sorted(claims)), pages=hearing.seen)
    return Compared(
        ledger=after, changes=() if before is None else tuple(changes), not_seen=tuple(not_seen)
    )


def _by_claim(hearing: Hearing, claims: dict[str, Claim], today: Today) -> dict[str, list[Heard]]:
    """Gather what is new today by the claim that it is about, making claims for what is about none."""
    found: dict[str, list[Heard]] = {}
    passed_on = {
        (each.page.url, each.statement.start)
        for each in hearing.heard
        if not each.own and claim_for(each.statement, claims.values())
    }
    carried_out = {
        (each.page.url, each.statement.start)
        for each in hearing.heard
        if _carries_out(each.statement, claim_for(each.statement, claims.values()))
    }
    ledger_began = bool(claims)
    figures = {
        _clause(each)
        for each in hearing.heard
        if each.statement.kind not in _WORDS and not each.statement.passing
    }
    for each in hearing.heard:
        said, denied = each.statement, None
        claim = claim_for(said, _open_to(each, claims)) or presupposed(said, claims.values())
        claim = claim or _passed_on(each, claims)
        with_figure = said.kind in _WORDS and _clause(each) in figures
        if claim is None and said.side == "denies" and said.key and not each.page.retracts:
            denied, said = denied_by(said), as_news(said)
        # Who passes on what is known adds nothing of his own in the same breath.
        adds = not said.passing and (each.page.url, said.start) not in passed_on
        adds = adds and not (ledger_began and each.is_of_old)
        adds = adds and not with_figure
        # What was done as planned is a confirmation, and nothing else.
        adds = adds and not (said.kind == "act" and (each.page.url, said.start) in carried_out)
        if claim is None and said.side == "says" and each.fresh and adds:
            claim = first_claim(replace(each, statement=said), today, claims)
            claim = claims[claim.id] = claim.model_copy(update={"denied": denied})
        if claim is not None and each.fresh:
            found.setdefault(claim.id, []).append(each)
    return {ident: _one_a_sentence(claims[ident], heard) for ident, heard in found.items()}


def _open_to(heard: Heard, claims: dict[str, Claim]) -> list[Claim]:
    """Return the claims that somebody can speak of: who denied a thing and now tells it, tells news."""
    says = heard.statement.side == "says"
    return [
        each
        for each in claims.values()
        if not (says and each.denied is not None and heard.origin in each.origins)
    ]


def _carries_out(said: Statement, claim: Claim | None) -> bool:
    """Tell whether somebody says that what a claim plans was done so."""
    if claim is None or claim.manner != "planned" or (said.side, said.manner) != ("says", "stated"):
        return False
    return says_the_same(said, claim)


def _clause(heard: Heard) -> tuple[str, int, Span]:
    said = heard.statement
    return heard.page.url, said.start, clause_of(said.text, said.value)


def _one_a_sentence(claim: Claim, heard: Sequence[Heard]) -> list[Heard]:
    """Keep of several values that a sentence gives for a claim the one that fits best: the others are of other things."""
    best: dict[tuple[str, int, str], Heard] = {}
    for each in heard:
        place = each.page.url, each.statement.start, each.statement.side
        rival = best.setdefault(place, each)
        if _rank(claim, each) > _rank(claim, rival):
            best[place] = each
    return [replace(each, statement=beside(each.statement, claim)) for each in best.values()]


def _rank(claim: Claim, heard: Heard) -> tuple[bool, float]:
    said = heard.statement
    return said.follows, fit_of(said, claim)


def _passed_on(heard: Heard, claims: dict[str, Claim]) -> Claim | None:
    """Find the claim that somebody passes on, in words that tell nothing else: his source has the same value."""
    said = heard.statement
    if heard.own or not said.key:
        return None
    same = [
        claim
        for _, claim in sorted(claims.items())
        if heard.origin in claim.origins and claim.kind == said.kind and says_the_same(said, claim)
        and same_unit(said.unit, claim.unit)
    ]  # fmt: skip
    return same[0] if same else None


def _begin(tally: Tally) -> tuple[Claim, Change]:
    """Settle what is said of something for the first time."""
    claim = tally.latest()
    return claim, _change("new", None, claim, "first_seen")


def _judge(tally: Tally) -> tuple[Claim, Change | None]:
    """Find the one change of a claim; the claim as it stands after it."""
    claim = tally.claim
    if not claim.stands:
        return _revived(tally)
    other = tally.other_value()
    if other is not None:
        return _otherwise(tally, other)
    if tally.kept.reason or tally.taken_back():
        left = tally.left()
        if not left:
            reason: Reason = tally.kept.reason or "retracted"
            after = tally.withdrawn(reason)
            return after, _change("withdrawn", claim, None, reason)
        tally = tally.over(tally.kept_claim())
    denials = tally.denials()
    if denials and claim.state == "standing":
        after = tally.contested(denials, "denied")
        return after, _change("contested", tally.before, after, "denied")
    return _supported(tally)


def _revived(tally: Tally) -> tuple[Claim, Change | None]:
    """Let a withdrawn claim stand again only by who says it anew, by himself, after it was withdrawn."""
    anew = tally.anew()
    if not anew:
        return tally.claim, None
    after = tally.with_value(anew[-1], tally.alike(anew[-1]))
    return after, _change("new", None, after, "first_seen")


def _otherwise(tally: Tally, other: Heard) -> tuple[Claim, Change | None]:
    """Take another value: it replaces the one before, or stands against it where both are of one day."""
    claim = tally.claim
    if tally.is_outweighed(other):
        return _supported(tally)
    if tally.stands_against(other):
        if claim.state == "contested":
            return tally.kept_claim(), None
        after = tally.contested([other.holder(tally.today.at)], "another_value_same_day")
        return after, _change("contested", claim, after, "another_value_same_day")
    after = tally.with_value(other, tally.alike(other))
    edited = next((holder for holder in claim.citations if holder.url == other.page.url), None)
    reason: Reason = "another_value"
    if edited is not None:
        reason = "edited"
    elif claim.manner == "planned" and is_settled(other):
        reason = "not_as_planned"
    change = _change("changed", claim, after, reason)
    if edited is not None and edited.document_id != other.page.evidence.document.id:
        edit = Edit(
            url=edited.url, before=edited.document_id, after=other.page.evidence.document.id
        )
        change = change.model_copy(update={"edit": edit})
    return after, change


def _supported(tally: Tally) -> tuple[Claim, Change | None]:
    """Count who says it, too: an independent origin confirms it once, and so does a plan carried out."""
    after, reason = tally.supported()
    if not reason:
        return after, None
    change = _change("confirmed", tally.before, after, reason)
    rises = _RANK.get(after.verdict, 0) > _RANK.get(tally.before.verdict, 0)
    return after, change.model_copy(update={"alerts": rises})


def _change(kind: ChangeKind, before: Claim | None, after: Claim | None, reason: Reason) -> Change:
    known = after or before
    assert known is not None  # a change is of a claim
    return Change(
        kind=kind,
        claim_id=known.id,
        subject=known.subject,
        attribute=known.attribute,
        before=None if before is None else _side(before, before.citations),
        after=None
        if after is None
        else _side(after, after.denials if kind == "contested" else after.citations),
        reason=reason,
    )


def _side(claim: Claim, citations: Sequence[Holder]) -> Side:
    return Side(
        text=claim.text,
        value=claim.value,
        key=claim.key,
        of=claim.kind,
        unit=claim.unit,
        as_of=claim.as_of,
        verdict=verdict_of(claim),
        citations=tuple(citations),
    )
