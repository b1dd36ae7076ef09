"""Runs over REST: the list and its cursor, one run and what can be done with it."""

from __future__ import annotations

import asyncio
import io
import zipfile
from pathlib import Path

import httpx2
import pytest

from groundwire import jobs
from groundwire.model.access import LOCAL
from groundwire.model.call import Lease
from groundwire.model.ending import Ending
from groundwire.model.run import Run, RunState
from groundwire.words import kept

from .conftest import RUMOUR, WHY, Api


async def finish(
    api: Api,
    run: Run,
    state: RunState,
    result: dict[str, object] | None,
    error: str = "it broke",
) -> None:
    """End the run as an engine would."""
    now = api.app.clock()
    lease = await api.app.store.runs.claim(run.id, "test", now, now)
    assert isinstance(lease, Lease)
    await api.app.store.runs.finish(lease, Ending(state, now, result, error))


async def ids(client: httpx2.AsyncClient, query: str = "") -> list[str]:
    answer = await client.get(f"/api/runs{query}")
    assert answer.status_code == 200, answer.text
    return [each["id"] for each in answer.json()["runs"]]


# --- the list --------------------------------------------------------------------------------


async def test_the_list_is_filtered_in_both_languages(either: Api) -> None:
    client = await either.caller("admin")
    ask = await either.row("ask", question="Why did 100% of USDC_holders worry?")
    zh = await either.row("ask", question="USDC 为什么脱锚？")
    verify = await either.row("verify", text="XRP 將於週二上線")
    await finish(either, verify, "failed", None)
    for query, found in {
        "": [verify, zh, ask],
        "?kind=ask": [zh, ask],
        "?status=failed": [verify],
        "?status=queued&kind=verify": [],
        "?q=脱锚": [zh],
        "?q=週二": [verify],
        "?q=usdc": [zh, ask],
        "?q=100%25": [ask],
        "?q=USDC_h": [ask],
        "?q=%25": [ask],
        "?q=%00": [verify, zh, ask],
        "?limit=2": [verify, zh],
    }.items():
        assert await ids(client, query) == [run.id for run in found], query


async def test_a_cursor_goes_on_while_new_runs_arrive(either: Api) -> None:
    client = await either.caller("admin")
    old = [(await either.row()).id for _ in range(7)]
    seen: list[str] = []
    cursor = ""
    while True:
        page = (await client.get(f"/api/runs?limit=2{cursor}")).json()
        seen += [each["id"] for each in page["runs"]]
        await either.row()  # somebody else starts one meanwhile
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert seen == old[::-1]


@pytest.mark.parametrize(
    "query",
    [
        "?kind=aks", "?kind=", "?status=done", "?limit=0", "?limit=101", "?limit=1.0", "?limit=x",
        "?limit=99999999999999999999", "?cursor=", "?cursor=x", "?cursor=1/ask-1", "?cursor=%00",
        "?cursor=9999999999999999999.ask-1", f"?q={'x' * 401}",
    ],
)  # fmt: skip
async def test_a_list_that_cannot_be_is_refused(api: Api, query: str) -> None:
    client = await api.caller("read")
    answer = await client.get(f"/api/runs{query}")
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


async def test_everybody_sees_their_own_and_admins_all(api: Api) -> None:
    ann, bob = await api.caller("run", "ann"), await api.caller("read", "bob")
    admin = await api.caller("admin", "root")
    of_ann = await api.row(owner=api.people["ann"])
    of_bob = await api.row(owner=api.people["bob"])
    local = await api.row(owner=LOCAL)
    assert await ids(ann) == [of_ann.id]
    assert await ids(bob) == [of_bob.id]
    assert await ids(admin) == [local.id, of_bob.id, of_ann.id]
    listed = (await admin.get("/api/runs")).json()["runs"]
    assert [each["owner"] for each in listed][1:] == [
        api.people["bob"].id,
        api.people["ann"].id,
    ]


# --- ownership -------------------------------------------------------------------------------

OF_A_RUN = (
    ("GET", ""),
    ("GET", "/events"),
    ("GET", "/calls"),
    ("GET", "/export"),
    ("POST", "/cancel"),
    ("POST", "/resume"),
    ("POST", "/confirm"),
    ("POST", "/replay"),
    ("POST", "/feedback"),
)


async def test_a_run_of_somebody_else_is_not_there(api: Api) -> None:
    """The answer is that for a run which never was: nobody can find out what others run."""
    from tests.openapi import document

    known = {path for path in document()["paths"] if path.startswith("/api/runs/{run_id}")}
    assert known == {f"/api/runs/{{run_id}}{tail}" for _, tail in OF_A_RUN}
    await api.caller("run", "ann")
    bob = await api.caller("run", "bob")
    run = await api.row(owner=api.people["ann"])
    for method, tail in OF_A_RUN:
        given = {"json": {"outcome": "true"}} if tail == "/feedback" else {}
        response = await bob.request(method, f"/api/runs/{run.id}{tail}", **given)
        never = await bob.request(method, f"/api/runs/ask-0000000000{tail}", **given)
        assert response.status_code == never.status_code == 404, tail
        assert response.text.replace(run.id, "x") == never.text.replace("ask-0000000000", "x"), tail
    after = await api.app.store.runs.get(run.id)
    assert after == run


