"""The policy stack and the ledger rules, on a real store."""

from __future__ import annotations

import asyncio

import pytest
from tests.gateway.conftest import SECRET, Desk, Far

from groundwire import errors
from groundwire.gateway.breaker import Breakers
from groundwire.gateway.call import Call, Reply, Scope, Sending, Sharing
from groundwire.gateway.limits import Limit, Limits
from groundwire.model.call import Cap
from groundwire.model.ending import Ending


def search(text: str = "usdc", occasion: str = "", **more: object) -> Call:
    return Call(
        kind="search",
        provider="tavily",
        request={"query": text},
        occasion=occasion,
        **more,  # type: ignore[arg-type]
    )


SHARED = Sharing(seconds=600)


class TestRecord:
    """Rules c, d, f and law 8: a recorded call is never paid again."""

    async def test_a_recorded_call_answers_from_the_record_after_a_restart(
        self, desk: Desk
    ) -> None:
        far = Far([{"hits": [1]}], cost=8_000)
        first = await desk.gateway.call(await desk.run(), search(estimate=9_000), far)
        again = await desk.another_process().call(await desk.claim(), search(), far)
        assert (far.calls, again.response, again.cost) == (1, {"hits": [1]}, 8_000)
        assert first.key == again.key

    async def test_a_failure_is_replayed_by_a_restart_and_retried_by_a_resume(
        self, desk: Desk
    ) -> None:
        far = Far([errors.AuthRejected("key invalid")])
        scope = await desk.run()
        with pytest.raises(errors.AuthRejected):
            await desk.gateway.call(scope, search(), far)
        with pytest.raises(errors.AuthRejected, match="key invalid"):
            await desk.another_process().call(await desk.claim(), search(), far)
        assert far.calls == 1
        await _finish(desk, (await desk.claim()))
        assert await desk.store.runs.reopen("run-1", desk.clock())
        resumed = await desk.claim()
        better = Far([{"hits": []}])
        record = await desk.another_process().call(resumed, search(), better)
        assert (better.calls, record.attempt, record.outcome) == (1, 2, "ok")

    async def test_a_resume_repeats_nothing_that_worked(self, desk: Desk) -> None:
        far = Far([{"hits": [1]}])
        scope = await desk.run()
        await desk.gateway.call(scope, search(), far)
        await _finish(desk, scope)
        await desk.store.runs.reopen("run-1", desk.clock())
        await desk.another_process().call(await desk.claim(), search(), far)
        assert far.calls == 1

    async def test_an_intent_without_a_response_is_spent_sent_again_and_listed(
        self, desk: Desk
    ) -> None:
        caps = (Cap(scope="run:run-1", limit=100_000),)
        dying = asyncio.get_running_loop().create_future()

        async def hang(sending: Sending) -> Reply:
            await dying
            raise AssertionError

        scope = await desk.run(caps=caps)
        task = asyncio.create_task(desk.gateway.call(scope, search(estimate=8_000), hang))
        while not (await desk.store.ledger.records("run-1")):
            await asyncio.sleep(0.01)
        far = Far([{"hits": []}], cost=8_000)
        restarted = await desk.claim(caps=caps)
        record = await desk.another_process().call(restarted, search(estimate=8_000), far)
        assert (record.repeated, record.cost) == (1, 16_000)
        spent = await desk.store.budget.spent(["run:run-1"])
        assert spent["run:run-1"] == 16_000
        dying.set_result(None)
        await asyncio.gather(task, return_exceptions=True)

    async def test_the_idempotency_key_is_the_runs_own_and_stays_the_same(self, desk: Desk) -> None:
        hang = asyncio.Event()
        far = Far([{"n": 1}])

        async def slow(sending: Sending) -> Reply:
            far.seen.append(sending)
            await hang.wait()
            raise AssertionError

        task = asyncio.create_task(desk.gateway.call(await desk.run("run-1"), search(), slow))
        while not far.seen:
            await asyncio.sleep(0.01)
        again = await desk.claim("run-1")
        await desk.another_process().call(again, search(), far)
        await desk.another_process().call(await desk.run("run-2"), search(), far)
        crashed, repeated, another = (sending.idempotency_key for sending in far.seen)
        assert crashed == repeated != another
        task.cancel()
        hang.set()
        await asyncio.gather(task, return_exceptions=True)

    async def test_votes_differ_by_their_occasion(self, desk: Desk) -> None:
        far = Far([{"n": 1}])
        scope = await desk.run()
        ask = [
            Call(kind="model", provider="m", request={"q": 1}, occasion=f"vote{n}") for n in (1, 2)
        ]
        await asyncio.gather(*(desk.gateway.call(scope, call, far) for call in ask))
        assert far.calls == 2

    async def test_a_fenced_run_writes_nothing_more(self, desk: Desk) -> None:
        old = await desk.run()
        await desk.claim()
        with pytest.raises(errors.Fenced):
            await desk.gateway.call(old, search(), Far([{"n": 1}]))
        assert not await desk.store.ledger.records("run-1")


