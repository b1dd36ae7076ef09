"""The latest feedback on signals, and who spent what, on both databases."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from groundwire.app import access, open_app
from groundwire.jobs.sections import Settings
from groundwire.model.access import LOCAL, Caller
from groundwire.model.outcome import Feedback
from groundwire.store import Store

from .make import NOW, Make
from .signals import end, judged_event


async def judged(store: Store, name: str, outcome: Any, owner: str, note: str = "") -> None:
    """Write a signal of an owner, and its outcome."""
    lease = await Make().lease(store, name, kind="verify", owner=owner)
    await end(store, lease, judged_event(summary=f"about {name}", confidence=0.6))
    feedback = Feedback(run_id=name, outcome=outcome, by="mei", note=note, at=NOW)
    await store.signals.feedback(feedback)


async def test_what_was_said_last_comes_first_beside_its_signal(store: Store):
    await judged(store, "v1", "true", "local")
    await judged(store, "v2", "false", "tk_1", note="官方辟谣")
    first, second = await store.signals.recent_feedback()
    assert (first.run_id, first.outcome, first.note) == ("v2", "false", "官方辟谣")
    assert (first.summary, first.verdict, first.confidence) == ("about v2", "supported", 0.6)
    assert second.run_id == "v1"
    assert [each.run_id for each in await store.signals.recent_feedback(limit=1)] == ["v2"]


async def test_of_an_owner_only_its_own(store: Store):
    await judged(store, "v1", "true", "local")
    await judged(store, "v2", "partly", "tk_1")
    assert [each.run_id for each in await store.signals.recent_feedback(owner="tk_1")] == ["v2"]
    assert await store.signals.recent_feedback(owner="tk_2") == []


async def spend(store: Store, name: str, micro: int, owner: str, days: int = 0) -> None:
    make, at = Make(), NOW - timedelta(days=days)
    lease = await make.lease(store, name, created_at=at, owner=owner)
    intent = make.intent(name, micro).model_copy(update={"at": at})
    await store.ledger.begin(lease, intent)
    await store.ledger.finish(lease, make.answer(name, cost=micro, at=at))


async def test_owners_have_their_runs_calls_and_money(store: Store):
    await spend(store, "a", 100, "local")
    await spend(store, "b", 300, "tk_1")
    await spend(store, "c", 50, "tk_1")
    await spend(store, "long ago", 900, "tk_1", days=60)
    lines = await store.costs.owners(NOW - timedelta(days=30), NOW + timedelta(days=1))
    assert [(line.owner, line.runs, line.calls, line.micro) for line in lines] == [
        ("tk_1", 2, 2, 350),
        ("local", 1, 1, 100),
    ]


async def test_admins_see_who_spent_and_others_themselves(database_url: str, tmp_path: Path):
    values = {"home": str(tmp_path), "database_url": database_url, "offline": True}
    loaded = Settings.load(values, cwd=tmp_path, env={"HOME": str(tmp_path)})
    span = (NOW - timedelta(days=30), NOW + timedelta(days=1))
    async with open_app(loaded) as app:
        mei = (await app.access.create("mei", day_usd=2.0)).token
        await spend(app.store, "a", 1_500_000, mei.id)
        await spend(app.store, "b", 100_000, "tk_gone")
        await spend(app.store, "c", 10_000, LOCAL.id)
        await app.access.revoke("mei")
        everybody = await app.costs.by_owner(LOCAL, *span)
        herself = await app.costs.by_owner(access.caller(mei), *span)
        newcomer = Caller(id="tk_new", name="new", scope="read")
        nothing = await app.costs.by_owner(newcomer, *span)
    assert [(each.name, each.usd, each.revoked) for each in everybody] == [
        ("mei", 1.5, True),
        ("", 0.1, False),
        ("local", 0.01, False),
    ]
    assert [(each.name, each.usd, each.day_usd) for each in herself] == [("mei", 1.5, 2.0)]
    assert [(each.id, each.usd, each.runs) for each in nothing] == [("tk_new", 0.0, 0)]
