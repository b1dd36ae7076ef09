"""Secrets write-only and masked: every one that a desk has is planted, everything is exercised, and
every byte that came out, and every file that was written, is searched.

Published hole: a key in the answer of a configuration endpoint.
"""

from __future__ import annotations

import base64
import json
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote, urlencode, urlsplit

import pytest

from groundwire.app.exports import FORMS
from tests import nursery
from tests.doors.browser.room import Room
from tests.security.doors import doors

SEARCH_KEY = "tvly-" + "planted-0123456789abcdef"
MODEL_KEY = "sk-" + "planted0123456789abcdefghij"
INTAKE = "planted-intake-secret-77"
PASSWORD = "planted-database-pw-88"
QUESTION = "Did USDC lose its peg in March 2023, and why?"


class _Echo(BaseHTTPRequestHandler):
    """Refuses everybody, and repeats all that it was sent: in words, as JSON, and encoded."""

    sent: ClassVar[set[str]] = set()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        shown = str(dict(self.headers.items()))
        key = self.headers.get("authorization", "").removeprefix("Bearer ")
        self.sent.add(key)
        coded = base64.b64encode(key.encode()).decode()
        message = f"Incorrect API key provided: {key} ({quote(key)}, {coded}) {shown} {body}"
        sent = json.dumps({"error": {"message": message}, "detail": {"error": message}}).encode()
        self.send_response(401, "no")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.send_header("X-Echo", key)
        self.end_headers()
        self.wfile.write(sent)

    do_GET = do_POST

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _echoing() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Echo)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Sweep:
    """Everything that came out, by where it came from."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.out: list[tuple[str, bytes]] = []

    def ask(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        connection = HTTPConnection(urlsplit(self.room.url).netloc, timeout=100)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            data = answer.read()
            headers_received = dict(answer.getheaders())
        finally:
            connection.close()
        kept = {
            name: value for name, value in headers_received.items() if name.lower() != "set-cookie"
        }
        self.out.append((f"{method} {path}", str(kept).encode() + data))
        return answer.status, headers_received, data

    def json(self, path: str, body: object, headers: dict[str, str]) -> tuple[int, object]:
        kind = {"Content-Type": "application/json", **headers}
        status, _, data = self.ask("POST", path, json.dumps(body), kind)
        return status, json.loads(data)

    def gw(self, *args: str) -> None:
        code, out, err = nursery.gw(args, self.room.environment(), self.room.place)
        assert code != 2, err  # it was asked rightly, whatever it says
        self.out.append((f"gw {' '.join(args)}", out + err))


def _planted(secret: str) -> set[bytes]:
    """List the secret as it is, and in its usual encodings."""
    plain = secret.encode()
    return {plain, quote(secret, safe="").encode(), base64.b64encode(plain), plain[::-1]}


def _database(url: str, place: Path) -> bytes:
    """Read all rows of all tables."""
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as opened:
            return "\n".join(opened.iterdump()).encode()
    import psycopg

    with psycopg.connect(url) as opened:
        names = opened.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()
        parts: list[str] = []
        for schema, table in names:
            parts += [str(row) for row in opened.execute(f'SELECT * FROM "{schema}"."{table}"')]  # type: ignore[call-overload]
        assert len(parts) > 20, place
        return "\n".join(parts).encode()


# By default where there is one secret more: the password of the database.
@pytest.mark.parametrize(
    "database_kind",
    [
        pytest.param("sqlite", marks=pytest.mark.slow),
        pytest.param("postgres", marks=pytest.mark.postgres),
    ],
)
def test_no_secret_comes_out_anywhere(
    new_room: Callable[..., Room], database_url: str, tmp_path: Path
) -> None:
    shown_url = re.sub(r"(postgresql[^:]*://[^:@/]*)(:[^@]*)?@", rf"\1:{PASSWORD}@", database_url)
    with _echoing() as base:
        room = new_room(
            GROUNDWIRE_OFFLINE="0",
            GROUNDWIRE_LOG__LEVEL="debug",
            GROUNDWIRE_DATABASE_URL=shown_url,
            GROUNDWIRE_SEARCH__CHAIN="tavily,archive",
            GROUNDWIRE_SEARCH__PROVIDERS__TAVILY__API_KEY=SEARCH_KEY,
            GROUNDWIRE_SEARCH__PROVIDERS__TAVILY__BASE_URL=base,
            GROUNDWIRE_MODELS__LIGHT="openai:gpt-4.1-mini",
            GROUNDWIRE_MODELS__HEAVY="openai:gpt-4.1-mini",
            GROUNDWIRE_MODELS__PROVIDERS__OPENAI__API_KEY=MODEL_KEY,
            GROUNDWIRE_MODELS__PROVIDERS__OPENAI__BASE_URL=f"{base}/v1",
            GROUNDWIRE_INTAKE__SECRET=INTAKE,
            GROUNDWIRE_DESK__REQUIRE_TOKEN="1",
            GROUNDWIRE_ASK__PAGES="4",  # of the sample, which knows no secret
        )
        token = _made(room, "anna", "admin")
        other = _made(room, "berta", "read")
        room.gw("archive", "add", "--sample")
        sweep = _Sweep(room)
        room.serve()
        cookie = _exercise(sweep, token, other)
        note = json.loads((room.place / "data" / "desk.json").read_text("utf-8"))
        assert note["key"]
        assert {SEARCH_KEY, MODEL_KEY} <= _Echo.sent  # both were sent, and came back
    secrets = {
        "search key": SEARCH_KEY, "model key": MODEL_KEY, "intake secret": INTAKE,
        "token": token, "another token": other, "session": cookie, "desk key": note["key"],
    }  # fmt: skip
    if PASSWORD in shown_url:
        secrets["database password"] = PASSWORD
    outputs = [*sweep.out, ("the log", room.log().encode())]
    outputs += [
        (str(file.relative_to(room.place)), file.read_bytes())
        for file in sorted(room.place.rglob("*"))
        if file.is_file() and file.name != "desk.json"
    ]
    outputs.append(("the database", _database(database_url, tmp_path)))
    found = [
        f"{name} in {where}: …{data[max(0, data.find(form) - 90) : data.find(form) + 12]!r}"
        for name, secret in secrets.items()
        for form in _planted(secret)
        for where, data in outputs
        if form in data
    ]
    assert found == []


def _made(room: Room, name: str, scope: str) -> str:
    result = room.gw("token", "create", name, "--scope", scope)
    match = re.search(r"gw_[\w-]{40,}", result)
    assert match is not None
    return match[0]


def _exercise(sweep: _Sweep, token: str, other: str) -> str:
    """Make every request there is, right and wrong; return the session's cookie."""
    bearer = {"Authorization": f"Bearer {token}"}
    runs = [_run(sweep, bearer, "ask", question=QUESTION)]
    runs.append(_run(sweep, bearer, "verify", text="USDC 在2023年3月跌至0.88美元"))
    echoes = [
        _tool(sweep, bearer, "search", query="USDC"),
        _tool(sweep, bearer, "plan", question="a b"),
    ]
    for run_id in (*runs, *filter(None, echoes)):
        for form in FORMS if run_id in runs else ("json", "bundle"):
            sweep.ask("GET", f"/api/runs/{run_id}/export?format={form}", None, bearer)
        sweep.ask("GET", f"/api/runs/{run_id}/calls?responses=true", None, bearer)
        sweep.ask("GET", f"/api/runs/{run_id}/events", None, bearer)
    form = urlencode({"token": token, "next": "/"})
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    status, headers_sent, _ = sweep.ask("POST", "/sign-in", form, kind)
    assert status == 303
    cookie = headers_sent["set-cookie"].partition("=")[2].partition(";")[0]
    signed = {"Cookie": f"gw_session={cookie}"}
    sweep.ask("POST", "/sign-in", urlencode({"token": other + "x", "next": other}), kind)
    for door in doors():
        if door.path == "/mcp" or door.path == "/sign-out":
            continue
        path = door.filled(run_id=runs[0])
        for headers in (bearer, signed, {"Authorization": f"Bearer {other}"}):
            html = {"Accept": "text/html" if door.page else "application/json"}
            body = {"Content-Type": "application/json"} if door.unsafe else {}
            sweep.ask(door.method, path, "{}" if door.unsafe else None, headers | html | body)
        if not door.unsafe:
            sweep.ask("GET", f"{path}?token={quote(token)}&key={quote(SEARCH_KEY)}", None, bearer)
    _mcp(sweep, bearer, runs[0])
    commands = (
        ("doctor",), ("doctor", "--json"), ("providers",), ("models",), ("runs",), ("token", "list"),
        ("show", runs[0]), ("show", runs[0], "--calls"), ("show", runs[0], "--events"), ("costs",),
    )  # fmt: skip
    for args in commands:
        sweep.gw(*args)
    return cookie


