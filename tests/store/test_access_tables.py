"""Tokens and sessions: known by a hash, over when they are over."""

from __future__ import annotations

from datetime import timedelta

import pytest

from groundwire.errors import DiskFull
from groundwire.model.access import Session, Token
from groundwire.store import Store

from .make import Make


def _token(make: Make, name: str = "desk", **changes: object) -> Token:
    values = {
        "id": f"tk_{name}",
        "name": name,
        "scope": "run",
        "created_at": make.now,
        "created_by": "甲",
        **changes,
    }
    return Token.model_validate(values)


async def test_a_token_is_found_by_its_hash_until_it_is_revoked(store: Store, make: Make):
    token = _token(make, per_minute=60, day_usd=1.25)
    await store.access.add(token, "hash")
    assert await store.access.tokens() == [token]
    assert await store.access.named("desk") == token
    assert await store.access.holder("other", make.now) is None
    assert await store.access.holder("hash", make.now) == token
    used = await store.access.token("tk_desk")
    assert used is not None
    assert used.used_at == make.now
    # A moment later it is not written again.
    await store.access.holder("hash", make.now + timedelta(seconds=59))
    assert await store.access.token("tk_desk") == used
    await store.access.holder("hash", make.now + timedelta(seconds=61))
    later = await store.access.token("tk_desk")
    assert later is not None
    assert later.used_at == make.now + timedelta(seconds=61)
    assert await store.access.revoke("tk_desk", make.now)
    assert not await store.access.revoke("tk_desk", make.now)
    assert await store.access.holder("hash", make.now) is None
    (left,) = await store.access.tokens()
    assert left.revoked_at == make.now


async def test_a_session_ends_in_time_by_order_and_with_its_token(store: Store, make: Make):
    await store.access.add(_token(make), "hash")
    until = make.now + timedelta(days=1)
    own_session = Session(token_id="tk_desk", created_at=make.now, expires_at=until)
    local = Session(token_id=None, created_at=make.now, expires_at=until)
    for session, cookie in ((own_session, "c1"), (own_session, "c2"), (local, "c3")):
        await store.access.open(session, cookie)
    assert await store.access.session("c1", make.now) == own_session
    assert await store.access.session("c1", until) is None
    await store.access.close("c2")
    assert await store.access.session("c2", make.now) is None
    await store.access.revoke("tk_desk", make.now)
    assert await store.access.session("c1", make.now) is None
    assert await store.access.session("c3", make.now) == local


async def test_opening_one_sweeps_those_that_are_over(store: Store, make: Make):
    soon = make.now + timedelta(minutes=1)
    await store.access.open(Session(token_id=None, created_at=make.now, expires_at=soon), "old")
    until = soon + timedelta(days=1)
    await store.access.open(Session(token_id=None, created_at=soon, expires_at=until), "new")
    # Asked as of a moment when it still held: the row itself is gone.
    assert await store.access.session("old", make.now) is None
    assert await store.access.session("new", soon) is not None


async def test_who_comes_in_may_look_when_nothing_can_be_written(
    store: Store, make: Make, monkeypatch: pytest.MonkeyPatch
):
    token = _token(make)
    await store.access.add(token, "hash")

    async def full(*_: object) -> None:
        raise DiskFull

    monkeypatch.setattr(store.access.database, "write", full)
    assert await store.access.holder("hash", make.now) == token
