"""Strict CSP, nosniff, frame-ancestors none on every kind of answer; no path leads out of a folder.

Published holes: path traversal in artefacts, header injection, an answer that another site can read.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from groundwire.doors.api.guard import CSP, HEADERS
from groundwire.doors.ui.render import stamp
from tests.doors.api.conftest import WHY, Api, Opened
from tests.doors.api.live_desk import LiveDesk, live_desk
from tests.doors.api.live_desk import stream as followed
from tests.security.doors import HTML, doors, signed_in

FOREIGN = {"Origin": "https://evil.example"}


def _strict(answer: httpx2.Response, what: object) -> None:
    for name, value in HEADERS.items():
        assert answer.headers.get(name) == value, (what, name)
    kept = "public, max-age=31536000, immutable" if "/static/" in str(answer.url) else "no-store"
    assert answer.headers["cache-control"].startswith(kept), what
    assert "access-control-allow-origin" not in answer.headers, what
    assert "server" not in answer.headers, what
    assert "x-powered-by" not in answer.headers, what


def test_the_policy_allows_nothing_inline_and_nobody_around() -> None:
    assert "unsafe" not in CSP
    assert "http" not in CSP
    assert "*" not in CSP
    assert {"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"} <= set(
        CSP.split("; ")
    )
    assert HEADERS["X-Content-Type-Options"] == "nosniff"


async def test_every_door_answers_strictly(opened: Opened) -> None:
    async with opened(open_here=True) as api:
        run = await api.row()
        client = await api.client(**FOREIGN)  # another site may ask; its browser is told nothing
        for door in doors():
            if door.path == "/mcp":
                continue  # a stream; see below
            names = {"run_id": run.id, "given": stamp(), "name": "mark.svg"}
            answer = await door.knock(client, **names)
            _strict(answer, door)
            head = await client.head(door.filled(**names), headers=HTML)
            _strict(head, (door, "HEAD"))
            assert head.content == b""
        for method in ("OPTIONS", "PUT", "TRACE", "PROPFIND"):
            answer = await client.request(method, "/api/runs")
            assert answer.status_code in (403, 405), method
            _strict(answer, method)


async def test_refusals_answer_strictly(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    admin = await api.caller("admin")
    slow = await api.caller("read", per_minute=1)
    await slow.get("/api/me")
    answers = {
        401: await (await api.client()).get("/api/runs"),
        404: await admin.get("/nothing"),
        405: await admin.delete("/api/runs"),
        413: await admin.post("/api/runs", content=b"x" * 5_000_001),
        421: await admin.get("/", headers={"Host": "evil.example"}),
        422: await admin.post("/api/runs", json={}),
        429: await slow.get("/api/me"),
    }

    async def broken(*_: object) -> None:
        raise RuntimeError("secret of the house")

    monkeypatch.setattr(api.app.store.runs, "page", broken)
    answers[500] = await admin.get("/api/runs")
    for status, answer in answers.items():
        assert answer.status_code == status
        _strict(answer, status)
        assert "secret of the house" not in answer.text
        page = await admin.get(str(answer.url.path), headers=HTML)
        _strict(page, status)


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveDesk]:
    async with live_desk(tmp_path, f"sqlite:///{tmp_path}/gw.db") as found:
        yield found


async def test_a_stream_answers_strictly(live: LiveDesk) -> None:
    run = await live.run()
    async with followed(live, run.id) as following:
        _strict(following.response, "SSE")
        assert following.response.headers["content-type"].startswith("text/event-stream")
        await run.end()
        await following.rest()
    over = await live.http.get(f"/api/runs/{run.id}/events", params={"after": 99})
    assert over.status_code == 204
    _strict(over, 204)


async def _raw(live: LiveDesk, target: str, *more: str) -> bytes:
    """Send a request whose address no client has tidied up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", live.port)
    lines = [f"GET {target} HTTP/1.1", f"Host: 127.0.0.1:{live.port}", "Connection: close", *more]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    await writer.drain()
    async with asyncio.timeout(60):
        data = await reader.read()
    writer.close()
    return data


