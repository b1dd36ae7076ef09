"""Health, readiness and metrics for the operator of a desk; and HTTP as it should be."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lab.stubs import Fault, Rule, Stubs, running_stubs
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import create_engine, text

from groundwire.doors.api.server import make_room
from groundwire.errors import DiskFull, StoreAway
from groundwire.gateway.tally import BOUNDS, Times
from tests.doors.api.live_desk import LiveDesk, live_desk, stream


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


both = pytest.mark.parametrize(
    "database_kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
)


@pytest.fixture
async def live(tmp_path: Path, database_url: str) -> AsyncIterator[LiveDesk]:
    async with live_desk(tmp_path, database_url) as desk:
        yield desk


@pytest.fixture
async def shut(tmp_path: Path, database_url: str) -> AsyncIterator[LiveDesk]:
    async with live_desk(tmp_path, database_url, open_here=False) as desk:
        yield desk


# --- ready ---------------------------------------------------------------------------------------


@both
async def test_a_desk_with_everything_is_ready_and_says_so_to_anybody(shut: LiveDesk) -> None:
    assert (await shut.http.get("/healthz")).json() == {"status": "ok"}
    answer = await shut.http.get("/readyz")
    assert answer.status_code == 200
    found = answer.json()
    assert found["status"] == "ready"
    assert found["database"] == shut.app.settings.database().partition(":")[0].partition("+")[0]
    assert re.fullmatch(r"\d{4}", found["revision"])


@both
async def test_another_schema_is_not_ready(live: LiveDesk, database_url: str) -> None:
    engine = create_engine(database_url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    engine.dispose()
    answer = await live.http.get("/readyz")
    assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
    assert answer.json()["hint"] == "gw db upgrade"
    assert "0001" in answer.json()["detail"]
    assert (await live.http.get("/healthz")).status_code == 200


@pytest.mark.parametrize("database_kind", [pytest.param("postgres", marks=pytest.mark.postgres)])
async def test_a_database_that_is_away_is_not_ready_and_comes_back(
    live: LiveDesk, database_url: str, postgres: str
) -> None:
    import psycopg

    name = urlsplit(database_url).path.lstrip("/")

    def shut_out(shut: bool) -> None:
        with psycopg.connect(postgres, autocommit=True) as admin:
            admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {'false' if shut else 'true'}")
            if shut:
                admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                    (name,),
                )

    assert (await live.http.get("/readyz")).status_code == 200
    await asyncio.to_thread(shut_out, True)
    answer = await live.http.get("/readyz")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert "postgres" not in answer.text  # neither where it is nor as whom we come
    assert (await live.http.get("/healthz")).status_code == 200
    await asyncio.to_thread(shut_out, False)
    async with asyncio.timeout(60):
        while (await live.http.get("/readyz")).status_code != 200:
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("trouble", [StoreAway("/secret/place"), DiskFull()])
async def test_an_engine_in_trouble_is_not_ready(live: LiveDesk, trouble) -> None:
    live.app.engine.trouble = trouble
    answer = await live.http.get("/readyz")
    assert answer.status_code == 503
    assert "secret" not in answer.text
    live.app.engine.trouble = None
    assert (await live.http.get("/readyz")).status_code == 200


async def test_a_desk_that_stops_is_not_ready(live: LiveDesk) -> None:
    live.desk.stopping = True
    assert (await live.http.get("/readyz")).status_code == 503
    assert (await live.http.get("/healthz")).status_code == 200


# --- metrics -------------------------------------------------------------------------------------


def figures(text: str) -> dict[str, float]:
    """Parse every sample as `name{label=value,…}`."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


async def test_metrics_are_for_who_runs_the_desk(shut: LiveDesk) -> None:
    _, run = await shut.token("run", "run")
    _, admin = await shut.token("admin", "admin")
    assert (await shut.http.get("/metrics")).status_code == 401
    assert (await shut.http.get("/metrics", headers=run)).status_code == 403
    answer = await shut.http.get("/metrics", headers=admin)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"


async def test_runs_and_followers_are_counted_and_no_run_is_named(live: LiveDesk) -> None:
    run, other = await live.run(), await live.run()
    await other.end()
    async with stream(live, run.id) as following:
        await following.until("retry")
        live.desk.tails.dropped = 2
        text = (await live.http.get("/metrics")).text
    found = figures(text)
    assert found["groundwire_runs{state=running}"] == 1
    assert found["groundwire_runs{state=complete}"] == 1
    assert found["groundwire_runs{state=failed}"] == 0
    assert found["groundwire_queue_depth"] == 0
    assert (found["groundwire_followers"], found["groundwire_tails"]) == (1, 1)
    assert found["groundwire_followers_dropped_total"] == 2
    assert found["process_resident_memory_bytes"] > 0
    assert run.id not in text


async def test_two_desks_in_one_process_count_apart(tmp_path: Path, live: LiveDesk) -> None:
    (tmp_path / "other").mkdir()
    async with live_desk(tmp_path / "other", f"sqlite:///{tmp_path / 'other.db'}") as other:
        await live.run()
        counted = [figures((await desk.http.get("/metrics")).text) for desk in (live, other)]
    assert [found["groundwire_runs{state=running}"] for found in counted] == [1, 0]


