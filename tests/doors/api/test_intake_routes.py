"""Messages by webhook over REST: who may send them, and what is told of each."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import httpx2

from groundwire.notify.providers.webhook import HEADER, signature

from .conftest import SECRET, Api, Opened

DEPEG = "USDC depegs to $0.88 after Silicon Valley Bank collapse"
DEPEG_ZH = "【快讯】以太坊基金会否认出售 2,500 枚 ETH"
LISTING = "【快訊】幣安將於週三上線新幣"


async def send(
    api: Api,
    value: object,
    *,
    secret: str = SECRET,
    at: float = 0.0,
    client: Any = None,
    language: str = "en",
) -> httpx2.Response:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    signed = signature(secret, body, api.app.clock() + timedelta(seconds=at))
    client = client or await api.client()
    headers = {HEADER: signed, "accept-language": language}
    return await client.post("/api/intake", content=body, headers=headers)


async def test_a_signed_message_has_its_run_when_it_is_answered(either: Api) -> None:
    answer = await send(either, {"text": DEPEG, "source": "desk", "id": 7})
    assert answer.status_code == 202
    (taken,) = answer.json()["messages"]
    assert taken["state"] == "new"
    run = await either.app.store.runs.get(taken["run_id"])
    assert run is not None
    assert (run.kind, run.input["source"], run.owner) == ("verify", "webhook:desk", "local")
    assert run.input["gate"] is True
    assert (await either.ended(run.id)).state in ("complete", "degraded")


async def test_what_became_of_each_is_told_in_order(api: Api) -> None:
    given = [
        {"text": DEPEG, "id": "a"},
        {"text": DEPEG_ZH, "id": "b"},
        {"text": DEPEG, "id": "c"},
        {"text": LISTING, "id": "d"},
        {"text": DEPEG, "id": "a"},
    ]
    taken = (await send(api, given)).json()["messages"]
    assert [each["state"] for each in taken] == ["new", "new", "repeated", "new", "new"]
    assert taken[0] == taken[4]
    assert taken[2]["first_id"] == taken[0]["message_id"]
    assert taken[2]["run_id"] is None
    again = (await send(api, given)).json()["messages"]
    assert [each["state"] for each in again] == ["known", "known", "repeated", "known", "known"]
    assert [each["run_id"] for each in again] == [each["run_id"] for each in taken]
    assert len(await api.app.runs.recent(20, "verify")) == 3


async def test_lists_of_words_turn_messages_away(opened: Opened) -> None:
    async with opened(intake__deny=["空投"]) as desk:
        given = [{"text": "免費空投，立即領取"}, {"text": LISTING}]
        taken = (await send(desk, given)).json()["messages"]
        assert [each["state"] for each in taken] == ["turned_away", "new"]
        assert taken[0]["why"] == "it says '空投' (intake.deny)"
        messages = (await send(desk, given[:1], language="zh-TW")).json()["messages"]
        assert messages[0]["why"] == "其中有「空投」（intake.deny）"
        assert taken[0]["run_id"] is None


async def test_nobody_else_can_send(api: Api) -> None:
    client = await api.client()
    body = json.dumps({"text": DEPEG}).encode()
    for header in (None, "", "t=1", "x", "t=²,v1=é"):
        headers = {} if header is None else {HEADER: header.encode()}
        answer = await client.post("/api/intake", content=body, headers=headers)
        assert answer.status_code == 401, header
        assert answer.json()["hint"], header
    assert (await send(api, {"text": DEPEG}, secret="other")).status_code == 401
    for at in (-301.0, 400.0):  # caught on the way, and sent again later
        late = await send(api, {"text": DEPEG}, at=at)
        assert late.status_code == 401
        assert "seconds" in late.json()["detail"]
    admin = await api.caller("admin")  # a token is no signature
    assert (await admin.post("/api/intake", content=body)).status_code == 401
    assert await api.app.runs.recent(1) == []


async def test_without_a_secret_nothing_is_taken(opened: Opened) -> None:
    async with opened(intake__secret=None) as desk:
        assert desk.app.settings.intake.secret is None
        assert (await send(desk, {"text": DEPEG}, secret="")).status_code == 401


async def test_what_is_no_message_is_refused(either: Api) -> None:
    client = await either.client()
    for value, status in (
        (b"", 422),
        (b"{", 422),
        (b"[" * 50_000, 422),
        (b"\xff", 422),
        ([], 422),
        ({}, 422),
        ({"text": "  "}, 422),
        ({"text": 7}, 422),
        ([{"text": DEPEG}, {"text": ""}], 422),
        ({"text": DEPEG, "published_at": "soon"}, 422),
        ({"text": DEPEG, "media_urls": {}}, 422),
        (b'{"text": "\\ud800"}', 422),
        ({"text": "字" * 20_001}, 413),
        ([{"text": "x"}] * 101, 413),
        (b" " * 4_500_000, 413),
        (b" " * 6_000_000, 413),
    ):
        answer = await send(either, value, client=client)
        assert answer.status_code == status, str(value)[:60]
        assert answer.headers["content-type"] == "application/problem+json"
    odd = {"text": "a\0b \u202e c", "id": "\0", "author": "\0x", "zone": "\0", "source": "s\0"}
    assert (await send(either, odd, client=client)).status_code == 202