async def test_path_traversal_leads_nowhere(live: LiveDesk) -> None:
    """Static files, exports, stored pages and runs are found by name, never by path."""
    (live.app.settings.data_home() / "planted.txt").write_text("PLANTED", "utf-8")
    home = str(live.app.settings.data_home())
    up = ("../" * 12, "..%2f" * 12, "%2e%2e/" * 12, "..\\" * 12, "%2e%2e%5c" * 12, "....//" * 12)
    places = [
        f"{before}{dots}{goal}"
        for before in ("/static/x/", f"/static/{stamp()}/", "/evidence/", "/api/runs/", "/runs/",
                       "/api/evidence/", "/api/memory/", "/")
        for dots in (*up, "/", "")
        for goal in ("etc/passwd", home.lstrip("/") + "/planted.txt", "desk.json")
    ]  # fmt: skip
    places += [f"/api/runs/x/export?format=../../{home}/planted.txt", "/static/x/%00mark.svg"]
    for place in places:
        data = await _raw(live, place)
        status = int(data.split(b" ", 2)[1])
        assert status in (400, 404, 422), place
        assert b"PLANTED" not in data
        assert b"root:" not in data


async def test_an_export_is_a_file_under_a_name_of_ours(api: Api) -> None:
    client = await api.caller("run")
    sent = {"kind": "ask", "input": {"question": f'{WHY} "; filename=evil.html\r\nX: y'}}
    started = (await client.post("/api/runs", json=sent)).json()
    await api.ended(started["id"])
    for form in ("md", "html", "json", "csv", "bundle"):
        answer = await client.get(f"/api/runs/{started['id']}/export", params={"format": form})
        given = answer.headers["content-disposition"]
        assert re.fullmatch(r'attachment; filename="ask-[0-9a-f]+\.[a-z]+"', given)
        _strict(answer, form)


async def test_header_injection_line_breaks_never_reach_a_header(live: LiveDesk) -> None:
    evil = "%0d%0aSet-Cookie:%20evil=1"
    for place in (
        f"/sign-in?next=/{evil}",
        f"/runs/{evil}",
        f"/evidence/{evil}",
        f"/static/x/{evil}",
        f"/api/runs/{evil}/events",
        f"/api/runs?cursor={evil}",
    ):
        head = (await _raw(live, place, "Accept: text/html")).partition(b"\r\n\r\n")[0]
        assert b"\nset-cookie: evil" not in head.lower(), place


async def test_a_request_that_is_two_is_refused(live: LiveDesk) -> None:
    """Smuggling: a body with two lengths, two hosts, or a broken length is no request at all."""
    for more in (
        ("Content-Length: 5", "Content-Length: 6"),
        ("Host: evil.example",),
        ("Transfer-Encoding: chunked, identity", "Content-Length: 3"),
        ("Content-Length: +5",),
    ):
        data = await _raw(live, "/api/me", *more)
        assert data.split(b" ", 2)[1] == b"400", more


async def test_no_page_has_a_script_or_style_of_its_own(api: Api) -> None:
    """Strict CSP only helps pages that need nothing inline."""
    client, _ = await signed_in(api, "admin")
    run = await api.row(question="<script>alert(1)</script>")
    document = (await client.get("/api/evidence?limit=1")).json()["hits"][0]["page"]["id"]
    for door in doors():
        if not door.page or door.unsafe or "static" in door.path or "favicon" in door.path:
            continue
        names = {"run_id": run.id, "document_id": document}
        page = (await client.get(door.filled(**names), headers=HTML)).text
        assert not re.search(r"<script(?![^>]*\bsrc=)[^>]*>(?!\s*[{\[])", page), door
        assert not re.search(r"<[^>]+\s(on[a-z]+|style)\s*=", page), door
        assert not re.search(r"(src|action)=[\"']?\s*(\w+:|//)", page), door
        assert not re.search(r"href=[\"']?\s*(?!https?:)(\w+:|//)", page), door
