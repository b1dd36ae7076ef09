"""What analysts say about sources, on both databases: the newest holds, all are kept."""

from __future__ import annotations

from datetime import timedelta

from groundwire.model.source import Override, Tier
from groundwire.store import Store

from .make import NOW


def override_of(
    domain: str, tier: Tier | None = "established", hours: int = 0, **changes: object
) -> Override:
    values = {"domain": domain, "tier": tier, "why": "读过", "by": "ana"}
    return Override.model_validate({**values, "at": NOW + timedelta(hours=hours), **changes})


async def test_nothing_is_said_at_first(store: Store) -> None:
    assert list(await store.sources.overrides()) == []
    assert not await store.sources.withdraw("a.example", NOW, "ana", "x")


async def test_the_newest_of_a_domain_holds_and_the_older_says_when_it_fell(store: Store) -> None:
    first, second = (
        override_of("a.example", "trade"),
        override_of("a.example", "social", hours=1, by="bo"),
    )
    for each in (first, override_of("b.example"), second):
        await store.sources.override(each)
    held = await store.sources.overrides()
    assert [(each.domain, each.tier) for each in held] == [
        ("a.example", "social"),
        ("b.example", "established"),
    ]
    newest, oldest = await store.sources.history("a.example")
    assert newest == second
    assert (oldest.tier, oldest.withdrawn_at, oldest.withdrawn_by) == ("trade", second.at, "bo")
    assert len(await store.sources.history()) == 3


async def test_what_is_taken_back_stays_in_the_history_with_the_reason(store: Store) -> None:
    await store.sources.override(override_of("a.example", None, owner="Acme 集團"))
    assert await store.sources.withdraw("a.example", NOW, "bo", "看錯了")
    assert list(await store.sources.overrides()) == []
    (kept,) = await store.sources.history("a.example")
    assert (kept.owner, kept.withdrawn_by, kept.withdrawn_why) == ("Acme 集團", "bo", "看錯了")
    assert not await store.sources.withdraw("a.example", NOW, "bo", "again")
