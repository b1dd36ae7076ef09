"""Bearer tokens, scopes, CSRF, Host, Origin and ownership, at every door that the routes know.

Published holes: unauthenticated control, IDOR, CSRF, DNS rebinding, a token in an address.
"""

from __future__ import annotations

from groundwire.app import access
from groundwire.doors.api.door import COOKIE, CSRF_HEADER
from tests.doors.api.conftest import Api, Opened
from tests.security.doors import KEYED, NOBODY, OPEN, SIGNED, Door, doors, scopes, signed_in

MARK = "zqmarkzq"


def _kept(door: Door, status: int, location: str) -> bool:
    """Tell whether a stranger was kept out."""
    if door.name == KEYED:
        return status in (403, 422)
    if door.page:
        return status == 303 and location.startswith("/sign-in")
    return status == 401


def test_there_are_doors_of_every_kind() -> None:
    """The enumeration itself: without it every case below would pass on nothing."""
    found = {door.name for door in doors()}
    assert {("POST", "/api/runs"), ("GET", "/runs/{run_id}"), ("POST", "/mcp")} <= found
    assert {SIGNED, KEYED} | OPEN <= found
    assert len(found) > 60


async def test_unauthenticated_control_no_door_opens_to_a_stranger(api: Api) -> None:
    run = await api.row(question=f"who is {MARK}")
    stranger = await api.client()
    opened: list[str] = []
    for door in doors():
        answer = await door.knock(stranger, run_id=run.id)
        if door.name not in OPEN and not _kept(
            door, answer.status_code, answer.headers.get("location", "")
        ):
            opened.append(f"{door.method} {door.path}: {answer.status_code}")
        assert MARK not in answer.text, door
    assert opened == []


async def test_a_token_in_an_address_is_never_accepted(api: Api) -> None:
    """EventSource cannot send a header; it comes with the session, never with `?token=`."""
    made = await api.app.access.create("addressed", scope="admin")
    stranger = await api.client()
    run = await api.row()
    for door in doors():
        if door.name in OPEN or door.unsafe:
            continue
        path = door.filled(run_id=run.id)
        for name in ("token", "access_token", "api_key", "key", "authorization", COOKIE):
            answer = await stranger.get(
                f"{path}?{name}={made.secret}", headers={"Accept": "text/event-stream, text/html"}
            )
            assert answer.status_code in (401, 303), (door, name)
            # Nor does the way to the sign-in page carry it where it could be logged again.
            assert answer.headers.get("location", "/sign-in").startswith("/sign-in")


async def test_scopes_are_kept_at_every_operation(api: Api) -> None:
    """What a document says of an operation holds; no change is open to who may only read."""
    needed = scopes()
    callers = {scope: await api.caller(scope) for scope in ("read", "run", "admin")}
    wrong: list[str] = []
    for door in doors():
        if door.page or door.name in OPEN or door.path in ("/mcp", SIGNED[1], KEYED[1]):
            continue
        scope = needed[door.name]  # an operation without one fails here
        if door.unsafe and scope == "read":
            wrong.append(f"{door.method} {door.path} changes something with read only")
        for have, client in callers.items():
            answer = await door.knock(client, run_id=NOBODY)
            may = ("read", "run", "admin").index(have) >= ("read", "run", "admin").index(scope)
            if (answer.status_code == 403) is may:
                wrong.append(f"{door.method} {door.path} with {have}: {answer.status_code}")
    assert wrong == []


async def test_scopes_are_kept_by_the_pages(api: Api) -> None:
    """Pages have the scopes of what they start: who may only read changes nothing there."""
    client, csrf = await signed_in(api, "read")
    before = await api.app.store.index.stats()
    for door in doors():
        if not door.page or not door.unsafe or door.name in OPEN or door.path == "/sign-out":
            continue
        form = f"csrf={csrf}&text=why&kind=ask&url=https://example.com/&urls=https://example.com/"
        answer = await door.knock(client, form)
        assert answer.status_code in (403, 422), (door, answer.status_code)
    assert (await api.app.store.index.stats()).documents == before.documents
    assert await api.app.runs.recent(limit=1) == []


