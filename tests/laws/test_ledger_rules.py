"""Ledger rules a–i through the whole app, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from lab.stubs import Rule, Stubs
from lab.stubs.faults import error, slow

from groundwire.app import App
from groundwire.llm.model import ModelCall
from groundwire.model.call import CallRecord, Intent, Lease, Settlement, Via, call_key
from groundwire.model.ports import Begun, Ledger
from groundwire.model.run import Run, Versions
from groundwire.sample import documents
from groundwire.store import calls
from groundwire.store.documents import _GET as DOCUMENT
from groundwire.store.statement import Connection, Statement
from tests.laws.house import NOW, WHY, House, ask, asked_with_seed, ended, journal, result
from tests.laws.scripted import Model, scripted

OTHER = Versions(code="another", prompts="p", data="d")


@pytest.fixture
def house(tmp_path: Path, database_url: str) -> House:
    return House(tmp_path / "house", database_url)


@asynccontextmanager
async def interrupted(house: House, model: Model) -> AsyncIterator[App]:
    """Open an app whose run was handed back while its writer was asked; the answer came afterwards."""
    model.hold, house.model_url = "write", model.url
    async with house.open() as app:
        await app.archive.add_sample()
        await app.submit("ask", {"question": WHY}, now=NOW)
        async with asyncio.timeout(60):
            while not model.count("write"):
                await asyncio.sleep(0.02)
        with pytest.MonkeyPatch.context() as shorter:  # the model would keep it for all seven
            shorter.setattr("groundwire.gateway.gateway._FAREWELL", 0.2)
            await app.engine.stop()
        model.gate.set()
        await app.outside.gateway.close()
        yield app


async def _undisturbed(tmp_path: Path) -> str | None:
    async with scripted() as model:
        house = House(tmp_path / "undisturbed", model_url=model.url)
        async with house.open() as app:
            await app.archive.add_sample()
            return (await ask(app)).digest


async def test_a_restart_sees_the_archive_as_the_run_first_saw_it(
    house: House, tmp_path: Path
) -> None:
    """Rule a: the archive grew in between; an unrecorded read would change every later key."""
    sample = documents(NOW)[0]
    fresh = [
        sample.model_copy(
            update={
                "id": f"doc_new{number}",
                "canonical_url": f"https://new{number}.example/usdc",
                "title": WHY,
                "text": f"{WHY} USDC lost its peg in March 2023. Page {number}.",
                "sha256": str(number) * 64,
            }
        )
        for number in range(9)
    ]
    async with scripted() as model:
        async with interrupted(house, model) as app:
            assert await app.archive.add(fresh) == 9
        async with house.open() as app:
            run = await ended(app, (await app.runs.find("last")).id)
        assert (model.count("plan"), model.count("write")) == (1, 1)
    assert not [each.url for each in result(run).evidence if "new" in each.url]
    assert run.digest == await _undisturbed(tmp_path)


async def test_a_restart_keeps_the_clock_the_seed_and_the_settings_of_the_submit(
    house: House, tmp_path: Path
) -> None:
    """Rule b: forty days later, under other settings, nothing is asked again."""
    async with scripted() as model:
        async with interrupted(house, model) as app:
            before = await app.runs.find("last")
        changed = {"ask.queries": 5, "ask.pages": 1, "ask.passages": 2, "language": "zh"}
        async with house.open(**changed) as app:
            app.clock = lambda: NOW + timedelta(days=40)
            run = await ended(app, before.id)
        assert (model.count("plan"), model.count("write")) == (1, 1)
        assert all("Today: 2026-11-16" in each.user for each in model.requests)
    fixed = ("now", "seed", "settings", "input", "versions")
    assert [getattr(run, name) for name in fixed] == [getattr(before, name) for name in fixed]
    assert (run.restarts, run.digest) == (1, await _undisturbed(tmp_path))


async def test_the_settings_in_a_run_hold_no_secret(house: House, stubs: Stubs) -> None:
    """Rule b: the effective settings, without secrets, are fixed in the run row at submit."""
    house.stubs, house.model_url = stubs, stubs.url("model")
    async with house.open() as app:
        run = await app.submit("ask", {"question": WHY}, now=NOW)
        assert run.settings["ask"]["queries"] == 2
        assert run.settings["search"]["chain"] == ["tavily", "archive"]
        assert "planted" not in str(run.settings)


class TestKeys:
    """Rule c."""

    async def test_two_orders_of_completion_have_one_set_of_keys(
        self, tmp_path: Path, stubs: Stubs
    ) -> None:
        found: list[set[str]] = []
        orders: list[list[str]] = []
        for turn in range(6):  # other answers are late each turn, until two came in another order
            stubs.reset()
            stubs.faults(Rule(slow(0.4), share=0.5, seed=turn))
            house = House(tmp_path / str(turn), stubs=stubs, model_url=stubs.url("model"))
            async with house.open() as app:
                run = await asked_with_seed(app, "run-same-name")
                records = await app.store.ledger.records(run.id)
            found.append({record.key for record in records})
            done = [record for record in records if record.kind in ("search", "fetch")]
            done.sort(key=lambda record: record.finished_at or NOW)
            orders.append([record.key for record in done])
            if orders[0] != orders[-1]:
                break
        assert orders[0] != orders[-1]
        assert all(keys == found[0] for keys in found)

    async def test_a_key_is_the_hash_of_what_is_asked_in_our_own_words(
        self, house: House, stubs: Stubs
    ) -> None:
        """Every key can be made again from its row; no vendor's message, time or id is in it."""
        house.stubs, house.model_url = stubs, stubs.url("model")
        async with house.open() as app:
            run = await ask(app)
            records = await app.store.ledger.records(run.id)
        for record in records:
            key = call_key(record.kind, record.provider, record.request, record.occasion)
            assert record.key == key, record.kind
        models = [record.request for record in records if record.kind == "model"]
        assert len(models) == 2
        shown = set(ModelCall.model_fields) - {"pictures"}  # named only where one is shown
        assert all(set(request) == shown for request in models)
        written = str([record.request for record in records])
        for stranger in ("timestamp", "run_id", "message_id", "tool_call", run.id, "api_key"):
            assert stranger not in written