class TestReads:
    """Rule a: reads of our own store are recorded too."""

    async def test_a_read_is_the_same_after_the_archive_has_grown(self, desk: Desk) -> None:
        archive = ["one"]

        async def get() -> dict[str, object]:
            return {"found": list(archive)}

        request = {"search": "x"}
        await desk.gateway.recorded_read(await desk.run(), "archive", request, get)
        archive.append("two")
        again = await desk.another_process().recorded_read(
            await desk.claim(), "archive", request, get
        )
        assert again == {"found": ["one"]}


class TestSharing:
    """Rule g: cached and joined calls are recorded in every run that used them, at cost 0."""

    async def test_another_run_is_served_from_the_cache_at_no_cost(self, desk: Desk) -> None:
        far = Far([{"hits": [1]}], cost=8_000)
        await desk.gateway.call(await desk.run("a"), search(sharing=SHARED), far)
        record = await desk.gateway.call(await desk.run("b"), search(sharing=SHARED), far)
        assert (far.calls, record.via, record.cost) == (1, "cache", 0)
        assert [row.via for row in await desk.store.ledger.records("b")] == ["cache"]

    async def test_a_cached_answer_expires(self, desk: Desk) -> None:
        far = Far([{"hits": [1]}])
        await desk.gateway.call(await desk.run("a"), search(sharing=SHARED), far)
        desk.clock.pass_seconds(601)
        await desk.gateway.call(await desk.run("b"), search(sharing=SHARED), far)
        assert far.calls == 2

    async def test_failures_never_enter_the_cache(self, desk: Desk) -> None:
        far = Far([errors.Malformed(), {"hits": []}])
        with pytest.raises(errors.Malformed):
            await desk.gateway.call(await desk.run("a"), search(sharing=SHARED), far)
        record = await desk.gateway.call(await desk.run("b"), search(sharing=SHARED), far)
        assert (far.calls, record.via) == (2, "sent")

    async def test_the_same_request_in_flight_is_joined_across_runs(self, desk: Desk) -> None:
        gate = asyncio.Event()
        far = Far([{"hits": [1]}], cost=8_000)

        async def slow(sending: Sending) -> Reply:
            await gate.wait()
            return await far(sending)

        scopes = [await desk.run(f"run-{n}") for n in range(5)]
        tasks = [asyncio.create_task(desk.gateway.call(s, search(), slow)) for s in scopes]
        await asyncio.sleep(0.05)
        gate.set()
        records = await asyncio.gather(*tasks)
        assert far.calls == 1
        assert sorted(record.via for record in records) == ["joined"] * 4 + ["sent"]
        assert sum(record.cost for record in records) == 8_000

    async def test_cancelling_the_first_caller_fails_no_other(self, desk: Desk) -> None:
        gate = asyncio.Event()
        far = Far([{"hits": [1]}])

        async def slow(sending: Sending) -> Reply:
            await gate.wait()
            return await far(sending)

        first = asyncio.create_task(desk.gateway.call(await desk.run("a"), search(), slow))
        await asyncio.sleep(0.05)
        second = asyncio.create_task(desk.gateway.call(await desk.run("b"), search(), slow))
        await asyncio.sleep(0.05)
        first.cancel()
        gate.set()
        assert (await second).response == {"hits": [1]}
        with pytest.raises(asyncio.CancelledError):
            await first
        await desk.gateway.close()
        assert (far.calls, (await desk.store.ledger.records("a"))[0].outcome) == (1, "ok")

    async def test_one_runs_empty_budget_is_not_anothers_failure(self, desk: Desk) -> None:
        poor = await desk.run("poor", caps=(Cap(scope="run:poor", limit=1),))
        rich = await desk.run("rich", caps=(Cap(scope="run:rich", limit=1_000_000),))
        far = Far([{"hits": [1]}])
        refused, served = await asyncio.gather(
            desk.gateway.call(poor, search(estimate=8_000), far),
            desk.gateway.call(rich, search(estimate=8_000), far),
            return_exceptions=True,
        )
        assert isinstance(refused, errors.BudgetReached)
        assert not isinstance(served, BaseException)
        assert served.response == {"hits": [1]}


