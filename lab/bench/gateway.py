"""What the gateway costs: CPU per call from the record, from the cache, and actually sent."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from urllib.parse import urlsplit, urlunsplit

from groundwire.app import App
from groundwire.app.budget import caps_of
from groundwire.errors import IllegalState
from groundwire.gateway.call import Call, Reply, Scope, Sending, Sharing
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.limits import Limit, Limits
from groundwire.jobs.sections import Settings
from groundwire.model.base import JsonObject
from groundwire.settings.schema import BudgetSettings
from lab.archives import fresh_app, new_run
from lab.bench.table import Report

CACHED_MS = 0.2
SENT_MS = 1.0
AT_ONCE = 32
_IN_MEMORY = 500  # answers that the cache surely still holds in memory
_TEXT = (
    "Circle said that 3.3 billion dollars of the reserve behind USDC remained at the bank, "
    "and that redemptions would open again on Monday morning. "
)


async def bench_gateway(*, quick: bool = False) -> Report:
    """Measure on SQLite, and on the configured database if it is a PostgreSQL."""
    url = Settings.load().settings.database()
    return await measure(200 if quick else 2000, url if url.startswith("postgres") else None)


async def measure(calls: int, postgres: str | None = None) -> Report:
    """Measure CPU per call on SQLite, and on PostgreSQL when its address is given.

    SQLite is in a temporary folder; on PostgreSQL a database is created for the measurement.
    """
    report = Report(f"gateway: CPU per call over {calls:,} calls, answers of about 3 kB")
    await _bench(report, "sqlite", calls, None)
    if postgres is not None:
        async with _own_database(postgres) as url:
            await _bench(report, "postgresql", calls, url)
        report.notes.append("postgresql: CPU of this process; the server's own is not counted")
    return report


@dataclass(frozen=True, slots=True)
class _Spent:
    """CPU and wall seconds of one call, and how many calls were actually sent."""

    cpu: float
    wall: float
    sent: int


class _Remote:
    """The other side without a distance: it answers at once and counts the calls."""

    def __init__(self, cost: int = 0) -> None:
        self.cost = cost
        self.calls = 0

    async def __call__(self, sending: Sending) -> Reply:
        self.calls += 1
        return Reply(_answer(self.calls), cost=self.cost)


def _answer(number: int) -> JsonObject:
    hits = [
        {
            "title": f"Result {rank} of call {number}",
            "url": f"https://site{rank}.example/{number}",
            "content": _TEXT * 3,
            "score": 0.9 - rank / 10,
        }
        for rank in range(5)
    ]
    return {"results": hits, "request_id": f"request-{number}", "response_time": 0.2}


def _call(number: int, *, shared: bool = False, estimate: int = 0) -> Call:
    return Call(
        kind="search",
        provider="bench",
        request={"query": f"question {number} about the reserve", "max_results": 5},
        estimate=estimate,
        sharing=Sharing(seconds=600.0 if shared else 0.0),
    )


async def _bench(report: Report, engine: str, calls: int, database_url: str | None) -> None:
    async with fresh_app(database_url=database_url) as app:
        remote = _Remote()
        bare = await _timed([partial(remote, Sending(idempotency_key=""))] * calls, 1, remote)
        report.add(f"{engine}: bare await send()", bare.cpu * 1000, "ms")
        for at_once in (1, AT_ONCE):
            how = "one by one" if at_once == 1 else f"{at_once} at once"
            async for name, target, spent in _kinds(app, calls, at_once):
                report.add(
                    f"{engine}: {name}, {how}",
                    spent.cpu * 1000,
                    "ms",
                    target=target,
                    note=f"{spent.cpu / bare.cpu:.0f} × bare, wall {spent.wall * 1000:.2f} ms,"
                    f" {spent.sent:,} sent",
                )


async def _kinds(app: App, calls: int, at_once: int) -> AsyncGenerator[tuple[str, float, _Spent]]:
    """Yield each way that a call can go, in the order in which one prepares the next."""
    gateway = Gateway(
        app.store.ledger, app.store.cache, Limits({}, {"search": Limit(AT_ONCE)}), app.redactor
    )

    async def spent(requests: Sequence[Call], *scopes: Scope, cost: int = 0) -> _Spent:
        """Make these calls in one run after the other, and return what they cost."""
        remote = _Remote(cost)

        async def one(scope: Scope, call: Call) -> None:
            record = await gateway.call(scope, call, remote)
            if record.outcome != "ok":
                raise IllegalState("The benchmark's call was not answered.")

        work = [partial(one, scope, call) for scope in scopes for call in requests]
        return await _timed(work, at_once, remote)

    free = [_call(number) for number in range(calls)]
    first = await _new_scope(app)
    yield "sent, no cost", SENT_MS, await spent(free, first)
    again = await _claim(app, first.lease.run_id)
    yield "replayed from the record", CACHED_MS, await spent(free, again)
    # Different questions each time: the cache belongs to the whole installation.
    base = calls * (at_once + 1)
    shared = [_call(number, shared=True) for number in range(base, base + calls)]
    yield "sent, kept for other runs", SENT_MS, await spent(shared, await _new_scope(app))
    # The newest are in memory, all are in the table; one run after the other asks for them.
    in_memory, rest = shared[-_IN_MEMORY:], shared[:-_IN_MEMORY]
    runs = [await _new_scope(app) for _ in range(max(1, calls // len(in_memory)))]
    yield "cross-run cache hit", CACHED_MS, await spent(in_memory, *runs)
    if rest:
        read = await spent(rest, await _new_scope(app))
        yield "cross-run cache hit, read from the table", CACHED_MS, read
    paid = [_call(number, estimate=100) for number in range(calls)]
    yield "sent, with three budgets", SENT_MS, await spent(paid, await _new_scope(app), cost=90)


async def _timed(
    work: Sequence[Callable[[], Awaitable[object]]], at_once: int, remote: _Remote
) -> _Spent:
    """Time each piece of work in CPU and wall seconds; all threads of the process count."""
    queue = iter(work)

    async def worker() -> None:
        for each in queue:
            await each()

    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(at_once)))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return _Spent(cpu / len(work), wall / len(work), remote.calls)


async def _new_scope(app: App) -> Scope:
    """Create a run and claim it for the first time."""
    run = await app.store.runs.create(new_run(app, f"bench-{secrets.token_hex(5)}"))
    return await _claim(app, run.id)


async def _claim(app: App, run_id: str) -> Scope:
    now = app.clock()
    run = await app.runs.find(run_id)
    until = now + timedelta(minutes=10)
    lease = await app.store.runs.claim(run_id, "bench", now, until, abandoned=run.fence)
    if lease is None:
        raise IllegalState("The benchmark's run was taken by another.")
    return Scope(
        lease=lease,
        now=now,
        caps=partial(caps_of, run, BudgetSettings(run_usd=1000, day_usd=1000, month_usd=1000)),
        fresh=lease.fence == 1,
    )


@contextlib.asynccontextmanager
async def _own_database(url: str) -> AsyncGenerator[str]:
    """Create a database beside the configured one, so that no user data is touched; drop it after."""
    import psycopg
    from psycopg import sql

    parts = urlsplit(url)
    plain = urlunsplit(parts._replace(scheme="postgresql"))
    name = f"groundwire_bench_{secrets.token_hex(4)}"
    with psycopg.connect(plain, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlunsplit(parts._replace(path=f"/{name}"))
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
