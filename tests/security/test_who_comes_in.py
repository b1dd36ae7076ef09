"""Loopback by default, a token beyond it; sessions, cookies, sign-in; limits of a token.

Published holes: a proxy on the same machine makes everybody local; session fixation; open redirect.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from groundwire.app import access
from groundwire.app.access import digest
from groundwire.app.intake import webhook
from groundwire.doors.api import door, stream
from groundwire.doors.api.door import COOKIE, CSRF_HEADER
from groundwire.doors.api.routes import handed
from groundwire.doors.ui import visits
from groundwire.notify.providers.webhook import signature
from tests.doors.api.conftest import Api, Opened
from tests.doors.api.live_desk import LiveDesk, live_desk
from tests.doors.api.live_desk import stream as followed
from tests.doors.browser.room import Room
from tests.nursery import gw
from tests.security.doors import KEYED, OPEN, SIGNED, doors, signed_in

HTML = {"Accept": "text/html"}


def _refused(place: Path, *args: str, **env: str) -> str:
    """Return what `gw serve` says instead of serving."""
    command = ("serve", "--port", "0", *args)
    code, _, error_text = gw(command, Room(place, env).environment(), place)
    assert code == 2, error_text
    assert b"http://" not in error_text
    return error_text.decode()


def test_binding_elsewhere_demands_a_token(tmp_path: Path) -> None:
    error_text = _refused(tmp_path, "--host", "0.0.0.0")
    assert "beyond this machine" in error_text
    assert "gw token create" in error_text


@pytest.mark.parametrize(
    "name", ["DESK__REQUIRE_TOKEN=1", "DESK__HTTPS=1", "DESK__HOSTS=desk.example.org"]
)
def test_a_desk_behind_a_proxy_demands_a_token(tmp_path: Path, name: str) -> None:
    """Whoever comes by a proxy of this machine would seem to sit at it."""
    setting, _, value = name.partition("=")
    assert "needs a token" in _refused(tmp_path, **{f"GROUNDWIRE_{setting}": value})


async def test_who_comes_by_a_proxy_is_not_at_this_machine(opened: Opened) -> None:
    async with opened(open_here=True) as api:
        client = await api.client()
        assert (await client.get("/api/runs")).status_code == 200
        assert (
            await client.get("/", headers=HTML)
        ).status_code == 200  # with a session from now on
        for name in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "CF-Connecting-IP"):
            relayed = {name: "for=203.0.113.9"}
            for each in doors():
                if each.name not in OPEN | {KEYED}:
                    answer = await each.knock(client, "", relayed, run_id="x")
                    assert answer.status_code in (303, 401, 403), (name, each)
            assert (await client.get("/api/runs", headers=relayed)).status_code == 401


async def test_proxy_headers_change_nothing_about_who_asks(api: Api) -> None:
    """Nobody becomes local, or another address at sign-in, by saying so."""
    client = await api.client()
    for value in ("127.0.0.1", "::1", "localhost"):
        headers = {"X-Forwarded-For": value, "X-Real-IP": value, "Forwarded": f"for={value}"}
        assert (await client.get("/api/runs", headers=headers)).status_code == 401
    for number in range(12):
        headers = {"X-Forwarded-For": f"203.0.113.{number}"}
        answer = await client.post("/sign-in", data={"token": "gw_wrong"}, headers=headers)
    assert answer.status_code == 429


async def test_brute_force_at_sign_in_is_slowed_and_told_nothing(api: Api) -> None:
    made = await api.app.access.create("one")
    await api.app.access.create("gone")
    await api.app.access.revoke("gone")
    client = await api.client()
    bodies = set()
    for wrong in ("", "x", "gw_", "gw_" + "x" * 43, made.secret[:-1], made.secret + "x", "é", "\0"):
        answer = await client.post("/sign-in", data={"token": wrong})
        assert answer.status_code == 401
        bodies.add(answer.text)
    assert len(bodies) == 1
    for _ in range(3):
        answer = await client.post("/sign-in", data={"token": "gw_wrong"})
    assert answer.status_code == 429
    assert (await client.post("/sign-in", data={"token": made.secret})).status_code == 429


async def test_session_fixation_a_sign_in_makes_a_session_of_its_own(api: Api) -> None:
    made = await api.app.access.create("one", scope="admin")
    client = await api.client()
    client.cookies.set(COOKIE, "chosen-by-somebody-else")
    answer = await client.post("/sign-in", data={"token": made.secret})
    fresh = answer.cookies[COOKIE]
    assert fresh != "chosen-by-somebody-else"
    assert len(fresh) >= 43
    assert await api.app.access.visitor("chosen-by-somebody-else") is None
    assert await api.app.access.visitor(fresh) is not None


async def test_a_session_is_kept_as_a_hash_and_ends_at_sign_out(api: Api) -> None:
    client, csrf = await signed_in(api, "admin")
    cookie = client.cookies[COOKIE]
    files = [each for each in api.app.settings.data_home().rglob("*") if each.is_file()]
    assert not [each for each in files if cookie.encode() in each.read_bytes()]
    assert any(digest(cookie).encode() in each.read_bytes() for each in files)
    answer = await client.post("/sign-out", data={"csrf": csrf})
    assert answer.status_code == 303
    again = await api.client(Cookie=f"{COOKIE}={cookie}")
    assert (await again.get("/api/runs")).status_code == 401


@pytest.mark.parametrize("https", [False, True])
async def test_cookie_flags(opened: Opened, https: bool) -> None:
    async with opened(desk__https=https) as api:
        made = await api.app.access.create("one")
        client = await api.client()
        answers = [
            await client.post("/sign-in", data={"token": made.secret}),
            await client.post("/look/theme", data={"theme": "dark"}),
            await client.post("/look/language", data={"language": "zh"}),
        ]
        for answer in answers:
            for cookie in answer.headers.get_list("set-cookie"):
                parts = {part.strip().lower() for part in cookie.split(";")}
                assert {"httponly", "samesite=strict", "path=/"} <= parts, cookie
                assert ("secure" in parts) is https, cookie
                assert not any(part.startswith("domain") for part in parts)


@pytest.mark.parametrize(
    "target",
    [
        "//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example",
        "javascript:alert(1)", "data:text/html,x", "/%0d%0aSet-Cookie:x=1\r\nSet-Cookie: x=1",
        "///evil.example", "/\t/evil.example", "http:evil.example", " //evil.example",
    ],
)  # fmt: skip
async def test_open_redirect_nobody_is_sent_elsewhere(api: Api, target: str) -> None:
    made = await api.app.access.create("one")
    client = await api.client()
    answers = [
        await client.post("/sign-in", data={"token": made.secret, "next": target}),
        await client.post("/look/theme", data={"theme": "dark", "next": target}),
        await client.post("/look/language", data={"language": "en", "next": target}),
    ]
    for answer in answers:
        assert answer.headers["location"] == "/"
        assert "x=1" not in str(answer.headers)


async def test_secrets_are_compared_in_constant_time() -> None:
    """Tokens and sessions are looked up by a hash; everything else goes through compare_digest."""
    for code in (
        door.identify,
        door._check_csrf,
        handed.handed,
        visits.checked_form,
        webhook.check,
    ):
        assert "hmac.compare_digest(" in inspect.getsource(code), code
    for code in (access.Access.holder, access.Access.visitor):
        assert "digest(" in inspect.getsource(code), code


async def test_rate_limit_of_a_token_holds_at_all_doors_together(api: Api) -> None:
    client = await api.caller("admin", per_minute=3)
    paths = ("/api/runs", "/mcp", "/metrics", "/api/evidence")
    answers = [(await client.get(path)).status_code for path in paths]
    assert answers[3] == 429
    assert 429 not in answers[:3]
    assert (await client.post("/api/runs", json={})).status_code == 429


async def test_the_desk_key_alone_hands_a_run_over(api: Api) -> None:
    """No token fixes a run's settings, whatever its scope; without a key the door stays shut."""
    run = (await api.row()).model_dump(mode="json")
    given = {"run": {name: run[name] for name in (
        "id", "kind", "input", "settings", "now", "seed", "versions", "created_at", "owner",
    )}}  # fmt: skip
    given["run"] |= {"id": "ask-smuggled", "settings": {"fetch": {"allow_private": ["0.0.0.0/0"]}}}
    admin = await api.caller("admin")
    assert (await admin.post("/api/handed", json=given)).status_code == 403
    api.desk.key = "k" * 43
    for shown in ("", "Bearer ", "Bearer k", "Bearer " + "k" * 42 + "é"):
        shows = {"Authorization": shown.encode()}
        answer = await (await api.client()).post("/api/handed", json=given, headers=shows)
        assert answer.status_code == 403
    assert await api.app.store.runs.get("ask-smuggled") is None