class TestBudget:
    async def test_refusals_are_recorded_outcomes(self, desk: Desk) -> None:
        caps = (Cap(scope="day:2026-11-16", limit=10_000),)
        far = Far([{"n": 1}], cost=8_000)
        scope = await desk.run(caps=caps)
        await desk.gateway.call(scope, search("one", estimate=8_000), far)
        with pytest.raises(errors.BudgetReached):
            await desk.gateway.call(scope, search("two", estimate=8_000), far)
        with pytest.raises(errors.BudgetReached):
            await desk.another_process().call(
                await desk.claim(caps=()), search("two", estimate=8_000), far
            )
        assert far.calls == 1

    async def test_fifty_calls_at_once_never_exceed_the_cap(self, desk: Desk) -> None:
        caps = (Cap(scope="month:2026-11", limit=80_000),)
        far = Far([{"n": 1}], cost=8_000)
        scopes = [await desk.run(f"run-{n}", caps=caps) for n in range(50)]
        await asyncio.gather(
            *(
                desk.gateway.call(s, search(f"q{n}", estimate=8_000), far)
                for n, s in enumerate(scopes)
            ),
            return_exceptions=True,
        )
        spent = await desk.store.budget.spent(["month:2026-11"])
        assert (far.calls, spent["month:2026-11"]) == (10, 80_000)

    async def test_a_timeout_counts_as_spent(self, desk: Desk) -> None:
        caps = (Cap(scope="run:run-1", limit=100_000),)

        async def never(sending: Sending) -> Reply:
            await asyncio.sleep(60)
            raise AssertionError

        scope = await desk.run(caps=caps)
        with pytest.raises(errors.Timeout):
            await desk.gateway.call(scope, search(estimate=8_000, timeout=0.01, tries=1), never)
        assert (await desk.store.budget.spent(["run:run-1"]))["run:run-1"] == 8_000

    @pytest.mark.parametrize("lost", [errors.Timeout, errors.BrokenOff])
    async def test_every_try_that_may_have_been_served_is_spent_and_needs_its_own_reservation(
        self, desk: Desk, lost: type[errors.OutsideFailure]
    ) -> None:
        far = Far([lost(), lost(), {"n": 1}], cost=5_000)
        caps = (Cap(scope="run:run-1", limit=100_000),)
        record = await desk.gateway.call(await desk.run(caps=caps), search(estimate=8_000), far)
        spent = await desk.store.budget.spent(["run:run-1"])
        assert (far.calls, record.cost, spent["run:run-1"]) == (3, 21_000, 21_000)

    async def test_what_never_arrived_costs_nothing(self, desk: Desk) -> None:
        far = Far([errors.NetworkDown(), errors.ServerFault(), errors.NetworkDown()])
        caps = (Cap(scope="run:run-1", limit=100_000),)
        with pytest.raises(errors.NetworkDown):
            await desk.gateway.call(await desk.run(caps=caps), search(estimate=8_000), far)
        assert (far.calls, await desk.store.budget.spent(["run:run-1"])) == (3, {"run:run-1": 0})

    async def test_a_retry_that_the_budget_does_not_cover_is_not_made(self, desk: Desk) -> None:
        far = Far([errors.Timeout(), {"n": 1}])
        caps = (Cap(scope="run:run-1", limit=10_000),)
        with pytest.raises(errors.BudgetReached):
            await desk.gateway.call(await desk.run(caps=caps), search(estimate=8_000), far)
        spent = await desk.store.budget.spent(["run:run-1"])
        assert (far.calls, spent["run:run-1"]) == (1, 8_000)

    async def test_a_cost_that_nobody_expected_is_spent_all_the_same(self, desk: Desk) -> None:
        caps = (Cap(scope="day:2026-11-16", limit=100_000),)
        await desk.gateway.call(await desk.run(caps=caps), search(), Far([{"n": 1}], cost=500))
        assert await desk.store.budget.spent(["day:2026-11-16"]) == {"day:2026-11-16": 500}


