"""Which values of one claim cannot both hold, and which of two sides settles it by its weight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from groundwire.evidence.questions.contested import compatible, outweighs
from groundwire.evidence.questions.polarity import turns
from groundwire.jobs.watch.ledger.claims import Claim, Holder, ValueKind
from groundwire.jobs.watch.ledger.hearing import Heard, ReadPage
from groundwire.jobs.watch.ledger.matter import SURE, can_be_opposed, likeness
from groundwire.language.amounts.numbers import Figure, figures
from groundwire.model.source import Tier

_ROUGH = Decimal("0.01")  # of a figure that is given as about so much
_FIGURES = ("money", "count", "percent")


def are_rivals(kind: ValueKind, one: Heard, other: Heard) -> bool:
    """Tell whether two values, of two origins, cannot both hold: of one day, or two days of one thing that happened.

    What is planned and what came of it can both be, and a rumour is no account.
    """
    manners = {one.statement.manner, other.statement.manner}
    if one.origin == other.origin or len(manners) > 1 or "rumoured" in manners:
        return False
    texts = one.statement.text, other.statement.text
    if kind in _FIGURES and (likeness(*texts) < SURE or _can_both_hold(one, other)):
        return False
    if not can_be_opposed(*texts):
        return False
    # The day on which it was denied is another than that on which it came.
    happened = kind == "date" and manners == {"stated"} and turns(texts[0]) == turns(texts[1])
    return happened or one.as_of == other.as_of


def are_near(claim: Claim, heard: Heard) -> bool:
    """Tell whether a claim and somebody else give one amount, both only about and so near that either can be meant."""
    said = heard.statement
    if claim.kind not in _FIGURES or said.kind != claim.kind or said.key == claim.key:
        return False
    rough = all(
        any(each.qualifier == "about" for each in _figures(*told))
        for told in ((claim.text, claim.value), (said.text, said.value))
    )
    low, high = sorted(abs(Decimal(key)) for key in (claim.key, said.key))
    return rough and high - low <= _ROUGH * high


def _can_both_hold(one: Heard, other: Heard) -> bool:
    """Tell whether two amounts agree as they are told: "under one dollar", "above 98 cents"."""
    told = ((each.statement.text, each.statement.value) for each in (one, other))
    ours, theirs = (_figures(*each) for each in told)
    pairs = ((x, y) for x in ours for y in theirs)
    return any(compatible(x, y) for x, y in pairs)


def _figures(text: str, value: str) -> list[Figure]:
    return [each for each in figures(text) if each.text in value or value in each.text]


def settles(one: Iterable[Holder], other: Iterable[Holder], pages: Mapping[str, ReadPage]) -> bool:
    """Tell whether one side settles a point: who did it and another origin, against one lesser page."""
    return outweighs(_weighed(one, pages), _weighed(other, pages))


def _weighed(holders: Iterable[Holder], pages: Mapping[str, ReadPage]) -> list[tuple[str, Tier]]:
    return [
        (each.origin, pages[each.url].evidence.tier if each.url in pages else "unknown")
        for each in holders
        if each.own
    ]
