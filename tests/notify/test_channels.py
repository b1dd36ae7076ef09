"""Channels: what each sends, within its limits, to real servers that may refuse."""

from __future__ import annotations

import base64
import email
import email.policy
import hashlib
import hmac
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from groundwire.app import App, open_app
from groundwire.errors import InputError, OutsideFailure, SettingsError, UnknownName
from groundwire.jobs.sections import Settings
from groundwire.model.outbox import Letter, Notice, Parcel, Subscriber, parcel
from groundwire.model.run import NewRun
from groundwire.notify.channel import Outgoing
from groundwire.notify.dispatch import channel, subscriber_of
from groundwire.versions import versions
from groundwire.words import words

AT = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
TOKEN = "abc-t0ken-of-tests"
LETTER = Letter(
    title="DeepSeek：API 输入价格 0.27 → 0.14 美元",
    lines=(
        "之前：每百万 token 0.27 美元（财联社，3 个来源）",
        "Now: $0.14, says <DeepSeek> & two others <!channel> @all",
    ),
)


@dataclass
class Sink:
    """A server that answers as scripted, and records what it was sent."""

    url: str = ""
    answers: list[tuple[int, dict[str, Any] | str, dict[str, str]]] = field(
        default_factory=list[tuple[int, "dict[str, Any] | str", dict[str, str]]]
    )
    got: list[tuple[str, dict[str, str], dict[str, Any]]] = field(
        default_factory=list[tuple[str, dict[str, str], dict[str, Any]]]
    )

    def answer(self, status: int = 200, body: dict[str, Any] | str = "", **headers: str) -> None:
        self.answers.append((status, body, headers))


@pytest.fixture
def sink() -> Iterator[Sink]:
    kept = Sink()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            kept.got.append((self.path, headers, json.loads(body)))
            status, said, more = kept.answers.pop(0) if kept.answers else (200, "ok", {})
            data = (said if isinstance(said, str) else json.dumps(said)).encode()
            self.send_response(status)
            for name, value in more.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    kept.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield kept
    server.shutdown()
    server.server_close()


@asynccontextmanager
async def desk(home: Path, **notify: dict[str, object]) -> AsyncIterator[App]:
    given: dict[str, object] = {
        "home": str(home),
        "search.chain": "archive",
        "desk.url": "https://desk.example",
        **{f"notify.{name}.{key}": v for name, each in notify.items() for key, v in each.items()},
    }
    async with open_app(Settings.load(given, cwd=home, env={"HOME": str(home)})) as app:
        yield app


async def deliver(app: App, to: Subscriber, *, tries: int = 0) -> Parcel:
    """Deliver one parcel of a run, as the outbox does."""
    now = app.clock()
    given = {"tool": "search", "arguments": {"query": "x"}}
    await app.store.runs.create(
        NewRun(
            id=f"tool-{tries}", kind="tool", input=given, settings={}, now=now, seed="00",
            versions=versions(), created_at=now,
        )
    )  # fmt: skip
    lease = await app.store.runs.claim(f"tool-{tries}", "w", now, now.replace(year=2100))
    assert lease is not None
    notice = Notice(kind="watch", content={"changes": []}, letter=LETTER)
    made = parcel(lease.run_id, lease.attempt, notice, to, AT).model_copy(update={"tries": tries})
    assert app.outside.dispatch is not None
    await app.outside.dispatch.deliver(made, lease)
    return made


CHANNELS: dict[str, dict[str, object]] = {
    "slack": {"token": TOKEN},
    "feishu": {"token": TOKEN, "secret": "s3cret"},
    "dingtalk": {"token": TOKEN, "secret": "s3cret"},
    "wecom": {"token": TOKEN},
    "telegram": {"token": TOKEN, "chats": ("-100123", "@desk_zh")},
    "ntfy": {"token": TOKEN, "topic": "desk"},
}


@pytest.mark.parametrize("name", CHANNELS)
async def test_a_letter_arrives_whole_with_its_link_and_its_id(
    name: str, sink: Sink, tmp_path: Path
) -> None:
    async with desk(tmp_path, **{name: {**CHANNELS[name], "base_url": sink.url}}) as app:
        assert app.outside.dispatch is not None
        to = app.outside.dispatch.subscribers()[0]
        sent = await deliver(app, to)
    ((path, headers, body),) = sink.got
    written = json.dumps(body, ensure_ascii=False)
    assert TOKEN in f"{path} {headers}"
    for part in (LETTER.title, LETTER.lines[0], f"/runs/{sent.run_id}", sent.id):
        assert part in written


