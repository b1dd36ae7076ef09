"""Delivering the outbox to a server that misbehaves: at least once, with the same id, blocking nobody."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from tests.parcels import waiting

from groundwire.app import App, open_app
from groundwire.errors import SettingsError, UserError
from groundwire.jobs import find
from groundwire.jobs.sections import Settings
from groundwire.model.ending import Ending
from groundwire.model.outbox import Notice, Subscriber
from groundwire.model.run import NewRun
from groundwire.versions import versions

SECRET = "s3cret-of-webhooks"


@dataclass
class Receiver:
    """A server that answers as scripted, and records what it was sent."""

    url: str = ""
    status: int = 200
    lets_go: Event = field(default_factory=Event)
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.got]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    listener = Receiver()
    listener.lets_go.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            listener.got.append(({k.lower(): v for k, v in self.headers.items()}, body))
            listener.lets_go.wait(60)
            self.send_response(listener.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    listener.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    yield listener
    server.shutdown()
    server.server_close()


@dataclass
class Desk:
    """An app whose clock a test can set, and whose loop it can wake."""

    app: App
    ahead: timedelta = timedelta()
    made: int = 0

    def now(self) -> datetime:
        return self.started + self.ahead

    def __post_init__(self) -> None:
        self.started = self.app.clock()
        self.deliveries.clock = self.now

    @property
    def deliveries(self) -> Any:
        return self.app.services.deliveries

    async def end(self, **content: object) -> str:
        """End a run that has a notice to deliver."""
        self.made += 1
        now, name = self.now(), f"tool-{id(self)}-{self.made}"
        given = {"tool": "search", "arguments": {"query": "x"}}
        await self.app.store.runs.create(
            NewRun(
                id=name, kind="tool", input=given, settings={}, now=now, seed="00",
                versions=versions(), created_at=now,
            )
        )  # fmt: skip
        lease = await self.app.store.runs.claim(name, "w", now, now + timedelta(minutes=1))
        assert lease is not None
        notice = Notice(kind="signal", content=content)
        parcels = self.deliveries.parcels(lease, notice, now)
        await self.app.store.runs.finish(lease, Ending("complete", now, {}, parcels=parcels))
        return name

    def under_way(self) -> list[asyncio.Task[None]]:
        looking = self.deliveries._looking  # pyright: ignore[reportPrivateUsage]
        serving = self.deliveries._serving.values()  # pyright: ignore[reportPrivateUsage]
        return [*filter(None, [looking]), *serving]

    async def deliver(self) -> None:
        """One look, seen to its end."""
        self.deliveries.poke()
        while tasks := self.under_way():
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0)


Opened = Callable[..., Any]


@pytest.fixture
def opened(database_url: str, tmp_path: Path, receiver: Receiver) -> Opened:
    @asynccontextmanager
    async def make(**more: object) -> AsyncIterator[Desk]:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        given = {
            "home": str(home),
            "database_url": database_url,
            "search.chain": "archive",
            "notify.webhook.url": receiver.url,
            "notify.webhook.secret": SECRET,
            "notify.webhook.timeout": 60,
            **{name.replace("__", "."): value for name, value in more.items()},
        }
        given = {name: value for name, value in given.items() if value is not None}
        async with open_app(Settings.load(given, cwd=home, env={"HOME": str(home)})) as app:
            yield Desk(app)

    return make


async def test_what_is_sent_has_an_id_and_a_signature_and_is_recorded(
    opened: Opened, receiver: Receiver
) -> None:
    async with opened() as desk:
        run_id = await desk.end(summary="诺瓦桥")
        (parcel,) = await waiting(desk.app.store)
        await desk.deliver()
        ((headers, body),) = receiver.got
        sent = json.loads(body)
        assert (sent["id"], sent["run_id"], sent["kind"]) == (parcel.id, run_id, "signal")
        assert sent["content"] == {"summary": "诺瓦桥"}
        stamp, _, mac = headers["x-groundwire-signature"].partition(",v1=")
        signed = f"{stamp.removeprefix('t=')}.".encode() + body
        assert mac == hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
        assert await waiting(desk.app.store) == []
        (record,) = await desk.app.store.ledger.records(run_id)
        assert (record.kind, record.provider, record.outcome) == ("push", "webhook", "ok")
        written = record.model_dump_json()
        assert SECRET not in written
        assert receiver.url not in written
        await desk.deliver()
        assert len(receiver.got) == 1


async def test_a_server_that_fails_is_told_again_later_and_later(
    opened: Opened, receiver: Receiver
) -> None:
    async with opened() as desk:
        run_id = await desk.end()
        receiver.status = 500
        for tries, pause in enumerate((10, 20, 40), start=1):
            await desk.deliver()
            (parcel,) = await waiting(desk.app.store)
            assert (parcel.tries, parcel.due_at - desk.now()) == (tries, timedelta(seconds=pause))
            await desk.deliver()  # not yet
            assert len(receiver.got) == tries
            desk.ahead += timedelta(seconds=pause)
        receiver.status = 204
        await desk.deliver()
        assert await waiting(desk.app.store) == []
        assert len({each["id"] for each in receiver.bodies()}) == 1
        records = await desk.app.store.ledger.records(run_id)
        assert sorted(each.outcome for each in records) == ["failed"] * 3 + ["ok"]


async def test_a_server_that_is_slow_or_down_is_a_failed_try(
    opened: Opened, receiver: Receiver
) -> None:
    receiver.lets_go.clear()
    async with opened(notify__webhook__timeout=0.3) as desk:
        await desk.end()
        await desk.deliver()
        (parcel,) = await waiting(desk.app.store)
        assert parcel.tries == 1
        assert "outside.no_answer" in parcel.error
    async with opened(notify__webhook__url="http://127.0.0.1:9/hook") as desk:
        desk.ahead += timedelta(hours=2)
        await desk.deliver()
        (parcel,) = await waiting(desk.app.store)
        assert parcel.tries == 2
    receiver.lets_go.set()
    async with opened() as desk:
        desk.ahead += timedelta(hours=4)
        await desk.deliver()
        assert await waiting(desk.app.store) == []
        assert {each["id"] for each in receiver.bodies()} == {parcel.id}


async def test_a_process_that_died_between_sending_and_noting_sends_again_with_the_same_id(
    opened: Opened, receiver: Receiver
) -> None:
    async with opened() as desk:
        run_id = await desk.end()
        outbox = desk.app.store.outbox
        desk.deliveries.outbox = lambda: _Dying(outbox)
        desk.deliveries.poke()
        while desk.under_way():
            await asyncio.sleep(0.01)
        assert len(receiver.got) == 1
        assert (await waiting(desk.app.store))[0].tries == 0
    async with opened() as desk:
        await desk.deliver()
        assert len(receiver.got) == 1  # somebody may still be about it
        desk.ahead += timedelta(seconds=91)
        await desk.deliver()
        assert await waiting(desk.app.store) == []
        assert {each["run_id"] for each in receiver.bodies()} == {run_id}
        assert len({each["id"] for each in receiver.bodies()}) == 1


class _Dying:
    """An outbox whose process dies before it can note anything."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        if name in ("delivered", "failed"):
            raise asyncio.CancelledError
        return getattr(self._real, name)


