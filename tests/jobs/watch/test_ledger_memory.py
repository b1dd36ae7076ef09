"""What a watch teaches memory: each claim by its attribute, also those that were taken back."""

from __future__ import annotations

from watch_days import Days, page

from groundwire.jobs.watch.job import teaches
from groundwire.jobs.watch.ledger.teaching import lessons
from groundwire.jobs.watch.result import WatchResult


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


def test_the_job_teaches_what_the_claims_say() -> None:
    days = _taught()
    assert days.ledger is not None
    result = WatchResult.model_construct(claims=days.ledger.claims)
    assert tuple(teaches(result)) == lessons(days.ledger.claims)
