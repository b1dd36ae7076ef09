"""What a run reads of other messages and signals is recorded: a restart and a replay see the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from groundwire.app import App
from groundwire.app.exports import bundle_of, replay_run
from groundwire.context import Context, Parts
from groundwire.context.context import Tables
from groundwire.errors import NetworkDown
from groundwire.gateway.call import Scope
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.limits import Limits
from groundwire.jobs import Job
from groundwire.jobs.verify import history
from groundwire.log import Redactor
from groundwire.model.base import JsonObject, Value
from groundwire.model.call import Lease
from groundwire.model.ending import Ending
from groundwire.model.history import EventQuery, JudgedEvent, Repeats
from groundwire.model.outbox import Notice, Parcel, Subscriber
from groundwire.model.outcome import Feedback, Outcome
from groundwire.store import Store
from tests.claims import take_over
from tests.laws.house import House, ended
from tests.parcels import waiting
from tests.store.make import NOW, Make
from tests.store.messages import ALL, LOSS, message
from tests.store.signals import begun, judged_event
from tests.store.signals import ended as signalled

LATER = NOW + timedelta(hours=1)
QUERY = EventQuery(text=LOSS, asset="NOVA", event_type="hack")
OUTCOMES: tuple[Outcome, ...] = ("true", "false", "partly")


class History:
    """What verify reads from the tables, for a run of this scope."""

    def __init__(self, given: Tables, gateway: Gateway) -> None:
        self._tables = given
        self._gateway = gateway

    def __getattr__(self, name: str) -> Any:
        return partial(self._read, getattr(history, name))

    async def _read(self, ask: Any, given: Scope, *about: Any) -> Any:
        nothing: Any = None
        parts = Parts(*[nothing] * 5, self._gateway, self._tables, {})
        return await ask(Context(given.lease.run_id, "", given, parts, nothing), *about)


def events(
    store: Store,
    *,
    remembers: bool = True,
    twins: bool = True,
    tool_calls: int = 2,
    clock: Callable[[], datetime] = lambda: NOW,
) -> History:
    tables = Tables(
        memory=lambda: store.memory,
        signals=lambda: store.signals,
        messages=lambda: store.messages,
        quota=lambda: store.quota,
        runs=lambda: store.runs,
        remembers=remembers,
        twins=twins,
        tool_calls=tool_calls,
        clock=clock,
    )
    return History(tables, Gateway(store.ledger, store.cache, Limits({}, {}), Redactor()))


def scope(lease: Lease, **more: Any) -> Scope:
    return Scope(lease, LATER, lambda _: (), **more)


async def labelled(store: Store, count: int, *, start: int = 0, minutes: int = 0) -> None:
    for number in range(start, start + count):
        name = f"old-{number}"
        await signalled(
            store, name, judged_event(f"Event {number}", score=number % 10 / 10), hours=-3
        )
        at = NOW + timedelta(minutes=minutes)
        outcome = OUTCOMES[number % 3]
        await store.signals.feedback(Feedback(run_id=name, outcome=outcome, by="ana", at=at))


async def reads(part: History, given: Scope) -> list[object]:
    """Read everything that a run may ask for."""
    return [
        await part.past(given, QUERY),
        await part.repeats(given, "NOVA", "hack", LOSS, "m1"),
        await part.calibration(given),
        await part.sightings(given, "m1"),
        await part.take_tool_call(given, "r1/search"),
        await part.tool_calls(given, "r1"),
    ]


async def test_a_restart_sees_what_the_first_process_saw(store: Store):
    await store.messages.receive_many([message("m1"), message("m2")], ALL)
    await signalled(store, "verify-0")
    await labelled(store, 30)
    lease = await begun(store, "verify-1", hours=1)
    part = events(store)
    first = await reads(part, scope(lease, fresh=True))
    assert all(first)
    # The world goes on.
    await store.messages.receive(message("m3"), ALL)
    await signalled(store, "verify-2", hours=0.5)
    await labelled(store, 10, start=30)
    again = await take_over(store.runs, "verify-1", "other", NOW, Make.later)
    assert again is not None
    assert await reads(events(store, tool_calls=0), scope(again)) == first
    assert await store.quota.used("tools", NOW) == 1
    records = await store.ledger.records("verify-1")
    assert {(record.kind, record.via) for record in records} == {("read", "local")}
    assert {record.provider for record in records} == {"signals", "messages", "quota"}


async def test_a_replay_reads_records_only_and_says_what_is_missing(store: Store):
    await signalled(store, "verify-0")
    lease = await begun(store, "verify-1", hours=1)
    first = await reads(events(store), scope(lease))
    replayed = scope(lease, mode="replay")
    assert await reads(events(store, tool_calls=0), replayed) == first
    assert replayed.missing == []
    other = await begun(store, "verify-9")
    lacking = scope(other, mode="replay")
    found = await reads(events(store), lacking)
    assert len(lacking.missing) == 6
    assert found[1:4] == [Repeats(), None, ()]
    assert await store.quota.used("tools", NOW) == 1


async def test_memory_that_is_off_gives_no_events_and_says_so(store: Store):
    await signalled(store, "verify-0")
    given = scope(await begun(store, "verify-1", hours=1))
    found = await events(store, remembers=False).past(given, QUERY)
    assert (found.state, found.events) == ("off", ())
    assert "memory.switched_off" in found.reason
    assert list(await store.ledger.records("verify-1")) == []
    # What was said just now is no memory: the same event is still known.
    assert (await events(store, remembers=False).repeats(given, "NOVA", "hack", LOSS)).twin


async def test_the_fourth_layer_can_be_switched_off(store: Store):
    await signalled(store, "verify-0")
    given = scope(await begun(store, "verify-1", hours=1))
    assert await events(store, twins=False).repeats(given, "NOVA", "hack", LOSS) == Repeats()


async def test_memory_that_is_away_is_recorded_as_away(store: Store, database_url: str):
    from sqlalchemy import text

    from groundwire.store.dialect import dialect_of

    given = scope(await begun(store, "verify-1", hours=1))
    with dialect_of(database_url).engine().begin() as connection:
        connection.execute(text("DROP TABLE signals_totals"))
    found = await events(store).past(given, QUERY)
    assert (found.state, found.events) == ("unavailable", ())
    assert await events(store).past(given, QUERY) == found


@pytest.mark.parametrize(("count", "minutes", "fitted"), [(29, 0, 0), (30, 0, 30), (30, 61, 0)])
async def test_calibration_is_fitted_on_what_was_known_at_the_runs_clock(
    store: Store, count: int, minutes: int, fitted: int
):
    await labelled(store, count, minutes=minutes)
    given = scope(await begun(store, "verify-1", hours=1))
    found = await events(store).calibration(given)
    assert (0 if found is None else found.samples) == fitted
    if found is not None:
        assert found.fitted_at == LATER


async def test_a_tool_call_is_counted_once_and_refused_when_the_day_is_used_up(store: Store):
    given = scope(await begun(store, "verify-1"))
    other = scope(await begun(store, "verify-2"))
    part = events(store)
    assert (await part.take_tool_call(given, "r1/search")).granted
    assert (await part.take_tool_call(given, "r1/search")).used == 1
    assert (await part.take_tool_call(other, "r1/search")).granted
    refused = await part.take_tool_call(given, "r2/search")
    assert (refused.granted, refused.left) == (False, 0)
    assert "quota.tool_calls" in refused.reason
    assert (await part.tool_calls(given)).used == 2


async def test_a_crash_between_counting_and_recording_counts_once(store: Store):
    given = scope(await begun(store, "verify-1"))
    await store.quota.take("tools", "verify-1/r1/search", 2, NOW)  # counted, and then it died
    grant = await events(store).take_tool_call(given, "r1/search")
    assert (grant.granted, grant.used) == (True, 1)


async def test_a_refusal_is_asked_again_by_a_persons_resume(store: Store):
    lease = await begun(store, "verify-1")
    assert not (await events(store, tool_calls=0).take_tool_call(scope(lease), "r1")).granted
    resumed = scope(lease.model_copy(update={"attempt": 2}))
    assert not (await events(store).take_tool_call(scope(lease), "r1")).granted
    await store.runs.finish(lease, Ending("failed", NOW, error="x"))
    await store.runs.reopen("verify-1", NOW)
    claimed = await store.runs.claim("verify-1", "w", NOW, LATER)
    assert claimed is not None
    resumed = scope(claimed)
    assert (await events(store).take_tool_call(resumed, "r1")).granted


# --- through the whole house -----------------------------------------------------------------


class _Given(Value):
    text: str = LOSS


class _AskingResult(BaseModel):
    status: str = "complete"
    run_id: str
    said: JsonObject
    evidence: list[JsonObject] = []


async def _run(context: Context, given: _Given) -> _AskingResult:
    """Ask for everything that a job may ask for."""
    query = EventQuery(text=given.text, asset="NOVA", keywords=("exploit",), limit=5)
    similar = (await history.past(context, query)).events
    twin = (await history.repeats(context, "NOVA", "hack", given.text)).twin
    calibration = await history.calibration(context)
    sightings = await history.sightings(context, "m1")
    grant = await history.take_tool_call(context, "r1/search")
    left = await history.tool_calls(context)
    answers: JsonObject = {
        "similar": [event.run_id for event in similar],
        "twin": None if twin is None else twin.run_id,
        "samples": None if calibration is None else calibration.samples,
        "sightings": [each.message_id for each in sightings],
        "granted": grant.granted,
        "left": left.left,
    }
    return _AskingResult(run_id=context.run_id, said=answers)


def _lands(result: _AskingResult) -> JudgedEvent:
    return judged_event(message_id="m1", confidence=0.6)


def _notice(result: _AskingResult) -> Notice:
    return Notice(kind="asking", content=result.model_dump(mode="json"))


ASKING = Job(
    kind="asking",
    input=_Given,
    result=_AskingResult,
    run=_run,
    draw=lambda: "",
    leaves=_lands,
    notice=_notice,
)


class Deaf:
    """A channel whose subscriber is never there: its notices wait."""

    def subscribers(self) -> list[Subscriber]:
        return [Subscriber(channel="deaf", name="nobody")]

    async def deliver(self, parcel: Parcel, lease: Lease) -> None:
        raise NetworkDown("nobody is there")


@pytest.fixture
def house(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> House:
    def job(kind: str) -> Job:
        assert kind == "asking"
        return ASKING

    monkeypatch.setattr("groundwire.jobs.find", job)
    monkeypatch.setattr("groundwire.app.exports.job", job)
    return House(tmp_path / "house", database=database_url, more={"offline": True})


async def run_asking(app: App) -> tuple[str, JsonObject]:
    run = await ended(app, (await app.submit("asking", {}, now=LATER)).id)
    assert run.result is not None, run.error
    return run.id, run.result["said"]


async def test_a_finished_job_lands_and_the_next_one_remembers_it(house: House):
    async with house.open(**{"budget.day_tool_calls": 2}) as app:
        await app.store.messages.receive_many([message("m1"), message("m2")], ALL)
        first, before = await run_asking(app)
        assert before == {
            "similar": [], "twin": None, "samples": None, "sightings": ["m2"],
            "granted": True, "left": 1,
        }  # fmt: skip
        second, after = await run_asking(app)
        # The very same text tells nothing new before its outcome is known; it is still the twin.
        assert (after["similar"], after["twin"], after["left"]) == ([], first, 0)
        assert (await run_asking(app))[1]["granted"] is False
        assert await waiting(app.store) == []  # nobody wants to be told
        assert all([await app.store.runs.get(each) for each in (first, second)])
        assert await app.store.messages.unverified() == []


async def test_what_a_finished_job_has_to_tell_waits_in_order_with_its_result(house: House):
    async with house.open() as app:
        assert app.services.deliveries is not None
        app.services.deliveries.channels = Deaf
        runs = [(await run_asking(app))[0], (await run_asking(app))[0]]
        parcels = await waiting(app.store)
        assert [each.run_id for each in parcels] == runs
        for each in parcels:
            stored = await app.store.runs.get(each.run_id)
            assert stored is not None and stored.result is not None
            measured = {name: stored.result[name] for name in ("cost", "latency_ms")}
            assert {**each.content, **measured} == stored.result


async def test_a_replay_and_a_bundle_are_identical_whatever_came_since(house: House):
    async with house.open() as app:
        await run_asking(app)
        name, answers = await run_asking(app)
        run = await app.store.runs.get(name)
        assert run is not None
        bundle = await bundle_of(app, run)
        await app.store.messages.receive_many([message("m1"), message("m2")], ALL)
        await run_asking(app)
        for given in (run, bundle):
            replayed = await replay_run(app, given)
            assert (replayed.identical, replayed.differences) == (True, ())
        assert answers["granted"]
        assert await app.store.quota.used("tools", app.clock()) == 3


async def test_forgetting_a_signal_empties_what_others_recalled_of_it(house: House):
    async with house.open() as app:
        first, _ = await run_asking(app)
        second, _ = await run_asking(app)
        marked = await app.store.forgetting.run(first)
        assert marked.runs == (first,)
        assert {place.run_id for place in marked.records} == {second}
        await app.store.forgetting.carry_out(marked)
        assert await app.store.signals.get(first) is None
        records = await app.store.ledger.records(second)
        assert not [each for each in records if first in each.model_dump_json()]


async def test_with_memory_off_a_signal_is_kept_and_not_recalled(house: House):
    async with house.open(**{"memory.enabled": False}) as app:
        first, _ = await run_asking(app)
        assert await app.store.signals.get(first) is not None
        _, answers = await run_asking(app)
        assert (answers["similar"], answers["twin"]) == ([], first)