async def test_intake_needs_a_signature_and_its_time(api: Api) -> None:
    """A token opens other doors, not this one; an old signature opens none."""
    admin = await api.caller("admin")
    body = json.dumps({"text": "Coinbase lists XYZ"}).encode()
    now = api.app.clock()
    late = now.replace(year=now.year - 1)
    for header in (
        "",
        "t=1,v1=" + "0" * 64,
        signature("another secret", body, now),
        signature("s3cret-of-tests", body + b" ", now),
        signature("s3cret-of-tests", body, late),
    ):
        answer = await admin.post(SIGNED[1], content=body, headers={webhook.HEADER: header})
        assert answer.status_code == 401, header
    good = {webhook.HEADER: signature("s3cret-of-tests", body, now)}
    first = await admin.post(SIGNED[1], content=body, headers=good)
    again = await admin.post(SIGNED[1], content=body, headers=good)
    assert first.status_code == again.status_code == 202
    runs = {first.json()["messages"][0]["run_id"], again.json()["messages"][0]["run_id"]}
    assert len(runs - {""}) == 1  # replayed, it is the same message
    await api.ended(first.json()["messages"][0]["run_id"])


def test_the_note_of_a_desk_is_its_owners_alone(new_room: Callable[..., Room]) -> None:
    room = new_room().serve()
    home = room.place / "data"
    assert (home / "desk.json").stat().st_mode & 0o077 == 0
    assert home.stat().st_mode & 0o077 == 0
    key = json.loads((home / "desk.json").read_text("utf-8"))["key"]
    assert len(key) >= 43
    running = room._process
    assert running is not None
    for each in ("cmdline", "environ"):
        assert key.encode() not in Path(f"/proc/{running.pid}/{each}").read_bytes()
    assert os.environ.get("GROUNDWIRE_KEY") is None


