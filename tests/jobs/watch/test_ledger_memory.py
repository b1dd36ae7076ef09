"""What a watch teaches memory, and the profile that is looked up there."""

from __future__ import annotations

from datetime import UTC, datetime

from watch_days import Days, page

from groundwire.jobs.watch.ledger.teaching import lessons
from groundwire.model.memory import RecalledClaim, Recollection, Standing
from groundwire.tools import competitor_lookup

_AT = datetime(2026, 10, 9, tzinfo=UTC)


class _Memory:
    """A context whose memory is what a watch taught."""

    def __init__(self, found: Recollection) -> None:
        self._found = found

    async def recall(self, _query: object) -> Recollection:
        return self._found


def _taught() -> Days:
    days = Days()
    price = page("harbour", 1, "Norvale's Aurin 5 costs $249.")
    days.look(
        1,
        price,
        page("meridian", 1, "Marta Lindqvist is the chief executive of Norvale."),
        page("granite", 1, "Norvale will launch the Aurin 6 on 12 March 2027."),
        page("copper", 1, "Norvale 有 1800 名员工。"),
    )
    return days


def test_a_claim_is_taught_with_its_attribute_and_which_one() -> None:
    ledger = _taught().ledger
    assert ledger is not None
    taught = {each.belief.predicate: each for each in lessons(ledger.claims)}
    assert {"price: aurin 5", "head", "launch: aurin 6", "employees"} <= taught.keys()
    price = taught["price: aurin 5"]
    assert (price.belief.subject, price.belief.value) == ("Norvale", "$249")
    assert price.grounds[0].quote == "Norvale's Aurin 5 costs $249."


def test_a_withdrawn_claim_is_taught_as_not_held() -> None:
    days = _taught()
    days.look(3, page("harbour", 1, "This article has been withdrawn."))
    assert days.ledger is not None
    taught = {each.belief.predicate: each.verdict for each in lessons(days.ledger.claims)}
    assert taught["price: aurin 5"] == "contradicted"


async def test_a_profile_is_kept_from_memory_each_fact_with_its_quote() -> None:
    ledger = _taught().ledger
    assert ledger is not None
    entries = tuple(_recalled(lesson) for lesson in lessons(ledger.claims))
    memory = _Memory(Recollection(state="ok", entries=entries))
    given = competitor_lookup.Input(name="Norvale")
    found = await competitor_lookup.run(memory, given)  # type: ignore[arg-type]
    assert [each.name for each in found.products] == ["aurin 5", "aurin 6"]
    assert [each.value for each in found.prices] == ["$249"]
    assert [each.value for each in found.people] == ["Marta Lindqvist"]
    assert [each.about for each in found.moves] == ["launch: aurin 6"]
    assert [each.about for each in found.other] == ["employees"]
    assert all(fact.sources for fact in (*found.prices, *found.people, *found.moves, *found.other))


async def test_memory_that_is_away_gives_no_profile() -> None:
    memory = _Memory(Recollection(state="unavailable"))
    given = competitor_lookup.Input(name="Norvale")
    found = await competitor_lookup.run(memory, given)  # type: ignore[arg-type]
    assert (found.state, found.products, found.other) == ("unavailable", (), ())


def _recalled(lesson: object) -> RecalledClaim:
    from groundwire.model.memory import Lesson, Similarity

    assert isinstance(lesson, Lesson)
    return RecalledClaim(
        claim=lesson.belief,
        standing=Standing(state="believed", verdict=lesson.verdict, learned_at=_AT),
        sightings=1,
        sources=lesson.grounds,
        similarity=Similarity(total=1.0, parts=()),
    )
