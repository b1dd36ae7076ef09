"""A run's events over HTTP: streamed, polled, only to whom they belong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from groundwire.doors.api import stream as streams
from groundwire.errors import StoreAway
from groundwire.model.event import Event
from groundwire.model.ports import Journal
from tests.doors.api.live_desk import LiveDesk, Written, gone, live_desk, stream

TRICKY = {"text": "一行\n另一行\r\nthird\u2028fourth", "quote": "“脱锚” & <b>"}


both = pytest.mark.parametrize(
    "database_kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
)


@pytest.fixture
def database_kind() -> str:
    """Most of this has nothing to do with the database; `both` marks what has."""
    return "sqlite"


@pytest.fixture
async def live(tmp_path: Path, database_url: str) -> AsyncIterator[LiveDesk]:
    async with live_desk(tmp_path, database_url) as desk:
        yield desk


@pytest.fixture
async def shut(tmp_path: Path, database_url: str) -> AsyncIterator[LiveDesk]:
    """Open a desk that asks everybody for a token."""
    async with live_desk(tmp_path, database_url, open_here=False) as desk:
        yield desk


def ids(text: str) -> list[int]:
    return [int(line[4:]) for line in text.splitlines() if line.startswith("id: ")]


def data(text: str) -> list[dict[str, object]]:
    return [json.loads(line[6:]) for line in text.split("\n") if line.startswith("data: ")]


@both
async def test_a_stream_begins_at_once_and_says_each_event_as_it_is_stored(live: LiveDesk) -> None:
    run = await live.run()
    async with stream(live, run.id) as following:
        assert following.response.status_code == 200
        headers = following.response.headers
        assert headers["content-type"] == "text/event-stream; charset=utf-8"
        assert headers["cache-control"] == "no-store, no-transform"
        assert headers["x-accel-buffering"] == "no"
        assert "content-length" not in headers
        assert headers["x-content-type-options"] == "nosniff"
        assert await following.until("\n\n") == "retry: 1000\n\n"
        await run.add(TRICKY)
        await following.until("id: 1\n")
        await run.add({"n": 2}, {"n": 3})
        await following.until("id: 3\n")
        await run.end()
        text = await following.rest()
    assert text.startswith("retry: 1000\n\nid: 1\nevent: thought\ndata: {")
    assert text.endswith("}\n\n")
    assert "\nevent: complete\n" in text
    sent = data(text)
    assert ids(text) == [1, 2, 3, 4]
    stored = await live.app.store.journal.read(run.id)
    assert sent == [event.model_dump(mode="json", exclude={"key"}) for event in stored]
    assert sent[0]["payload"] == TRICKY
    await gone(live)


@pytest.mark.parametrize(
    ("query", "header", "expected"),
    [
        ({}, {}, [1, 2, 3, 4]),
        ({"after": 2}, {}, [3, 4]),
        ({}, {"Last-Event-ID": "3"}, [4]),
        # A browser that comes back asks for the same address, and knows better.
        ({"after": 1}, {"Last-Event-ID": "3"}, [4]),
        ({"after": 3}, {"Last-Event-ID": "0"}, [1, 2, 3, 4]),
    ],
)
async def test_who_comes_back_says_what_it_has(
    live: LiveDesk, query: dict[str, int], header: dict[str, str], expected: list[int]
) -> None:
    run = await live.run()
    await run.add({}, {}, {})
    await run.end()
    async with stream(live, run.id, header, **query) as following:
        assert ids(await following.rest()) == expected
    page = await live.poll(run, query.get("after", 0), headers=header)
    assert [event["seq"] for event in page.json()["events"]] == expected


@pytest.mark.parametrize("after", [4, 5, 2**53 - 1])
async def test_a_run_that_is_over_and_known_ends_the_coming_back(
    live: LiveDesk, after: int
) -> None:
    run = await live.run()
    await run.add({}, {}, {})
    async with stream(live, run.id, after=3) as following:
        await following.until("retry")  # not over yet: it is followed
        await run.end()
        assert ids(await following.rest()) == [4]
    answer = await live.http.get(
        f"/api/runs/{run.id}/events", headers={"Last-Event-ID": str(after)}
    )
    assert (answer.status_code, answer.content) == (204, b"")
    assert "content-type" not in answer.headers


@both
async def test_pages_of_json_lead_to_the_end(live: LiveDesk) -> None:
    run = await live.run()
    await run.add(*({"n": number} for number in range(7)))
    first = (await live.poll(run, limit=3)).json()
    assert [event["seq"] for event in first["events"]] == [1, 2, 3]
    assert (first["next"], first["over"]) == (3, False)
    rest = (await live.poll(run, first["next"])).json()
    assert (len(rest["events"]), rest["next"], rest["over"]) == (4, 7, False)
    nothing = (await live.poll(run, 7)).json()
    assert nothing == {"events": [], "next": 7, "over": False}
    await run.end()
    assert (await live.poll(run, 3, limit=4)).json()["over"] is False
    last = (await live.poll(run, 7)).json()
    assert (last["next"], last["over"]) == (8, True)
    assert (await live.poll(run, 8)).json() == {"events": [], "next": 8, "over": True}


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        (None, "text/event-stream"),
        ("*/*", "text/event-stream"),
        ("text/event-stream", "text/event-stream"),
        ("text/event-stream, application/json", "text/event-stream"),
        ("application/json", "application/json"),
        ("Application/JSON; q=0.9, */*;q=0.1", "application/json"),
        ("application/json, text/event-stream", "application/json"),
        ("text/html,application/xhtml+xml", "text/event-stream"),
    ],
)
async def test_json_comes_when_it_is_asked_for(
    live: LiveDesk, accept: str | None, kind: str
) -> None:
    run = await live.run()
    await run.end()
    async with live.http.stream(
        "GET",
        f"/api/runs/{run.id}/events",
        headers={"Accept": accept} if accept else {"Accept": ""},
    ) as answer:
        assert answer.headers["content-type"].partition(";")[0] == kind


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        ({"after": "-1"}, {}),
        ({"after": "x"}, {}),
        ({"after": str(2**63)}, {}),
        ({"limit": "0"}, {}),
        ({"limit": "1001"}, {}),
        ({}, {"Last-Event-ID": "abc"}),
        ({}, {"Last-Event-ID": "-4"}),
    ],
)
async def test_a_number_that_is_none_is_refused(
    live: LiveDesk, query: dict[str, str], headers: dict[str, str]
) -> None:
    run = await live.run()
    answer = await live.http.get(f"/api/runs/{run.id}/events", params=query, headers=headers)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"])
async def test_events_are_the_owners_alone(shut: LiveDesk, accept: str) -> None:
    owner, owner_client = await shut.token("owner", "read")
    _, other = await shut.token("other")
    _, admin = await shut.token("admin", "admin")
    run = await shut.run(owner)
    await run.end()

    async def status(headers: dict[str, str], run_id: str = run.id) -> int:
        answer = await shut.http.get(
            f"/api/runs/{run_id}/events", headers={"Accept": accept, **headers}
        )
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
        return answer.status_code

    assert await status(owner_client) == 200
    assert await status(admin) == 200
    assert await status(other) == 404  # not 403: it is not there
    assert await status({}) == 401
    assert await status({"Authorization": "Bearer gw_wrong"}) == 401
    assert await status(owner_client, "ask-none") == 404
    assert await status(owner_client, "ask%00") == 404


async def test_who_may_no_longer_read_is_let_go(
    shut: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "_RECHECK", 0.0)
    owner, owner_client = await shut.token("owner")
    run = await shut.run(owner)
    async with stream(shut, run.id, owner_client) as following:
        await run.add({})
        await following.until("id: 1\n")
        await shut.app.access.revoke("owner")
        await run.add({})  # what comes before the next look may still be seen
        text = await following.rest()
    assert ids(text) in ([1], [1, 2])
    async with stream(shut, run.id, owner_client) as again:
        assert again.response.status_code == 401


async def test_a_secret_of_ours_is_in_no_event(tmp_path: Path, database_url: str) -> None:
    secret = "planted-secret-9f8e7d6c5b4a39281706f5e4"
    async with live_desk(tmp_path, database_url, env={"TAVILY_API_KEY": secret}) as live:
        run = await live.run()
        await run.add({"said": f"refused: key={secret}"})
        await run.end()
        async with stream(live, run.id) as following:
            streamed = await following.rest()
        polled = (await live.poll(run)).text
    assert "refused" in streamed
    assert "refused" in polled
    assert secret not in streamed + polled


async def test_while_nothing_happens_a_comment_says_so(live: LiveDesk) -> None:
    live.desk.tails.heartbeat = 0.01
    run = await live.run()
    async with stream(live, run.id) as following:
        await following.until(": still here\n\n", 3)
        await run.end()
        assert ids(await following.rest()) == [1]


class Faulty:
    """A journal that cannot be read while `away`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.away = False

    async def read(self, run_id: str, after: int = 0, limit: int = 500) -> Sequence[Event]:
        if self.away:
            raise StoreAway("/secret/place is away")
        return await self._journal.read(run_id, after, limit)


