"""Law 11: completed means saved."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from groundwire.app import App
from groundwire.model.clock import utc_now
from groundwire.model.run import FINISHED
from tests.claims import take_over
from tests.laws.house import NOW, WHY, House, ask, journal, result
from tests.laws.scripted import Model, scripted


@pytest.fixture
async def app(tmp_path: Path, database_url: str) -> AsyncIterator[App]:
    async with House(tmp_path / "house", database_url).open() as opened:
        await opened.archive.add_sample()
        yield opened


async def test_whoever_sees_complete_finds_the_result(app: App) -> None:
    """The follower looks at the very moment at which the event reaches it."""
    run = await app.submit("ask", {"question": WHY}, now=NOW)
    seen: list[str] = []
    async for event in app.follow(run.id):
        stored = await app.store.runs.get(run.id)
        assert stored is not None
        if event.type == "complete":
            seen.append(event.type)
            assert stored.state == "complete"
            assert stored.digest == event.payload["digest"]
            assert stored.last_seq == event.seq
            assert result(stored).answer
        elif stored.state not in FINISHED:
            assert stored.result is None
    assert seen == ["complete"]


class Refusal:
    """A rule inside the database that refuses to store the end of a run."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._sqlite = url.startswith("sqlite")

    def set(self) -> None:
        if self._sqlite:
            self._run(
                "CREATE TRIGGER refuse BEFORE UPDATE OF state ON runs WHEN NEW.state = 'complete' "
                "BEGIN SELECT json('{'); END"  # fails when it runs, not when it is read
            )
            return
        self._run(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$",
            "CREATE TRIGGER refuse BEFORE UPDATE ON runs FOR EACH ROW "
            "WHEN (NEW.state = 'complete') EXECUTE FUNCTION refuse()",
        )

    def lift(self) -> None:
        # The lease is ended too: on PostgreSQL the run is looked at again when it is over.
        self._run(
            "DROP TRIGGER refuse" + ("" if self._sqlite else " ON runs"),
            "UPDATE runs SET lease_until = 0",
        )

    def _run(self, *statements: str) -> None:
        if self._sqlite:
            raw = sqlite3.connect(self._url.removeprefix("sqlite:///"), isolation_level=None)
            for statement in statements:
                raw.execute(statement)
            raw.close()
            return
        import psycopg

        with psycopg.connect(self._url, autocommit=True) as raw:
            for statement in statements:
                raw.execute(statement)


async def test_a_result_that_cannot_be_stored_is_not_called_complete(
    app: App, database_url: str
) -> None:
    """The closing event is refused together with the result; it is there when both are."""
    refusal = Refusal(database_url)
    refusal.set()
    run = await app.submit("ask", {"question": WHY}, now=NOW)
    async with asyncio.timeout(60):
        while app.engine.trouble is None:
            await asyncio.sleep(0.05)
    stored = await app.store.runs.get(run.id)
    assert stored is not None
    assert stored.state in ("running", "queued")
    assert stored.result is None
    assert not {"complete", "failed"} & {event.type for event in await journal(app, run.id)}
    refusal.lift()
    async with asyncio.timeout(60):
        kinds = [event.type async for event in app.follow(run.id)]
    run = await app.runs.find(run.id)
    assert (run.state, kinds.count("complete"), kinds[-1]) == ("complete", 1, "complete")


async def test_a_worker_that_lost_its_run_completes_nothing(
    tmp_path: Path, database_url: str
) -> None:
    """It is frozen while another takes over, wakes, and has a result: nobody ever sees it."""
    async with scripted(Model(hold="write")) as model:
        house = House(tmp_path / "house", database_url, model_url=model.url)
        async with house.open() as app:
            await app.archive.add_sample()
            run = await app.submit("ask", {"question": WHY}, now=NOW)
            async with asyncio.timeout(60):
                while not model.count("write"):
                    await asyncio.sleep(0.02)
            taken = await take_over(app.store.runs, run.id, "another", utc_now(), NOW)
            assert taken is not None
            before = await journal(app, run.id)
            model.gate.set()
            await app.outside.gateway.close()
            stored = await app.store.runs.get(run.id)
            after = await journal(app, run.id)
    assert stored is not None
    assert stored.result is None
    assert [event.type for event in after] == [event.type for event in before]


async def test_an_answer_shown_while_it_is_written_is_a_checked_one(app: App) -> None:
    """What the journal shows before the end is word for word what is stored at the end."""
    run = await ask(app)
    shown = [event.payload for event in await journal(app, run.id) if event.type == "answer"]
    assert shown == [each.model_dump(mode="json") for each in result(run).answer]
