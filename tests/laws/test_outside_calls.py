"""Law 8: every outside call goes through the gateway, and what is recorded is not paid again."""

from __future__ import annotations

import io
import logging
import sqlite3
import zipfile
import zlib
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lab.stubs import Rule, Stubs
from lab.stubs.faults import error, unauthorized

from groundwire.app import App
from groundwire.app.exports import bundle_of, replay_run
from groundwire.model.base import fingerprint
from groundwire.model.call import CallRecord
from groundwire.model.run import Run
from groundwire.report.bundle import write as write_bundle
from tests.laws.house import MODEL_KEY, TAVILY_KEY, House, ask, ended, journal, result
from tests.laws.scripted import Model, scripted


@pytest.fixture
def house(tmp_path: Path, database_url: str, stubs: Stubs) -> House:
    return House(tmp_path / "house", database_url, stubs, stubs.url("model"))


def _received(stubs: Stubs) -> Counter[str]:
    """List what the stubs saw: APIs by idempotency key, pages by path."""
    return Counter(call.idempotency_key or call.path for call in stubs.log())


def _idempotency(record: CallRecord) -> str:
    return fingerprint([record.run_id, record.attempt, record.key])[:32]


def _recorded(records: list[CallRecord]) -> Counter[str]:
    found: Counter[str] = Counter()
    for record in records:
        if record.via == "sent":
            page = record.kind == "fetch"
            name = urlsplit(record.request["url"]).path if page else _idempotency(record)
            found[name] += record.tries
    return found


@pytest.mark.parametrize("trouble", [False, True], ids=["fine", "first try fails"])
async def test_the_other_side_received_exactly_what_the_ledger_says(
    house: House, stubs: Stubs, trouble: bool
) -> None:
    if trouble:
        stubs.faults(Rule(error(503), first=1, each=True))
    async with house.open() as app:
        run = await ask(app)
        records = list(await app.store.ledger.records(run.id))
    assert _received(stubs) == _recorded(records)
    assert {record.kind for record in records} == {"model", "search", "fetch", "read"}
    assert {record.outcome for record in records} == {"ok"}
    cost = result(run).cost
    assert cost.calls == len(_received(stubs))
    assert round(cost.usd * 1_000_000) == sum(record.cost for record in records)


async def test_a_later_process_and_a_replay_send_nothing(house: House, stubs: Stubs) -> None:
    async with house.open() as app:
        run = await ask(app)
        bundle = await bundle_of(app, run)
    stubs.reset()
    stubs.faults(Rule(error(500)))
    async with house.open() as app:
        again = await ended(app, run.id)
        replayed = await replay_run(app, again)
        elsewhere = await replay_run(app, bundle)
    assert (again.digest, again.fence) == (run.digest, run.fence)
    assert (replayed.identical, replayed.differences) == (True, ())
    assert (elsewhere.identical, elsewhere.differences) == (True, ())
    assert not stubs.log()


async def test_what_has_no_record_is_a_difference_and_not_a_call(
    house: House, stubs: Stubs
) -> None:
    async with house.open() as app:
        run = await ask(app)
        stubs.reset()
        bundle = await bundle_of(app, run)
        less = [call for call in bundle.calls if call.provider != "web"]
        replayed = await replay_run(app, bundle.model_copy(update={"calls": tuple(less)}))
    assert not replayed.identical
    assert (
        sum(str(each.params.get("what")).startswith("fetch ") for each in replayed.differences) == 4
    )
    assert not stubs.log()


class TestSecrets:
    """A planted key is in no record, event, export or log, whoever repeats it to us."""

    @pytest.mark.parametrize("status", [200, 400, 401])
    async def test_a_key_that_the_other_side_echoes_is_kept_nowhere(
        self, house: House, stubs: Stubs, status: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        stubs.faults(Rule(unauthorized(), stub="tavily", calls=(0,)))
        async with scripted(Model(status=status, echo_key=True)) as model:
            house.model_url = model.url
            async with house.open() as app:
                await app.archive.add_sample()
                run = await ask(app, f"Did USDC lose its peg in March 2023, and why? {TAVILY_KEY}")
                assert model.requests[0].headers["authorization"] == f"Bearer {MODEL_KEY}"
                kept = await _everything(app, run)
        kept["logs"] = caplog.text
        for where, text in kept.items():
            assert MODEL_KEY not in text, where
            # The person's own question is theirs; what we send and keep of it is masked.
            if where in ("records", "logs", "bundle"):
                assert TAVILY_KEY not in text, where

    async def test_the_database_file_holds_no_key(
        self, house: House, stubs: Stubs, database_kind: str
    ) -> None:
        if database_kind != "sqlite":
            pytest.skip("there is no file to read")
        async with house.open() as app:
            await ask(app)
        path = house.database.removeprefix("sqlite:///") if house.database else ""
        raw = b"".join(p.read_bytes() for p in Path(path).parent.glob(f"{Path(path).name}*"))
        for key in (MODEL_KEY, TAVILY_KEY):
            assert key.encode() not in raw + _unpacked(path)


async def _everything(app: App, run: Run) -> dict[str, str]:
    bundle = await bundle_of(app, run)
    packed = io.BytesIO(write_bundle(bundle))
    with zipfile.ZipFile(packed) as archive:
        exported = "".join(archive.read(name).decode() for name in archive.namelist())
    return {
        "records": "".join(r.model_dump_json() for r in await app.store.ledger.records(run.id)),
        "events": "".join(e.model_dump_json() for e in await journal(app, run.id)),
        "run": run.model_dump_json(),
        "bundle": exported,
    }


def _unpacked(path: str) -> bytes:
    """Decompress every packed column."""
    found: list[bytes] = []
    with sqlite3.connect(path) as raw:
        for table, columns in {"calls": "request, response", "runs": "result"}.items():
            for row in raw.execute(f"SELECT {columns} FROM {table}"):
                found += [zlib.decompress(v) if v[:1] == b"x" else v for v in row if v is not None]
    raw.close()
    assert found
    return b"".join(found)
