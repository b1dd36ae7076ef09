"""A run that may ask the stubs of market data, at the moment that the stubs know."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from lab.stubs import Fault, Rule, Stubs, faults
from lab.stubs.markets import HOSTS
from tests.claims import take_over

from groundwire.context import Context, Parts
from groundwire.data import provider as known
from groundwire.data.api import Apis
from groundwire.gateway.breaker import Breakers
from groundwire.gateway.call import Scope
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.guard import AddressPolicy, networks
from groundwire.gateway.limits import Limits
from groundwire.gateway.transport import build_client
from groundwire.log import Redactor
from groundwire.model.run import NewRun, Versions
from groundwire.store import Store, open_store

KEY = "planted-secret-0123456789abcdef"
NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
PATIENT, HASTY = 60.0, 0.2  # seconds


@dataclass(frozen=True)
class Case:
    """A way to fail, and what it is called."""

    label: str
    fault: Fault
    code: str
    timeout: float = PATIENT


# What is asked without a key and refused has no key to correct: it is left alone for a while.
CASES = (
    Case("a wrong key", faults.unauthorized(), "rate_limit"),
    Case("no money", Fault("plan_limit", status=402), "plan_limit"),
    Case("too fast", faults.rate_limited(0), "rate_limit"),
    Case("too fast for hours", faults.rate_limited(3600), "rate_limit"),
    Case("not in this region", Fault("error", status=451), "auth"),
    Case("a fault", faults.error(500), "server"),
    Case("unavailable", faults.error(503), "server"),
    Case("too slow", faults.slow(5 * HASTY), "timeout", HASTY),
    Case("half an answer", faults.cut_off(), "network"),
    Case("damaged", faults.malformed(), "malformed"),
    Case("another form", faults.wrong_schema(), "malformed"),
    Case("a negative price", faults.lying("negative"), "malformed"),
    Case("a price in words", faults.lying("text"), "malformed"),
    Case("not a number", faults.lying("nan"), "malformed"),
)


@dataclass
class Desk:
    """A run over a store of its own."""

    world: Stubs
    store: Store
    context: Context

    def strike(self, *names: str, fault: Fault) -> None:
        self.world.faults(*(Rule(fault, stub=name) for name in names))

    def called_stubs(self) -> list[str]:
        return [call.stub for call in self.world.log()]


def _unpaced(_kind: str, _lane: str, _seconds: float) -> None:
    """Let stubs be called without pauses."""


@asynccontextmanager
async def opened(
    world: Stubs,
    template: Path,
    folder: Path,
    *,
    key: str = KEY,
    timeout: float = PATIENT,
    tools: dict[str, Any] | None = None,
    at: datetime = NOW,
) -> AsyncIterator[Desk]:
    world.reset()
    shutil.copy(template, folder / "gw.db")
    options: dict[str, dict[str, object]] = {name: {"base_url": world.url(name)} for name in HOSTS}
    options["fred"]["api_key"] = key
    if not key:
        del options["fred"]["api_key"]
    policy = AddressPolicy(allow_private=networks(["127.0.0.0/8"]))
    async with open_store(f"sqlite:///{folder / 'gw.db'}") as store, build_client(policy) as client:
        gateway = Gateway(
            store.ledger,
            store.cache,
            Limits({}, {}),
            Redactor(),  # it knows no secret: what must not be recorded is not there
            clock=lambda: NOW,
            breakers=Breakers(lambda: 0.0, threshold=1_000),
        )
        apis = Apis(gateway, client, lambda name: known.provider(name, options), timeout, _unpaced)
        await store.runs.create(
            NewRun(
                id="run",
                kind="tool",
                input={},
                settings={},
                now=at,
                seed="00",
                versions=Versions(code="1", prompts="p", data="d"),
                created_at=at,
            )
        )
        lease = await take_over(store.runs, "run", "me", at, at + timedelta(hours=1))
        assert lease is not None
        nothing = cast("Any", None)  # a tool that measures touches no other part
        parts = Parts(*[nothing] * 4, apis, nothing, nothing, {}, tools=tools or {})
        scope = Scope(lease=lease, now=at, caps=lambda _now: ())
        yield Desk(world, store, Context("run", "00", scope, parts, nothing))
        await gateway.close()
