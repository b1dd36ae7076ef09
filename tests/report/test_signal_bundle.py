"""A signal in a bundle: every quote is looked up in its page, and the waterfall is added up."""

from __future__ import annotations

from typing import Any

import pytest
from tests.made_signals import AT, RUN, contradicted, pages, supported

from groundwire.app.exports import claims_of, markdown_of
from groundwire.jobs.verify.signal import Signal
from groundwire.model.run import Run, Versions, digest
from groundwire.report.bundle import Bundle, write
from groundwire.report.checking import Checkup, check


def run_of(signal: Signal, **changed: Any) -> Run:
    result = {**signal.model_dump(mode="json"), **changed}
    return Run(
        id=RUN,
        kind="verify",
        input={"text": signal.message.text},
        settings={},
        now=AT,
        seed="s",
        versions=Versions(code="c", prompts="p", data="d"),
        created_at=AT,
        updated_at=AT,
        state="complete",
        result=result,
        digest=digest(result),
    )


def checked(signal: Signal, language: str = "en", **changed: Any) -> Checkup:
    run = run_of(signal, **changed)
    bundle = Bundle(
        run=run, events=(), calls=(), pages=pages(language), claims=(), report=markdown_of(run)
    )
    return check(write(bundle))


@pytest.mark.parametrize(
    ("signal", "language", "quotes"),
    # Two citations and the words of four pieces of evidence; one and two.
    [(supported(), "en", 6), (contradicted(), "zh", 3)],
)
def test_a_whole_signal_passes_with_every_quote_counted(
    signal: Signal, language: str, quotes: int
) -> None:
    found = checked(signal, language)
    assert found.problems == ()
    assert found.quotes == quotes


def test_a_quote_of_the_evidence_that_is_not_in_its_page_is_found() -> None:
    rows = supported().model_dump(mode="json")["evidence"]
    rows[3]["quote"] = "traced the $43 million to two wallets"
    (problem,) = checked(supported(), evidence=rows).problems
    assert problem.what.code == "check.quote"


def test_a_citation_of_a_claim_that_is_not_in_its_page_is_found() -> None:
    claims = supported().model_dump(mode="json")["claims"]
    claims[0]["citations"][0]["start"] += 1
    (problem,) = checked(supported(), claims=claims).problems
    assert problem.what.code == "check.quote"


def test_a_confidence_that_is_not_the_sum_of_its_waterfall_is_found() -> None:
    (problem,) = checked(supported(), confidence=0.9).problems
    assert problem.what.code == "check.sum"


def test_a_row_that_rests_on_nothing_listed_is_found() -> None:
    rows = supported().model_dump(mode="json")["waterfall"]
    rows[1]["evidence_ids"] = ["ev_none"]
    (problem,) = checked(supported(), waterfall=rows).problems
    assert (problem.what.code, problem.what.params) == ("check.unlisted", {"id": "ev_none"})


def test_the_claims_of_a_bundle_name_the_passages_that_they_stand_in() -> None:
    claims = claims_of(run_of(supported()), pages())
    assert [each.text for each in claims] == [each.text for each in supported().claims]
    assert all(citation.passage_id for citation in claims[0].citations)


def test_a_run_without_a_signal_reports_its_state() -> None:
    run = run_of(supported()).model_copy(update={"result": None, "state": "failed", "error": "no"})
    report = markdown_of(run)
    assert report.startswith(f"# {supported().message.text[:60]}")
    assert "> ▨ **The run ended without a result: failed** no\n" in report
    assert f"- run: {RUN}\n" in report