async def test_a_page_cannot_mention_everybody(sink: Sink, tmp_path: Path) -> None:
    """What means something to a service is written so that it means nothing."""
    told: dict[str, str] = {}
    for name in ("slack", "wecom"):
        async with desk(tmp_path, **{name: {**CHANNELS[name], "base_url": sink.url}}) as app:
            await deliver(app, Subscriber(channel=name, name="desk"), tries=len(told))
        told[name] = json.dumps(sink.got[-1][2], ensure_ascii=False)
    assert "&lt;!channel&gt;" in told["slack"] and "<" not in told["slack"]
    assert "＜!channel>" in told["wecom"] and "<" not in told["wecom"]


def outgoing(name: str, letter: Letter = LETTER) -> tuple[str, dict[str, Any]]:
    notice = Notice(kind="watch", content={}, letter=letter)
    made = parcel("watch-1", 1, notice, Subscriber(channel=name, name="-1"), AT)
    sent = channel(name, {name: CHANNELS[name]}).outgoing(made, AT, "https://d.example/runs/1")
    assert isinstance(sent, Outgoing)
    return sent.url, json.loads(sent.body)


def test_chat_services_of_china_are_signed_as_they_document_it() -> None:
    stamp = int(AT.timestamp())
    _, body = outgoing("feishu")
    code = hmac.new(f"{stamp}\ns3cret".encode(), b"", hashlib.sha256).digest()
    assert (body["timestamp"], body["sign"]) == (str(stamp), base64.b64encode(code).decode())
    url, _ = outgoing("dingtalk")
    query = {key: found[0] for key, found in parse_qs(urlsplit(url).query).items()}
    signed = hmac.new(b"s3cret", f"{stamp}000\ns3cret".encode(), hashlib.sha256).digest()
    assert query["timestamp"] == f"{stamp}000"
    assert query["sign"] == base64.b64encode(signed).decode()


_LONG = {
    "slack": lambda body: len(body["text"]) <= 4_000,
    "feishu": lambda body: len(json.dumps(body, ensure_ascii=False).encode()) <= 20_480,
    "dingtalk": lambda body: len(body["text"]["content"].encode()) <= 20_000,
    "wecom": lambda body: len(body["text"]["content"].encode()) <= 2_048,
    "telegram": lambda body: len(body["text"].encode("utf-16-le")) <= 2 * 4_096,
    "ntfy": lambda body: len(body["message"].encode()) <= 4_096,
}


@pytest.mark.parametrize("name", _LONG)
@pytest.mark.parametrize("line", ["变化 😀 & <b>", "one changed claim "])
def test_a_long_letter_is_cut_at_a_line_and_keeps_link_and_id(name: str, line: str) -> None:
    _, body = outgoing(name, Letter(title="标题 title " * 40, lines=(line * 30,) * 400))
    written = json.dumps(body, ensure_ascii=False)
    assert _LONG[name](body)
    assert "…" in written and "out_" in written and "https://d.example/runs/1" in written


_REFUSALS: dict[str, tuple[int, dict[str, Any] | str, str, float | None]] = {
    "slack": (404, "no_service", "bad_request", None),
    "feishu": (200, {"code": 19021, "msg": "sign match fail"}, "bad_request", None),
    "dingtalk": (200, {"errcode": 130101, "errmsg": "send too fast"}, "rate_limit", None),
    "wecom": (200, {"errcode": 93000, "errmsg": "invalid webhook url"}, "bad_request", None),
    "telegram": (
        429,
        {"ok": False, "error_code": 429, "description": "Too Many", "parameters": {"retry_after": 7}},
        "rate_limit",
        7.0,
    ),
    "ntfy": (401, {"error": "unauthorized"}, "auth", None),
}  # fmt: skip


