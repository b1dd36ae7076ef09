"""Laws 3 and 4: code decides to search, and a failure is never emptiness nor a verdict."""

from __future__ import annotations

from typing import Any

import pytest
from lab.stubs import Fault, Rule, Stubs
from lab.stubs.faults import cut_off, empty, error, malformed, unauthorized

from groundwire.model.call import CallRecord
from groundwire.model.run import digest
from tests.laws.house import WHY, WHY_ZH, House, ask, journal, result
from tests.laws.scripted import Model, scripted

LIMIT = 3
NONE: dict[str, Any] = {"queries": []}
BLANK = {"queries": [{"text": "  ", "language": "en"}] * 2}
FIFTY = {"queries": [{"text": f"USDC peg {n}", "language": "en"} for n in range(50)]}
LONG = {"queries": [{"text": "USDC " * 300, "language": "en"}]}


def _texts(records: list[CallRecord]) -> list[str]:
    return sorted(r.request["search"]["text"] for r in records if r.provider == "archive")


@pytest.mark.parametrize("question", [WHY, WHY_ZH])
class TestLaw3:
    """Search is code's decision, within a policy; a model can add words, never skip or exceed."""

    @pytest.mark.parametrize("plan", [NONE, BLANK, LONG], ids=["none", "blank", "too long"])
    async def test_a_model_cannot_skip_the_search(
        self, house: House, question: str, plan: dict[str, Any]
    ) -> None:
        async with scripted(Model(plan=lambda _: plan)) as model:
            house.model_url = model.url
            async with house.open(**{"ask.queries": LIMIT}) as app:
                await app.archive.add_sample()
                run = await ask(app, question)
                searched = _texts(list(await app.store.ledger.records(run.id)))
        assert 1 <= len(searched) <= LIMIT
        assert all(text.strip() and len(text) <= 400 for text in searched)
        assert result(run).evidence
        assert result(run).degraded[0].part == "model:openai:gpt-4.1-mini (plan)"
        assert result(run).degraded[0].instead == "instead.answered_by"
        assert result(run).degraded[0].params["by"] == "embedded"

    async def test_a_model_cannot_search_more_than_allowed(
        self, house: House, question: str
    ) -> None:
        async with scripted(Model(plan=lambda _: FIFTY)) as model:
            house.model_url = model.url
            async with house.open(**{"ask.queries": LIMIT, "ask.pages": 2}) as app:
                await app.archive.add_sample()
                run = await ask(app, question)
                records = list(await app.store.ledger.records(run.id))
        # Code's own query in each language goes out first; the model fills what room is left.
        texts = _texts(records)
        assert len(texts) == LIMIT
        assert [text for text in texts if text.startswith("USDC peg ")] == ["USDC peg 0"]
        assert len(result(run).evidence) == 2

    async def test_rounds_end_where_the_person_said_whatever_the_model_misses(
        self, house: House, question: str
    ) -> None:
        missing = {"sentences": [], "gaps": [{"what": "more", "why": "there is always more"}]}
        async with scripted(Model(write=lambda _: missing)) as model:
            house.model_url = model.url
            async with house.open() as app:
                await app.archive.add_sample()
                await ask(app, question, deep=1)
        assert model.count("plan") == 2


FAILURES = {
    "error": (error(500), "server"),
    "unauthorized": (unauthorized(), "auth"),
    "malformed": (malformed(), "malformed"),
    "cut off": (cut_off(), "network"),
}


class TestLaw4:
    """An error is never a verdict, and failure is never emptiness."""

    @pytest.mark.parametrize("name", sorted(FAILURES))
    async def test_every_search_failed_is_a_failed_run_that_names_the_failure(
        self, house: House, stubs: Stubs, name: str
    ) -> None:
        fault, code = FAILURES[name]
        run = await self._searched(house, stubs, fault)
        found = result(run)
        assert (run.state, found.status) == ("failed", "failed")
        assert [gap.why for gap in found.gaps] == ["gap.every_search_failed"]
        assert [(each.part, each.code) for each in found.degraded] == [("search:tavily", code)]
        assert not found.answer

    async def test_nothing_found_is_complete_and_says_so(self, house: House, stubs: Stubs) -> None:
        run = await self._searched(house, stubs, empty())
        found = result(run)
        assert (run.state, found.degraded) == ("complete", ())
        assert [gap.why for gap in found.gaps] == ["gap.nothing_found"]

    async def test_the_journal_tells_a_failed_search_from_an_empty_one(
        self, house: House, stubs: Stubs
    ) -> None:
        house.stubs = stubs
        failed: list[Any] = []
        for fault in (error(500), empty()):
            stubs.faults(Rule(fault, stub="tavily"))
            async with house.open(**{"search.cache_ttl": 0}) as app:
                run = await ask(app)
                searches = [e.payload for e in await journal(app, run.id) if e.type == "progress"]
            failed.append({bool(payload["failures"]) for payload in searches})
            assert {payload["hits"] for payload in searches} == {0}
        assert failed == [{True}, {False}]

    async def test_a_failure_makes_no_sentence_better_than_it_was(
        self, house: House, stubs: Stubs
    ) -> None:
        """The search and the model fail: the answer is exactly that of the archive alone."""
        async with house.open() as app:
            await app.archive.add_sample()
            alone = await ask(app)
        stubs.faults(Rule(error(500)))
        house.stubs, house.model_url = stubs, stubs.url("model")
        async with house.open() as app:
            failing = await ask(app)
        parts = ("answer", "unsupported", "contested", "gaps", "checks", "evidence", "origins")
        for part in parts:
            before, after = ({"x": (run.result or {})[part]} for run in (alone, failing))
            assert digest(before) == digest(after), part
        assert (alone.state, failing.state) == ("complete", "degraded")

    async def test_a_page_that_failed_is_a_marked_snippet_and_stays_one(
        self, house: House, stubs: Stubs
    ) -> None:
        """Also when a later run finds it in the archive, where the pages that were read are."""
        stubs.faults(Rule(error(500), stub="web"))
        house.stubs = stubs
        async with house.open() as app:
            first = result(await ask(app))
        house.stubs = None
        async with house.open() as app:
            later = result(await ask(app))
        assert first.evidence
        assert {each.subject for each in first.recovered} == {each.id for each in first.evidence}
        for each in first.recovered:
            assert (each.error, each.tried, each.outcome) == ("server", "snippet", "worked")
        for each in (*first.evidence, *later.evidence):
            assert each.kind == "snippet"
            assert "snippet" in each.flags

    async def _searched(self, house: House, stubs: Stubs, fault: Fault) -> Any:
        house.stubs = stubs
        stubs.faults(Rule(fault, stub="tavily"))
        async with house.open() as app:
            return await ask(app)