RETRIED = [
    errors.Timeout(),
    errors.RateLimited(retry_after=1.0),
    errors.ServerFault(status=503),
    errors.NetworkDown(),
]
NOT_RETRIED = [
    errors.AuthRejected(status=401),
    errors.BadRequest(status=400),
    errors.PlanLimit(status=432),
    errors.Malformed(),
    errors.ForbiddenAddress(),
    errors.RateLimited(retry_after=3600.0),  # more patience than a run has
]


class TestRetry:
    @pytest.mark.parametrize("error", RETRIED, ids=lambda e: type(e).__name__)
    async def test_passing_trouble_is_tried_three_times(
        self, desk: Desk, error: errors.OutsideFailure
    ) -> None:
        far = Far([error, error, {"ok": True}])
        record = await desk.gateway.call(await desk.run(), search(), far)
        assert (far.calls, record.tries) == (3, 3)

    @pytest.mark.parametrize("error", NOT_RETRIED, ids=lambda e: type(e).__name__)
    async def test_a_refusal_is_not_retried(self, desk: Desk, error: errors.OutsideFailure) -> None:
        far = Far([error])
        with pytest.raises(type(error)):
            await desk.gateway.call(await desk.run(), search(), far)
        assert far.calls == 1

    @pytest.mark.parametrize(
        "answer",
        [
            {"score": float("nan")},  # not JSON, though Python reads it
            {"title": "half an emoji \ud83d"},
        ],
    )
    async def test_an_answer_that_cannot_be_written_down_is_malformed(
        self, desk: Desk, answer: dict[str, object]
    ) -> None:
        with pytest.raises(errors.Malformed):
            await desk.gateway.call(await desk.run(), search(), Far([answer]))
        assert (await desk.store.ledger.records("run-1"))[0].outcome == "failed"


class TestBreaker:
    async def test_an_open_breaker_is_a_recorded_outcome_and_closes_by_a_probe(
        self, desk: Desk
    ) -> None:
        far = Far([errors.ServerFault()])
        scope = await desk.run()
        for n in range(3):
            with pytest.raises(errors.ServerFault):
                await desk.gateway.call(scope, search(f"q{n}"), far)
        made = far.calls
        with pytest.raises(errors.BreakerOpen):
            await desk.gateway.call(scope, search("q9"), far)
        assert far.calls == made
        desk.clock.pass_seconds(31)
        good = Far([{"n": 1}])
        await desk.gateway.call(scope, search("q10"), good)
        await desk.gateway.call(scope, search("q11"), good)
        assert good.calls == 2
        with pytest.raises(errors.BreakerOpen):
            await desk.another_process().call(await desk.claim(), search("q9"), good)

    async def test_a_used_up_plan_shuts_the_provider_at_once(self, desk: Desk) -> None:
        far = Far([errors.PlanLimit(status=432)])
        scope = await desk.run()
        with pytest.raises(errors.PlanLimit):
            await desk.gateway.call(scope, search("a"), far)
        with pytest.raises(errors.BreakerOpen):
            await desk.gateway.call(scope, search("b"), far)
        assert far.calls == 1

    @pytest.mark.parametrize(
        ("error", "still_off", "asked_again"),
        [
            (errors.PlanLimit(status=432), 3599, 3601),  # nobody said when: every hour
            (errors.PlanLimit(status=433, retry_after=7200.0), 7199, 7201),  # as it said
            (
                errors.PlanLimit(status=429, retry_after=1_419_704.0),
                86_399,
                86_401,
            ),  # a day at most
            (errors.RateLimited(status=429, retry_after=90.0), 89, 91),
            (errors.AuthRejected(status=401), 299, 301),
        ],
    )
    async def test_a_provider_stays_off_until_its_plan_or_limit_begins_anew(
        self,
        desk: Desk,
        error: errors.OutsideFailure,
        still_off: float,
        asked_again: float,
    ) -> None:
        scope = await desk.run()
        with pytest.raises(type(error)):
            await desk.gateway.call(scope, search("a"), Far([error]))
        good = Far([{"n": 1}])
        desk.clock.pass_seconds(still_off)
        with pytest.raises(errors.BreakerOpen):
            await desk.gateway.call(scope, search("b"), good)
        desk.clock.pass_seconds(asked_again - still_off)
        await desk.gateway.call(scope, search("c"), good)
        assert (good.calls, desk.gateway.breakers.states("search")) == (1, {})

    async def test_a_plan_that_is_still_used_up_keeps_it_off_after_the_probe(
        self, desk: Desk
    ) -> None:
        far = Far([errors.PlanLimit(status=432)])
        scope = await desk.run()
        for n, seconds in enumerate((0, 3601, 1, 3600)):
            desk.clock.pass_seconds(seconds)
            with pytest.raises((errors.PlanLimit, errors.BreakerOpen)):
                await desk.gateway.call(scope, search(f"q{n}"), far)
        assert far.calls == 3  # at once, after an hour, and an hour after that

    async def test_without_a_network_nobody_queues_up_to_find_that_out(self, desk: Desk) -> None:
        scope = await desk.run()
        far = Far([errors.OutOfReach()])
        for n, (seconds, error) in enumerate(
            [(0, errors.NetworkDown), (9, errors.BreakerOpen), (2, errors.NetworkDown)]
        ):
            desk.clock.pass_seconds(seconds)
            with pytest.raises(error):
                await desk.gateway.call(scope, search(f"q{n}"), far)
        assert far.calls == 2  # one try each, and ten seconds of peace between them

    async def test_an_engine_and_a_vendor_of_the_same_name_are_two(self, desk: Desk) -> None:
        scope = await desk.run()
        with pytest.raises(errors.PlanLimit):
            await desk.gateway.call(scope, search("a"), Far([errors.PlanLimit(status=429)]))
        model = Call(kind="model", provider="tavily:some", request={"q": "b"}, lane="tavily")
        record = await desk.gateway.call(scope, model, Far([{"n": 1}]))
        assert record.response == {"n": 1}
        assert set(desk.gateway.breakers.states("search")) == {"tavily"}
        assert desk.gateway.breakers.states("model") == {}


