"""Memory, signals, costs, parts and tokens over REST."""

from __future__ import annotations

import re
from typing import Any

from .conftest import RUMOUR, WHY, Api, Opened


async def test_memory_is_asked_in_both_languages_and_at_a_past_moment(api: Api) -> None:
    client = await api.caller("run")
    before = api.app.clock().isoformat()
    started = await client.post("/api/runs", json={"kind": "ask", "input": {"question": WHY}})
    await api.ended(started.json()["id"])
    for q in ("USDC peg", "USDC 脱锚"):
        found = (await client.get("/api/memory", params={"q": q, "limit": 2})).json()
        assert found["state"] == "ok"
        assert 0 < len(found["entries"]) <= 2, q
        assert found["entries"][0]["sources"]
    then = (await client.get("/api/memory", params={"q": "USDC peg", "as_of": before})).json()
    assert then == {"state": "ok", "entries": [], "reason": "", "params": {}}
    claim = found["entries"][0]["claim"]["id"]
    story = (await client.get(f"/api/memory/{claim}")).json()
    assert story["claims"][0]["claim"]["id"] == claim
    assert story["moments"][0]["kind"] == "learned"
    assert (await client.get(f"/api/memory/{claim}", params={"as_of": before})).status_code == 404


async def test_memory_that_is_off_says_so(opened: Opened) -> None:
    async with opened(memory__enabled=False) as desk:
        client = await desk.caller("read")
        assert (await client.get("/api/memory?q=x")).json()["state"] == "off"


async def test_what_cannot_be_asked_of_memory_is_refused(either: Api) -> None:
    client = await either.caller("read")
    for query in (
        "", "q=", "q=x&as_of=yesterday", "q=x&as_of=1700000000", "q=x&as_of=2020-01-01",
        "q=x&as_of=2020-01-01T00:00:00", "q=x&as_of=0001-01-01T00:00:00%2B05:00", "q=x&past=1",
        "q=x&past=yes", "q=x&min_confidence=2", "q=x&min_confidence=nan", "q=x&about=2020",
        "q=x&limit=0", "q=x&since=null", f"q={'x' * 4001}",
    ):  # fmt: skip
        assert (await client.get(f"/api/memory?{query}")).status_code == 422, query
    for q in ("\0", "' OR 1=1", "（）", "\ud7ff"):
        params = {"q": q, "subject": q, "past": "true", "about": "2023-03-11"}
        assert (await client.get("/api/memory", params=params)).status_code == 200, q
    for name, status in (("cl_0123456789abcdef", 404), ("cl_01", 422), ("x", 422), ("%00", 422)):
        assert (await client.get(f"/api/memory/{name}")).status_code == status, name


async def test_signals_are_their_owners_and_calibration_is_everybodys(api: Api) -> None:
    ann, bob = await api.caller("run", "ann"), await api.caller("run", "bob")
    admin = await api.caller("admin")
    started = await ann.post("/api/runs", json={"kind": "verify", "input": {"text": RUMOUR}})
    run_id = started.json()["id"]
    await api.ended(run_id)
    assert [each["run_id"] for each in (await ann.get("/api/signals")).json()["signals"]] == [
        run_id
    ]
    assert (await bob.get("/api/signals")).json() == {"signals": []}
    assert len((await admin.get("/api/signals")).json()["signals"]) == 1
    await ann.post(f"/api/runs/{run_id}/feedback", json={"outcome": "true"})
    report = (await bob.get("/api/calibration")).json()
    assert (report["labels"], report["calibration"]) == (1, None)
    assert report["brier"] is not None


