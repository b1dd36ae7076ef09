"""What a statement takes as known: that something is over, or has another value, is said of what was there before.

Where no words show which claim that is, it is the one that it can be, if only one of those that stand can be it.
"""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.jobs.watch.ledger.claims import Claim
from groundwire.jobs.watch.ledger.matter import FAINT, MATTER, NEAR, likeness
from groundwire.jobs.watch.ledger.reversals import goes_on_again
from groundwire.jobs.watch.ledger.statements import Statement
from groundwire.jobs.watch.ledger.values import are_far_apart, same_unit
from groundwire.jobs.watch.ledger.which import are_siblings, have_other_codes

_FIGURES = ("money", "count", "percent")
_TIMES = 3  # a figure that is so many times another follows on something else


def presupposed(statement: Statement, claims: Iterable[Claim]) -> Claim | None:
    """Return the one claim that a statement can go on about, where it goes on about something."""
    if statement.side != "says" or statement.passing:
        return None
    can_be = [each for each in claims if each.stands and _can_follow(statement, each)]
    return can_be[0] if len(can_be) == 1 else None


def _can_follow(statement: Statement, claim: Claim) -> bool:
    if statement.kind != claim.kind or not same_unit(statement.unit, claim.unit):
        return False
    ours, theirs = (statement.text, statement.value), (claim.text, claim.value)
    sorts = dict(each.split("=", 1) for each in claim.sorts)
    if any(sorts.get(group, sort) != sort for group, sort in statement.sorts):
        return False
    if have_other_codes(ours, theirs):
        return False
    alike = likeness(claim.text, statement.text)
    if claim.kind == "state":
        least = NEAR if statement.attribute else FAINT
        return _ends(statement, claim) and alike >= least
    if claim.kind not in _FIGURES or not statement.follows or statement.key == claim.key:
        return False
    ids = {*statement.can_be}, {*claim.can_be}
    if ids[0].isdisjoint(ids[1]) and "" not in ids[0] | ids[1] and claim.can_be:
        return False  # a debt follows no price
    one_period = statement.period in ("", claim.period)
    far = are_far_apart(statement.key, claim.key, _TIMES)
    return one_period and not far and alike >= MATTER


def _ends(statement: Statement, claim: Claim) -> bool:
    """Tell whether one says that what the other says has stopped goes on, or both give a state of one attribute."""
    if statement.attribute or claim.attribute:
        return statement.attribute == claim.attribute and statement.key != claim.key
    # What was shut is one of many things; what has stopped is what goes on again.
    ours, theirs = (statement.text, statement.value), (claim.text, claim.value)
    return goes_on_again(claim.key, statement.key) and not are_siblings(ours, theirs, claim.subject)
