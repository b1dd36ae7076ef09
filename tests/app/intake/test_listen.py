"""`gw listen`: heartbeat, signals as they come, one look, a clean stop, and kill -9 at every stage."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import pytest

from groundwire.app import App
from groundwire.app.intake.arrivals import arrival
from groundwire.app.intake.door import Counts, Door
from groundwire.app.intake.listening import HEARTBEAT, Beat, Listener
from groundwire.doors.cli.listening import beat_line
from groundwire.doors.cli.reader import set_language
from groundwire.errors import InputError
from groundwire.report.tokens import SHAPES
from groundwire.words import words
from tests import nursery
from tests.app.additions.site import Site
from tests.signals import listening

from .conftest import Opened
from .test_feed_source import ITEMS, RSS, rss

ROOT = Path(__file__).parents[3]
LINES = (
    "USDC depegs to $0.88 after Silicon Valley Bank collapse",
    "市议会讨论新的公园长椅",
    "某交易所遭黑客攻擊，損失四千萬美元",
    "The bridge over the river Aske was opened in May",
)


class Filled:
    """A source that brings the given messages, and then waits or ends."""

    def __init__(self, door: Door, app: App, texts: Sequence[str], *, ends: bool) -> None:
        self._door, self._app, self._texts, self._ends = door, app, texts, ends
        self.broken: Mapping[str, str] = {}

    async def listen(self) -> None:
        await self.once()
        if not self._ends:
            await asyncio.Event().wait()

    async def once(self) -> None:
        for text in self._texts:
            await self._door.take([arrival(text, self._app.clock(), source="feed:x")])


async def test_a_heartbeat_comes_every_minute_and_at_the_end(app: App) -> None:
    beats: list[Beat] = []
    pauses: list[float] = []
    door = Door(app)

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            stop.set()
            await asyncio.Event().wait()
        while door.counts.signals < len(LINES):
            await asyncio.sleep(0.01)

    stop = asyncio.Event()
    source = Filled(door, app, LINES, ends=False)
    done = await Listener(app, door, [source], beats.append, sleep).run(stop)
    assert not done
    assert pauses == [HEARTBEAT] * 3
    assert len(beats) == 3
    assert beats[-1].counts.received == 4


async def test_it_ends_by_itself_when_no_source_can_bring_more(app: App) -> None:
    door = Door(app)
    beats: list[Beat] = []
    source = Filled(door, app, LINES, ends=True)
    assert await Listener(app, door, [source], beats.append).run(asyncio.Event())
    assert beats[-1].counts.signals == 4
    assert beats[-1].in_flight == 0


async def test_what_was_received_before_a_stop_goes_on_at_the_next_start(opened: Opened) -> None:
    async with opened() as app:
        door = Door(app, at_once=1)
        stop = asyncio.Event()
        source = Filled(door, app, LINES, ends=False)
        stop.set()  # told to stop before anything ended
        await Listener(app, door, [source], lambda _: None).run(stop)
        await Door(app).receive([arrival(text, app.clock(), source="feed:y") for text in LINES])
    async with opened() as app:
        received: list[str] = []
        door = Door(app, on_end=lambda run: received.append(str(run.input["text"])))
        assert await Listener(app, door, [], lambda _: None).run(asyncio.Event())
        assert sorted(received) == sorted(LINES)


def test_the_heartbeat_names_what_came_and_what_is_broken() -> None:
    counts = Counts(received=20, new=9, known=2)
    counts.repeated.update(exact=3, near=1)
    counts.turned_away["it says 'x'"] = 5
    counts.ended.update(plain=5, deep=2, duplicate=1, failed=1)
    line = beat_line(Beat(counts, 3, {"https://a.example/rss": "The page is gone."}, 12_300))
    assert line == (
        "received 20 · new 9 · turned away 5 · known 2 · duplicates 5 (exact 3; near 1; signal 1)"
        " · gated out 5 · deep 2 · signals 8 · in flight 3"
        " · failures 2 (https://a.example/rss: The page is gone.) · $0.0123 today"
    )


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("zh", "收到 3 · 新 2 · 重复 1（相同 1） · 未过门槛 0 · 深入 0 · 信号 0 · 进行中 1"
               " · 失败 1（whales：{why}） · 今日 $0.0000"),
        ("zh-Hant", "收到 3 · 新 2 · 重複 1（相同 1） · 未過門檻 0 · 深入 0 · 訊號 0 · 進行中 1"
                    " · 失敗 1（whales：{why}） · 今日 $0.0000"),
    ],
)  # fmt: skip
def test_the_heartbeat_is_said_in_the_language_of_the_desk(language: str, line: str) -> None:
    counts = Counts(received=3, new=2)
    counts.repeated.update(exact=1)
    counts.ended.update(plain=0, deep=0)
    broken = {"whales": InputError("error.no_file", name="x").kept}
    why = words(language)("error.no_file", name="x")
    set_language(language)
    try:
        assert beat_line(Beat(counts, 1, broken, 0)) == line.format(why=why)
    finally:
        set_language("auto")


# --- the command -----------------------------------------------------------------------------


def environment(home: Path, **more: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join([str(ROOT), *(path for path in sys.path if path)]),
        "HOME": str(home),
        "GROUNDWIRE_HOME": str(home / "data"),
        "GROUNDWIRE_SEARCH__CHAIN": "archive",
        "GROUNDWIRE_TOOLS__PRICE__ENABLED": "false",
        "GROUNDWIRE_TOOLS__ONCHAIN__ENABLED": "false",
        **more,
    }


def gw(home: Path, *args: str, given: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "groundwire", *args]
    return nursery.run(command, given, env=environment(home, **env), text=True)


def signals_in(home: Path) -> Counter[str]:
    """Count the signals of each message, by its text."""
    with sqlite3.connect(home / "data" / "groundwire.db") as base:
        rows = base.execute(
            "SELECT m.text FROM messages m JOIN signals s ON s.message_id = m.id"
        ).fetchall()
    base.close()
    return Counter(text for (text,) in rows)


def test_one_look_at_everything_gives_a_line_a_signal_and_ends(tmp_path: Path, site: Site) -> None:
    url = site.give("/rss", rss(ITEMS), RSS)
    result = gw(
        tmp_path,
        *("listen", "--once", "--stdin", "--json", "--feed", url, "--feed", f"{site.url}/missing"),
        given=f"{LINES[0]}\n{LINES[0].upper()}!\nnot {{json\n" + '{"text": ""}\n',
        GROUNDWIRE_FETCH__ALLOW_PRIVATE="127.0.0.0/8",
        GROUNDWIRE_FETCH__ALLOW_PORTS=site.port,
    )
    assert result.returncode == 1, result.stderr  # one feed is missing, one line is no message
    signals = [json.loads(line) for line in result.stdout.splitlines()]
    assert {each["message"]["source"] for each in signals} == {f"feed:{url}", "stdin"}
    assert len(signals) == 5
    assert "line 4: it has no text" in result.stderr
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("received 6 · new 5 · duplicates 1 (hash 1)")
    assert "/missing: " in last
    again = gw(tmp_path, "listen", "--once", "--stdin", given=LINES[0])
    assert (again.returncode, again.stdout) == (0, "")
    assert "known 1" in again.stderr


def test_a_line_that_is_no_message_is_named_and_the_next_has_its_columns(tmp_path: Path) -> None:
    given = f"{'x' * 20_001}\n{LINES[0]}\n"
    result = gw(tmp_path, "listen", "--once", "--stdin", given=given)
    assert result.returncode == 1
    assert "line 1: verify: text is too long" in result.stderr
    verdict, confidence, event, flags, run, source, text = result.stdout.rstrip("\n").split("\t")
    assert verdict in SHAPES
    assert 0 <= float(confidence) <= 1
    assert (event, source) == ("depeg", "stdin")
    assert flags and run.startswith("verify-")
    assert "USDC" in text


@pytest.mark.parametrize(
    ("args", "env", "expected"),
    [
        (("listen",), {}, "there is nothing to listen to"),
        (
            ("listen", "--once"),
            {"GROUNDWIRE_INTAKE__TELEGRAM__CHANNELS": "@whales"},
            "Telegram needs an application of yours",
        ),
        (("listen",), {"GROUNDWIRE_INTAKE__FEEDS": "ftp://x"}, "addresses of feeds"),
        (("listen",), {"GROUNDWIRE_INTAKE__PRIORITY": "whales"}, "telegram:whales=0.5"),
        (("listen",), {"GROUNDWIRE_INTAKE__DENY": "币"}, "words of two characters"),
    ],
)
def test_what_cannot_be_listened_to_is_told_in_one_sentence(
    tmp_path: Path, args: Sequence[str], env: dict[str, str], expected: str
) -> None:
    done = gw(tmp_path, *args, **env)
    assert done.returncode == 2
    assert expected in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGTERM]
)
def test_a_signal_ends_it_cleanly_within_ten_seconds(
    tmp_path: Path, number: signal.Signals
) -> None:
    child = nursery.Popen(
        [sys.executable, "-m", "groundwire", "listen", "--stdin"],
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=listening,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write("\n".join(LINES).encode() + b"\n")
    child.stdin.flush()
    assert child.stdout.readline()  # it is at work
    began = time.monotonic()
    child.send_signal(number)
    _, err = child.communicate(timeout=60)
    assert time.monotonic() - began < 30  # ten, on a machine of its own
    assert child.returncode == 0, err
    assert b"received " in err
    result = gw(tmp_path, "listen", "--once", "--stdin", given="\n".join(LINES))
    assert result.returncode == 0, result.stderr
    assert signals_in(tmp_path) == dict.fromkeys(LINES, 1)


def test_a_feed_that_hangs_does_not_keep_it_from_ending(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        child = nursery.Popen(
            [sys.executable, "-m", "groundwire", "listen", "--feed", f"http://127.0.0.1:{port}/"],
            env=environment(
                tmp_path,
                GROUNDWIRE_FETCH__ALLOW_PRIVATE="127.0.0.0/8",
                GROUNDWIRE_FETCH__ALLOW_PORTS=str(port),
                GROUNDWIRE_FETCH__ROBOTS="false",
                GROUNDWIRE_FETCH__TIMEOUT="60",
            ),
            stderr=subprocess.PIPE,
            preexec_fn=listening,
        )
        asking, _ = server.accept()  # and never answered
        with asking:
            began = time.monotonic()
            child.send_signal(signal.SIGTERM)
            _, err = child.communicate(timeout=60)
    assert child.returncode == 0, err
    assert time.monotonic() - began < 30  # ten, on a machine of its own


STAGES = ("received", "submitted", "claimed", "opened", "noted", "finished")
# Stored and nothing else done; and one over while others are under way. The rest: `make slow`.
_SHORT = (("received", 1), ("finished", 3))


@pytest.mark.parametrize(
    ("stage", "at"),
    [
        pytest.param(*place, marks=() if place in _SHORT else pytest.mark.slow)
        for place in product(STAGES, (1, 3))
    ],
)
def test_kill_9_at_any_stage_loses_nothing_and_repeats_nothing(
    tmp_path: Path, stage: str, at: int
) -> None:
    command = [sys.executable, "-m", "tests.app.intake.dying", stage, str(at)]
    killed = nursery.run(command, "\n".join(LINES), env=environment(tmp_path), text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr[-2000:]
    # What was received is not sent again: the next start has only what was stored.
    with sqlite3.connect(tmp_path / "data" / "groundwire.db") as base:
        received = [text for (text,) in base.execute("SELECT text FROM messages")]
    base.close()
    assert received
    result = gw(tmp_path, "listen", "--once", "--stdin", "--json")
    assert result.returncode == 0, result.stderr
    assert signals_in(tmp_path) == dict.fromkeys(received, 1)
