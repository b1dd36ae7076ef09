"""Telegram as a source, on a fake client that holds posts and misbehaves as the real one does."""

from __future__ import annotations

import asyncio
import stat
import sys
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from groundwire.app import App
from groundwire.app.intake.door import Door
from groundwire.app.intake.telegram import Post, Telegram
from groundwire.app.intake.telethon_client import TelethonClient, telethon_client
from groundwire.errors import (
    AuthRejected,
    InputError,
    MissingExtra,
    NetworkDown,
    OutsideFailure,
    RateLimited,
    SettingsError,
)
from groundwire.jobs.sections import Settings

from .conftest import Opened

AT = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)
WORDS = (
    "river",
    "鲸鱼",
    "bridge",
    "監管",
    "harvest",
    "交易所",
    "window",
    "copper",
    "moon",
    "garden",
)


def post(number: int, channel: str = "whales", text: str = "", **more: Any) -> Post:
    """Posts that no layer of dedup takes for one another."""
    body = text or f"{WORDS[number % 10]} {WORDS[number // 10 % 10]} number {number} arrived"
    at = AT + timedelta(minutes=number)
    return Post(channel=channel, number=number, text=body, at=at, **more)


class Fake:
    """Channels with posts; `troubles` are raised, in order, by the named calls."""

    def __init__(self, posts: Sequence[Post]) -> None:
        self.posts = list(posts)
        self.coming: asyncio.Queue[Post | OutsideFailure] = asyncio.Queue()
        self.troubles: dict[str, list[Exception]] = {}
        self.history_calls: list[tuple[str, int]] = []
        self.connections = 0

    def _maybe(self, where: str) -> None:
        if self.troubles.get(where):
            raise self.troubles[where].pop(0)

    async def connect(self, channels: Sequence[str]) -> None:
        self.connections += 1
        self._maybe("connect")

    async def newest(self, channel: str) -> int:
        self._maybe("newest")
        return max((each.number for each in self.posts if each.channel == channel), default=0)

    async def history(self, channel: str, after: int) -> AsyncIterator[Post]:
        self.history_calls.append((channel, after))
        self._maybe("history")
        for each in sorted(self.posts, key=lambda each: each.number):
            if each.channel == channel and each.number > after:
                yield each
                self._maybe(f"history after {each.number}")

    async def live(self) -> Post:
        found = await self.coming.get()
        if isinstance(found, OutsideFailure):
            raise found
        return found

    def waiting(self) -> bool:
        return not self.coming.empty()

    async def close(self) -> None: ...

    def say(self, *posts: Post, keep: bool = True) -> None:
        for each in posts:
            if keep and each.edited_at is None:
                self.posts.append(each)
            self.coming.put_nowait(each)


async def numbers(app: App) -> list[str]:
    runs = await app.runs.recent(200, "verify")
    return sorted((str(run.input["text"]) for run in runs), key=lambda text: text)


async def last(app: App, channel: str = "whales") -> int:
    cursor = await app.store.messages.cursor(f"telegram:{channel}")
    assert cursor is not None
    return int(cursor.state["last"])


async def listened(source: Telegram, until: int, door: Door) -> None:
    """Listen until this many messages have their signals and nothing more is coming."""
    listening = asyncio.create_task(source.listen())
    for _ in range(1_000):
        done = door.counts.signals >= until and not source.client.waiting()
        if done or listening.done():
            break
        await asyncio.sleep(0.01)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    await door.idle()