@both
async def test_when_the_journal_is_away_the_stream_ends_and_goes_on_later(live: LiveDesk) -> None:
    faulty = Faulty(live.app.store.journal)
    live.desk.tails.journal = faulty  # type: ignore[assignment]
    run = await live.run()
    await run.add({}, {})
    async with stream(live, run.id) as following:
        await following.until("id: 2\n")
        faulty.away = True
        await run.add({})
        text = await following.rest()
    assert ids(text) == [1, 2]
    assert text.endswith(": the journal cannot be read just now, come back\n\n")
    assert "secret" not in text
    faulty.away = False
    await run.end()
    async with stream(live, run.id, {"Last-Event-ID": "2"}) as again:
        assert ids(await again.rest()) == [3, 4]


async def test_a_fault_of_ours_ends_a_stream_as_any_trouble_does(live: LiveDesk) -> None:
    live.desk.tails.encode = lambda event: b"%d" % (1 // 0)
    run = await live.run()
    await run.end()
    async with stream(live, run.id) as following:
        text = await following.rest()
    assert text == "retry: 1000\n\n: the journal cannot be read just now, come back\n\n"


async def test_who_leaves_is_noticed(live: LiveDesk) -> None:
    run = await live.run()
    async with stream(live, run.id) as following:
        await following.until("retry")
        assert live.desk.tails.followers == 1
    await gone(live)
    assert live.desk.tails.count == 0


async def test_more_than_may_follow_are_told_when_to_come_back(live: LiveDesk) -> None:
    live.desk.tails.most = 1
    run = await live.run()
    async with stream(live, run.id) as following:
        await following.until("retry")
        answer = await live.http.get(f"/api/runs/{run.id}/events")
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0


async def test_a_desk_that_stops_takes_no_followers(live: LiveDesk) -> None:
    run = await live.run()
    async with stream(live, run.id) as following:
        await following.until("retry")
        await live.desk.tails.close()
        assert ids(await following.rest()) == []  # a proper end
    answer = await live.http.get(f"/api/runs/{run.id}/events")
    assert answer.status_code == 503


async def test_a_stream_is_never_compressed_and_a_page_of_json_is(live: LiveDesk) -> None:
    run = await live.run()
    await run.add(*({"text": "脱锚" * 50} for _ in range(20)))
    await run.end()
    zipped = {"Accept-Encoding": "gzip"}
    async with stream(live, run.id, zipped) as following:
        assert "content-encoding" not in following.response.headers
        assert len(ids(await following.rest())) == 21
    page = await live.poll(run, headers=zipped)
    assert page.headers["content-encoding"] == "gzip"
    assert len(page.json()["events"]) == 21


async def test_a_head_of_a_stream_ends_with_its_headers(live: LiveDesk) -> None:
    run = await live.run()  # never over
    answer = await live.http.head(f"/api/runs/{run.id}/events")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    await gone(live)


async def _unread(
    live: LiveDesk, run: Written
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a follower that sends its request and then reads nothing."""
    reader, writer = await asyncio.open_connection("127.0.0.1", live.port, limit=1)
    writer.write(f"GET /api/runs/{run.id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return reader, writer


@both
async def test_a_follower_that_takes_nothing_is_dropped_and_comes_back(
    tmp_path: Path, database_url: str
) -> None:
    async with live_desk(tmp_path, database_url, patience=0.1) as live:
        run = await live.run()
        reader, writer = await _unread(live, run)
        many = [{"text": "x" * 50_000} for _ in range(20)]
        async with stream(live, run.id) as quick, asyncio.timeout(100):
            count = 0
            while not live.desk.tails.dropped:  # until the kernel's own buffers are full
                await run.add(*many)
                count += 20
                await quick.until("\nid: ", count)
            await run.end()
            assert ids(await quick.rest()) == list(range(1, count + 2))
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await reader.readexactly(10**9)
        writer.transport.abort()
        await gone(live)
        seen = count // 2
        async with stream(live, run.id, {"Last-Event-ID": str(seen)}) as again:
            assert ids(await again.rest()) == list(range(seen + 1, count + 2))