@pytest.mark.parametrize("name", _REFUSALS)
async def test_a_refusal_is_a_failure_whatever_its_status(
    name: str, sink: Sink, tmp_path: Path
) -> None:
    status, said, code, wait = _REFUSALS[name]
    sink.answer(status, said)
    async with desk(tmp_path, **{name: {**CHANNELS[name], "base_url": sink.url}}) as app:
        with pytest.raises(OutsideFailure) as failure:
            await deliver(app, Subscriber(channel=name, name="-100123"))
        assert failure.value.code == code
        if wait is not None:
            assert failure.value.retry_after == wait
        assert TOKEN not in str(failure.value.kept)
        (record,) = await app.store.ledger.records("tool-0")
        assert record.outcome == "failed"
        assert TOKEN not in record.model_dump_json()
        if code == "auth":  # a wrong key stays wrong: it is left alone for a while
            return
        await deliver(app, Subscriber(channel=name, name="-100123"), tries=1)
    assert len(sink.got) == 2


async def test_two_channels_of_one_kind_and_one_that_only_subscriptions_reach(
    sink: Sink, tmp_path: Path
) -> None:
    team = {"kind": "slack", "token": "t1", "base_url": sink.url}
    quiet = {"kind": "slack", "token": "t2", "base_url": sink.url, "everything": False}
    async with desk(tmp_path, team=team, quiet=quiet) as app:
        assert app.outside.dispatch is not None
        assert app.outside.dispatch.subscribers() == (Subscriber(channel="team", name="desk"),)
        await deliver(app, subscriber_of("quiet", app.settings.notify))
    assert [path for path, _, _ in sink.got] == ["/t2"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("webhook:https://x.example/a:b?c=1", ("webhook", "https://x.example/a:b?c=1")),
        ("telegram:-100123", ("telegram", "-100123")),
        ("telegram:@desk_zh", ("telegram", "@desk_zh")),
        ("mail: li@example.org", ("mail", "li@example.org")),
        ("slack", ("slack", "desk")),
        ("ntfy:alerts", ("ntfy", "alerts")),
    ],
)
def test_subscribers_are_written_as_channel_and_address(text: str, found: tuple[str, str]) -> None:
    settings = {**CHANNELS, "mail": {"host": "smtp.example", "sender": "desk@example.org"}}
    made = subscriber_of(text, settings)
    assert (made.channel, made.name) == found


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("webhook:ftp://x.example", InputError),
        ("webhook", InputError),  # the settings name no address
        ("telegram:somebody", InputError),
        ("telegram", InputError),
        ("mail:no address", InputError),
        ("mail:a@x.example\nBcc: all@x.example", InputError),
        ("slack:general", InputError),
        ("ntfy:a/b", InputError),
        ("feishu", SettingsError),  # not set up
        ("slak", UnknownName),
        ("", UnknownName),
    ],
)
def test_whom_no_channel_serves_is_refused(text: str, error: type[Exception]) -> None:
    settings = {name: CHANNELS[name] for name in ("slack", "telegram")}
    settings["mail"] = {"host": "smtp.example", "sender": "desk@example.org"}
    with pytest.raises(error):
        subscriber_of(text, settings)


@pytest.mark.parametrize(
    ("given", "sentences"),
    [
        ({}, ("the setting notify.telegram.token is missing", "缺少设置 notify.telegram.token",
              "缺少設定 notify.telegram.token")),
        ({"token": "t", "timeout": 90}, ("notify.telegram.timeout: a value of at most 60",
              "notify.telegram.timeout：不大于 60 的值", "notify.telegram.timeout：不大於 60 的值")),
    ],
)  # fmt: skip
def test_what_a_channels_settings_lack_is_said_in_words(
    given: dict[str, object], sentences: tuple[str, ...]
) -> None:
    with pytest.raises(SettingsError) as refusal:
        channel("telegram", {"telegram": given})
    said = {each: words(each).stored(refusal.value.kept) for each in ("en", "zh", "zh-Hant")}
    assert tuple(said.values()) == sentences


async def test_a_subscribers_address_is_no_way_into_the_private_network(
    sink: Sink, tmp_path: Path
) -> None:
    """What the settings trust is trusted for the settings' own address only."""
    async with desk(tmp_path, webhook={"url": sink.url}) as app:
        await deliver(app, Subscriber(channel="webhook", name="desk"))
        with pytest.raises(OutsideFailure) as failure:
            await deliver(app, Subscriber(channel="webhook", name=f"{sink.url}/x"), tries=1)
    assert failure.value.code == "address"
    assert len(sink.got) == 1