async def test_csrf_no_change_by_a_cookie_alone(api: Api) -> None:
    client, csrf = await signed_in(api, "admin")
    run = await api.row()
    wrong: list[str] = []
    for door in doors():
        if not door.unsafe or door.name in OPEN or door.name in (SIGNED, KEYED):
            continue
        for given in ("", "0" * 64, access.csrf_of("another session"), csrf[:-1], "\u00e9"):
            header = {} if door.page else {CSRF_HEADER: given.encode()}
            answer = await door.knock(client, f"csrf={given}", header, run_id=run.id)
            if answer.status_code != 403:
                wrong.append(f"{door.method} {door.path}: {answer.status_code}")
    assert wrong == []
    # With what only our own pages know, the same requests are let in: the case is not empty.
    let_in = Door("POST", "/api/runs/{run_id}/cancel", False)
    answer = await let_in.knock(client, "", {CSRF_HEADER: csrf}, run_id=run.id)
    assert answer.status_code == 202, answer.text


async def test_csrf_no_page_of_another_site_changes_anything(opened: Opened) -> None:
    """At a desk that asks nobody for a token, the origin is all that stands between."""
    async with opened(open_here=True) as api:
        client = await api.client()
        run = await api.row()
        foreign = (
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Origin": "http://127.0.0.1:9999"},
            {"Origin": "http://127.0.0.1.evil.example"},
            {"Origin": "http://localhost"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
        )
        for door in doors():
            for headers in foreign if door.unsafe else ():
                answer = await door.knock(client, "", headers, run_id=run.id)
                assert answer.status_code == 403, (door, headers)
        same_origin = {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"}
        cancel = Door("POST", "/api/runs/{run_id}/cancel", False)
        assert (await cancel.knock(client, "", same_origin, run_id=run.id)).status_code == 202


async def test_dns_rebinding_no_door_answers_to_another_name(opened: Opened) -> None:
    async with opened(open_here=True) as api:
        client = await api.client()
        names = ("evil.example", "evil.example:8600", "localhost.evil.example", "127.0.0.1.", "",
                 "localhost@evil.example", "10.0.0.1", "[::2]:80", "127.0.0.1 evil")  # fmt: skip
        for door in doors():
            for name in names:
                answer = await door.knock(client, "", {"Host": name}, run_id="x")
                assert answer.status_code == 421, (door, name)


async def test_mcp_opens_no_stream_to_a_page_of_another_site(opened: Opened) -> None:
    async with opened(open_here=True) as api:
        client = await api.client()
        stream = Door("GET", "/mcp", False)
        for origin in ("https://evil.example", "null", "http://127.0.0.1:9999"):
            answer = await stream.knock(client, "", {"Origin": origin})
            assert answer.status_code == 403, origin


async def test_idor_a_run_of_another_is_not_there_at_any_door(api: Api) -> None:
    """Every route that takes a run: the same answer as for a run that never was."""
    await api.caller(name="anna")
    run = await api.row(owner=api.people["anna"], question=f"who is {MARK}")
    token = await api.caller(name="berta")
    browser, csrf = await signed_in(api, "run")
    taking = [door for door in doors() if "{run_id}" in door.path]
    assert len(taking) >= 10
    for door in taking:
        client = browser if door.page else token
        form = f"csrf={csrf}"
        response = await door.knock(client, form, run_id=run.id)
        nobody = await door.knock(client, form, run_id=NOBODY)
        if (
            response.status_code == 422
        ):  # this one wants a body; it is refused before it is looked up
            assert nobody.text == response.text
            continue
        assert response.status_code == nobody.status_code == 404, door
        if not door.page:
            assert response.text.replace(run.id, "") == nobody.text.replace(NOBODY, ""), door
        assert MARK not in response.text
    feedback = {"outcome": "true"}
    answer = await token.post(f"/api/runs/{run.id}/feedback", json=feedback)
    assert answer.status_code == 404
    untouched = await api.app.store.runs.get(run.id)
    assert untouched is not None and untouched.state == "queued"


async def test_idor_no_list_and_no_page_tells_of_another_ones_run(api: Api) -> None:
    anna = await api.caller(name="anna")
    run = await api.row(owner=api.people["anna"], question=f"who is {MARK}")
    document = (await anna.get("/api/evidence?limit=1")).json()["hits"][0]["page"]["id"]
    token = await api.caller(name="berta")
    browser, _ = await signed_in(api, "run")
    assert MARK in (await anna.get("/api/runs")).text  # its owner sees it
    for door in doors():
        if door.unsafe:
            continue
        for query in ("", f"?run={run.id}", f"?q={MARK[:-1]}", f"?owner={api.people['anna'].id}"):
            path = door.filled(run_id=run.id, document_id=document) + query
            client = browser if door.page else token
            found = await client.get(path, headers={"Accept": "text/html, application/json"})
            assert MARK not in found.text, path
            assert run.id not in found.text.replace(query, "").replace(path, "") or (
                found.status_code == 404
            ), path


async def test_idor_over_mcp(api: Api) -> None:
    """What takes a run's id over MCP finds it by the same owner."""
    from groundwire.doors.mcp.looking import RunWanted
    from groundwire.doors.mcp.offers import offers

    taking = {
        name
        for name, offer in offers().items()
        if "run_id" in offer.tool.input_schema["properties"]
    }
    of_watches = {"make_watch", "show_changes"}
    steering = {"show_run", "resume_run", "confirm_run", "cancel_run", "give_feedback"}
    assert taking == steering | of_watches
    assert set(RunWanted.model_fields) == {"run_id"}
    await api.caller(name="anna")
    run = await api.row(owner=api.people["anna"], question=f"who is {MARK}")
    berta = await api.caller(name="berta")
    more = {"give_feedback": {"outcome": "true"}, "make_watch": {"schedule": "every 6h"}}
    for name in taking - {"show_changes"}:
        given = {"run_id": run.id, **more.get(name, {})}
        reply = await _called(berta, "tools/call", {"name": name, "arguments": given})
        assert "there is no run" in reply, (name, reply)
        assert MARK not in reply
    kept = await api.app.schedules.add(
        "ask", {"question": f"who is {MARK}"}, "every 6h", owner=api.people["anna"]
    )
    named = {
        name
        for name, offer in offers().items()
        if "watch_id" in offer.tool.input_schema["properties"]
    }
    assert len(named) == 6
    for name in named:
        arguments = {"watch_id": kept.id}
        reply = await _called(berta, "tools/call", {"name": name, "arguments": arguments})
        assert "there is no watch" in reply, (name, reply)
        assert MARK not in reply
    assert await api.app.schedules.find(kept.id) == kept
    listed = await _called(berta, "tools/call", {"name": "list_watches", "arguments": {}})
    assert kept.id not in listed
    read = await _called(berta, "resources/read", {"uri": f"groundwire://run/{run.id}"})
    assert "there is no run" in read
    for method in ("resources/list", "tools/list"):
        assert MARK not in await _called(berta, method, {})
    await api.desk.closing[0]()


async def _called(client, method: str, params: dict[str, object]) -> str:  # type: ignore[no-untyped-def]
    about = {"name": "test", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    begun = await client.post(
        "/mcp",
        json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        headers=headers,
    )
    assert begun.status_code == 200, begun.text
    headers["mcp-session-id"] = begun.headers["mcp-session-id"]
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    await client.post("/mcp", json=ready, headers=headers)
    request = {"jsonrpc": "2.0", "id": 2, "method": method, "params": params}
    return (await client.post("/mcp", json=request, headers=headers)).text
