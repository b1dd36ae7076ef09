"""Profile a company or a thing from memory: its products, prices, people and moves, each cited."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from groundwire.context import Context
from groundwire.model.base import Instant, Value
from groundwire.model.claim import Verdict
from groundwire.model.memory import Ground, MemoryQuery, RecalledClaim

_MOST = 100
# By the predicates that claims are remembered with: `price: aurin 5`.
_PRICES = frozenset({"price", "fee", "rent", "tariff"})
_PEOPLE = frozenset(
    {"head", "chair", "finance_head", "technology_head", "director", "coach", "captain", "president"}
    | {"minister", "owner", "tenure"}
)  # fmt: skip
_MOVES = frozenset(
    {"launch", "opening", "closing", "acquisition", "funding", "investment", "deal", "ipo", "listing"}
    | {"layoffs", "contract", "availability", "operation", "bankruptcy", "licence", "approval", "strike"}
)  # fmt: skip
# What belongs to one product of several, whose name then stands behind the attribute.
_OF_PRODUCTS = frozenset({"price", "version", "launch", "availability", "recall", "rating"})


class Input(Value):
    """Who or what to look up."""

    name: str = Field(min_length=1, max_length=200)


class Fact(Value):
    """A remembered claim: what it is about, its value, and the quotes that it rests on."""

    about: str  # its attribute, and which one: "price: aurin 5"; "": none is known
    value: str
    text: str
    verdict: Verdict
    learned_at: Instant | None
    sources: tuple[Ground, ...]


class Product(Value):
    """A product, by the name that stands in the claims about it."""

    name: str
    facts: tuple[Fact, ...]


class Result(Value):
    """The profile that memory gives; `state` says whether memory answered, and nothing is made up for it."""

    state: str
    name: str
    products: tuple[Product, ...] = ()
    prices: tuple[Fact, ...] = ()
    people: tuple[Fact, ...] = ()
    moves: tuple[Fact, ...] = ()
    other: tuple[Fact, ...] = ()


async def run(context: Context, given: Input) -> Result:
    """Gather what memory holds of somebody: products, prices, people, moves, each with its quotes."""
    query = MemoryQuery(text=given.name, subject=given.name, limit=_MOST)
    found = await context.recall(query)
    facts = _newest(_fact(each) for each in found.entries if each.sources)
    known = _PRICES | _PEOPLE | _MOVES
    return Result(
        state=found.state,
        name=given.name,
        products=_products(facts),
        prices=_of(facts, _PRICES),
        people=_of(facts, _PEOPLE),
        moves=_of(facts, _MOVES),
        other=tuple(each for each in facts if _attribute(each) not in known),
    )


def _fact(found: RecalledClaim) -> Fact:
    return Fact(
        about=found.claim.predicate,
        value=found.claim.value,
        text=found.claim.text,
        verdict=found.standing.verdict,
        learned_at=found.standing.learned_at,
        sources=found.sources,
    )


def _newest(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return each fact once, whatever its words, by what it is about; the one learned last counts."""
    by_value: dict[tuple[str, str], Fact] = {}
    for fact in sorted(facts, key=_learned):
        by_value[fact.about, fact.value if fact.about else fact.text] = fact
    return tuple(sorted(by_value.values(), key=lambda each: (each.about, _learned(each))))


def _learned(fact: Fact) -> tuple[str, str]:
    return fact.learned_at.isoformat() if fact.learned_at else "", fact.text


def _attribute(fact: Fact) -> str:
    return fact.about.partition(":")[0]


def _of(facts: Iterable[Fact], attributes: frozenset[str]) -> tuple[Fact, ...]:
    return tuple(each for each in facts if _attribute(each) in attributes)


def _products(facts: Iterable[Fact]) -> tuple[Product, ...]:
    by_name: dict[str, list[Fact]] = {}
    for fact in _of(facts, _OF_PRODUCTS):
        name = fact.about.partition(": ")[2].partition(", ")[0]
        if name:
            by_name.setdefault(name, []).append(fact)
    return tuple(Product(name=name, facts=tuple(each)) for name, each in sorted(by_name.items()))
