"""One clock: setting the app's clock sets it for budgets, the cache and sessions, never for a lease."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from groundwire.app import open_app
from groundwire.jobs.sections import Settings
from groundwire.model.clock import utc_now


async def test_winding_the_clock_moves_all_but_leases(tmp_path: Path):
    async with open_app(Settings(home=tmp_path, offline=True)) as app:
        cookie = await app.access.open_session(None)
        assert await app.access.visitor(cookie) is not None
        app.clock.wind(timedelta(days=400))
        assert app.clock is app.outside.clock
        assert app.outside.gateway.clock is app.clock  # type: ignore[attr-defined]
        assert await app.access.visitor(cookie) is None  # the session is over
        assert (await app.costs.spending()).at - utc_now() > timedelta(days=399)
        run = await app.submit("ask", {"question": "What is USDC?"})
        assert run.now - utc_now() > timedelta(days=399)
        assert app.services.lease_clock() - utc_now() < timedelta(minutes=1)
        ended = await app.ended(run.id)
        assert ended.now == run.now