async def test_costs_are_told_to_who_runs_the_desk(api: Api) -> None:
    admin = await api.caller("admin")
    for query, name in (
        ("", r"\d{4}-\d\d"),
        ("?period=2023-03", "2023-03"),
        ("?period=1", r"\d{4}-\d\d-\d\d"),
        ("?period=366", r"\d{4}-\d\d-\d\d/\d{4}-\d\d-\d\d"),
    ):
        spending = await admin.get(f"/api/costs{query}")
        assert spending.status_code == 200, query
        assert re.fullmatch(name, spending.json()["period"]["name"])
        assert (await admin.get(f"/api/costs/rollout{query}")).status_code == 200
    for query in ("0", "367", "2023-13", "1969-12", "x", "", "2023-3", "１"):
        assert (await admin.get("/api/costs", params={"period": query})).status_code == 422, query


async def test_a_token_sees_what_it_may_and_spends(api: Api) -> None:
    ann = await api.caller("run", "ann", per_minute=100, day_usd=0.5)
    me = (await ann.get("/api/me")).json()
    assert me["caller"] == {
        "id": api.people["ann"].id,
        "name": "ann",
        "scope": "run",
        "per_minute": 100,
        "day_usd": 0.5,
    }
    assert (me["today"]["usd"], me["today"]["limit_usd"]) == (0.0, 0.5)
    assert (await (await api.caller("read", "bob")).get("/api/me")).json()["today"] is None
    run = await api.app.store.runs.get(
        (await ann.post("/api/runs", json={"kind": "ask", "input": {"question": "x"}})).json()["id"]
    )
    assert run is not None
    assert run.owner_day_micro == 500_000


async def test_parts_are_shown_without_secrets(api: Api) -> None:
    client = await api.caller("read")
    parts = (await client.get("/api/providers")).json()
    by_name = {each["name"]: each for each in parts["search"]}
    assert by_name["archive"]["on"] is True
    assert by_name["tavily"]["on"] is False
    assert {each["name"] for each in parts["tools"]} == {"price", "onchain", "macro"}
    models = (await client.get("/api/models")).json()
    assert set(models["tiers"]) == {"light", "heavy", "vision"}
    assert "openai" in {each["name"] for each in models["vendors"]}
    admin = await api.caller("admin")
    answer = await admin.post("/api/providers/probe")
    assert (answer.status_code, answer.json()["title"]) == (409, "Conflict")


async def test_a_key_is_shown_nowhere(opened: Opened) -> None:
    planted = "sk-planted-0123456789abcdefghij"
    settings: dict[str, Any] = {
        "offline": False,
        "models__providers__mine__kind": "openai_compatible",
        "models__providers__mine__base_url": "https://models.example/v1",
        "models__providers__mine__api_key": planted,
        "models__light": ["mine:small"],
        "search__chain": ["archive"],
    }
    async with opened(**settings) as desk:
        client = await desk.caller("admin")
        models = (await client.get("/api/models")).json()
        assert models["tiers"]["light"] == ["mine:small"]
        for path in ("/api/providers", "/api/models", "/api/costs", "/api/tools", "/api/tokens"):
            assert planted not in (await client.get(path)).text, path


async def test_tokens_are_listed_and_never_made_here(api: Api) -> None:
    admin = await api.caller("admin", "root")
    made = await api.app.access.create("ann", scope="read")
    await api.app.access.revoke("ann")
    answer = await admin.get("/api/tokens")
    tokens = {each["name"]: each for each in answer.json()["tokens"]}
    assert tokens["ann"]["revoked_at"] is not None
    assert tokens["root"]["used_at"] is not None
    assert made.secret not in answer.text
    assert "sha256" not in answer.text
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert (await admin.request(method, "/api/tokens")).status_code == 405


async def test_platforms_say_how_they_are_reached(api: Api) -> None:
    caller = await api.caller("read")
    answer = await caller.get("/api/platforms", headers={"accept-language": "zh-CN"})
    assert answer.status_code == 200
    found = {each["name"]: each for each in answer.json()["platforms"]}
    assert len(found) == 14
    assert (found["wechat"]["label"], found["wechat"]["sites"]) == (
        "微信公众号",
        ["mp.weixin.qq.com"],
    )
