"""Alerts of standing runs: to their own subscribers, held in quiet hours and delivered after."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.parcels import waiting
from tests.schedules import START, app_at

from groundwire.app import App
from groundwire.app.schedule_views import Terms
from groundwire.errors import UserError
from groundwire.model.outbox import Parcel, Subscriber

LOUD = {"words": "hear hear", "loud": True}


class Channels:
    """Channels to people, of whom some cannot be reached."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.dead: set[str] = set()
        self.opens = asyncio.Event()

    def subscribers(self) -> tuple[Subscriber, ...]:
        return ()

    async def deliver(self, parcel: Parcel, _lease: Any) -> None:
        if parcel.subscriber in self.dead:
            await self.opens.wait()
        self.told.append(parcel.subscriber)


@pytest.fixture
async def app(echo: None, tmp_path: Path, database_url: str) -> AsyncIterator[App]:
    channels = {
        "notify.webhook.url": "https://hooks.example/all",
        "notify.webhook.everything": False,
        "notify.ntfy.topic": "board",
        "notify.ntfy.everything": False,
    }
    async with app_at(tmp_path, database_url, START, **channels) as opened:
        yield opened


@pytest.fixture
def channels(app: App) -> Channels:
    found = Channels()
    app.services.deliveries.channels = lambda: found  # type: ignore[assignment]
    return found


async def deliver(app: App) -> None:
    deliveries: Any = app.services.deliveries
    deliveries.poke()
    async with asyncio.timeout(30):
        while deliveries._looking or deliveries._serving:
            await asyncio.sleep(0.01)


async def test_only_its_own_subscribers_are_told_each_once(app: App, channels: Channels) -> None:
    to = ("webhook:https://a.example/x", "webhook:https://a.example/x", "webhook")
    kept = await app.schedules.add("echo", LOUD, Terms(schedule="every 1h", to=to))
    run = await app.ended((await app.schedules.run(kept)).id)
    await deliver(app)
    assert sorted(channels.told) == ["desk", "https://a.example/x"]
    assert {each.run_id for each in await app.schedules.sent(kept)} == {run.id}
    assert (await app.schedules.find(kept.id)).told_at == run.now
    past = await app.schedules.run(kept, at=START - timedelta(days=30))
    await app.ended(past.id)
    assert (await app.schedules.find(kept.id)).told_at == run.now  # not wound back
    await deliver(app)
    channels.told.clear()
    quiet = await app.schedules.run(kept.model_copy(update={"input": {"words": "hush"}}))
    await app.ended(quiet.id)
    await deliver(app)
    assert channels.told == []  # nothing to tell


async def test_quiet_hours_hold_an_alert_and_drop_none(app: App, channels: Channels) -> None:
    terms = Terms(schedule="every 1h", to=("webhook",), quiet="07:30-09:30")
    kept = await app.schedules.add("echo", LOUD, terms)
    await app.ended((await app.schedules.run(kept)).id)
    await deliver(app)
    (held,) = await waiting(app.store)
    assert channels.told == []
    assert held.due_at == START.replace(hour=9, minute=30)
    app.clock.wind(timedelta(hours=1, minutes=30))
    await deliver(app)
    assert channels.told == ["desk"]
    assert await waiting(app.store) == []


async def test_a_dead_channel_holds_up_nobody(app: App, channels: Channels) -> None:
    channels.dead = {"https://dead.example/"}
    to = ("webhook:https://dead.example/", "webhook:https://live.example/")
    kept = await app.schedules.add("echo", LOUD, Terms(schedule="every 1h", to=to))
    for _ in range(3):
        await app.ended((await app.schedules.run(kept)).id)  # no run waits for it
    app.services.deliveries.poke()
    async with asyncio.timeout(30):
        while channels.told.count("https://live.example/") < 3:
            await asyncio.sleep(0.01)
    channels.opens.set()
    await deliver(app)
    assert channels.told.count("https://dead.example/") == 3


async def test_whom_no_channel_serves_is_refused_before_anything_is_kept(app: App) -> None:
    for subscriber in ("pigeon:coop", "webhook:ftp://x", "mail:nobody"):
        with pytest.raises(UserError):
            await app.schedules.add("echo", LOUD, Terms(schedule="every 1h", to=(subscriber,)))
    assert await app.schedules.listed() == []
