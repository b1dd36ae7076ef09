"""Pauses between tries: as they were asked for, else growing, and never the same for all."""

from __future__ import annotations

import asyncio

import pytest
import stamina

from groundwire.errors import OutsideFailure, RateLimited, ServerFault
from groundwire.gateway.call import Reply
from groundwire.gateway.retry import with_retries


async def pauses(
    monkeypatch: pytest.MonkeyPatch, failure: OutsideFailure, tries: int
) -> list[float]:
    """Return how long was waited before each further try."""
    waited: list[float] = []
    sleep = asyncio.sleep

    async def at_once(seconds: float, *_: object) -> None:
        waited.append(seconds)
        await sleep(0)

    async def once() -> Reply:
        raise failure

    stamina.set_testing(False)
    monkeypatch.setattr(asyncio, "sleep", at_once)
    tried = await with_retries(tries, once)
    monkeypatch.undo()
    assert (tried.tries, tried.error) == (tries, failure)
    return waited


async def test_a_pause_that_is_asked_for_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = await pauses(monkeypatch, RateLimited(retry_after=7.0), 3)
    assert len(waited) == 2
    assert all(each >= 7.0 for each in waited)


async def test_else_pauses_grow_and_differ_between_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [await pauses(monkeypatch, ServerFault(), 5) for _ in range(8)]
    assert all(len(each) == 4 for each in seen)
    assert len({each[0] for each in seen}) > 1
    assert all(each[0] < 0.6 for each in seen)
    assert sum(each[3] for each in seen) > sum(each[0] for each in seen)
