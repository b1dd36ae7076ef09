"""Tools over REST: what there is, a call as a small run, and what is refused."""

from __future__ import annotations

from groundwire.jobs import tools as known

from .conftest import Api

SEARCH = "/api/tools/search"


async def test_every_tool_is_listed_with_what_it_takes(api: Api) -> None:
    client = await api.caller("read")
    tools = (await client.get("/api/tools")).json()["tools"]
    assert [each["name"] for each in tools] == list(known())
    for each in tools:
        assert each["description"], each["name"]
        assert each["input"]["type"] == "object"
        assert each["link"] == f"/api/tools/{each['name']}"


async def test_a_call_is_a_small_run_of_its_caller(api: Api) -> None:
    client = await api.caller("run", "ann")
    for query in ("USDC peg", "脱锚"):
        answer = await client.post(SEARCH, json={"query": query, "max_results": 2})
        assert answer.status_code == 200
        body = answer.json()
        assert body["status"] == "complete"
        assert 0 < len(body["output"]["hits"]) <= 2
        assert body["error"] is None
        run = await api.app.store.runs.get(body["run"]["id"])
        assert run is not None
        assert (run.kind, run.owner) == ("tool", api.people["ann"].id)
        assert (await client.get(body["run"]["links"]["self"])).json()["result"]["output"] == (
            body["output"]
        )


async def test_whoever_does_not_wait_follows_the_run(api: Api) -> None:
    client = await api.caller("run")
    answer = await client.post(f"{SEARCH}?wait=0", json={"query": "USDC"})
    assert answer.status_code == 202
    assert answer.headers["location"] == f"/api/runs/{answer.json()['id']}"
    assert (await api.ended(answer.json()["id"])).state == "complete"


async def test_a_page_that_was_read_comes_with_runs_that_are_ready_to_start(api: Api) -> None:
    client = await api.caller("run")
    url = "https://www.beichen-wire.example/2023/03/11/usdc-low"
    body = (await client.post("/api/tools/read", json={"url": url})).json()
    assert [each["kind"] for each in body["next"]] == ["ask", "verify"]
    for each in body["next"]:
        assert (await client.post("/api/runs", json=each)).status_code == 202
    assert (await client.post(SEARCH, json={"query": "USDC"})).json()["next"] == []


async def test_a_failure_is_told_by_its_type(api: Api) -> None:
    client = await api.caller("run")
    offline = (await client.post("/api/tools/read", json={"url": "https://a.example/"})).json()
    assert (offline["status"], offline["error"]["code"], offline["output"]) == (
        "failed",
        "offline",
        None,
    )
    nowhere = (await client.post("/api/tools/read", json={"url": "no address"})).json()
    assert nowhere["status"] == "failed"
    assert (nowhere["error"]["message"], nowhere["error"]["params"]) == (
        "error.no_address",
        {"url": "no address"},
    )


async def test_a_key_makes_one_call_of_many(api: Api) -> None:
    client = await api.caller("run")
    key = {"Idempotency-Key": "k"}
    given = {"query": "USDC"}
    first = (await client.post(SEARCH, json=given, headers=key)).json()
    again = (await client.post(SEARCH, json=given, headers=key)).json()
    assert first == again
    other = await client.post(SEARCH, json={"query": "BTC"}, headers=key)
    assert other.status_code == 409


async def test_what_a_tool_does_not_take_never_becomes_a_run(api: Api) -> None:
    client = await api.caller("run")
    for path, given in (
        (SEARCH, {}),
        (SEARCH, {"query": ""}),
        (SEARCH, {"query": "x", "max_results": "5"}),
        (SEARCH, {"query": "x", "max_results": 51}),
        (SEARCH, {"query": "x", "time_range": "soon"}),
        (SEARCH, {"query": "x", "include_domains": [""]}),
        (SEARCH, {"query": "x", "include_domains": "a.example"}),
        (SEARCH, {"query": "x", "provider": "tavily"}),
        (SEARCH, []),
        (SEARCH, "x"),
        (f"{SEARCH}?wait=61", {"query": "x"}),
        (f"{SEARCH}?wait=-1", {"query": "x"}),
        ("/api/tools/look", {}),
        ("/api/tools/look", {"url": "https://a.example/", "picture": {"sha256": "x"}}),
        ("/api/tools/read", {"url": "https://somebody:secret@a.example/"}),
        ("/api/tools/price", {"assets": ["  "]}),
    ):
        answer = await client.post(path, json=given)
        assert answer.status_code == 422, (path, given)
        assert answer.json()["detail"], (path, given)
    for name in ("nothing", "..", "__init__", "SEARCH", "search/x", "%00"):
        assert (await client.post(f"/api/tools/{name}", json={})).status_code == 404, name
    assert await api.app.runs.recent(1) == []