class Pauses:
    """A sleep that only records its calls."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await asyncio.sleep(0)


async def test_a_channel_that_was_never_read_begins_with_its_newest_posts(app: App) -> None:
    client = Fake([post(number) for number in range(1, 101)])
    door = Door(app)
    await Telegram(app, door, client, ["whales"]).once()
    await door.idle()
    assert door.counts.new == 20
    assert await last(app) == 100


async def test_a_restart_catches_up_from_the_last_stored_post_in_order(opened: Opened) -> None:
    received: list[str] = []
    for newest in (5, 12):
        async with opened() as app:
            client = Fake([post(number, "@whales") for number in range(1, newest + 1)])
            door = Door(app, at_once=1, on_end=lambda run: received.append(str(run.input["text"])))
            await Telegram(app, door, client, ["@whales"]).once()
            await door.idle()
            assert client.history_calls == [("@whales", 0 if newest == 5 else 5)]
            assert await last(app) == newest
    assert received == [post(number).text for number in range(1, 13)]


async def test_a_flood_wait_is_waited_for_and_the_past_goes_on_from_there(app: App) -> None:
    client = Fake([post(number) for number in range(1, 8)])
    client.troubles = {
        "newest": [RateLimited(retry_after=7)],
        "history after 3": [RateLimited(retry_after=42)],
    }
    door, pauses = Door(app), Pauses()
    await Telegram(app, door, client, ["whales"], pauses).once()
    await door.idle()
    assert pauses.seconds == [7, 42]
    assert door.counts.new == 7
    assert len(await numbers(app)) == 7


async def test_a_broken_connection_is_made_again_later_each_time_and_nothing_is_lost(
    app: App,
) -> None:
    client = Fake([post(1)])
    client.troubles = {"connect": [NetworkDown(), NetworkDown(), NetworkDown()]}
    door, pauses = Door(app), Pauses()
    source = Telegram(app, door, client, ["whales"], pauses)
    client.say(post(2))
    client.coming.put_nowait(NetworkDown("outside.telegram_gone"))
    client.posts.append(post(3))  # said while nobody listened
    await listened(source, 3, door)
    assert pauses.seconds == [1, 2, 4, 1]
    assert client.connections == 5
    assert len(await numbers(app)) == 3
    assert await last(app) == 3


async def test_a_flood_wait_while_live_is_honoured(app: App) -> None:
    client = Fake([post(1)])
    door, pauses = Door(app), Pauses()
    client.coming.put_nowait(RateLimited(retry_after=33))
    client.say(post(2))
    await listened(Telegram(app, door, client, ["whales"], pauses), 2, door)
    assert pauses.seconds == [33]
    assert door.counts.new == 2


async def test_out_of_order_again_and_late_each_post_is_one_message(app: App) -> None:
    client = Fake([post(1)])
    door = Door(app)
    client.say(post(3), post(2), post(3), post(1), post(4), post(4))
    await listened(Telegram(app, door, client, ["whales"], Pauses()), 4, door)
    assert len(await numbers(app)) == 4
    assert door.counts.new == 4
    assert await last(app) == 4


async def test_a_gap_is_looked_into_and_filled_from_the_channel(app: App) -> None:
    client = Fake([post(1)])
    door = Door(app)
    source = Telegram(app, door, client, ["whales"], Pauses())
    await source.once()
    client.posts += [post(2), post(3)]  # never heard live
    client.say(post(5))  # 4 was deleted
    await listened(source, 4, door)
    assert len(await numbers(app)) == 4
    assert ("whales", 1) in client.history_calls
    assert await last(app) == 5


async def test_an_edit_that_says_something_else_is_a_message_and_one_that_does_not_is_a_sighting(
    app: App,
) -> None:
    text = "USDC depegs to $0.88 after Silicon Valley Bank collapse"
    client = Fake([post(1, text=text)])
    door = Door(app)
    client.say(post(1, text=f"{text}!", edited_at=AT + timedelta(hours=1)))
    other = "Correction: USDC holds its peg, Circle says"
    client.say(post(1, text=other, edited_at=AT + timedelta(hours=2)))
    await listened(Telegram(app, door, client, ["whales"], Pauses()), 2, door)
    assert await numbers(app) == sorted([text, other])
    assert door.counts.repeated == {"hash": 1}
    assert await last(app) == 1  # an edit moves nothing


async def test_media_come_along_and_a_picture_without_words_is_no_message(app: App) -> None:
    picture = Post(
        channel="whales", number=1, text="", at=AT, media_urls=("https://t.me/whales/1",)
    )
    client = Fake([picture, post(2, media_urls=("https://t.me/whales/2",))])
    door = Door(app)
    await Telegram(app, door, client, ["whales"]).once()
    await door.idle()
    (run,) = await app.runs.recent(10, "verify")
    assert run.input["media_urls"] == ["https://t.me/whales/2"]
    assert await last(app) == 2


async def test_a_channel_that_cannot_be_read_is_named_and_stops_no_other(app: App) -> None:
    client = Fake([post(1, "desk")])
    client.troubles = {"newest": [InputError("no such channel")]}
    door = Door(app)
    source = Telegram(app, door, client, ["nowhere", "desk"])
    await source.once()
    await door.idle()
    assert source.broken == {"nowhere": "no such channel"}
    assert door.counts.new == 1


async def test_who_is_not_signed_in_is_told_so(app: App) -> None:
    client = Fake([])
    client.troubles = {"connect": [AuthRejected("Nobody is signed in to Telegram here.")]}
    with pytest.raises(AuthRejected):
        await Telegram(app, Door(app), client, ["whales"], Pauses()).listen()


# --- Telethon --------------------------------------------------------------------------------


def settings_for(home: Path, **more: Any) -> Settings:
    given = {"home": str(home), **{name.replace("__", "."): value for name, value in more.items()}}
    return Settings.load(given, cwd=home, env={"HOME": str(home)}).settings


def test_without_an_application_or_telethon_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SettingsError) as unset:
        telethon_client(settings_for(tmp_path))
    assert "api_id" in unset.value.hint
    monkeypatch.setitem(sys.modules, "telethon", cast(Any, None))
    keys = {"intake__telegram__api_id": 7, "intake__telegram__api_hash": "h4sh"}
    with pytest.raises(MissingExtra) as missing:
        telethon_client(settings_for(tmp_path, **keys))
    assert missing.value.hint == "pip install 'groundwire[telegram]'"


class _RPCError(Exception):
    seconds = 0


class _FloodError(_RPCError):
    seconds = 17


class _Other(_RPCError): ...


class _Unauthorized(_RPCError): ...


class _Server(_RPCError): ...


class FakeTelethon:
    """The part of Telethon's client that we use, under its names."""

    def __init__(self, session: str, api_id: int, api_hash: str, **more: Any) -> None:
        self.given = (session, api_id, api_hash, more)
        self.handlers: list[Any] = []
        self.authorized = True
        self.trouble: Exception | None = None
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def connect(self) -> None:
        if self.trouble:
            raise self.trouble

    async def disconnect(self) -> None: ...

    async def is_user_authorized(self) -> bool:
        return self.authorized

    @property
    def disconnected(self) -> asyncio.Future[None]:
        return self.ended

    def add_event_handler(self, handler: Any, event: Any) -> None:
        self.handlers.append(handler)

    async def get_peer_id(self, name: str | int) -> int:
        if name == "nowhere":
            raise ValueError("Cannot find any entity")
        return -100

    async def get_messages(self, name: str, limit: int) -> list[Any]:
        return [self.message(9)]

    async def iter_messages(self, name: str, *, min_id: int, reverse: bool) -> AsyncIterator[Any]:
        assert reverse  # oldest first
        for number in range(min_id + 1, 10):
            yield self.message(number)

    def message(self, number: int, **more: Any) -> Any:
        values = {
            "id": number,
            "message": f"post {number}",
            "date": AT,
            "edit_date": None,
            "post_author": None,
            "photo": object() if number == 9 else None,
            "document": None,
            "web_preview": SimpleNamespace(url="https://a.example/page") if number == 8 else None,
        }
        return SimpleNamespace(**{**values, **more})


