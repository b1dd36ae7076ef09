"""`gw costs`: in a pipe, at 80 columns, as JSON, and where nothing was spent yet."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from groundwire.model.call import Cap
from groundwire.store import Store, open_store
from tests.store.make import NOW, Make
from tests.store.signals import ended, judged_event

from .conftest import Gw

KEY = {"TAVILY_API_KEY": "tvly-x-1234567"}
QUOTA = Cap(scope="free:tavily:2026-11", limit=8_000_000)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.model.clock.utc_now", lambda: NOW)


def filled(gw: Gw, work: Callable[[Store], Awaitable[None]]) -> Gw:
    """Return the command on a data folder whose store this work has filled."""

    async def fill() -> None:
        gw.home.mkdir(parents=True, exist_ok=True)
        async with open_store(f"sqlite:///{gw.home / 'groundwire.db'}") as store:
            await work(store)

    asyncio.run(fill())
    return gw


async def spent(store: Store) -> None:
    """Spend for a month: models, free and cached searches, an unanswered call, an expensive day."""
    make = Make()
    for days in range(5):
        at = NOW - timedelta(days=days)
        lease = await make.lease(store, f"run_{days}", created_at=at, kind="verify")
        scopes = {f"day:{at:%Y-%m-%d}": None, f"month:{at:%Y-%m}": None}
        spending = {
            "m": (300_000 * (days + 1), {"kind": "model", "provider": "openai:gpt-5.4-mini"}),
            "s": (8_000, {"free": QUOTA}),
        }
        for key, (micro, more) in spending.items():
            intent = make.intent(key, micro, **scopes).model_copy(update={"at": at, **more})
            await store.ledger.begin(lease, intent)
            await store.ledger.finish(lease, make.answer(key, cost=micro, at=at))
        kept = make.intent("c", 8_000).model_copy(update={"at": at})
        await store.ledger.note(lease, kept, make.answer("c", at=at), "cache")
    await store.ledger.begin(lease, make.intent("open", 50_000, **scopes))
    await store.quota.take("tools", "k1", 50, NOW)


def test_nothing_spent_is_one_friendly_sentence(empty: Gw) -> None:
    result = empty("costs")
    assert (result.code, result.out) == (0, "")
    assert result.err.startswith("nothing spent yet")
    assert len(result.err.splitlines()) == 1
    assert "gw verify" in empty("costs", "--rollout").err


def test_a_month_is_shown_against_its_limits(empty: Gw) -> None:
    result = filled(empty, spent)("costs", COLUMNS="80", **KEY)
    assert result.code == 0
    lines = result.out.splitlines()
    assert "█" in lines[0] and "$0.30 of $5.00 (6%)" in lines[0]
    assert "$4.50 of $30.00 (15%)" in lines[1]
    assert "At the pace so far" in result.out and "by the end of the month" in result.out
    assert "Tool calls today: 1 of 50" in result.out
    assert "more than a day's share of the month ($1.00" in result.out
    assert "11-12, 11-13" in result.out
    assert "openai:gpt-5.4-mini" in result.out
    assert "995 of 1,000 free credits left · 2026-11" in result.out
    assert "$0.04 · 5 answers without sending" in result.out
    assert "1 call without an answer" in result.out


def test_it_is_readable_at_80_columns_without_colour(
    empty: Gw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.doors.cli.render.WIDEST", 80)
    result = filled(empty, spent)("costs", **KEY)
    assert "\x1b" not in result.out
    assert max(map(len, result.out.splitlines())) <= 80


def test_json_has_the_same_figures(empty: Gw) -> None:
    found = json.loads(filled(empty, spent)("costs", "--json", **KEY).out)
    assert (found["month"]["usd"], found["today"]["limit_usd"]) == (4.5, 5.0)
    assert found["credits"][0]["left"] == 995
    assert found["credits"][0]["as_of"]
    assert {each["name"]: each["usd"] for each in found["jobs"]} == {"verify": 4.55}
    assert (found["saved_usd"], found["unsettled"]) == (0.04, 1)
    assert found["tool_calls"] == {"used": 1, "limit": 50}
    assert found["over"] == ["2026-11-12", "2026-11-13"]


def test_another_month_has_no_today(empty: Gw) -> None:
    gw = filled(empty, spent)
    result = gw("costs", "--month", "2026-10", **KEY)
    assert result.err.startswith("nothing spent in 2026-10")
    assert json.loads(gw("costs", "--month", "2026-10", "--json").out)["today"] is None


@pytest.mark.parametrize("given", [("--month", "soon"), ("--days", "2", "--month", "2026-11")])
def test_what_is_no_period_is_code_2(empty: Gw, given: tuple[str, ...]) -> None:
    assert empty("costs", *given).code == 2


def test_the_rollout_shows_both_sides(empty: Gw) -> None:
    async def verified(store: Store) -> None:
        await ended(store, "v1", judged_event(preliminary=0.8, confidence=0.9, tool_calls=2))
        await ended(store, "v2", judged_event(path="plain", rolled_in=False, confidence=0.7))

    result = filled(empty, verified)("costs", "--rollout", COLUMNS="80")
    assert result.code == 0
    for line in ("Messages", "Calls a day", "Cost of a message", "Supported, but false"):
        assert line in result.out
    assert "+0.10" in result.out
    found = json.loads(empty("costs", "--rollout", "--json").out)
    assert (found["rolled_in"]["messages"], found["rolled_out"]["messages"]) == (1, 1)
