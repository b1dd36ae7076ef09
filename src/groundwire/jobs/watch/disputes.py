"""On what sources contradict each other: what code holds as contested, and what a model may add to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.evidence.citations.checker import check
from groundwire.gather.weighing import sentence_of
from groundwire.jobs.watch.brief import as_held, share_quote
from groundwire.jobs.watch.find_contradictions import Points
from groundwire.jobs.watch.ledger.claims import Claim, Holder
from groundwire.jobs.watch.opposition import are_opposed, can_be_opposed
from groundwire.jobs.watch.telling import views
from groundwire.language.text.tokens import content_tokens
from groundwire.model.result import Contested, Sentence
from groundwire.reasoning.question import EMBEDDED, Answer
from groundwire.reasoning.quoting import Places

_LONGEST = 60  # characters of what a model says a point is about


def of_claims(claims: Iterable[Claim]) -> tuple[Contested, ...]:
    """Set what each contested claim says next to what is said against it."""
    return tuple(
        Contested(point=_point(each), sides=(_side(each.citations), _side(each.denials)))
        for each in claims
        if each.state == "contested" and each.citations and each.denials
    )


def _point(claim: Claim) -> str:
    if claim.kind == "date":
        return "watch.point.date"
    is_figure = any(character.isdigit() for character in claim.key)
    return "watch.point.figure" if is_figure else "watch.point.account"


def _side(holders: Sequence[Holder]) -> Sentence:
    return Sentence(text=holders[0].quote, verdict="contested", citations=views(holders))


def joined(own: Sequence[Contested], found: Iterable[Contested]) -> tuple[Contested, ...]:
    """Put accounts that differ behind what the ledger holds as contested, each point once."""
    more = (each for each in found if not any(_is_told(each, other) for other in own))
    return (*own, *more)


def counted(
    own: Sequence[Contested], answer: Answer[Points], pages: Places, subject: str
) -> tuple[Contested, ...]:
    """Return the contradictions that count: code's stand, whoever else is asked.

    A decider adds what can be opposed at all, an adviser only what code reads as opposed, too.
    """
    if answer.by == EMBEDDED:
        return tuple(own)
    bears = can_be_opposed if answer.vote == "decides" else are_opposed
    added = [
        each
        for each in _standing(answer.value, pages, subject)
        if not any(_is_told(each, other) for other in own)
        and bears([side.text for side in each.sides])
    ]
    return (*own, *added)


def told(
    found: Iterable[Contested], claims: Sequence[Claim], seen: frozenset[str]
) -> tuple[Contested, ...]:
    """Return what is told of them: each side with the verdict that the page gives it elsewhere.

    What only pages contradict that an earlier run has read, it has told.
    """
    return tuple(
        each.model_copy(update={"sides": tuple(as_held(side, claims) for side in each.sides)})
        for each in found
        if not seen.issuperset(c.url for side in each.sides for c in side.citations)
    )


def _standing(found: Points, pages: Places, subject: str) -> Iterable[Contested]:
    """Set the sides of each point next to each other; a side whose quote is not there falls away."""
    for each in found.points:
        sides: dict[str, Sentence] = {}
        for side in each.sides:
            checked = check(side.quote, [(side.passage, side.quote)], pages, subject)
            if checked.result == "unsupported":
                continue
            holder = pages[side.passage][0]
            origin = holder.origin_id or holder.id
            sides.setdefault(origin, sentence_of(checked, [holder], "contested"))
        if len(sides) > 1:
            yield Contested(point=_titled(each.point, sides.values()), sides=tuple(sides.values()))


def _titled(point: str, sides: Iterable[Sentence]) -> str:
    """Return what a model calls a point, where the sides have all its words; nothing else would carry them."""
    text = " ".join(point.split())
    known = {word for side in sides for word in content_tokens(side.text)}
    fits = text and len(text) <= _LONGEST and known.issuperset(content_tokens(text))
    return text if fits else "watch.point.account"


def _is_told(point: Contested, other: Contested) -> bool:
    return all(any(share_quote(side, one) for one in other.sides) for side in point.sides)