async def test_without_budget_nothing_is_sent_and_the_refusals_are_recorded(
    house: House, stubs: Stubs
) -> None:
    """Rules d and f: what has a price is reserved before it is sent, or it is not sent."""
    house.stubs, house.model_url = stubs, stubs.url("model")
    async with house.open(**{"budget.run_usd": 0.000001}) as app:
        await app.archive.add_sample()
        run = await ask(app)
        records = await app.store.ledger.records(run.id)
        spent = await app.store.budget.spent([f"run:{run.id}"])
    assert not [call for call in stubs.log() if call.stub in ("model", "tavily")]
    paid = [record for record in records if record.kind in ("model", "search")]
    assert {(r.outcome, r.error.code if r.error else "", r.cost) for r in paid} == {
        ("failed", "quota", 0)
    }
    assert (run.state, spent[f"run:{run.id}"]) == ("degraded", 0)
    assert {each.code for each in result(run).degraded} == {"quota"}


async def test_a_spent_day_counts_for_the_next_run_and_the_next_process(
    house: House, stubs: Stubs
) -> None:
    """Rule d: the budget is in the store, so restarts and workers share it."""
    house.stubs = stubs
    paid: dict[str, object] = {"search.providers.tavily.free_credits": 0, "search.cache_ttl": 0}
    async with house.open(**paid) as app:
        first = result(await ask(app))
    stubs.reset()
    async with house.open(**paid, **{"budget.day_usd": first.cost.usd}) as app:
        second = result(await ask(app, "When was the DeepSeek R1 model released?"))
    assert first.cost.usd > 0
    assert not [call for call in stubs.log() if call.stub == "tavily"]
    assert [(each.part, each.code) for each in second.degraded] == [("search:tavily", "quota")]


