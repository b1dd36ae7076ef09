"""Keep a profile of a company from memory: products, prices, people and moves, each cited."""

from __future__ import annotations

from pydantic import Field

from groundwire.context import Context
from groundwire.language.text.business import Topic, told_of
from groundwire.model.base import Instant, Value
from groundwire.model.claim import Verdict
from groundwire.model.memory import Ground, MemoryQuery, RecalledClaim, TrueSpan

_MOST = 100  # claims that memory gives at once
_DENIED: frozenset[Verdict] = frozenset({"contradicted", "contested"})


class Input(Value):
    """Whose profile."""

    name: str = Field(min_length=1, max_length=200)


class Fact(Value):
    """A remembered claim: when it was true, since when we know it, and who says so."""

    claim_id: str
    text: str
    verdict: Verdict
    time: str  # the dates of the claim: 2026-11-10, 2026-Q4; "": it names none
    span: TrueSpan
    learned_at: Instant | None
    seen_at: Instant | None
    sources: tuple[Ground, ...]


class Result(Value):
    """What is believed about a company, newest first; `state` says whether memory answered.

    `disputed` is what was found to be false, or is contested. `other` is what tells of none of
    the rest, and what only mentions the name.
    """

    state: str
    name: str
    products: tuple[Fact, ...] = ()
    prices: tuple[Fact, ...] = ()
    people: tuple[Fact, ...] = ()
    moves: tuple[Fact, ...] = ()
    disputed: tuple[Fact, ...] = ()
    other: tuple[Fact, ...] = ()


_GROUPS: dict[Topic, str] = {
    "product": "products",
    "price": "prices",
    "people": "people",
    "move": "moves",
    "": "other",
}


async def run(context: Context, given: Input) -> Result:
    """Return what memory believes about a company, by what each claim tells of; nothing is looked up anew."""
    found = await context.recall(MemoryQuery(text=given.name, subject=given.name, limit=_MOST))
    groups: dict[str, list[Fact]] = {}
    for entry in sorted(found.entries, key=_newest, reverse=True):
        groups.setdefault(_group(entry), []).append(_fact(entry))
    facts = {name: tuple(each) for name, each in groups.items()}
    return Result.model_validate({"state": found.state, "name": given.name, **facts})


def _group(entry: RecalledClaim) -> str:
    if entry.standing.verdict in _DENIED:
        return "disputed"
    about = next((p.value for p in entry.similarity.parts if p.name == "subject"), 0.0)
    return _GROUPS[told_of(entry.claim.text)] if about == 1.0 else "other"


def _newest(entry: RecalledClaim) -> tuple[str, str, str]:
    """Order by the claim's own end, else by when it was last seen."""
    when = entry.claim.span.true_to or entry.claim.span.true_from or entry.standing.seen_at
    seen = entry.standing.seen_at
    return when.isoformat() if when else "", seen.isoformat() if seen else "", entry.claim.id


def _fact(entry: RecalledClaim) -> Fact:
    return Fact(
        claim_id=entry.claim.id,
        text=entry.claim.text,
        verdict=entry.standing.verdict,
        time=entry.claim.time,
        span=entry.claim.span,
        learned_at=entry.standing.learned_at,
        seen_at=entry.standing.seen_at,
        sources=entry.sources,
    )
