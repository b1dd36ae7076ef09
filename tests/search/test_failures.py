"""Every failure of every provider over real HTTP: named, failed over, recorded, never empty."""

from __future__ import annotations

import io
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
import stamina
from lab.stubs import Fault, Rule, Stubs, faults, running_stubs
from search_stubs import KEY, KEYED, NOW, STUBBED, http
from tests.claims import take_over

from groundwire.gateway.breaker import Breakers
from groundwire.gateway.call import Scope
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.guard import AddressPolicy, networks
from groundwire.gateway.limits import Limits
from groundwire.gateway.transport import build_client
from groundwire.log import Redactor, configure
from groundwire.model.base import canonical
from groundwire.model.query import Query, SearchReport
from groundwire.model.run import NewRun, Versions
from groundwire.search.chain import Chain
from groundwire.search.provider import FeedReader, HttpProvider, SearchServices
from groundwire.store import Store, open_store
from groundwire.words import words

PATIENT, HASTY = 60.0, 0.2  # seconds
# The first that a provider is asked about before its stand-in.
QUESTIONS = (
    Query(text="USDC peg Silicon Valley Bank", language="en"),
    Query(text="USDC 脱锚 硅谷银行", language="zh"),
    Query(text="USDC peg Silicon Valley Bank", language="en", topic="news"),
    Query(text="USDC peg Silicon Valley Bank", language="en", topic="tech"),
)


@dataclass(frozen=True)
class Case:
    """A way to fail: what the provider does, what it is called, and how often it is tried."""

    label: str
    fault: Fault
    code: str
    tries: int
    only: tuple[str, ...] = STUBBED


CASES = (
    Case("too fast", faults.rate_limited(0), "rate_limit", 3),
    Case("too fast for hours", faults.rate_limited(3600), "rate_limit", 1),
    Case("a fault", faults.error(500), "server", 3),
    Case("unavailable", faults.error(503), "server", 3),
    Case("a wrong key", faults.unauthorized(), "auth", 1, (*KEYED, "searxng")),
    Case("a used-up plan", faults.plan_limit(432), "plan_limit", 1, KEYED),
    Case("pay as you go used up", faults.plan_limit(433), "plan_limit", 1, KEYED),
    Case("half an answer", faults.cut_off(), "network", 3),
    Case("too slow", faults.slow(5 * HASTY), "timeout", 3),
    Case("another form", faults.wrong_schema(), "malformed", 1),
    # A page without scripts is read as far as it goes; an answer in JSON is whole or none.
    Case("damaged", faults.malformed(), "malformed", 1, tuple(n for n in STUBBED if n != "ddgs")),
    Case("no key inside 200", Fault("unauthorized", detail="inside"), "auth", 1, ("bocha",)),
    Case("no money inside 200", Fault("plan_limit", detail="inside"), "plan_limit", 1, ("bocha",)),
    Case("a fault inside 200", Fault("error", detail="inside"), "server", 3, ("bocha",)),
    Case("silent engines", Fault("empty", detail="unresponsive"), "server", 3, ("searxng",)),
)


@pytest.fixture(autouse=True)
def no_backoff() -> Iterator[None]:
    stamina.set_testing(True, attempts=3, cap=True)
    yield
    stamina.set_testing(False)


@pytest.fixture(scope="module")
def process() -> Iterator[Stubs]:
    with running_stubs(*STUBBED, now=NOW, pages=60) as running:
        yield running


@pytest.fixture
def world(process: Stubs) -> Stubs:
    process.reset()
    return process


@dataclass
class Desk:
    """A gateway over a store of its own, and a run to ask from."""

    world: Stubs
    gateway: Gateway
    ground: SearchServices
    scope: Scope
    store: Store

    def provider(self, name: str, **options: object) -> HttpProvider:
        return http(name, base_url=self.world.url(name), **options)

    def chain(self, name: str, timeout: float = PATIENT) -> tuple[Chain, Query]:
        """Build the provider, another behind it, and a question that comes to it first."""
        other = self.provider("tavily" if name != "tavily" else "brave")
        tried = self.provider(name, timeout=timeout)
        chain = Chain([tried, other], self.ground)
        here = {"platform": tried.platforms[0]} if tried.only_platforms else {}
        for question in (each.model_copy(update=here) for each in QUESTIONS):
            if chain.lineup(question)[0].name == name:
                return chain, question
        raise AssertionError(f"no question comes to {name} first")


