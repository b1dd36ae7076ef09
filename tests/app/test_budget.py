"""A run's own budget: capped, stored, named in the refusal; scopes that several runs share."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundwire.app import open_app
from groundwire.app.budget import caps_of, own_limits
from groundwire.errors import InputError
from groundwire.jobs.sections import Settings
from groundwire.model.access import LOCAL, Caller
from groundwire.model.run import Run, Versions
from groundwire.settings.schema import BudgetSettings

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
GUEST = Caller(id="tk_1", name="guest", scope="run", day_usd=0.5)


def _run(**budgets: int) -> Run:
    return Run(
        id="ask-1",
        kind="ask",
        input={},
        settings={},
        now=NOW,
        seed="s",
        versions=Versions(code="1", prompts="p", data="d"),
        created_at=NOW,
        updated_at=NOW,
        budgets=budgets,
    )


def _limits(run: Run, **desk: float) -> dict[str, int | None]:
    caps = caps_of(run, BudgetSettings.model_validate(desk), NOW)
    return {cap.scope: cap.limit for cap in caps}


def test_the_smaller_of_its_own_and_the_desks_limit_holds():
    assert _limits(_run(run=200_000), run_usd=1.0)["run:ask-1"] == 200_000
    assert _limits(_run(run=2_000_000), run_usd=1.0)["run:ask-1"] == 1_000_000
    assert _limits(_run(), run_usd=1.0)["run:ask-1"] == 1_000_000


def test_what_a_person_agreed_to_holds_instead_of_the_usual_limit():
    assert _limits(_run(agreed=2_000_000), run_usd=1.0)["run:ask-1"] == 2_000_000
    assert "agreed" not in _limits(_run(agreed=2_000_000))
    found = _limits(_run(agreed=9_000_000), run_usd=1.0, day_usd=3.0)
    assert found["day:2026-11-16"] == 3_000_000


def test_a_named_scope_is_counted_by_its_period():
    named = {"watch:w1:month": 5, "watch:w1:day": 2, "project:x": 9}
    found = _limits(_run(**named))
    assert {name: found[name] for name in found if name.startswith(("watch", "project"))} == {
        "watch:w1:2026-11": 5,
        "watch:w1:2026-11-16": 2,
        "project:x": 9,
    }


def test_nobody_gives_a_run_more_than_they_may_spend():
    assert own_limits(3.0, {}, GUEST) == {"run": 500_000}
    assert own_limits(3.0, {}, LOCAL) == {"run": 3_000_000}
    assert own_limits(None, {"watch:w1:month": 2.0}, GUEST) == {"watch:w1:month": 2_000_000}


@pytest.mark.parametrize("usd", [-0.01, math.nan, math.inf, 1e12])
def test_what_is_no_sum_is_refused(usd: float):
    with pytest.raises(InputError, match="sum of dollars"):
        own_limits(usd, {}, LOCAL)


def test_every_cap_says_what_to_do():
    run = _run(**{"run": 1, "watch:w1:month": 1}).model_copy(update={"owner_day_micro": 5})
    assert all(cap.remedy for cap in caps_of(run, BudgetSettings(), NOW))


async def test_the_run_row_keeps_its_budget_and_what_was_typed(tmp_path: Path):
    settings = Settings(home=tmp_path, offline=True)
    async with open_app(settings) as app:
        run = await app.submit("ask", {"question": "Why did USDC fall?"}, budget_usd=0.25)
        stored = await app.runs.find(run.id)
        assert stored.budgets == {"run": 250_000}
        assert stored.text == "Why did USDC fall?"
        called = await app.submit("tool", {"tool": "search", "arguments": {"query": "USDC"}})
        assert called.text == "search USDC"
