"""Runs and memory: every read is recorded, nothing recalled supports a sentence, nothing fails."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from groundwire.app import App
from groundwire.app.exports import bundle_of, replay_run
from groundwire.context.context import Context, Parts, Tables
from groundwire.gateway.call import Scope
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.limits import Limits
from groundwire.jobs.ask.answer import AskResult
from groundwire.log import Redactor
from groundwire.model.memory import MemoryQuery
from groundwire.model.run import Run
from groundwire.store import Store
from groundwire.store.dialect import dialect_of
from groundwire.words import words
from tests.claims import take_over
from tests.laws.house import House, ask, result
from tests.store.make import Make

from .make import RATE_NEW, RATE_OLD, minutes, taught, teach
from .pages import BANK, page

QUESTION = "What is the savings rate of Harbor Light Bank?"
FIRST = f"{RATE_OLD} The bank is based in Marlow."
SECOND = f"{RATE_NEW} The bank is based in Marlow."


@pytest.fixture
def house(tmp_path: Path, database_url: str) -> House:
    return House(tmp_path / "house", database=database_url, more={"offline": True})


@asynccontextmanager
async def asked_twice(house: House, **changes: Any) -> AsyncIterator[tuple[App, Run, Run]]:
    """Ask, and ask again after the page has changed."""
    async with house.open(**changes) as app:
        await app.archive.add([page(BANK, FIRST, minutes(0))])
        first = await ask(app, QUESTION)
        await app.archive.add([page(BANK, SECOND, minutes(10))])
        yield app, first, await ask(app, QUESTION)


async def test_an_answer_says_what_was_believed_before_and_that_it_changed(house: House):
    async with asked_twice(house) as (app, first, second):
        assert result(first).recalled == ()
        known = [each for each in result(second).recalled if each.text == RATE_OLD]
        say = words("en")
        assert [(each.change, each.now, say.stored(each.why)) for each in known] == [
            ("changed", RATE_NEW, "figure: 4.2% → 4.5%")
        ]
        entries = await app.store.memory.recall(MemoryQuery(text=QUESTION), minutes(0))
        assert [entry.claim.text for entry in entries if entry.similarity.total > 0.9] == [RATE_NEW]


@pytest.mark.parametrize(
    "again",
    [QUESTION, "Harbor Light Bank 的储蓄利率是多少？", "Harbor Light Bank 的儲蓄利率是多少？"],
)
async def test_what_an_answer_has_just_said_was_not_believed_before(house: House, again: str):
    async with house.open() as app:
        await app.archive.add([page(BANK, FIRST, minutes(0))])
        await ask(app, QUESTION)
        second = result(await ask(app, again))
        assert second.answer
        assert second.recalled == ()


async def test_nothing_recalled_is_cited_or_counted(house: House):
    """Law 2: a sentence stands on stored pages, not on what we believed."""
    async with asked_twice(house) as (_, _, second):
        found = result(second)
        cited = {each.evidence_id for one in found.answer for each in one.citations}
        assert cited <= {each.id for each in found.evidence}
        assert RATE_OLD not in [sentence.text for sentence in found.answer]
        assert found.checks.supported == len(found.answer)


async def test_a_replay_sees_what_the_run_saw_whatever_was_learned_since(house: House):
    async with asked_twice(house) as (app, _, second):
        bundle = await bundle_of(app, second)
        for entry in await app.store.memory.recall(
            MemoryQuery(text=QUESTION, past=True), minutes(0)
        ):
            runs = [moment.who for moment in entry.history]
            await app.store.memory.forget(run_ids=[each for each in runs if each != second.id])
        for given in (second, bundle):
            replayed = await replay_run(app, given)
            assert (replayed.identical, replayed.differences) == (True, ())


async def test_a_restart_sees_what_the_first_process_saw(store: Store):
    make = Make()
    lease = await make.lease(store, "run-1")
    await teach(store, "before", minutes(0), taught(RATE_OLD))
    gateway = Gateway(store.ledger, store.cache, Limits({}, {}), Redactor())
    nothing: Any = None
    tables = Tables(lambda: store.memory, *[nothing] * 4, True, False, 0, nothing)
    parts = Parts(*[nothing] * 5, gateway, tables, {})

    def context(scope: Scope) -> Context:
        return Context("run-1", "", scope, parts, nothing)

    query = MemoryQuery(text=QUESTION)
    first = await context(Scope(lease, make.now, lambda _: (), fresh=True)).recall(query)
    assert [entry.claim.text for entry in first.entries] == [RATE_OLD]
    await teach(store, "meanwhile", minutes(5), taught(RATE_NEW))
    again = await take_over(store.runs, "run-1", "other", make.now, make.later)
    assert again is not None
    assert await context(Scope(again, make.now, lambda _: ())).recall(query) == first
    record = (await store.ledger.records("run-1"))[0]
    assert (record.kind, record.provider, record.via) == ("read", "memory", "local")


async def test_memory_that_is_off_gives_nothing_says_so_and_learns_nothing(house: House):
    async with asked_twice(house, **{"memory.enabled": False}) as (app, first, second):
        assert (first.state, second.state) == ("complete", "complete")
        assert result(second).recalled == ()
        assert result(second).degraded == ()
        records = await app.store.ledger.records(second.id)
        assert not [record for record in records if record.provider == "memory"]
        assert await app.store.memory.recall(MemoryQuery(text=QUESTION), minutes(0)) == []
        events = await app.store.journal.read(second.id)
        (payload,) = [e.payload for e in events if e.payload.get("phase") == "recall"]
        assert payload["state"] == "off"


@pytest.mark.parametrize("table", ["doubts", "sightings"])
async def test_memory_in_trouble_degrades_a_run_and_fails_none(
    house: House, database_url: str, table: str
):
    async with house.open() as app:
        await app.archive.add([page(BANK, FIRST, minutes(0))])
        await ask(app, QUESTION)
        with dialect_of(database_url).engine().begin() as connection:
            connection.execute(text(f"DROP TABLE {table}"))
        run = await ask(app, QUESTION)
        found = result(run)
        assert run.state == "degraded", run.error
        assert [sentence.text for sentence in found.answer][:1] == [RATE_OLD]
        assert [each.part for each in found.degraded] == ["memory"]
        assert (await app.store.runs.get(run.id)) == run
        replayed = await replay_run(app, run)
        assert replayed.identical, replayed.differences


async def test_a_failed_run_teaches_nothing(house: House):
    async with house.open(**{"search.chain": ["archive"]}) as app:
        run = await ask(app, QUESTION)  # the archive is empty: complete, with gaps
        assert run.state == "complete"
        assert await app.store.memory.recall(MemoryQuery(text=QUESTION), minutes(0)) == []


async def test_what_a_person_withdrew_is_marked_when_an_answer_says_it_again(house: House):
    async with house.open() as app:
        await app.archive.add([page(BANK, FIRST, minutes(0))])
        await ask(app, QUESTION)
        entry = (await app.memory.recall(MemoryQuery(text=QUESTION, limit=1))).entries[0]
        await app.memory.withdraw(entry.claim.id, who="analyst", why="the page has a typo")
        found: AskResult = result(await ask(app, QUESTION))
        assert [(each.change, each.why) for each in found.recalled if each.text == RATE_OLD] == [
            ("withdrawn", "the page has a typo")
        ]
        # The same page read again is no news.
        believed = (await app.memory.recall(MemoryQuery(text=QUESTION))).entries
        assert entry.claim.id not in [each.claim.id for each in believed]


async def test_forgetting_a_run_empties_what_others_recalled_of_it(house: House):
    async with asked_twice(house) as (app, first, second):
        marked = await app.store.forgetting.run(first.id)
        assert marked.runs == (first.id,)
        assert {place.run_id for place in marked.records} == {second.id}
        await app.store.forgetting.carry_out(marked)
        records = await app.store.ledger.records(second.id)
        assert not [each for each in records if first.id in each.model_dump_json()]
        replayed = await replay_run(app, second)
        assert not replayed.identical
        assert "replay.forgotten" in [each.code for each in replayed.differences]
