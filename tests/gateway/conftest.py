"""A gateway over a real store, and runs to call it from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
import stamina
from tests.claims import take_over

from groundwire.gateway.breaker import Breakers
from groundwire.gateway.call import Reply, Scope, Sending
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.limits import Limits
from groundwire.log import Redactor
from groundwire.model.base import JsonObject
from groundwire.model.call import Cap
from groundwire.model.run import NewRun, Versions
from groundwire.store import Store, open_store

START = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)
SECRET = "tvly-planted-secret-0123456789"


class Clock:
    """A clock that only a test moves."""

    def __init__(self) -> None:
        self.now = START
        self.monotonic = 0.0

    def __call__(self) -> datetime:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.monotonic += seconds


@dataclass
class Far:
    """The remote side: it answers as told, and counts."""

    answers: list[JsonObject | Exception] = field(default_factory=list)
    cost: int = 0
    seen: list[Sending] = field(default_factory=list)

    async def __call__(self, sending: Sending) -> Reply:
        self.seen.append(sending)
        answer = self.answers[min(len(self.seen), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer, cost=self.cost)

    @property
    def calls(self) -> int:
        return len(self.seen)


@dataclass
class Desk:
    """Store, gateway and runs for one test."""

    store: Store
    clock: Clock
    gateway: Gateway

    async def run(
        self,
        name: str = "run-1",
        *,
        caps: tuple[Cap, ...] = (),
        offline: bool = False,
    ) -> Scope:
        """Create a run and claim it."""
        await self.store.runs.create(
            NewRun(
                id=name,
                kind="ask",
                input={},
                settings={},
                now=START,
                seed="00",
                versions=Versions(code="1", prompts="p", data="d"),
                created_at=START,
            )
        )
        return await self.claim(name, caps=caps, offline=offline)

    async def claim(
        self, name: str = "run-1", *, caps: tuple[Cap, ...] = (), offline: bool = False
    ) -> Scope:
        """Claim the run for its next process, as in a restart after a crash."""
        until = self.clock() + timedelta(seconds=30)
        lease = await take_over(self.store.runs, name, "me", self.clock(), until)
        assert lease is not None
        return Scope(
            lease=lease,
            now=START,
            caps=lambda _now: caps,
            offline=offline,
            fresh=lease.fence == 1,
        )

    def another_process(self) -> Gateway:
        """Build a gateway that knows nothing of this one's flights and breakers."""
        return make_gateway(self.store, self.clock)


def make_gateway(store: Store, clock: Clock) -> Gateway:
    breakers = Breakers(lambda: clock.monotonic, threshold=3, cooldown=30)
    return Gateway(
        store.ledger,
        store.cache,
        Limits({}, {}),
        Redactor([SECRET]),
        clock=clock,
        breakers=breakers,
        history=store.ledger,
    )


@pytest.fixture(autouse=True)
def no_backoff() -> Callable[[], None]:
    """Retry without waiting."""
    stamina.set_testing(True, attempts=3, cap=True)
    yield
    stamina.set_testing(False)


@pytest.fixture
async def desk(database_url: str) -> AsyncIterator[Desk]:
    clock = Clock()
    async with open_store(database_url) as store:
        yield Desk(store, clock, make_gateway(store, clock))