async def test_a_restart_replays_failures(house: House, stubs: Stubs) -> None:
    """Rule f: the provider works again, but the run goes on as it was recorded."""
    stubs.faults(Rule(error(500), stub="tavily"))
    house.stubs = stubs
    async with scripted() as model:
        async with interrupted(house, model):
            stubs.reset()
        async with house.open() as app:
            run = await ended(app, (await app.runs.find("last")).id)
    assert (run.restarts, run.state) == (1, "degraded")
    assert [(each.part, each.code) for each in result(run).degraded] == [
        ("search:tavily", "server")
    ]
    assert not stubs.log()


async def test_a_resume_retries_failures_and_nothing_else(house: House, stubs: Stubs) -> None:
    """Rule f: a later process leaves a failed run alone until a person resumes it."""
    stubs.faults(Rule(error(500), stub="tavily"))
    async with scripted() as model:
        house.stubs, house.model_url = stubs, model.url
        async with house.open() as app:
            failed = await ask(app)
        stubs.reset()
        async with house.open() as app:
            again = await ended(app, failed.id)
            assert not stubs.log()
            await app.engine.resume(failed.id)
            resumed = await ended(app, failed.id)
            records = await app.store.ledger.records(failed.id)
    assert (failed.state, again.state, again.attempt) == ("failed", "failed", 1)
    assert (resumed.state, resumed.attempt) == ("complete", 2)
    assert model.count("plan") == 1
    outcomes = sorted((r.attempt, r.outcome) for r in records if r.kind == "search")
    assert outcomes == [(1, "failed"), (1, "failed"), (2, "ok"), (2, "ok")]
    assert [r.attempt for r in records if "plan" in r.request.get("prompt", "")] == [1]


async def test_runs_that_share_calls_each_record_them_and_one_pays(
    house: House, stubs: Stubs
) -> None:
    """Rule g: joined while it flies, from the cache later."""
    house.stubs = stubs
    stubs.latency(search=0.3, page=0.1)
    async with house.open() as app:
        one, two = await asyncio.gather(ask(app), ask(app))
        three = await ask(app)
        rows = [await app.store.ledger.records(run.id) for run in (one, two, three)]
    searches = [call for call in stubs.log() if call.stub == "tavily"]
    assert len(searches) == 2
    shared = [[r for r in records if r.kind == "search"] for records in rows]
    assert [len(records) for records in shared] == [2, 2, 2]
    assert sorted(r.via for records in shared[:2] for r in records) == ["joined"] * 2 + ["sent"] * 2
    assert {(r.via, r.cost) for r in shared[2]} == {("cache", 0)}
    assert {r.cost for records in shared for r in records if r.via == "joined"} == {0}
    assert one.digest == two.digest


class TestBodies:
    """Rule h."""

    async def test_a_page_read_by_two_runs_is_stored_once_and_records_name_it(
        self, house: House, stubs: Stubs
    ) -> None:
        house.stubs = stubs
        async with house.open(**{"search.cache_ttl": 0}) as app:
            runs = [await ask(app), await ask(app)]
            rows = [await app.store.ledger.records(run.id) for run in runs]
            counts = await app.store.database.read(_counts)
            fetched = [r for records in rows for r in records if r.provider == "web"]
            texts = [await app.store.index.get((r.response or {})["document_id"]) for r in fetched]
        assert len({r.request["url"] for r in fetched}) == 4
        assert counts == (4, 4)
        assert all(text is not None and len(text.text) > 1000 for text in texts)
        assert max(len(str(r.response)) for r in fetched) < 500

    async def test_records_are_found_by_primary_key_and_never_preloaded(
        self, house: House, stubs: Stubs, database_kind: str
    ) -> None:
        house.stubs = stubs
        async with house.open() as app:
            ledger = CountingLedger(app.store.ledger)
            app.outside.ledger = ledger
            await ask(app)
            if database_kind == "sqlite":
                plans = await app.store.database.read(_plans)
                assert "USING INDEX sqlite_autoindex_calls_1 (run_id=? AND key=?)" in plans[0]
                assert "SCAN" not in plans[0] + plans[1]
        assert ledger.listed == 0
        assert ledger.found == 0  # a run that was never here before has nothing to look up


