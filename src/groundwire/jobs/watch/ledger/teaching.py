"""What the claims of a watch teach memory: each with its attribute as predicate, its value and its quotes."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.evidence.memory.beliefs import lesson
from groundwire.jobs.watch.ledger.claims import Claim, Holder
from groundwire.model.claim import Claim as Told
from groundwire.model.memory import Ground, Lesson

_HELD = frozenset({"supported", "qualified", "contested"})


def lessons(claims: Iterable[Claim]) -> tuple[Lesson, ...]:
    """Return a lesson for each claim that stands, and for each that was taken back."""
    return tuple(_lesson(each) for each in claims if each.verdict in _HELD or not each.stands)


def predicate_of(claim: Claim) -> str:
    """Return what a claim says of its subject: its attribute, and which one; "" for the open class."""
    return ": ".join(filter(None, (claim.attribute, claim.qualifier if claim.attribute else "")))


def _lesson(claim: Claim) -> Lesson:
    told = Told(
        text=claim.text,
        subject=claim.subject,
        predicate=predicate_of(claim),
        value=claim.value,
        citations=(),
        verdict=claim.verdict,
    )
    return lesson(told, [_ground(each) for each in claim.citations])


def _ground(holder: Holder) -> Ground:
    return Ground.model_validate(holder.model_dump(include=set(Ground.model_fields)))