class TestModes:
    async def test_offline_nothing_is_sent_and_the_refusal_is_recorded(self, desk: Desk) -> None:
        far = Far([{"n": 1}])
        scope = await desk.run(offline=True)
        with pytest.raises(errors.Offline):
            await desk.gateway.call(scope, search(), far)
        assert far.calls == 0
        assert (await desk.store.ledger.records("run-1"))[0].error is not None

    async def test_a_replay_makes_no_call_and_names_what_is_missing(self, desk: Desk) -> None:
        far = Far([{"n": 1}])
        live = await desk.run()
        await desk.gateway.call(live, search("known"), far)
        scope = Scope(lease=live.lease, now=live.now, caps=live.caps, mode="replay")
        assert (await desk.gateway.call(scope, search("known"), far)).response == {"n": 1}
        with pytest.raises(errors.MissingRecord):
            await desk.gateway.call(scope, search("unknown"), far)
        assert (far.calls, len(scope.missing)) == (1, 1)


async def test_two_runs_that_push_the_same_both_push(desk: Desk) -> None:
    far = Far([{"ok": True}])
    push = Call(kind="push", provider="webhook", request={"text": "x"})
    scopes = [await desk.run("a"), await desk.run("b")]
    await asyncio.gather(*(desk.gateway.call(scope, push, far) for scope in scopes))
    assert far.calls == 2


async def test_wait_for_calls_waits_for_the_runs_own_calls(desk: Desk) -> None:
    gate = asyncio.Event()

    async def slow(sending: Sending) -> Reply:
        await gate.wait()
        return Reply({"n": 1})

    task = asyncio.create_task(desk.gateway.call(await desk.run(), search(), slow))
    await asyncio.sleep(0.05)
    task.cancel()
    asyncio.get_running_loop().call_later(0.05, gate.set)
    await desk.gateway.wait_for_calls("run-1")
    assert (await desk.store.ledger.records("run-1"))[0].outcome == "ok"


