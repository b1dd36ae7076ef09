"""Errors over REST: always a problem, one sentence and a hint, never a fault of ours for bad input."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from groundwire import errors
from groundwire.doors.api import problems

from .conftest import Api, Opened

JSON = {"Content-Type": "application/json"}


def is_problem(answer: Any) -> bool:
    body = answer.json()
    return (
        answer.headers["content-type"] == "application/problem+json"
        and set(body) == {"type", "title", "status", "detail", "hint", "code", "params"}
        and body["status"] == answer.status_code
        and bool(body["detail"] and body["hint"] and body["code"])
        and "Traceback" not in answer.text
    )


BODIES: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"{",
    "bytes": b"\xff\xfe\x00",
    "a NUL": b'{"kind":"ask\\u0000","input":{}}',
    "half a character as a kind": b'{"kind":"\\ud800","input":{}}',
    "half a character as a key": b'{"kind":"ask","input":{"\\udc00":1}}',
    "half a character as a value": b'{"kind":"ask","input":{"question":"\\ud83d"}}',
    "half a character beside": b'{"kind":"ask","input":{"question":"x"},"\\ud800":1}',
    "NaN": b'{"kind":"ask","input":{"question":"x","deep":NaN}}',
    "infinity": b'{"kind":"ask","input":{"question":"x","deep":1e999}}',
    "a large number": b'{"kind":"ask","input":{"question":"x","deep":%s}}' % (b"9" * 5000),
    "a deep tower": b'{"kind":"ask","input":%s}' % (b'{"a":' * 5000 + b"1" + b"}" * 5000),
    "a tower": b'{"kind":"ask","input":%s}' % (b'{"a":' * 300 + b"1" + b"}" * 300),
    "lists": b"[" * 100_000,
    "a number": b"7",
    "null": b"null",
    "a list": b"[]",
    "two keys": b'{"kind":"ask","kind":"verify","input":{"question":"x"}}',
}


async def test_no_body_is_a_fault_of_ours(either: Api) -> None:
    client = await either.caller("run")
    run = await either.row(owner=either.people["run-0"])
    for path in ("/api/runs", "/api/tools/search", f"/api/runs/{run.id}/feedback"):
        for name, body in BODIES.items():
            answer = await client.post(path, content=body, headers=JSON)
            assert answer.status_code in (400, 422), f"{path}: {name}"
            assert is_problem(answer), f"{path}: {name}: {answer.text}"
    wrong = await client.post("/api/runs", content=b"<x/>", headers={"Content-Type": "text/xml"})
    assert wrong.status_code == 422
    assert len(await either.app.runs.recent(5)) == 1


async def test_no_address_is_a_fault_of_ours(either: Api) -> None:
    client = await either.caller("admin")
    for name in ("%00", "%ff", "a%00b", "x" * 5000, "😀", "%ED%A0%80", "'", "%25", "..%2f..", "-1"):
        for path in (f"/api/runs/{name}", f"/api/runs/{name}/events", f"/api/evidence/{name}"):
            answer = await client.get(path)
            assert answer.status_code == 404, path
            assert is_problem(answer), path
    for path in ("/api", "/api/", "/api/nothing", "/api/runs/", "/api/tools/", "/api//runs"):
        answer = await client.get(path)
        assert answer.status_code == 404, path
        assert is_problem(answer), path


async def test_a_method_that_is_not_taken_names_those_that_are(api: Api) -> None:
    client = await api.caller("admin")
    for method, path, allowed in (
        ("PUT", "/api/runs", {"GET", "POST"}),
        ("DELETE", "/api/runs/x", {"GET"}),
        ("GET", "/api/intake", {"POST"}),
        ("PATCH", "/api/tools/search", {"POST"}),
    ):
        answer = await client.request(method, path)
        assert answer.status_code == 405, path
        assert {each for each in answer.headers["allow"].split(", ") if each != "HEAD"} == allowed
        assert is_problem(answer), path


async def test_a_token_that_is_none_is_told_how_to_get_one(api: Api) -> None:
    client = await api.client()
    for shown in (
        "", "Bearer", "Bearer ", "Bearer x", "bearer gw_x", "Basic eDp5", f"Bearer gw_{'x' * 9999}",
        "Bearer gw_\xff", "Bearer gw_a gw_b",
    ):  # fmt: skip
        answer = await client.get("/api/runs", headers={"Authorization": shown.encode("latin-1")})
        assert answer.status_code == 401, shown
        assert answer.headers["www-authenticate"] == "Bearer"
        assert "gw token create" in answer.json()["hint"]


async def test_who_asks_too_often_is_told_when_to_come_back(api: Api) -> None:
    client = await api.caller("read", per_minute=3)
    answers = [await client.get("/api/me") for _ in range(4)]
    assert [each.status_code for each in answers] == [200, 200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert is_problem(answers[-1])


async def test_a_large_body_is_refused_before_it_is_read(api: Api) -> None:
    client = await api.client()
    answer = await client.post("/api/runs", content=b" " * 5_000_001, headers=JSON)
    assert answer.status_code == 413  # whoever sends it: nobody has been asked yet
    assert is_problem(answer)

    async def slowly() -> Any:
        for _ in range(60):
            yield b" " * 100_000

    unmeasured = await (await api.caller("run")).post("/api/runs", content=slowly(), headers=JSON)
    assert unmeasured.status_code == 413
    assert is_problem(unmeasured)


@pytest.mark.parametrize("database_kind", [pytest.param("postgres", marks=pytest.mark.postgres)])
async def test_a_database_that_is_away_is_not_a_fault_of_the_caller(
    opened: Opened, database_url: str, postgres: str
) -> None:
    """503 while it is away, and work goes on when it is back."""
    name = urlsplit(database_url).path.lstrip("/")
    async with opened(database_url=database_url) as desk:
        client = await desk.caller("admin")
        assert (await client.get("/api/runs")).status_code == 200
        with psycopg.connect(postgres, autocommit=True) as server:
            server.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
            )
            try:
                answer = await client.get("/api/runs")
            finally:
                server.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) >= 1
        assert is_problem(answer)
        assert "password" not in answer.text
        assert (await client.get("/api/runs")).status_code == 200


def test_every_error_has_its_status() -> None:
    for error, status in (
        (errors.InputError(), 422),
        (errors.UnknownName(), 422),
        (errors.NotFoundHere(), 404),
        (errors.Conflict(), 409),
        (errors.Forbidden(), 403),
        (errors.SignInNeeded(), 401),
        (errors.Expired(), 401),
        (errors.TooBig(), 413),
        (errors.TooMany(), 429),
        (errors.SettingsError(), 503),
        (errors.StoreBusy(), 503),
        (errors.StoreAway(), 503),
        (errors.DiskFull(), 507),
        (errors.BudgetReached(), 402),
        (errors.Timeout(), 502),
        (errors.IllegalState("secret"), 500),
    ):
        answer = problems.error_response(error)
        assert answer.status_code == status, error
        data = json.loads(bytes(answer.body))
        assert data["detail"], error
        assert "secret" not in data["detail"]


async def test_what_nobody_foresaw_tells_nothing(api: Api) -> None:
    """A bug of ours is one sentence; what it was is in the log."""
    from fastapi import FastAPI
    from starlette.testclient import TestClient

    broken = FastAPI()
    problems.install(broken)

    @broken.get("/broken")
    async def fail() -> None:
        raise RuntimeError("password=hunter2-hunter2")

    _ = fail
    answer = TestClient(broken, raise_server_exceptions=False).get("/broken")
    assert answer.status_code == 500
    assert is_problem(answer)
    assert "hunter2" not in answer.text


def test_a_detail_is_short_and_can_be_sent() -> None:
    answer = problems.response(422, "\ud800" * 600)
    data = json.loads(bytes(answer.body))
    assert len(data["detail"]) <= 500


async def test_a_body_that_is_not_said_to_be_json_is_told_so(api: Api) -> None:
    """As `curl -d` sends it."""
    client = await api.caller("run")
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    body = b'{"kind":"ask","input":{"question":"x"}}'
    answer = await client.post("/api/runs", content=body, headers=form)
    assert answer.status_code == 422
    assert answer.json()["hint"] == "send it with Content-Type: application/json"
    answer = await client.post("/api/runs", content=b"[]", headers=JSON)
    assert "Content-Type" not in answer.json()["hint"]


def test_what_a_database_says_of_this_machine_is_not_told() -> None:
    error = errors.DiskFull("The disk is full: /home/ann/secret/groundwire.db cannot grow.")
    error.__cause__ = OSError("no space")
    data = json.loads(bytes(problems.error_response(error).body))
    assert (data["status"], data["detail"]) == (507, "The disk is full.")
    stopping = errors.StoreAway("the desk is stopping")
    assert (
        json.loads(bytes(problems.error_response(stopping).body))["detail"]
        == "the desk is stopping"
    )