async def test_an_admin_may_end_the_run_of_another(api: Api) -> None:
    await api.caller("run", "ann")
    admin = await api.caller("admin")
    run = await api.row(owner=api.people["ann"])
    assert (await admin.get(f"/api/runs/{run.id}")).status_code == 200
    assert (await admin.post(f"/api/runs/{run.id}/cancel")).json()["state"] == "cancelled"


async def test_who_may_only_read_changes_nothing(api: Api) -> None:
    bob = await api.caller("read", "bob")
    run = await api.row(owner=api.people["bob"])
    assert (await bob.get(f"/api/runs/{run.id}")).status_code == 200
    for method, tail in OF_A_RUN:
        if method == "POST":
            answer = await bob.post(f"/api/runs/{run.id}{tail}", json={"outcome": "true"})
            assert answer.status_code == 403, tail
            assert "scope run" in answer.json()["detail"]


# --- what can be done with one ---------------------------------------------------------------


@pytest.fixture
async def signal(api: Api) -> tuple[Api, httpx2.AsyncClient, str]:
    """A finished run of verify, and its owner."""
    ann = await api.caller("run", "ann")
    started = await ann.post("/api/runs", json={"kind": "verify", "input": {"text": RUMOUR}})
    run = await api.ended(started.json()["id"])
    return api, ann, f"/api/runs/{run.id}"


async def test_a_finished_run_is_judged_replayed_read_and_taken_away(
    signal: tuple[Api, httpx2.AsyncClient, str],
) -> None:
    api, ann, url = signal
    judged = await ann.post(f"{url}/feedback", json={"outcome": "true", "note": "是真的"})
    assert judged.status_code == 200
    body = judged.json()
    assert (body["signal"]["outcome"], body["history"][0]["by"]) == ("true", "ann")
    again = (await ann.post(f"{url}/feedback", json={"outcome": "partly"})).json()
    assert [each["outcome"] for each in again["history"]] == ["partly", "true"]
    replayed = (await ann.post(f"{url}/replay")).json()
    assert replayed["identical"] is True, replayed
    calls = (await ann.get(f"{url}/calls")).json()["calls"]
    assert calls
    assert all(each["response"] is None for each in calls)
    answered = (await ann.get(f"{url}/calls?responses=true")).json()["calls"]
    assert any(each["response"] for each in answered)
    await taken_away(ann, url)
    for tail in ("cancel", "resume", "confirm"):
        answer = await ann.post(f"{url}/{tail}")
        assert answer.status_code == 409, tail
        assert answer.json()["detail"]
    _ = api


async def taken_away(ann: httpx2.AsyncClient, url: str) -> None:
    name = url.rpartition("/")[2]
    for form, suffix, begins in (
        ("md", "md", b"# "),
        ("html", "html", b"<!"),
        ("json", "json", b"{"),
        ("csv", "csv", b""),
        ("bundle", "zip", b"PK"),
    ):
        file = await ann.get(f"{url}/export?format={form}")
        assert file.status_code == 200, form
        wanted = f'attachment; filename="{name}.{suffix}"'
        assert file.headers["content-disposition"] == wanted
        assert file.headers["x-content-type-options"] == "nosniff"
        assert file.content.lstrip(b"\xef\xbb\xbf").startswith(begins), form
        assert b"tvly-planted" not in file.content
    bundle = await ann.get(f"{url}/export?format=bundle")
    assert zipfile.ZipFile(io.BytesIO(bundle.content)).testzip() is None
    for form in ("", "exe", "../../etc/passwd", "%00"):
        answer = await ann.get(f"{url}/export?format={form}")
        assert answer.status_code == 422, form


async def test_what_has_not_ended_cannot_be_judged_or_taken_away(api: Api) -> None:
    ann = await api.caller("run", "ann")
    run = await api.row("verify", owner=api.people["ann"], text="x")
    url = f"/api/runs/{run.id}"
    for method, tail, given in (
        ("POST", "/feedback", {"json": {"outcome": "true"}}),
        ("POST", "/replay", {}),
        ("POST", "/confirm", {}),
        ("GET", "/export", {}),
    ):
        answer = await ann.request(method, f"{url}{tail}", **given)
        assert answer.status_code == 409, tail
        assert "queued" in answer.json()["detail"], tail