async def test_a_planted_secret_enters_no_record(desk: Desk) -> None:
    far = Far([{"echo": f"your key is {SECRET}"}])
    scope = await desk.run()
    await desk.gateway.call(scope, search(f"what is {SECRET}"), far)
    with pytest.raises(errors.BadRequest):
        await desk.gateway.call(scope, search("b"), Far([errors.BadRequest(f"bad key {SECRET}")]))
    written = "".join(row.model_dump_json() for row in await desk.store.ledger.records("run-1"))
    assert SECRET not in written
    assert len(written) > 100


async def _finish(desk: Desk, scope: Scope) -> None:
    await desk.store.runs.finish(scope.lease, Ending("failed", desk.clock(), error="x"))


def test_a_lesser_fault_of_a_call_that_was_under_way_does_not_shorten_the_pause() -> None:
    now = 0.0
    breakers = Breakers(lambda: now)
    breakers.failed("search", "tavily", errors.PlanLimit("used up", retry_after=3600))
    breakers.failed("search", "tavily", errors.AuthRejected("key invalid"))  # five minutes
    now = 3599.0
    with pytest.raises(errors.BreakerOpen):
        breakers.check("search", "tavily")
    now = 3600.0
    breakers.check("search", "tavily")


@pytest.mark.parametrize(
    ("kind", "lane", "most"),
    [
        ("search", "gdelt", 1),  # as the lane says
        ("search", "tavily", 3),  # as the kind says
        ("model", "gdelt", 8),  # a vendor of models of the same name is another lane
    ],
)
async def test_no_more_calls_are_under_way_in_a_lane_than_it_allows(
    kind: str, lane: str, most: int
) -> None:
    limits = Limits({("search", "gdelt"): Limit(at_once=1)}, {"search": Limit(at_once=3)})
    under_way = seen = 0

    async def call() -> None:
        nonlocal under_way, seen
        async with limits.slot(kind, lane):
            under_way += 1
            seen = max(seen, under_way)
            await asyncio.sleep(0)
            under_way -= 1

    await asyncio.gather(*(call() for _ in range(20)))
    assert seen == most


async def test_pages_of_many_hosts_share_one_line() -> None:
    limits = Limits({}, {"fetch": Limit(at_once=2)}, {"fetch": 3})
    under_way = most = 0

    async def read(host: str) -> None:
        nonlocal under_way, most
        async with limits.slot("fetch", host), limits.line("fetch"):
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            under_way -= 1

    await asyncio.gather(*(read(f"host{n % 5}") for n in range(20)))
    assert most == 3


@pytest.mark.parametrize(
    ("error", "minutes", "called"),
    [
        (errors.PlanLimit("used up", retry_after=7200), 119, False),
        (errors.PlanLimit("used up", retry_after=7200), 121, True),
        (errors.PlanLimit("used up"), 59, False),  # nobody says until when: an hour
        (errors.PlanLimit("used up"), 61, True),
        (errors.RateLimited("a human, please", retry_after=600), 9, False),
        (errors.RateLimited("a human, please", retry_after=600), 11, True),
        (errors.RateLimited("slower", retry_after=2), 0, True),
        (errors.AuthRejected("key invalid"), 0, True),  # it may have been corrected
        (errors.ServerFault("500"), 0, True),
    ],
)
async def test_an_engine_that_is_off_is_off_for_the_processes_after_this_one(
    desk: Desk, error: errors.OutsideFailure, minutes: float, called: bool
) -> None:
    with pytest.raises(type(error)):
        await desk.gateway.call(await desk.run(), search(), Far([error]))
    desk.clock.pass_seconds(60 * minutes)
    later, scope, far = desk.another_process(), await desk.run("run-2"), Far([{"hits": []}])
    both = [later.call(scope, search(text), far) for text in ("one", "two")]
    answers = await asyncio.gather(*both, return_exceptions=True)
    assert [isinstance(each, errors.BreakerOpen) for each in answers] == 2 * [not called]
    assert far.calls == (2 if called else 0)
    await _finish(desk, await desk.claim())
    assert await desk.store.runs.reopen("run-1", desk.clock())
    resumed = await desk.another_process().call(await desk.claim(), search(), Far([{"hits": [1]}]))
    assert resumed.attempt == 2  # a person's resume asks again
    later.forget_search_pauses()  # and so does a probe
    assert (await later.call(scope, search("three"), far)).outcome == "ok"
    # And with an answer it is on for everybody.
    assert (await desk.another_process().call(scope, search("four"), far)).outcome == "ok"
