"""What is reported about money, from the store of each database: limits, credits, savings, a forecast."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from groundwire.app import App, costs, open_app
from groundwire.app.period import period
from groundwire.app.wiring import PROVIDERS
from groundwire.errors import InputError
from groundwire.jobs.sections import Settings
from groundwire.model.call import Cap
from groundwire.model.outcome import Feedback
from groundwire.search.provider import HttpProvider

from .make import NOW, Make
from .signals import ended, judged_event

CENT = 10_000
TAVILY = {"search.providers.tavily.api_key": "tvly-made-up-0123"}


@asynccontextmanager
async def desk(url: str, home: Path, now: datetime = NOW, **more: Any) -> AsyncIterator[App]:
    values = {"home": str(home), "database_url": url, "offline": True, **more}
    async with open_app(Settings.load(values, cwd=home, env={"HOME": str(home)})) as app:
        app.clock = lambda: now
        yield app


async def spend(app: App, key: str, micro: int, *, days_ago: int = 0, **changes: Any) -> None:
    """Record an answered call, as a run of that day makes it."""
    at = NOW - timedelta(days=days_ago)
    make = Make()
    lease = await make.lease(app.store, f"run_{key}", created_at=at)
    scopes = {f"day:{at:%Y-%m-%d}": None, f"month:{at:%Y-%m}": None}
    intent = make.intent(key, micro, **scopes).model_copy(update={"at": at, **changes})
    await app.store.ledger.begin(lease, intent)
    await app.store.ledger.finish(lease, make.answer(key, cost=micro, at=at))


async def test_a_day_and_a_month_stand_against_their_limits(database_url: str, tmp_path: Path):
    async with desk(database_url, tmp_path) as app:
        await spend(app, "a", 40 * CENT)
        await spend(app, "b", 110 * CENT, days_ago=1, kind="model", provider="openai:gpt-5.4")
        found = await app.costs.spending()
    assert found.today is not None
    assert (found.today.usd, found.today.limit_usd) == (0.4, 5.0)
    assert (found.month.name, found.month.usd, found.month.limit_usd) == ("2026-11", 1.5, 30.0)
    assert [(each.kind, each.name, each.usd) for each in found.providers] == [
        ("model", "openai:gpt-5.4", 1.1),
        ("search", "tavily", 0.4),
    ]
    assert (len(found.days), found.days[-1].usd, found.days[-2].usd) == (16, 0.4, 1.1)
    assert (found.day_share_usd, found.over) == (1.0, (date(2026, 11, 15),))


@pytest.mark.parametrize(
    ("now", "month", "usd"),
    [
        (datetime(2026, 11, 16, tzinfo=UTC), "2026-11", 3.0),  # half of the month is gone
        (datetime(2026, 11, 1, 1, tzinfo=UTC), "2026-11", 45.0),  # the first day is a whole one
        (datetime(2026, 12, 1, tzinfo=UTC), "2026-11", 1.5),  # it is over
        (datetime(2026, 11, 16, tzinfo=UTC), "2026-12", None),  # it is yet to come
        (datetime(2028, 2, 15, 12, tzinfo=UTC), "2028-02", 3.0),  # a leap year's February
    ],
)
def test_the_forecast_goes_on_at_the_pace_so_far(now: datetime, month: str, usd: float | None):
    assert costs.forecast(1.5, month, now) == usd


async def test_free_credits_are_counted_and_what_is_beyond_them_is_paid(
    database_url: str, tmp_path: Path
):
    option = {"search.providers.tavily.free_credits": 2}
    async with desk(database_url, tmp_path, **TAVILY, **option) as app:
        provider = app.outside.provider(app.settings, "tavily")
        assert isinstance(provider, HttpProvider)
        quota = provider.tariff.free(NOW)
        assert quota == Cap(scope="free:tavily:2026-11", limit=16_000)
        for key in "abc":
            await spend(app, key, 8_000, free=quota)
        found = await app.costs.spending()
    (tavily,) = found.credits
    assert (tavily.used, tavily.free, tavily.left, tavily.paid) == (2, 2, 0, 1)
    assert (found.month.usd, found.providers[0].covered) == (0.008, 2)


async def test_a_new_month_has_new_free_credits(database_url: str, tmp_path: Path):
    december = datetime(2026, 12, 1, tzinfo=UTC)
    async with desk(database_url, tmp_path, december, **TAVILY) as app:
        await spend(app, "a", 8_000, free=Cap(scope="free:tavily:2026-11", limit=8_000_000))
        (now,) = (await app.costs.spending()).credits
        (before,) = (await app.costs.spending(month="2026-11")).credits
    assert (now.period, now.used, now.left) == ("2026-12", 0, 1_000)
    assert (before.period, before.used, before.left) == ("2026-11", 1, 999)


async def test_what_forgotten_runs_spent_stays_spent(database_url: str, tmp_path: Path):
    async with desk(database_url, tmp_path) as app:
        await spend(app, "a", 40 * CENT)
        lease = await Make().lease(app.store, "b")
        intent = Make().intent("b", 10 * CENT, **{"day:2026-11-16": None, "month:2026-11": None})
        await app.store.ledger.begin(lease, intent)
        await app.store.database.write(lambda c: _delete(c, "b"))
        found = await app.costs.spending()
    assert (found.month.usd, found.elsewhere_usd, found.unsettled) == (0.5, 0.1, 0)


async def test_a_provider_without_a_price_is_named_and_costs_nothing(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(PROVIDERS["tavily"].Provider, "listed", None)
    async with desk(database_url, tmp_path, **TAVILY) as app:
        found = await app.costs.spending()
    assert (found.unpriced, found.credits) == (("tavily",), ())
    async with desk(
        database_url, tmp_path, **TAVILY, **{"search.providers.tavily.usd_per_credit": 0.01}
    ) as app:
        found = await app.costs.spending()
    assert (found.unpriced, found.credits[0].usd_per_credit) == ((), 0.01)
    assert (found.credits[0].source, found.credits[0].as_of) == ("costs.set_here", None)


async def test_the_days_that_are_asked_for_are_the_last_ones(database_url: str, tmp_path: Path):
    async with desk(database_url, tmp_path) as app:
        await spend(app, "a", CENT, days_ago=2)
        await spend(app, "b", CENT, days_ago=3)
        found = await app.costs.spending(days=3)
    assert [(each.name, each.usd) for each in found.days] == [
        ("2026-11-14", 0.01), ("2026-11-15", 0.0), ("2026-11-16", 0.0),
    ]  # fmt: skip
    assert found.month.usd == 0.02


@pytest.mark.parametrize(
    "given",
    [{"month": "2026-13"}, {"month": "11"}, {"days": 0}, {"days": 3, "month": "2026-11"}],
)
def test_what_is_no_period_is_refused(given: dict[str, Any]):
    with pytest.raises(InputError):
        period(NOW, **given)


async def test_the_rollout_compares_both_sides(database_url: str, tmp_path: Path):
    async with desk(database_url, tmp_path, NOW + timedelta(hours=1)) as app:
        for name, more in {
            "v1": {"preliminary": 0.8, "confidence": 0.9, "tool_calls": 2},
            "v2": {"preliminary": 0.8, "confidence": 0.5, "tool_calls": 1, "verdict": "contested"},
            "v3": {"path": "plain", "rolled_in": False, "preliminary": 0.8, "confidence": 0.8,
                   "verdict": "unverified"},
            "v4": {"path": "plain", "preliminary": 0.3, "confidence": 0.3},
        }.items():  # fmt: skip
            await ended(app.store, name, judged_event(**more))
        for name in ("v1", "v3"):
            await app.store.signals.feedback(
                Feedback(run_id=name, outcome="false", by="ana", at=NOW)
            )
        found = await app.costs.rollout()
    deep, plain = found.rolled_in, found.rolled_out
    assert (deep.messages, plain.messages, found.gated) == (2, 1, 1)
    assert (deep.tool_calls_a_day, plain.tool_calls_a_day) == (3.0, 0.0)
    assert (deep.confidence_change, plain.confidence_change) == (-0.1, 0.0)
    assert (deep.labelled, deep.false_positives, deep.confident_and_false) == (1, 1, 1)
    assert (plain.labelled, plain.false_positives, plain.confident_and_false) == (1, 0, 1)


@pytest.mark.parametrize("name", sorted(PROVIDERS))
def test_every_provider_has_a_dated_price_or_needs_no_key(name: str):
    provider: type[Any] = PROVIDERS[name].Provider
    if not issubclass(provider, HttpProvider) or not provider.needs_key:
        return
    assert provider.listed is not None, "say its price in its own file"
    assert provider.listed.usd_per_credit > 0
    assert provider.listed.source


def _tariff(name: str, **options: Any) -> Callable[[datetime], Cap]:
    provider = PROVIDERS[name].Provider
    return provider(provider.Options(**options)).tariff.free


@pytest.mark.parametrize(
    ("name", "at", "scope", "limit"),
    [
        ("tavily", datetime(2026, 11, 30, 23, 59, tzinfo=UTC), "free:tavily:2026-11", 8_000_000),
        ("brave", NOW, "free:brave:2026-11", 5_000_000),
        # Google's day ends at midnight in California, eight hours after ours.
        ("google", datetime(2026, 11, 16, 7, tzinfo=UTC), "free:google:2026-11-15", 500_000),
        ("google", datetime(2026, 11, 16, 9, tzinfo=UTC), "free:google:2026-11-16", 500_000),
        ("serper", NOW, "free:serper", 2_500_000),  # once
    ],
)
def test_free_quotas_begin_anew_when_the_vendor_says(
    name: str, at: datetime, scope: str, limit: int
):
    assert _tariff(name)(at) == Cap(scope=scope, limit=limit)


def _delete(connection: Any, run_id: str) -> None:
    from groundwire.store import calls

    calls.delete_run(connection, run_id)