async def test_an_intent_that_a_crash_left_is_sent_again_and_counted(
    opened: Opened, receiver: Receiver
) -> None:
    async with opened() as desk:
        run_id = await desk.end()
        real = desk.app.outside.gateway.ledger
        desk.app.outside.gateway.ledger = _Lost(real)  # dies between send and record
        await desk.deliver()
        assert len(receiver.got) == 1
        desk.app.outside.gateway.ledger = real
        desk.ahead += timedelta(seconds=91)
        await desk.deliver()
        assert await waiting(desk.app.store) == []
        assert len({each["id"] for each in receiver.bodies()}) == 1
        assert len(receiver.got) == 2
        (record,) = await desk.app.store.ledger.records(run_id)
        assert (record.outcome, record.repeated) == ("ok", 1)


class _Lost:
    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        if name == "finish":
            raise asyncio.CancelledError
        return getattr(self._real, name)


async def test_one_dead_subscriber_holds_up_no_other(opened: Opened, receiver: Receiver) -> None:
    """Two subscribers of a channel: what is due to one is taken apart from the other."""
    async with opened() as desk:
        delivered: list[str] = []
        stuck = asyncio.Event()

        class Channels:
            def subscribers(self) -> tuple[Subscriber, ...]:
                return tuple(Subscriber(channel="webhook", name=each) for each in ("dead", "live"))

            async def deliver(self, parcel: Any, _lease: object) -> None:
                if parcel.subscriber == "dead":
                    await stuck.wait()
                delivered.append(parcel.run_id)

        desk.deliveries.channels = lambda: Channels()
        for _ in range(20):
            await desk.end()
        desk.deliveries.poke()
        async with asyncio.timeout(60):
            # Told is not noted yet: what counts is what the outbox says.
            while {each.subscriber for each in await waiting(desk.app.store)} != {"dead"}:
                await asyncio.sleep(0.01)
        assert len(delivered) == 20
        stuck.set()
        await desk.deliver()
        assert len(delivered) == 40


async def test_nothing_is_written_where_no_channel_is_set_or_the_desk_is_offline(
    opened: Opened, receiver: Receiver
) -> None:
    unset = {f"notify__webhook__{name}": None for name in ("url", "secret", "timeout")}
    for more in (unset, {"offline": True}):
        async with opened(**more) as desk:
            await desk.end()
            assert await waiting(desk.app.store) == []
            await desk.deliver()
    assert receiver.got == []


async def test_the_engine_delivers_what_a_verify_has_to_tell(
    opened: Opened, receiver: Receiver
) -> None:
    async with opened() as desk:
        desk.deliveries.clock = desk.app.clock
        run = await desk.app.submit("verify", {"text": "Coinbase lists XRP", "tools": False})
        await desk.app.finished(run.id)
        async with asyncio.timeout(60):
            while not receiver.got:
                await asyncio.sleep(0.02)
        (sent,) = receiver.bodies()
        assert (sent["run_id"], sent["kind"]) == (run.id, "signal")
        assert sent["content"]["verdict"] == "unverified"


async def test_a_wrong_channel_or_option_is_refused_by_its_name(opened: Opened) -> None:
    async with opened(notify__webhok__url="https://x.example") as desk:
        with pytest.raises(UserError, match="webhok"):
            await desk.app.submit("verify", {"text": "x y z"})
    async with opened(notify__webhook__url="ftp://x.example") as desk:
        with pytest.raises(SettingsError, match=r"notify\.webhook\.url"):
            await desk.app.submit("verify", {"text": "x y z"})


def test_jobs_say_themselves_what_is_told() -> None:
    assert find("ask").notice(None) is None  # pyright: ignore[reportArgumentType]