async def test_only_signals_are_judged(api: Api) -> None:
    ann = await api.caller("run", "ann")
    run = await api.row(owner=api.people["ann"])
    await finish(api, run, "failed", None)
    answer = await ann.post(f"/api/runs/{run.id}/feedback", json={"outcome": "true"})
    assert answer.status_code == 409
    for wrong in ({"outcome": "maybe"}, {}, {"outcome": "true", "note": "x" * 2001}, {"x": 1}):
        refused = await ann.post(f"/api/runs/{run.id}/feedback", json=wrong)
        assert refused.status_code == 422, wrong


async def test_a_run_is_stopped_and_tried_again(api: Api) -> None:
    ann = await api.caller("run", "ann")
    run = await api.row(owner=api.people["ann"], question=WHY)
    url = f"/api/runs/{run.id}"
    stopped = await ann.post(f"{url}/cancel")
    assert (stopped.status_code, stopped.json()["state"]) == (202, "cancelled")
    assert (await ann.post(f"{url}/cancel")).status_code == 409
    resumed = await ann.post(f"{url}/resume")
    assert (resumed.status_code, resumed.json()["state"]) == (202, "queued")
    ended = await api.ended(run.id)
    assert (ended.state, ended.attempt) == ("complete", 2)
    assert (await ann.post(f"{url}/resume")).status_code == 409


async def test_a_failed_run_says_why_and_has_no_result(api: Api) -> None:
    ann = await api.caller("run", "ann")
    run = await api.row(owner=api.people["ann"])
    await finish(api, run, "failed", None)
    shown = (await ann.get(f"/api/runs/{run.id}")).json()
    assert (shown["state"], shown["result"]) == ("failed", None)
    # Kept as a sentence by an older version.
    assert shown["error"] == {"code": "", "params": {}, "detail": "it broke"}
    assert (await ann.get(f"/api/runs/{run.id}/export?format=md")).status_code == 200


@pytest.mark.parametrize(
    ("language", "detail"),
    [
        ("en", "the database did not answer within 3 s"),
        ("zh", "数据库在 3 秒内没有回应"),
        ("zh-TW", "資料庫在 3 秒內沒有回應"),
    ],
)
async def test_why_a_run_failed_is_a_code_and_a_sentence_of_the_reader(
    api: Api, language: str, detail: str
) -> None:
    ann = await api.caller("run", "ann")
    run = await api.row(owner=api.people["ann"])
    await finish(api, run, "failed", None, kept("error.database_slow", seconds="3"))
    headers = {"Accept-Language": language}
    wanted = {"code": "error.database_slow", "params": {"seconds": "3"}, "detail": detail}
    assert (await ann.get(f"/api/runs/{run.id}", headers=headers)).json()["error"] == wanted
    (listed,) = (await ann.get("/api/runs", headers=headers)).json()["runs"]
    assert listed["error"] == wanted


async def test_what_differs_in_a_replay_is_a_code_and_a_sentence(api: Api) -> None:
    ann = await api.caller("run", "ann")
    run = await api.row(owner=api.people["ann"])
    await finish(api, run, "complete", {"answer": []}, "")
    again = await ann.post(f"/api/runs/{run.id}/replay", headers={"Accept-Language": "zh"})
    found = again.json()["differences"]
    assert {
        "code": "replay.differs",
        "params": {"name": "status"},
        "detail": "status 不一致",
    } in found


async def test_a_secret_of_ours_is_in_no_answer(api: Api) -> None:
    """Whoever types a key into a question does not show it to the next one."""
    planted = "tvly-planted-0123456789abcdef"
    ann = await api.caller("run", "ann")
    run = await api.row(owner=api.people["ann"], question=f"what is {planted}?")
    for path in ("/api/runs", f"/api/runs/{run.id}", f"/api/runs/{run.id}/calls", "/api/providers"):
        answer = await ann.get(path)
        assert answer.status_code == 200
        assert planted not in answer.text, path


@pytest.fixture
def outline_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that asks a person before it goes on."""
    folder = Path(__file__).parents[1] / "serving" / "jobs"
    monkeypatch.setattr(jobs, "__path__", [*jobs.__path__, str(folder)])


@pytest.mark.usefixtures("outline_job")
async def test_a_waiting_run_is_let_go_on(api: Api) -> None:
    ann, bob = await api.caller("run", "ann"), await api.caller("run", "bob")
    run = await api.app.submit("outline", {"topic": "USDC"}, owner=api.people["ann"])
    async with asyncio.timeout(90):
        assert (await api.app.ended(run.id)).state == "waiting"
    path = f"/api/runs/{run.id}/confirm"
    assert (await bob.post(path)).status_code == 404
    answer = await ann.post(path)
    assert answer.status_code == 202, answer.text
    assert (await api.ended(run.id)).state == "complete"
    assert (await ann.post(path)).status_code == 409


async def test_who_waits_for_nothing_is_not_let_go_on(api: Api) -> None:
    ann = await api.caller("run", "ann")
    run = await api.row(owner=api.people["ann"], question=WHY)
    assert (await ann.post(f"/api/runs/{run.id}/confirm")).status_code == 409