@pytest.fixture
def telethon(monkeypatch: pytest.MonkeyPatch) -> None:
    library: Any = ModuleType("telethon")
    library.TelegramClient = FakeTelethon
    errors: Any = ModuleType("telethon.errors")
    errors.RPCError, errors.FloodError = _RPCError, _FloodError
    errors.UnauthorizedError = errors.AuthKeyError = _Unauthorized
    errors.ServerError = errors.TimedOutError = _Server
    events: Any = ModuleType("telethon.events")
    events.NewMessage = events.MessageEdited = SimpleNamespace
    for name, module in (("", library), (".errors", errors), (".events", events)):
        monkeypatch.setitem(sys.modules, f"telethon{name}", module)


def made(home: Path) -> tuple[TelethonClient, FakeTelethon]:
    keys = {"intake__telegram__api_id": 7, "intake__telegram__api_hash": "h4sh"}
    client = telethon_client(settings_for(home, **keys))
    return client, cast(FakeTelethon, client._client)  # pyright: ignore[reportPrivateUsage]


async def test_the_session_lies_in_the_data_folder_for_its_owner_only(
    tmp_path: Path, telethon: None
) -> None:
    _, fake = made(tmp_path)
    session, api_id, api_hash, more = fake.given
    assert (api_id, api_hash) == (7, "h4sh")
    assert Path(session) == tmp_path / "telegram.session"
    assert stat.S_IMODE(Path(session).stat().st_mode) == 0o600
    assert more["sequential_updates"] is True


