"""Starting runs over REST: the answer, the key, the options, what is refused."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from groundwire.model.access import LOCAL

from .conftest import RUMOUR, WHY, Api

JSON = {"Content-Type": "application/json"}
ASK = {"kind": "ask", "input": {"question": WHY}}


async def test_a_run_is_stored_when_it_is_answered_and_is_its_callers(api: Api) -> None:
    client = await api.caller("run", "ann")
    answer = await client.post("/api/runs", json=ASK)
    assert answer.status_code == 202
    body = answer.json()
    url = f"/api/runs/{body['id']}"
    assert body["kind"] == "ask"
    assert body["links"] == {"self": url, "events": f"{url}/events", "export": f"{url}/export"}
    assert answer.headers["location"] == url
    run = await api.app.store.runs.get(body["id"])
    assert run is not None
    assert (run.owner, run.input["question"]) == (api.people["ann"].id, WHY)
    ended = await api.ended(body["id"])
    assert ended.state == "complete"
    shown = (await client.get(url)).json()
    assert shown["state"] == "complete"
    assert shown["result"] == ended.result
    assert shown["links"] == body["links"]
    assert "seed" not in shown
    assert "settings" not in shown


@pytest.mark.parametrize(
    ("question", "language"),
    [
        (WHY, "en"),
        ("USDC 为什么在2023年3月脱锚？", "zh"),
        ("USDC 為什麼在2023年3月脫錨？", "zh-Hant"),
    ],
)
async def test_an_answer_is_in_the_language_of_its_question(
    api: Api, question: str, language: str
) -> None:
    client = await api.caller("run")
    started = await client.post("/api/runs", json={"kind": "ask", "input": {"question": question}})
    await api.ended(started.json()["id"])
    result = (await client.get(started.headers["location"])).json()["result"]
    assert result["language"] == language
    assert result["answer"]
    assert all(sentence["citations"] for sentence in result["answer"])


async def test_verify_gives_a_signal(api: Api) -> None:
    client = await api.caller("run")
    started = await client.post("/api/runs", json={"kind": "verify", "input": {"text": RUMOUR}})
    await api.ended(started.json()["id"])
    result = (await client.get(started.headers["location"])).json()["result"]
    assert result["message"]["source"] == "api"
    assert result["verdict"]
    assert result["waterfall"]
    listed = (await client.get("/api/signals")).json()["signals"]
    assert [each["run_id"] for each in listed] == [started.json()["id"]]


async def test_as_of_is_a_field_of_the_input(api: Api) -> None:
    client = await api.caller("run")
    given = {"text": RUMOUR, "as_of": "2024年1月9日"}
    started = await client.post("/api/runs", json={"kind": "verify", "input": given})
    await api.ended(started.json()["id"])
    result = (await client.get(started.headers["location"])).json()["result"]
    assert result["as_of"] == "2024-01-09T23:59:59Z"
    assert all({"by_then", "aside"} <= each.keys() for each in result["evidence"])


@pytest.mark.parametrize(
    ("language", "says"),
    [("en", "cannot be read"), ("zh", "读不懂"), ("zh-TW", "讀不懂")],
)
async def test_an_as_of_that_is_no_moment_is_refused_in_the_readers_language(
    api: Api, language: str, says: str
) -> None:
    client = await api.caller("run")
    for written in ("banana", "yesterday", "2024-13-40"):
        given = {"question": "What happened?", "as_of": written}
        answer = await client.post(
            "/api/runs",
            json={"kind": "ask", "input": given},
            headers={"accept-language": language},
        )
        assert answer.status_code == 422
        assert says in answer.json()["detail"]


# --- the key ---------------------------------------------------------------------------------


async def test_the_same_key_and_body_is_the_same_run(api: Api) -> None:
    client = await api.caller("run")
    key = {"Idempotency-Key": "order-66"}
    answers = await asyncio.gather(
        *(client.post("/api/runs", json=ASK, headers=key) for _ in range(5))
    )
    assert {each.status_code for each in answers} == {202}
    assert len({each.json()["id"] for each in answers}) == 1
    await api.ended(answers[0].json()["id"])
    late = await client.post("/api/runs", json=ASK, headers=key)
    assert late.json()["id"] == answers[0].json()["id"]
    assert late.json()["state"] == "complete"


OTHERS: list[dict[str, Any]] = [
    {"kind": "ask", "input": {"question": "something else?"}},
    {"kind": "ask", "input": {"question": WHY, "deep": 1}},
    {"kind": "ask", "input": {"question": WHY}, "options": {"ask.pages": 3}},
    {"kind": "verify", "input": {"text": WHY}},
]


async def test_the_same_key_with_another_body_is_a_conflict(api: Api) -> None:
    client = await api.caller("run")
    key = {"Idempotency-Key": "k"}
    first = await client.post("/api/runs", json=ASK, headers=key)
    for other in OTHERS:
        again = await client.post("/api/runs", json=other, headers=key)
        assert again.status_code == 409, other
        assert again.headers["content-type"] == "application/problem+json"
        assert first.json()["id"] in again.json()["hint"]
    assert len(await api.app.runs.recent(10)) == 1


async def test_a_key_is_its_callers_own(api: Api) -> None:
    ann, bob = await api.caller("run", "ann"), await api.caller("run", "bob")
    key = {"Idempotency-Key": "k"}
    first = await ann.post("/api/runs", json=ASK, headers=key)
    second = await bob.post("/api/runs", json=ASK, headers=key)
    assert first.json()["id"] != second.json()["id"]
    assert (await bob.get(first.headers["location"])).status_code == 404


async def test_a_key_that_is_none_is_refused(api: Api) -> None:
    client = await api.caller("run")
    for key in ("", " ", "a b", "x" * 201, "é"):
        headers = {"Idempotency-Key": key.encode()}
        answer = await client.post("/api/runs", json=ASK, headers=headers)
        assert answer.status_code == 422, key


# --- options ---------------------------------------------------------------------------------


async def test_options_hold_for_this_run_alone(api: Api) -> None:
    client = await api.caller("run")
    options = {"ask.pages": 2, "ask.passages": 3, "search.mode": "all", "memory.enabled": False}
    started = await client.post("/api/runs", json={**ASK, "options": options})
    plain = await client.post("/api/runs", json=ASK)
    one = await api.app.store.runs.get(started.json()["id"])
    other = await api.app.store.runs.get(plain.json()["id"])
    assert one is not None
    assert other is not None
    assert one.settings["ask"]["pages"] == 2
    assert one.settings["search"]["mode"] == "all"
    assert one.settings["memory"]["enabled"] is False
    assert other.settings["ask"]["pages"] == api.app.settings.ask.pages
    ended = await api.ended(one.id)
    assert len((ended.result or {})["evidence"]) <= 2


NO_OPTIONS: list[object] = [
    {"models.providers.openai.base_url": "http://127.0.0.1:1"},
    {"search.providers.tavily.api_key": "x"},
    {"fetch.allow_private": ["127.0.0.0/8"]},
    {"budget.run_usd": 100},
    {"offline": False},
    {"ask_pages": 3},
    {"ask.pages": "3"},
    {"ask.pages": True},
    {"ask.pages": 201},
    {"ask.pages": float("inf")},
    {"memory.enabled": 1},
    {"database_url": "sqlite:////etc/passwd"},
    [],
    "x",
]


async def test_whatever_is_no_option_is_refused(api: Api) -> None:
    client = await api.caller("run")
    for options in NO_OPTIONS:
        body = json.dumps({"kind": "ask", "input": {"question": "x"}, "options": options})
        answer = await client.post("/api/runs", content=body, headers=JSON)
        assert answer.status_code == 422, options
        assert answer.json()["detail"], options
    assert await api.app.runs.recent(1) == []


async def test_a_whole_number_may_be_written_as_json_does(api: Api) -> None:
    client = await api.caller("run")
    answer = await client.post(
        "/api/runs",
        content='{"kind":"ask","input":{"question":"x","deep":1.0},"options":{"ask.pages":2.0}}',
        headers=JSON,
    )
    assert answer.status_code == 202


# --- what is refused -------------------------------------------------------------------------


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"kind": "aks", "input": {"question": "x"}}, "did you mean ask"),
    ({"kind": "job", "input": {}}, "unknown job"),
    ({"kind": "ask", "input": {"question": "   "}}, "question"),
    ({"kind": "ask", "input": {"question": "x" * 4001}}, "question"),
    ({"kind": "ask", "input": {"question": 7}}, "question"),
    ({"kind": "ask", "input": {"question": "x", "deep": "1"}}, "deep"),
    ({"kind": "ask", "input": {"question": "x", "more": 1}}, "more"),
    ({"kind": "ask", "input": []}, "input"),
    ({"kind": "ask"}, "input"),
    ({"kind": "ask", "input": {"question": "x"}, "now": "2020"}, "now"),
    ({"kind": "verify", "input": {"text": "\0 \0"}}, "text"),
    ({"kind": "verify", "input": {"text": "x", "published_at": 7}}, "published_at"),
    ({"kind": "verify", "input": {"text": "x", "published_at": "2020-01-01T00:00:00"}}, "zone"),
    (
        {"kind": "verify", "input": {"text": "x", "published_at": "0001-01-01T00:00:00+05:00"}},
        "published_at",
    ),
]


async def test_an_input_is_refused_in_one_sentence(api: Api) -> None:
    client = await api.caller("run")
    for body, says in REFUSED:
        answer = await client.post("/api/runs", json=body)
        assert answer.status_code == 422, body
        problem = answer.json()
        assert says in problem["detail"], body
        assert problem["hint"], body
        assert "Traceback" not in answer.text


async def test_a_tool_is_called_as_the_tool_not_as_a_job(api: Api) -> None:
    """The call of a tool is a run that can be listed, and no job that can be asked for."""
    client = await api.caller("run")
    given = {"kind": "tool", "input": {"tool": "search", "arguments": {"query": "x"}}}
    assert (await client.post("/api/runs", json=given)).status_code == 422


async def test_a_message_silences_a_source_only_by_who_sees_everything(api: Api) -> None:
    """What the desk's own people verified is known to repeat; what others asked is not."""
    from groundwire.app.intake.arrivals import arrival
    from groundwire.app.intake.door import Door

    for scope, known in (("run", False), ("admin", True)):
        text = f"Euler Finance lost 197 million dollars in a flash loan attack, says {scope}"
        client = await api.caller(scope)
        await client.post("/api/runs", json={"kind": "verify", "input": {"text": text}})
        message = arrival(text, api.app.clock(), source="feed:x")
        (receipt,) = await Door(api.app).receive([message])
        assert receipt.new is not known, scope


async def test_at_the_machine_itself_nobody_is_asked(opened: Any) -> None:
    async with opened(open_here=True) as desk:
        client = await desk.client()
        answer = await client.post("/api/runs", json={"kind": "ask", "input": {"question": "x"}})
        assert answer.status_code == 202
        run = await desk.app.store.runs.get(answer.json()["id"])
        assert run is not None
        assert run.owner == LOCAL.id


async def test_a_question_follows_only_runs_of_its_own_caller(api: Api):
    ann, ben = await api.caller(name="ann"), await api.caller(name="ben")
    run = await api.row(owner=api.people["ann"])
    body = {"kind": "ask", "input": {"question": "And then?", "after": run.id}}
    refused = await ben.post("/api/runs", json=body)
    assert refused.status_code == 404
    unknown = {"kind": "ask", "input": {"question": "And then?", "after": "ask-0000000099"}}
    same = await ben.post("/api/runs", json=unknown)
    assert same.status_code == 404  # whose run it is cannot be told from the answer
    taken = await ann.post("/api/runs", json=body)
    assert taken.status_code == 202