@pytest.fixture
async def desk(world: Stubs, sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Desk]:
    shutil.copy(sqlite_template, tmp_path / "gw.db")
    async with _desk(world, f"sqlite:///{tmp_path / 'gw.db'}") as made:
        yield made


@asynccontextmanager
async def _desk(world: Stubs, database: str) -> AsyncIterator[Desk]:
    policy = AddressPolicy(allow_private=networks(["127.0.0.0/8"]))
    async with open_store(database) as store, build_client(policy) as client:
        breakers = Breakers(lambda: 0.0, threshold=1_000)
        # It knows no secret: what must not be recorded is not there, not taken out.
        gateway = Gateway(
            store.ledger,
            store.cache,
            Limits({}, {}),
            Redactor(),
            clock=lambda: NOW,
            breakers=breakers,
        )
        await store.runs.create(
            NewRun(
                id="run",
                kind="ask",
                input={},
                settings={},
                now=NOW,
                seed="00",
                versions=Versions(code="1", prompts="p", data="d"),
                created_at=NOW,
            )
        )
        lease = await take_over(store.runs, "run", "me", NOW, NOW + timedelta(hours=1))
        assert lease is not None
        no_feeds = cast("FeedReader", None)
        ground = SearchServices(gateway, client, store.index, PATIENT, 600, no_feeds)
        scope = Scope(lease=lease, now=NOW, caps=lambda _now: ())
        yield Desk(world, gateway, ground, scope, store)
        await gateway.close()


async def ask(desk: Desk, name: str, timeout: float = PATIENT, **demands: object) -> SearchReport:
    chain, question = desk.chain(name, timeout)
    return await chain.search(desk.scope, question.model_copy(update=demands))


@pytest.mark.parametrize(
    ("name", "case"),
    [pytest.param(n, c, id=f"{n}: {c.label}") for c in CASES for n in STUBBED if n in c.only],
)
async def test_a_failure_is_named_and_failed_over(name: str, case: Case, desk: Desk) -> None:
    desk.world.faults(Rule(case.fault, stub=name))
    report = await ask(desk, name, HASTY if case.fault.kind == "slow" else PATIENT)
    (failure,) = report.failures
    assert (failure.provider, failure.code) == (name, case.code)
    assert failure.message
    assert KEY not in failure.message
    # Who stands in for a platform's own search looks at its sites only; the stubs have none of them.
    assert report.hits or desk.provider(name).only_platforms
    assert {hit.provider for hit in report.hits}.isdisjoint({name})
    tried = [call for call in desk.world.log() if call.stub == name]
    if case.code == "timeout":
        # On a busy machine a try is given up before the stub hears of it.
        assert 1 <= len(tried) <= case.tries
    else:
        assert len(tried) == case.tries
    # A provider that sends the same request again says that it is the same.
    assert len({call.idempotency_key for call in tried}) == 1


@pytest.mark.parametrize("name", STUBBED)
async def test_when_all_fail_the_report_has_failed_and_is_not_empty_handed(
    name: str, desk: Desk
) -> None:
    desk.world.faults(faults.error(500))
    report = await ask(desk, name)
    assert (report.failed, report.hits) == (True, ())
    assert {failure.code for failure in report.failures} == {"server"}
    assert len(report.failures) == 2


@pytest.mark.parametrize("name", STUBBED)
async def test_a_good_answer_after_a_bad_try_is_an_answer(name: str, desk: Desk) -> None:
    desk.world.faults(Rule(faults.error(503), stub=name, first=1))
    report = await ask(desk, name)
    assert (report.failures, report.hits[0].provider) == ((), name)
    assert [call.outcome for call in desk.world.log()] == ["error", "ok"]


@pytest.mark.parametrize("name", KEYED)
async def test_a_wrong_key_says_which_setting_to_change(name: str, desk: Desk) -> None:
    chain = Chain([desk.provider(name, api_key="wrong")], desk.ground)
    (failure,) = (await chain.search(desk.scope, QUESTIONS[0])).failures
    assert failure.code == "auth"
    assert f"set {desk.provider(name).key_hint}" in words("en").phrase(failure.phrase).replace(
        "Set", "set"
    )