async def test_posts_of_telethon_come_with_their_words_times_and_media(
    tmp_path: Path, telethon: None
) -> None:
    client, fake = made(tmp_path)
    await client.connect(["@whales", "nowhere"])
    assert await client.newest("@whales") == 9
    found = [each async for each in client.history("@whales", 7)]
    assert [each.number for each in found] == [8, 9]
    assert found[0].media_urls == ("https://a.example/page",)
    assert found[1].media_urls == ("https://t.me/whales/9",)
    new, edited = fake.handlers
    await new(SimpleNamespace(chat_id=-100, message=fake.message(10)))
    await new(SimpleNamespace(chat_id=-5, message=fake.message(99)))  # of another chat
    changed = fake.message(10, message="changed", edit_date=AT + timedelta(hours=1))
    await edited(SimpleNamespace(chat_id=-100, message=changed))
    assert client.waiting()
    assert [(await client.live()).edited_at for _ in range(2)] == [None, AT + timedelta(hours=1)]
    fake.ended.set_result(None)
    with pytest.raises(NetworkDown):
        await client.live()


async def test_a_new_connection_forgets_the_end_of_the_old_one(
    tmp_path: Path, telethon: None
) -> None:
    client, fake = made(tmp_path)
    await client.connect(["@whales"])
    await fake.handlers[0](SimpleNamespace(chat_id=-100, message=fake.message(10)))
    fake.ended.set_result(None)
    await asyncio.sleep(0)
    fake.ended = asyncio.get_running_loop().create_future()
    await client.connect(["@whales"])
    assert (await client.live()).number == 10
    assert not client.waiting()
    assert len(fake.handlers) == 2


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        (_FloodError(), RateLimited),
        (_Unauthorized("x"), AuthRejected),
        (_Server("x"), NetworkDown),
        (ConnectionError("x"), NetworkDown),
        (OSError("x"), NetworkDown),
        (TimeoutError("x"), NetworkDown),
        (_Other("x"), InputError),
        (ValueError("x"), InputError),
    ],
)
async def test_errors_of_telethon_become_ours(
    tmp_path: Path, telethon: None, trouble: Exception, kind: type[Exception]
) -> None:
    client, fake = made(tmp_path)
    fake.trouble = trouble
    with pytest.raises(kind) as raised:
        await client.connect(["@whales"])
    if isinstance(raised.value, RateLimited):
        assert raised.value.retry_after == 17


async def test_nobody_signed_in_is_told_how(tmp_path: Path, telethon: None) -> None:
    client, fake = made(tmp_path)
    fake.authorized = False
    with pytest.raises(AuthRejected) as refused:
        await client.connect(["@whales"])
    assert refused.value.hint == "gw listen --sign-in"
