"""Who gets in, and what belongs to them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from groundwire.app import App, open_app
from groundwire.errors import Conflict, InputError, NotFoundHere, UnknownName
from groundwire.jobs.sections import Settings
from groundwire.log import MASK, Redactor
from groundwire.model.access import LOCAL, Caller


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    env = {"GROUNDWIRE_HOME": str(tmp_path / "data"), "GROUNDWIRE_OFFLINE": "1"}
    async with open_app(Settings.load({}, tmp_path, env)) as opened:
        yield opened


async def test_a_secret_is_shown_once_and_kept_nowhere(app: App):
    made = await app.access.create("news-desk", per_minute=30, day_usd=0.5)
    who = await app.access.holder(made.secret)
    assert who == Caller(
        id=made.token.id, name="news-desk", scope="run", per_minute=30, day_usd=0.5
    )
    await app.access.open_session(made.token.id)
    folder = app.settings.data_home()
    stored = b"".join(path.read_bytes() for path in folder.iterdir())  # the log beside it, too
    assert b"news-desk" in stored
    assert made.secret.encode() not in stored
    assert made.secret.removeprefix("gw_").encode() not in stored


@pytest.mark.parametrize(
    "shown", ["", "gw_", "gw_x", "gw_" + "a" * 5000, "gw_\0", "gw_甲", "gw_\ud800"]
)
async def test_what_is_no_secret_lets_nobody_in(app: App, shown: str):
    await app.access.create("a")
    assert await app.access.holder(shown) is None
    assert await app.access.visitor(shown) is None


async def test_a_secret_never_stands_in_a_log(app: App):
    made = await app.access.create("a")
    assert Redactor().text(f"refused {made.secret} here") == f"refused {MASK} here"


async def test_names_and_scopes_are_checked(app: App):
    await app.access.create("a")
    with pytest.raises(Conflict):
        await app.access.create("a")
    with pytest.raises(UnknownName, match="admin"):
        await app.access.create("b", scope="admn")
    for name in ("", "a b", "x" * 65, "a\n", "<b>"):
        with pytest.raises(InputError):
            await app.access.create(name)


async def test_revoking_ends_sessions(app: App):
    made = await app.access.create("a", scope="read")
    cookie = await app.access.open_session(made.token.id)
    seen = await app.access.visitor(cookie)
    assert seen is not None
    assert (seen.scope, seen.may("read"), seen.may("run")) == ("read", True, False)
    revoked = await app.access.revoke("a")
    assert revoked.revoked_at is not None
    assert await app.access.visitor(cookie) is None
    assert await app.access.holder(made.secret) is None
    with pytest.raises(NotFoundHere):
        await app.access.revoke("nobody")


async def test_a_session_is_over_after_its_days(app: App):
    cookie = await app.access.open_session(None)
    assert await app.access.visitor(cookie) == LOCAL
    now = app.clock()
    app.clock = lambda: now + timedelta(days=app.settings.desk.session_days, seconds=1)
    assert await app.access.visitor(cookie) is None


async def test_a_run_is_there_for_its_owner_and_for_admins(app: App):
    owner = Caller(id="tk_1", name="one", scope="run")
    other = Caller(id="tk_2", name="two", scope="run")
    chief = Caller(id="tk_3", name="three", scope="admin")
    run = await app.submit("ask", {"question": "USDC 为什么脱锚？"}, owner=owner)
    for who in (owner, chief, LOCAL):
        assert (await app.runs.get_owned(who, run.id)).owner == "tk_1"
    for name in (run.id, "nobody", "a\0b", ""):
        with pytest.raises(NotFoundHere):
            await app.runs.get_owned(other, name)


async def test_an_idempotency_key_is_its_owners_own(app: App):
    given = {"question": "Did USDC lose its peg?"}
    owner = Caller(id="tk_1", name="one", scope="run")
    first = await app.submit("ask", given, owner=owner, idempotency_key="k")
    again = await app.submit("ask", given, owner=owner, idempotency_key="k")
    other = await app.submit("ask", given, idempotency_key="k")
    assert first.id == again.id
    assert other.id != first.id
    assert other.owner == "local"
