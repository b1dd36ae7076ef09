"""`ask` end to end with each vendor's own library, over stubs that speak the vendor's format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import stamina
from lab.stubs import Fault, Rule, Stubs, running_stubs
from tests.laws.house import WHY, WHY_ZH, House, ask, ended, result

pytestmark = pytest.mark.filterwarnings("ignore")  # the libraries' own, see `exchange`
KEY = "key-planted-0123456789abcdef"
VENDORS = {
    "google": ("gemini", "google:gemini-3.5-flash-lite"),
    "anthropic": ("anthropic", "anthropic:claude-haiku-5-5"),
}


@pytest.fixture(scope="module")
def running() -> Iterator[Stubs]:
    with running_stubs("gemini", "anthropic", "tavily", "web") as started:
        yield started


@pytest.fixture
def stubs(running: Stubs) -> Iterator[Stubs]:
    running.reset()
    stamina.set_testing(True, attempts=3, cap=True)  # no waiting between tries
    yield running
    stamina.set_testing(False)


def house_of(vendor: str, stubs: Stubs, home: Path, **more: Any) -> House:
    stub, model = VENDORS[vendor]
    models = {
        "models.light": [model],
        "models.heavy": [model],
        f"models.providers.{vendor}.base_url": stubs.url(stub),
        f"models.providers.{vendor}.api_key": KEY,
    }
    return House(home / vendor, stubs=stubs, more={**models, **more})


@pytest.mark.parametrize("output", [None, "tool"])
@pytest.mark.parametrize("vendor", list(VENDORS))
async def test_a_vendor_answers_with_citations_that_hold(
    vendor: str, output: str | None, stubs: Stubs, tmp_path: Path
) -> None:
    more = {f"models.providers.{vendor}.output": output} if output else {}
    async with house_of(vendor, stubs, tmp_path, **more).open() as app:
        for question in (WHY, WHY_ZH):
            found = result(await ask(app, question))
            assert (found.status, found.degraded) == ("complete", ()), repr(found.degraded)
            assert found.answer
            assert all(sentence.citations for sentence in found.answer)
            assert found.cost.usd > 0
        records = [
            record
            for run in await app.runs.recent()
            for record in await app.store.ledger.records(run.id)
        ]
    models = [record for record in records if record.kind == "model"]
    assert {record.provider for record in models} == {VENDORS[vendor][1]}
    assert all(record.cost > 0 and record.response for record in models)
    assert KEY not in repr(records)
    calls = [call for call in stubs.log() if call.stub == VENDORS[vendor][0]]
    assert len(calls) == len(models)
    assert not any(KEY in call.path for call in calls)  # the address holds the query, too


# What is wrong, and what the result says of it.
FAULTS: list[tuple[Fault, str]] = [
    (Fault("rate_limited", seconds=0), "rate_limit"),
    (Fault("error"), "server"),
    (Fault("error", status=529), "server"),
    (Fault("unauthorized"), "auth"),
    (Fault("slow", seconds=1), "timeout"),
    (Fault("malformed"), "malformed"),
    (Fault("empty"), "malformed"),
    (Fault("truncated"), "malformed"),
    (Fault("refusal"), "bad_request"),
    (Fault("wrong_schema"), "bad_output"),
    (Fault("cut_off"), "network"),
]


# Of each failure one vendor by default, in turn; what each makes of it is in test_vendors.py.
_FAILING = [
    pytest.param(vendor, *each, marks=() if (at + of) % len(VENDORS) == 0 else pytest.mark.slow)
    for of, vendor in enumerate(VENDORS)
    for at, each in enumerate(FAULTS)
]


@pytest.mark.parametrize(("vendor", "fault", "code"), _FAILING)
async def test_a_vendor_that_fails_is_named_and_the_embedded_reasoner_answers(
    vendor: str, fault: Fault, code: str, stubs: Stubs, tmp_path: Path
) -> None:
    stubs.faults(Rule(fault, stub=VENDORS[vendor][0]))
    timeout = {f"models.providers.{vendor}.timeout": 0.4 if fault.kind == "slow" else 60}
    async with house_of(vendor, stubs, tmp_path, **timeout).open() as app:
        run = await ask(app)
        found = result(run)
        failures = [
            record
            for record in await app.store.ledger.records(run.id)
            if record.kind == "model" and record.error is not None
        ]
    failed = [record.error.code for record in failures if record.error is not None]
    assert found.status == "degraded"
    assert found.answer
    assert VENDORS[vendor][1] in repr(found.degraded)
    assert code in (failed or ["bad_output"])
    if fault.kind in ("slow", "cut_off"):
        # It was sent whole: whether it was answered, and billed, nobody here can say.
        assert all(record.cost > 0 for record in failures)
    assert KEY not in repr(found)


@pytest.mark.parametrize("lie", ["", "url"])
@pytest.mark.parametrize("vendor", list(VENDORS))
async def test_a_vendor_that_lies_is_not_believed(
    vendor: str, lie: str, stubs: Stubs, tmp_path: Path
) -> None:
    stubs.faults(Rule(Fault("lying", detail=lie), stub=VENDORS[vendor][0]))
    async with house_of(vendor, stubs, tmp_path).open() as app:
        found = result(await ask(app, strict=True))
    assert "invented.example" not in repr(found)
    assert "repaid all users" not in repr(found.answer)


@pytest.mark.parametrize("vendor", list(VENDORS))
async def test_a_person_who_resumes_asks_the_vendor_again_for_what_failed_only(
    vendor: str, stubs: Stubs, tmp_path: Path
) -> None:
    stub = VENDORS[vendor][0]
    stubs.faults(Rule(Fault("error"), stub=stub))
    async with house_of(vendor, stubs, tmp_path).open() as app:
        run = await ask(app)
        assert result(run).status == "degraded"
        stubs.faults()
        before = len(stubs.log())
        await app.store.runs.reopen(run.id, app.clock())
        again = result(await ended(app, run.id))
        assert again.status == "complete"
        assert {call.stub for call in stubs.log()[before:]} == {stub}