@pytest.mark.parametrize("name", STUBBED)
async def test_an_honest_nothing_is_no_failure(name: str, desk: Desk) -> None:
    desk.world.faults(Rule(faults.empty(), stub=name))
    report = await ask(desk, name)
    assert report.failures == ()
    assert name in report.providers
    assert name not in {hit.provider for hit in report.hits}


@pytest.mark.parametrize("name", STUBBED)
async def test_an_engine_that_lies_about_domains_is_held_to_them(name: str, desk: Desk) -> None:
    desk.world.faults(Rule(faults.lying(), stub=name))
    report = await ask(desk, name, exclude_domains=("not-asked-for.example",))
    assert all("not-asked-for.example" not in hit.url for hit in report.hits)


@pytest.mark.parametrize("name", KEYED)
async def test_a_used_up_plan_turns_the_provider_off_until_it_begins_anew(
    name: str, desk: Desk
) -> None:
    desk.world.faults(Rule(faults.plan_limit(), stub=name))
    chain, question = desk.chain(name)
    codes = [
        failure.code
        for occasion in "abc"
        for failure in (
            await chain.search(
                desk.scope, question.model_copy(update={"text": f"{question.text} {occasion}"})
            )
        ).failures
    ]
    assert codes == ["plan_limit", "breaker_open", "breaker_open"]
    assert len([call for call in desk.world.log() if call.stub == name]) == 1
    assert set(desk.gateway.breakers.states("search")) == {name}


@pytest.mark.parametrize("fault", [None, faults.error(500), faults.cut_off()])
@pytest.mark.parametrize("name", STUBBED)
async def test_no_key_enters_the_record_or_the_log(
    name: str, fault: Fault | None, world: Stubs, sqlite_template: Path, tmp_path: Path
) -> None:
    """Not even where the gateway does not know it; libraries log addresses, which is redacted."""
    shutil.copy(sqlite_template, tmp_path / "gw.db")
    written = io.StringIO()
    configure("debug", redactor=Redactor([KEY]), stream=written)
    try:
        async with _desk(world, f"sqlite:///{tmp_path / 'gw.db'}") as desk:
            world.faults(*([Rule(fault, stub=name)] if fault else []))
            await ask(desk, name)
            records = await desk.store.ledger.records("run")
    finally:
        configure()
    assert KEY not in written.getvalue()
    kept = canonical([record.model_dump(mode="json") for record in records])
    assert KEY.encode() not in kept
    assert KEY.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert {record.outcome for record in records if record.provider == name} == (
        {"failed"} if fault else {"ok"}
    )


@pytest.mark.parametrize(
    ("name", "fault", "cost"),
    [
        ("exa", None, 5_000 + 5 * 1_000),  # a search and the highlights of five pages, as it says
        ("brave", None, 5_000),  # it says nothing: the estimate
        ("serper", None, 1_000),
        ("tavily", None, 8_000),
        ("searxng", None, 0),
        ("exa", faults.wrong_schema(), 7_000),  # it was answered: the estimate is spent
        ("tavily", faults.plan_limit(), 0),  # a refusal is not billed
    ],
)
async def test_what_a_call_costs_is_settled(
    name: str, fault: Fault | None, cost: int, desk: Desk
) -> None:
    desk.world.faults(*([Rule(fault)] if fault else []))
    await Chain([desk.provider(name)], desk.ground).search(desk.scope, QUESTIONS[0])
    (record,) = await desk.store.ledger.records("run")
    assert record.cost == cost


async def test_the_words_for_time_are_turned_into_days_by_the_runs_clock(desk: Desk) -> None:
    question = QUESTIONS[0].model_copy(update={"time_range": "week"})
    report = await Chain([desk.provider("exa")], desk.ground).search(desk.scope, question)
    (record,) = await desk.store.ledger.records("run")
    assert record.request["json"]["startPublishedDate"] == "2023-03-09T00:00:00.000Z"
    assert report.hits