@pytest.fixture
def stubs() -> Iterator[Stubs]:
    with running_stubs("tavily", "web") as running:
        yield running


async def test_calls_steps_and_costs_are_those_of_the_ledger(
    tmp_path: Path, database_url: str, stubs: Stubs
) -> None:
    stubs.faults(Rule(Fault("error"), stub="web", share=0.3))
    env = {
        "GROUNDWIRE_SEARCH__CHAIN": "tavily",
        "TAVILY_API_KEY": "tvly-stub",
        "GROUNDWIRE_SEARCH__PROVIDERS__TAVILY__FREE_CREDITS": "0",
        "TAVILY_BASE_URL": stubs.url("tavily"),
        "GROUNDWIRE_FETCH__ALLOW_PRIVATE": "127.0.0.0/8",
    }
    async with live_desk(tmp_path, database_url, env=env, offline=False) as live:
        await live.app.engine.start()
        run = await live.app.submit("ask", {"question": "Did USDC lose its peg in March 2023?"})
        run = await live.app.finished(run.id)
        records = await live.app.store.ledger.records(run.id)
        live.app.outside.gateway.breakers.hold("search", "brave", 60, "its plan is used up")
        live.app.outside.gateway.breakers.hold("fetch", "secret.example", 60, "it is slow")
        text = (await live.http.get("/metrics")).text
    found = figures(text)
    calls = Counter(
        f"how={record.via},kind={record.kind},outcome="
        f"{record.error.code if record.error else record.outcome},provider={record.provider}"
        for record in records
        if record.kind != "read"
    )
    counted = {
        name.removeprefix("groundwire_calls_total{").removesuffix("}"): value
        for name, value in found.items()
        if name.startswith("groundwire_calls_total{")
    }
    assert counted == dict(calls)
    assert any(",outcome=server," in name for name in counted)
    sent = [record for record in records if record.kind == "search" and record.via == "sent"]
    assert found["groundwire_call_seconds_count{kind=search}"] == len(sent)
    paid = sum(record.cost for record in records) / 1_000_000
    assert paid > 0
    assert found["groundwire_cost_usd_total{kind=search,provider=tavily}"] == pytest.approx(paid)
    assert found["groundwire_spent_usd{period=day}"] == pytest.approx(paid)
    for step in ("plan", "search", "read", "weigh", "check"):
        assert found[f"groundwire_step_seconds_count{{job=ask,step={step}}}"] == 1
    assert found[f"groundwire_runs_ended_total{{state={run.state}}}"] == 1
    assert found["groundwire_breaker_open{kind=search,lane=brave}"] == 1
    assert found["groundwire_breaker_open{kind=search,lane=tavily}"] == 0
    assert found["groundwire_hosts_left_alone"] == 1
    assert "secret.example" not in text


def test_times_fall_into_the_bucket_that_holds_them() -> None:
    times = Times()
    for seconds in (0.0, 0.01, 0.011, 59.9, 60.0, 61.0):
        times.add(seconds)
    assert len(times.counts) == len(BOUNDS) + 1
    assert (times.counts[0], times.counts[1], times.counts[-2], times.counts[-1]) == (2, 1, 2, 1)
    assert times.total == pytest.approx(180.921)


# --- HTTP ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/api/runs", "/"])
async def test_a_head_says_what_a_get_would(live: LiveDesk, path: str) -> None:
    got, head = await live.http.get(path), await live.http.head(path)
    assert (head.status_code, head.content) == (got.status_code, b"")
    for name in ("content-type", "content-security-policy", "x-content-type-options"):
        assert head.headers[name] == got.headers[name]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/healthz", {"GET", "HEAD"}),
        ("POST", "/metrics", {"GET", "HEAD"}),
        ("PUT", "/api/runs", {"GET", "HEAD", "POST"}),
    ],
)
async def test_another_method_is_told_which_there_are(
    live: LiveDesk, method: str, path: str, allowed: set[str]
) -> None:
    answer = await live.http.request(method, path)
    assert answer.status_code == 405
    assert set(re.split(r",\s*", answer.headers["allow"])) == allowed
    assert answer.headers["content-type"] == "application/problem+json"


async def test_what_is_text_is_compressed_for_who_can_read_it(live: LiveDesk) -> None:
    zipped = await live.http.get("/metrics", headers={"Accept-Encoding": "gzip"})
    plain = await live.http.get("/metrics", headers={"Accept-Encoding": "identity"})
    assert zipped.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert "Accept-Encoding" in plain.headers["vary"]
    small = await live.http.get("/healthz", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in small.headers


def test_there_is_room_for_the_followers(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    requested: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(
        resource, "setrlimit", lambda what, limits: requested.append((what, limits))
    )
    for soft, hard, followers, expected in (
        (1_024, 4_096, 2_000, (2_256, 4_096)),
        (1_024, 2_000, 2_000, (2_000, 2_000)),  # as much as there may be
        (1_024, resource.RLIM_INFINITY, 2_000, (2_256, resource.RLIM_INFINITY)),
        (8_192, 8_192, 2_000, None),  # there is enough
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 2_000, None),
    ):
        requested.clear()
        monkeypatch.setattr(resource, "getrlimit", lambda _what, s=soft, h=hard: (s, h))
        make_room(followers)
        assert requested == ([] if expected is None else [(resource.RLIMIT_NOFILE, expected)])