def _run(sweep: _Sweep, headers: dict[str, str], kind: str, **given: object) -> str:
    status, run = sweep.json("/api/runs", {"kind": kind, "input": given}, headers)
    assert status == 202, run
    run_id = run["id"]  # type: ignore[index]
    # The stream ends with the run.
    sweep.ask("GET", f"/api/runs/{run_id}/events", None, headers)
    _, _, data = sweep.ask("GET", f"/api/runs/{run_id}", None, headers)
    assert json.loads(data)["state"] in ("complete", "degraded", "failed"), data
    return run_id


def _tool(sweep: _Sweep, headers: dict[str, str], name: str, **given: object) -> str:
    status, answer = sweep.json(f"/api/tools/{name}?wait=60", given, headers)
    assert status in (200, 202), answer
    return answer["run"]["id"] if status == 200 else answer["id"]  # type: ignore[index]


def _mcp(sweep: _Sweep, bearer: dict[str, str], run_id: str) -> None:
    accepts = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    about = {"name": "test", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}
    calls = [
        ("initialize", hello),
        ("tools/list", {}),
        ("resources/list", {}),
        ("resources/read", {"uri": f"groundwire://run/{run_id}"}),
        ("tools/call", {"name": "show_run", "arguments": {"run_id": run_id}}),
        ("tools/call", {"name": "search", "arguments": {"query": "USDC peg"}}),
        ("tools/call", {"name": "ask", "arguments": {"question": QUESTION}}),
        ("tools/call", {"name": SEARCH_KEY, "arguments": {}}),
    ]
    session: dict[str, str] = {}
    for number, (method, params) in enumerate(calls, 1):
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        headers = {**accepts, **bearer, **session}
        status, headers_received, data = sweep.ask("POST", "/mcp", json.dumps(request), headers)
        assert status == 200, data
        if method == "initialize":
            session = {"mcp-session-id": headers_received["mcp-session-id"]}
            ready = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
            sweep.ask("POST", "/mcp", ready, {**accepts, **bearer, **session})


def test_the_sweep_sees_a_secret() -> None:
    """It would see a key in any of its forms."""
    for form in _planted(SEARCH_KEY):
        assert any(each in b"before " + form + b" after" for each in _planted(SEARCH_KEY))