class CountingLedger:
    """Passes everything on, and counts look-ups."""

    def __init__(self, real: Ledger) -> None:
        self._real = real
        self.found = 0
        self.listed = 0

    async def find(self, run_id: str, key: str) -> CallRecord | None:
        self.found += 1
        return await self._real.find(run_id, key)

    async def records(self, run_id: str) -> Sequence[CallRecord]:
        self.listed += 1
        return await self._real.records(run_id)

    async def begin(self, lease: Lease, intent: Intent) -> Begun:
        return await self._real.begin(lease, intent)

    async def finish(self, lease: Lease, settlement: Settlement) -> CallRecord:
        return await self._real.finish(lease, settlement)

    async def note(
        self, lease: Lease, intent: Intent, settlement: Settlement, via: Via
    ) -> CallRecord:
        return await self._real.note(lease, intent, settlement, via)


def _counts(connection: Connection) -> tuple[int, int]:
    raw = connection.raw
    rows = [raw.execute(f"SELECT count(*) FROM {name}") for name in ("documents", "bodies")]
    return rows[0].fetchone()[0], rows[1].fetchone()[0]


def _plans(connection: Connection) -> list[str]:
    """Explain how SQLite would find a record, and a document."""
    found: list[str] = []
    statements: dict[Statement, Sequence[str]] = {
        calls._NEWEST_FIRST: ("r", "k"),
        DOCUMENT: ("d",),
    }
    for statement, values in statements.items():
        sql = statement.compiled(connection.dialect).sql
        rows = connection.raw.execute(f"EXPLAIN QUERY PLAN {sql}", tuple(values)).fetchall()
        found.append(" | ".join(str(row[-1]) for row in rows))
    return found


class TestVersions:
    """Rule i."""

    async def test_a_run_stores_what_it_was_made_with(self, house: House) -> None:
        async with house.open() as app:
            run = await app.submit("ask", {"question": WHY}, now=NOW)
        assert run.versions.code.partition("+")[2]
        assert len(run.versions.prompts) == len(run.versions.data) == 64

    @pytest.mark.parametrize("lost", [0, 1])
    async def test_another_version_goes_on_says_so_and_counts_what_no_longer_matched(
        self, house: House, lost: int
    ) -> None:
        """`lost`: as if the other version asked the planner in other words."""
        async with scripted() as model:
            async with interrupted(house, model) as app:
                run = await app.runs.find("last")
                if lost:
                    await app.store.database.write(lambda c: _reword_plan(c, run))
            async with house.open() as app:
                app.__dict__["services"] = replace(app.services, versions=lambda: OTHER)
                run = await ended(app, run.id)
                restarts = [
                    e.payload for e in await journal(app, run.id) if "restarted" in e.payload
                ]
            assert model.count("plan") == 1 + lost
        assert run.state == "complete"
        assert [payload["restarted"] for payload in restarts] == [True, True]
        for payload in restarts:
            assert payload["reason"] == {
                "code": "run.restarted.version",
                "params": {"before": run.versions.code, "after": "another"},
            }
        assert restarts[0]["unmatched_calls"] is None
        assert restarts[-1]["unmatched_calls"] == lost

    async def test_the_same_version_says_nothing(self, house: House) -> None:
        async with scripted() as model:
            async with interrupted(house, model) as app:
                run = await app.runs.find("last")
            async with house.open() as app:
                run = await ended(app, run.id)
                events = await journal(app, run.id)
        assert run.restarts == 1
        assert not [event for event in events if "restarted" in event.payload]


def _reword_plan(connection: Connection, run: Run) -> Any:
    rows = [row for row in calls.rows_of_run(connection, run.id) if row.kind == "model"]
    plan = next(r for r in rows if "plan_queries" in str(calls.record(r).request["prompt"]))
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    connection.raw.execute(
        f"UPDATE calls SET key = 'in other words' WHERE key = {mark}", (plan.key,)
    )