async def test_what_was_taken_with_a_long_answer_is_delivered(sink: Sink, tmp_path: Path) -> None:
    async with desk(tmp_path, webhook={"url": sink.url}) as app:
        sink.answer(200, "x" * 6_000_000)
        await deliver(app, Subscriber(channel="webhook", name="desk"))
        sink.answer(503, "x" * 6_000_000)
        with pytest.raises(OutsideFailure, match="503"):
            await deliver(app, Subscriber(channel="webhook", name="desk"), tries=1)
    assert len(sink.got) == 2


async def test_a_channel_that_was_taken_out_of_the_settings_is_a_failed_try(tmp_path: Path) -> None:
    async with desk(tmp_path) as app:
        with pytest.raises(OutsideFailure):
            await deliver(app, Subscriber(channel="telegram", name="-1"))


# --- mail ------------------------------------------------------------------------------------


class Mailbox:
    """An SMTP server that keeps what it is sent, and refuses as scripted."""

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.refuses = ""

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, to: str, _: Any) -> str:
        if self.refuses:
            return self.refuses
        envelope.rcpt_tos.append(to)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        self.kept.append(envelope)
        return "250 OK"


@pytest.fixture
def mailbox() -> Iterator[tuple[Mailbox, dict[str, object]]]:
    kept = Mailbox()

    def knows(
        _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any
    ) -> AuthResult:
        right = (data.login, data.password) == (b"desk@example.org", b"p4ss")
        return AuthResult(success=right, handled=False)

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = Controller(kept, "127.0.0.1", port, authenticator=knows, auth_require_tls=False)
    server.start()
    options = {
        "host": "127.0.0.1",
        "port": port,
        "security": "none",
        "sender": "desk@example.org",
        "password": "p4ss",
        "to": "li@example.org, wang@example.org",
    }
    yield kept, options
    server.stop()


async def test_a_mail_has_a_stable_id_and_can_be_read(
    mailbox: tuple[Mailbox, dict[str, object]], tmp_path: Path
) -> None:
    kept, options = mailbox
    async with desk(tmp_path, mail=options) as app:
        assert app.outside.dispatch is not None
        names = [each.name for each in app.outside.dispatch.subscribers()]
        assert names == ["li@example.org", "wang@example.org"]
        sent = await deliver(app, app.outside.dispatch.subscribers()[0])
    (envelope,) = kept.kept
    assert envelope.rcpt_tos == ["li@example.org"]
    message = email.message_from_bytes(envelope.content, policy=email.policy.default)
    assert message["Subject"] == LETTER.title
    assert message["Message-ID"] == f"<{sent.id}.1@groundwire.invalid>"
    text = message.get_content()
    assert LETTER.lines[1] in text and f"https://desk.example/runs/{sent.run_id}" in text


@pytest.mark.parametrize(
    ("refuses", "password", "code"),
    [
        ("550 no such user", "p4ss", "bad_request"),
        ("451 greylisted, come again", "p4ss", "server"),
        ("", "wrong", "auth"),
    ],
)
async def test_a_mail_server_that_refuses_is_a_failure(
    refuses: str,
    password: str,
    code: str,
    mailbox: tuple[Mailbox, dict[str, object]],
    tmp_path: Path,
) -> None:
    kept, options = mailbox
    kept.refuses = refuses
    async with desk(tmp_path, mail={**options, "password": password}) as app:
        with pytest.raises(OutsideFailure) as failure:
            await deliver(app, Subscriber(channel="mail", name="li@example.org"))
    assert failure.value.code == code
    assert kept.kept == []


async def test_a_mail_server_that_is_down_is_a_failure(tmp_path: Path) -> None:
    options = {"host": "127.0.0.1", "port": 9, "security": "none", "sender": "desk@example.org"}
    async with desk(tmp_path, mail=options) as app:
        with pytest.raises(OutsideFailure) as failure:
            await deliver(app, Subscriber(channel="mail", name="li@example.org"))
    assert failure.value.code == "network"