@pytest.fixture
async def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.setattr(stream, "_RECHECK", 0.0)
    async with live_desk(tmp_path, f"sqlite:///{tmp_path}/gw.db", open_here=False) as live:
        yield live


async def test_a_stream_ends_with_its_token(watched: LiveDesk) -> None:
    owner, shown = await watched.token("anna")
    run = await watched.run(owner)
    async with followed(watched, run.id, shown) as following:
        await run.add({"text": "before"})
        await following.until("before")
        await watched.app.access.revoke("anna")
        await run.add({"text": "seen once more at most"})
        async with asyncio.timeout(60):
            while not following.ended:
                await run.add({"text": "tick"})
                await following._next()
        await run.add({"text": "never"})
    assert "never" not in following.text
    again = await watched.http.get(f"/api/runs/{run.id}/events", headers=shown)
    assert again.status_code == 401


async def test_a_stream_ends_with_its_session(watched: LiveDesk) -> None:
    made = await watched.app.access.create("anna")
    run = await watched.run(made.token.id)
    cookie = await watched.app.access.open_session(made.token.id)
    async with followed(watched, run.id, {"Cookie": f"{COOKIE}={cookie}"}) as following:
        await run.add({"text": "before"})
        await following.until("before")
        await watched.app.access.close_session(cookie)
        async with asyncio.timeout(60):
            while not following.ended:
                await run.add({"text": "tick"})
                await following._next()
    assert re.search(r"^event: thought", following.text, re.MULTILINE)


async def test_a_session_of_the_open_desk_is_worth_nothing_at_a_locked_one(opened: Opened) -> None:
    async with opened(open_here=True) as api:
        client = await api.client()
        await client.get("/", headers=HTML)
        cookie = client.cookies[COOKIE]
    async with opened() as api:
        client = await api.client(Cookie=f"{COOKIE}={cookie}")
        assert (await client.get("/api/runs")).status_code == 401
        assert (await client.get("/runs", headers=HTML)).status_code == 303
        change = {CSRF_HEADER: access.csrf_of(cookie)}
        answer: httpx2.Response = await client.post("/api/runs", json={}, headers=change)
        assert answer.status_code == 401


@pytest.mark.parametrize("dest", ["image", "iframe", "script", "empty"])
async def test_pages_of_other_sites_open_no_sessions(opened: Opened, dest: str) -> None:
    async with opened(open_here=True) as api:
        client = await api.client()
        foreign = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": dest}
        answer = await client.get("/", headers=foreign)
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
        followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
        assert (await client.get("/", headers=followed)).status_code == 200  # a link is one
