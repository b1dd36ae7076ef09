"""The page of costs: the numbers of `gw costs` for admins, and to others only their own."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx2
import pytest

from groundwire.jobs.sections import Settings
from groundwire.model.access import LOCAL_OWNER
from groundwire.model.call import Cap
from tests.doors.ui.conftest import Site, words_of
from tests.doors.ui.scrutiny import faults
from tests.store.make import NOW, Make
from tests.store.signals import ended, judged_event

CENT = 10_000
EVIL = '"><img src=x onerror=alert(1)>'


async def spend(
    site: Site, key: str, micro: int, *, days: int = 0, owner: str = LOCAL_OWNER, **changes: Any
) -> None:
    """Record an answered call in a run of that day."""
    make, at, store = Make(), NOW - timedelta(days=days), site.app.store
    kind = changes.pop("job", "ask")
    lease = await make.lease(store, f"{kind}-{key}", created_at=at, owner=owner, kind=kind)
    scopes = {f"day:{at:%Y-%m-%d}": None, f"month:{at:%Y-%m}": None}
    scopes |= {f"owner:{owner}:{at:%Y-%m-%d}": None}
    intent = make.intent(key, micro, **scopes).model_copy(update={"at": at, **changes})
    await store.ledger.begin(lease, intent)
    await store.ledger.finish(lease, make.answer(key, cost=micro, at=at))
    kept = make.intent(f"{key} again", 8_000).model_copy(update={"at": at})
    await store.ledger.note(lease, kept, make.answer(f"{key} again", at=at), "cache")


@pytest.fixture
async def spent(site: Site) -> Site:
    site.app.clock = lambda: NOW
    await spend(site, "a", 40 * CENT, job="verify", kind="model", provider="openai:gpt-5.4-mini")
    await spend(site, "b", 160 * CENT, days=3, kind="model", provider="deepseek:chat")
    await spend(site, "c", 2 * CENT, days=40)
    return site


async def test_nothing_spent_says_so(site: Site):
    text = words_of(await (await site.browser()).get("/costs"))
    assert "Nothing was spent yet. Every call that leaves this machine is counted here." in text
    assert "$0.00 of $5.00 (0%)" in text
    then = words_of(await (await site.browser()).get("/costs?month=2001-02"))
    assert "Nothing was spent in that time: 2001-02." in then


async def test_the_numbers_are_those_of_the_command(spent: Site):
    page = await (await spent.browser()).get("/costs")
    found, text = await spent.app.costs.spending(), words_of(page)
    assert found.today is not None
    assert (found.today.usd, found.month.usd) == (0.4, 2.0)
    assert "Today $0.40 of $5.00 (8%)" in text
    assert "2026-11 $2.00 of $30.00 (7%)" in text
    assert f"it will be ${found.forecast_usd:.2f} by the end of the month." in text
    assert "$2.00 in all; the dearest day was 2026-11-13 with $1.60. That is more than" in text
    assert "deepseek:chat models $1.60 1 – – – –" in text
    assert "tavily searches $0.00 0 – 2 – $0.02" in text
    assert "Ask $1.60 1 Verify $0.40 1" in text
    assert "Saved by the cache $0.02 2 answers without sending" in text
    assert "at this machine $2.00 2 2 –" in text


async def test_other_times_are_a_link_away(spent: Site):
    browser = await spent.browser()
    page = await browser.get("/costs?days=90")
    assert "By day · Last 90 days" in words_of(page)
    assert "$2.02 in all" in words_of(page)
    october = await browser.get("/costs?month=2026-10")
    assert "$0.02 of $30.00" in words_of(october)
    assert "Today" not in words_of(october).partition("By day")[0].partition("Last 90 days")[2]
    assert 'href="/costs?month=2026-11" rel="next"' in october.text
    assert 'rel="next"' not in (await browser.get("/costs")).text  # nothing is yet to come


@pytest.mark.parametrize(
    "query", ["month=soon", "month=2026-13", "month=9999-01", f"month={EVIL}", "month=%00"]
)
async def test_a_month_that_is_none_gives_this_one_and_says_so(spent: Site, query: str):
    page = await (await spent.browser()).get(f"/costs?{query}")
    assert page.status_code == 200
    assert "is no month that can be shown; this month is" in words_of(page)
    assert "$2.00 of $30.00" in words_of(page)
    assert faults(page.text) == []


@pytest.mark.parametrize("query", ["days=0", "days=8", "days=-7", "days=²", "days=1e3"])
async def test_days_that_are_not_offered_give_this_month(spent: Site, query: str):
    assert "$2.00 in all" in words_of(await (await spent.browser()).get(f"/costs?{query}"))


async def test_too_much_stands_out(site: Site):
    site.app.clock = lambda: NOW
    await spend(site, "a", 600 * CENT)
    await spend(site, "b", 1800 * CENT, days=1)
    page = await (await site.browser()).get("/costs")
    text = words_of(page)
    assert "$6.00 of $5.00 (120%)" in text
    assert "by the end of the month: more than its limit." in text
    assert "2 days spent more than a thirtieth of the month's limit, $1.00." in text
    assert 'class="fill full"' in page.text
    assert 'class="bar over"' in page.text


async def test_without_a_limit_it_says_so(site: Site):
    values = {"budget.day_usd": "none", "budget.month_usd": "none"}
    env = {"GROUNDWIRE_HOME": str(site.app.settings.data_home()), "GROUNDWIRE_OFFLINE": "1"}
    site.app.settings = Settings.load(values, env=env).settings
    text = words_of(await (await site.browser()).get("/costs"))
    assert "Today $0.00 no limit" in text


async def test_credits_and_calls_under_way_are_told(site: Site):
    site.app.clock = lambda: NOW
    quota = Cap(scope="free:tavily:2026-11", limit=8_000_000)
    await spend(site, "a", 8_000, free=quota)
    make = Make()
    lease = await make.lease(site.app.store, "open")
    scopes = {"day:2026-11-16": None, "month:2026-11": None}
    await site.app.store.ledger.begin(lease, make.intent("open", 5 * CENT, **scopes))
    text = words_of(await (await site.browser()).get("/costs"))
    assert "tavily 999 of 1,000 free credits left · 2026-11" in text
    assert "$0.008 each after that" in text
    assert "1 call without an answer, counted at the most it may cost" in text
    assert "$0.05 more may be spent by calls under way." in text


async def test_both_sides_of_the_rollout_are_compared(site: Site):
    site.app.clock = lambda: NOW
    await ended(site.app.store, "in", judged_event(preliminary=0.7, confidence=0.9))
    await ended(site.app.store, "out", judged_event(rolled_in=False, path="plain", confidence=0.7))
    text = words_of(await (await site.browser()).get("/costs"))
    assert "100 % of the messages that qualify are looked into deeply" in text
    assert "Messages 1 1" in text
    assert "Change of confidence +0.20 +0.00" in text


@pytest.mark.parametrize(
    ("language", "expected", "jobs"),
    [
        ("zh", "合计 $2.00；花费最多的一天是 2026-11-13，$1.60。", "提问 $1.60 1 核实 $0.40 1"),
        (
            "zh-Hant",
            "合計 $2.00；花費最多的一天是 2026-11-13，$1.60。",
            "提問 $1.60 1 查證 $0.40 1",
        ),
    ],
)
async def test_it_is_read_in_chinese(spent: Site, language: str, expected: str, jobs: str):
    page = await (await spent.browser()).get("/costs", headers={"Accept-Language": language})
    assert expected in words_of(page) and jobs in words_of(page)
    assert faults(page.text) == []


async def _token(site: Site, name: str) -> str:
    found = await site.app.store.access.named(name)
    assert found is not None
    return found.id


async def test_who_is_no_admin_sees_what_is_theirs(locked: Site):
    locked.app.clock = lambda: NOW
    mei: httpx2.AsyncClient = await locked.signed_in("run", name="mei")
    admin = await locked.signed_in("admin", name="root")
    await spend(locked, "a", 30 * CENT, owner=await _token(locked, "mei"))
    await spend(locked, "b", 700 * CENT, kind="model", provider="secret-vendor:model")
    hers = words_of(await mei.get("/costs"))
    assert "Token mei · 2026-11" in hers
    assert "Cost $0.30" in hers
    assert "What the whole desk spends is shown to tokens with the scope admin." in hers
    for hidden in ("$7.30", "$7.00", "secret-vendor", "root", "Rollout"):
        assert hidden not in hers
    admin_text = words_of(await admin.get("/costs"))
    assert "mei $0.30 1 1 –" in admin_text
    assert "at this machine $7.00 1 1 –" in admin_text


async def test_names_of_providers_and_jobs_are_text(site: Site):
    site.app.clock = lambda: NOW
    await spend(site, "a", CENT, kind="model", provider=EVIL)
    page = await (await site.browser()).get("/costs")
    assert EVIL in words_of(page)
    assert faults(page.text) == []
