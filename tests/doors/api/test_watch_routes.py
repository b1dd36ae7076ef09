"""Watches over REST: made of a job's input or of a run, looked at, and only by their owner."""

from __future__ import annotations

import pytest

from groundwire.words import words

from .conftest import Api


async def test_one_is_made_run_compared_and_removed(echo: None, api: Api) -> None:
    client = await api.caller()
    body = {
        "kind": "echo",
        "input": {"words": "one two", "loud": True},
        "schedule": "daily at 9",
        "zone": "Asia/Shanghai",
        "quiet": "22:00-07:00",
        "to": ["webhook:https://hooks.example/x"],
        "budgets_usd": {"day": 1.5},
    }
    made = await client.post("/api/watches", json=body)
    assert made.status_code == 201, made.text
    shown = made.json()
    assert (shown["schedule"], shown["quiet"], shown["to"]) == (
        "daily at 9", "22:00-07:00", ["webhook:https://hooks.example/x"],
    )  # fmt: skip
    path = f"/api/watches/{shown['id']}"
    assert shown["next_at"].endswith("T01:00:00Z")
    assert (await client.get(path)).json() == shown
    started = await client.post(f"{path}/run", json={"at": "2026-03-03T08:00:00Z"})
    assert started.status_code == 202, started.text
    run = await api.app.ended(started.json()["id"])
    diff = (await client.get(f"{path}/diff")).json()
    assert (diff["run"], [each["kind"] for each in diff["changes"]]) == (run.id, ["new"])
    assert diff["changes"][0]["after"]["text"] == "ONE TWO"
    (past,) = (await client.get(f"{path}/history")).json()["runs"]
    assert (past["run"], past["told"], past["changes"]) == (run.id, True, 1)
    then = (await client.get(f"{path}/claims?day=2026-03-03")).json()
    assert [each["text"] for each in then["claims"]] == ["ONE TWO"]
    assert (await client.get(f"{path}/claims?day=2026-03-02")).json()["run"] is None
    (alert,) = (await client.get(f"{path}/alerts")).json()
    assert (alert["run"], alert["to"]) == (run.id, "webhook:https://hooks.example/x")
    assert (await client.post(f"{path}/pause")).json()["next_at"] is None
    assert (await client.post(f"{path}/resume")).json()["next_at"] == shown["next_at"]
    (row,) = (await client.get("/api/watches")).json()["watches"]
    assert (row["id"], row["runs"]) == (shown["id"], 1)
    assert (await client.delete(path)).status_code == 204
    assert (await client.get(path)).status_code == 404
    assert (await client.get(f"/api/runs/{run.id}")).status_code == 200


async def test_a_run_of_ones_own_becomes_one_and_no_run_of_others(echo: None, api: Api) -> None:
    mine, others = await api.caller(), await api.caller()
    started = await mine.post("/api/runs", json={"kind": "echo", "input": {"words": "x"}})
    run = await api.app.ended(started.json()["id"])
    body = {"run_id": run.id, "schedule": "every 6h"}
    assert (await others.post("/api/watches", json=body)).status_code == 404
    made = await mine.post("/api/watches", json=body)
    assert made.status_code == 201, made.text
    path = f"/api/watches/{made.json()['id']}"
    for method, rest in (("GET", ""), ("GET", "/diff"), ("POST", "/run"), ("DELETE", "")):
        assert (await others.request(method, f"{path}{rest}")).status_code == 404
    assert (await others.get("/api/watches")).json()["watches"] == []
    assert len((await (await api.caller("admin")).get("/api/watches")).json()["watches"]) == 1


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"schedule": "every 1s"}, "schedule.too_often_or_seldom"),
        ({"schedule": "0 0 30 2 *"}, "schedule.never_fires"),
        ({"zone": "Mars"}, "error.no_zone"),
        ({"to": ["pigeon:x"]}, "error.unknown"),
        ({"kind": "nothing"}, "error.unknown"),
        ({"run_id": "echo-1"}, "schedule.run_or_text"),
    ],
)
async def test_what_cannot_be_kept_is_refused_in_one_sentence(
    echo: None, api: Api, changed: dict[str, object], code: str
) -> None:
    body = {"kind": "echo", "input": {"words": "x"}, "schedule": "every 6h", **changed}
    answer = await (await api.caller()).post("/api/watches", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, code)


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
@pytest.mark.parametrize(
    ("changed", "code", "about"),
    [
        ({"schedule": "0 0 30 2 *"}, "schedule.never_fires", {"text": "0 0 30 2 *"}),
        ({"schedule": "every 1s"}, "schedule.too_often_or_seldom", {"text": "every 1s"}),
        ({"conditions": ["soon"]}, "watch.input.condition", {"text": "soon"}),
        ({"platforms": ["zihu"]}, "zhihu", {}),
        ({"to": ["pigeon:x"]}, "pigeon", {}),
        ({"zone": "Mars"}, "error.no_zone", {"name": "Mars"}),
        ({"quiet": "night"}, "schedule.no_quiet", {"text": "night"}),
    ],
)
async def test_the_sentence_is_in_the_callers_language(
    api: Api, changed: dict[str, object], code: str, about: dict[str, str], language: str
) -> None:
    client = await api.caller()
    asked = {name: changed[name] for name in ("conditions", "platforms") if name in changed}
    terms = {name: value for name, value in changed.items() if name not in asked}
    body = {"input": {"command": "DeepSeek", **asked}, "schedule": "every 6h", **terms}
    answer = await client.post("/api/watches", json=body, headers={"Accept-Language": language})
    assert answer.status_code == 422, answer.text
    assert words(language)(code, **about) in answer.json()["detail"]
    assert (await client.get("/api/watches")).json()["watches"] == []


async def test_a_budget_is_no_more_than_its_owner_may_spend(echo: None, api: Api) -> None:
    client = await api.caller(day_usd=0.25)
    body = {
        "kind": "echo",
        "input": {"words": "x"},
        "schedule": "every 6h",
        "budgets_usd": {"run": 9},
    }
    made = await client.post("/api/watches", json=body)
    run = await client.post(f"/api/watches/{made.json()['id']}/run")
    ended = await api.app.ended(run.json()["id"])
    assert ended.budgets["run"] == 250_000


async def test_it_is_run_where_runs_are_started_too(echo: None, api: Api) -> None:
    client = await api.caller()
    body = {"kind": "echo", "input": {"words": "x"}, "schedule": "every 6h"}
    made = (await client.post("/api/watches", json=body)).json()["id"]
    started = await client.post("/api/runs", json={"kind": "echo", "input": {"watch_id": made}})
    assert started.status_code == 202, started.text
    assert (await api.app.ended(started.json()["id"])).schedule_id == made
    other = await (await api.caller()).post(
        "/api/runs", json={"kind": "echo", "input": {"watch_id": made}}
    )
    assert other.status_code == 404
