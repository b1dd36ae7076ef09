"""What verify remembers of a message, and what that must not change."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.app import App
from groundwire.jobs.verify.job import JOB
from groundwire.model.memory import MemoryQuery
from groundwire.model.run import Run, digest
from tests import made_signals
from tests.laws.house import House, ask, result

from .make import RATE_OLD, minutes
from .pages import BANK, page

RUMOUR = RATE_OLD


@pytest.fixture
def house(tmp_path: Path, database_url: str) -> House:
    return House(tmp_path / "house", database=database_url, more={"offline": True})


def test_settled_claims_are_taught_with_the_quotes_that_settle_them():
    signal = made_signals.supported()
    taught = JOB.teaches(signal)
    settled = [each for each in signal.claims if each.verdict in ("supported", "contradicted")]
    assert [each.belief.text for each in taught] == [each.text for each in settled]
    documents = {each.id: each.document_id for each in signal.evidence}
    for lesson, claim in zip(taught, settled, strict=True):
        assert lesson.verdict == claim.verdict
        assert [each.quote for each in lesson.grounds] == [each.quote for each in claim.citations]
        assert {each.document_id for each in lesson.grounds} <= set(documents.values())


def test_a_contradicted_claim_is_remembered_as_contradicted():
    taught = JOB.teaches(made_signals.contradicted())
    assert "contradicted" in {each.verdict for each in taught}


def test_a_first_impression_teaches_nothing():
    assert JOB.teaches(made_signals.plain()) == ()


async def verified(app: App) -> Run:
    given = {"text": RUMOUR, "published_at": minutes(5).isoformat(), "id": "own"}
    run = await app.submit("verify", given, now=minutes(20))
    return await app.finished(run.id)


async def test_an_own_verdict_is_recalled_and_moves_no_confidence(house: House):
    async with house.open(**{"intake.dedup.signal": False}) as app:
        others = ("https://reuters.com/bank", "https://bbc.com/bank", "https://ft.com/rates")
        texts = (f"{RATE_OLD} {each} reports." for each in ("Our desk", "The paper", "A clerk"))
        await app.archive.add(
            [page(url, text, minutes(0)) for url, text in zip(others, texts, strict=True)]
        )
        first = await verified(app)
        assert first.result is not None
        settled = [each for each in first.result["claims"] if each["verdict"] == "supported"]
        assert settled, first.result["claims"]
        entries = await app.store.memory.recall(MemoryQuery(text=RUMOUR), minutes(30))
        assert settled[0]["text"] in [each.claim.text for each in entries]
        second = await verified(app)
        assert second.result is not None
        kept = ("confidence", "verdict", "claims", "evidence")
        before, after = ({name: run.result[name] for name in kept} for run in (first, second))
        assert digest(before) == digest(after)
        moved = [
            [(row["rule"], row["delta"]) for row in run.result["waterfall"] if row["delta"]]
            for run in (first, second)
        ]
        assert moved[0] == moved[1]


async def test_what_was_contradicted_is_not_shown_as_believed(house: House):
    async with house.open() as app:
        await app.archive.add([page(BANK, f"{RATE_OLD} The bank is based in Marlow.", minutes(0))])
        from tests.memory.make import taught, teach

        wrong = "Harbor Light Bank's savings rate is 9.9%."
        lesson = taught(wrong).model_copy(update={"verdict": "contradicted"})
        await teach(app.store, "verify-1", minutes(1), lesson, kind="verify")
        answer = await ask(app, "What is the savings rate of Harbor Light Bank?")
        assert wrong not in [each.text for each in result(answer).recalled]
