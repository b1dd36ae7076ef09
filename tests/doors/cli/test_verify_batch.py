"""`gw verify` for many messages: lines in, signals out, each message exactly once."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.theme import Theme

from groundwire.app.submission import checked
from groundwire.doors.cli import render
from groundwire.doors.cli.batch import Batch, message_of, run_message
from groundwire.doors.cli.board import Board
from groundwire.doors.cli.inputs import Inputs, Lines, moment_of, zone_of
from groundwire.errors import InputError
from groundwire.jobs import find
from groundwire.jobs.verify.signal import Signal
from groundwire.model.message import Message, Receipt
from groundwire.model.run import Run, Versions
from groundwire.settings import Settings
from tests import nursery
from tests.made_signals import contradicted, supported
from tests.signals import listening

from .conftest import Gw

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
SOURCE = Path(__file__).parents[3] / "src"
RUMOURS = (
    "USDC depegs to $0.88 after Silicon Valley Bank collapse",
    "USDC 脱锚至0.88美元，Circle 在硅谷银行有33亿美元存款",
    "傳聞某交易所將上線一種新代幣",
)


def runs_in(home: Path) -> list[tuple[str, str]]:
    """Return id and state of every run of verify."""
    with sqlite3.connect(home / "groundwire.db") as base:
        found = base.execute("SELECT id, state FROM runs WHERE kind = 'verify'").fetchall()
    base.close()
    return found


JOB = find("verify")


def message_line(line: bytes) -> Message | None:
    """Read a line as a batch does."""
    given = Inputs(JOB, {}).read(line, NOW)
    return None if given is None else message_of(checked(JOB, given).model_dump(), NOW)


# --- lines -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("plain text", {"text": "plain text", "source": "cli", "language": "und"}),
        ("\ufeffwith a mark", {"text": "with a mark"}),
        ("[BREAKING] a bridge is drained", {"text": "[BREAKING] a bridge is drained"}),
        ('"quoted" text is text', {"text": '"quoted" text is text'}),
        ('{"text": "a\\nb", "source": "telegram:x"}', {"text": "a\nb", "source": "telegram:x"}),
        ('{"text": "脱锚", "language": "zh", "author": "甲"}', {"language": "zh", "author": "甲"}),
        ('{"text": "a", "zone": "UTC+8"}', {"zone": "Etc/GMT-8"}),
        ('{"text": "a", "other": [1]}', {"text": "a"}),
    ],
)
def test_a_line_is_a_message_as_text_or_as_an_object(
    line: str, expected: Mapping[str, Any]
) -> None:
    given = message_line(line.encode())
    assert given is not None
    assert {name: getattr(given, name) for name in expected} == expected


def test_the_id_is_the_senders_own_or_the_contents() -> None:
    def made(line: str) -> str:
        message = message_line(line.encode())
        return "" if message is None else message.id

    assert made('{"text": "a", "id": "7"}') == made('{"text": "b", "id": 7}')
    assert made('{"text": "a", "id": "7"}') != made('{"text": "a", "id": "7", "source": "s"}')
    assert made("a") == made('{"text": "a"}') != made("b")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"text": "a"', "no JSON object"),
        (b"{" + b'"a":{' * 5_000, "no JSON object"),
        (b'{"id": "7"}', "has no text"),
        (b'{"text": "  "}', "has no text"),
        ("\u200b".encode(), "is empty"),
        (b"]", "is empty"),
        (b'[{"text": "a"}]', "a list is no input"),
        (b'{"text": ["a"]}', "has no text"),
        (b'{"text": "a", "id": true}', "id is no text"),
        (b'{"text": "a", "published_at": "soon"}', "cannot be read: 'soon'"),
        (b'{"text": "a", "published_at": "2031-01-01"}', "still to come"),
        (b'{"text": "a", "zone": "Nowhere/City"}', "is no time zone"),
        (b'{"text": "a", "language": "en; drop"}', "is no language code"),
        (b'{"text": "\\ud800"}', "not valid UTF-8"),
        (b"\xff\xfe\xfa", "not UTF-8"),
        (b"x" * 20_001, "too long"),
        (b"x" * 400_000, "longer than"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_line_that_is_no_message_is_refused_in_one_sentence(line: bytes, why: str) -> None:
    with pytest.raises(InputError, match=why):
        message_line(line)


def test_after_an_object_every_line_is_one() -> None:
    inputs = Inputs(JOB, {})
    assert inputs.read(b'{"text": "a"}', NOW) is not None
    with pytest.raises(InputError, match="no JSON object"):
        inputs.read(b'"text": "the rest of a broken line"}', NOW)


def test_a_blank_line_is_nothing() -> None:
    assert message_line(b"  \r\n") is None


@pytest.mark.parametrize(
    ("written", "hours_ago"),
    [
        ("2026-11-16T09:00Z", 3),
        ("2026-11-16 17:00", 3),  # in the zone that was named
        ("3 hours ago", 3),
        ("3小时前", 3),
        ("3小時前", 3),
        ("今天下午5点", 3),
        ("Mon, 16 Nov 2026 17:00:00 +0800", 3),
        (NOW.timestamp() - 3 * 3600, 3),
        ("2026-11-16", 20),
    ],
)
def test_a_time_of_publication_is_read_as_people_and_programs_write_it(
    written: object, hours_ago: float
) -> None:
    at = moment_of(written, zone_of("Asia/Shanghai"), NOW)
    assert NOW - at == timedelta(hours=hours_ago)


class Counting(io.BytesIO):
    """A stream that counts how many lines were taken from it."""

    taken = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        self.taken += 1
        return super().readline(size)


async def test_lines_are_read_no_further_than_they_are_asked_for() -> None:
    stream = Counting(b"a\n" * 1_000)
    lines = Lines(stream)
    assert [await lines.next() for _ in range(3)] == [b"a\n"] * 3
    await asyncio.sleep(0.05)
    assert stream.taken == 3


async def test_a_line_without_end_is_dropped_piece_by_piece() -> None:
    lines = Lines(io.BytesIO(b"x" * 2_000_000 + b"\nnext\n"))
    first = await lines.next()
    assert first is not None
    assert len(first) < 300_000
    assert await lines.next() == b"next\n"
    assert await lines.next() is None


# --- many at once ----------------------------------------------------------------------------


class Desk:
    """An app with its door, whose runs end when they are told to; it knows how many were under way
    at once."""

    settings = Settings()

    def __init__(self, seconds: Mapping[str, float] | None = None) -> None:
        self.seconds = seconds or {}
        self.under_way = self.most = self.received = 0

    def clock(self) -> datetime:
        return NOW

    async def receive(self, messages: Sequence[Message]) -> Sequence[Receipt]:
        self.received += len(messages)
        return [Receipt(message=each, first_id=each.id) for each in messages]

    async def run_to_end(self, message: Message, _asked: object, _budget: object) -> Run:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(self.seconds.get(message.text, 0.001))
        self.under_way -= 1
        return made_run(message.text)


def made_run(text: str, **more: Any) -> Run:
    values: dict[str, Any] = {
        "id": f"verify-{text}",
        "kind": "verify",
        "input": {"text": text},
        "settings": {},
        "now": NOW,
        "seed": "s",
        "versions": Versions(code="c", prompts="p", data="d"),
        "created_at": NOW,
        "updated_at": NOW,
        "state": "complete",
        "result": supported().model_dump(mode="json"),
    }
    return Run(**{**values, **more})


async def ran(desk: Desk, text: bytes, at_once: int, capsys: pytest.CaptureFixture[str]) -> str:
    board = Board("en", JOB, as_json=False)
    starter = partial(run_message, cast(Any, desk), cast(Any, desk), None)
    batch = Batch(cast(Any, desk), JOB, starter, board, at_once)
    await batch.run(Lines(io.BytesIO(text)), Inputs(JOB, {}))
    return capsys.readouterr().out


async def test_no_more_are_under_way_than_were_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    desk = Desk()
    await ran(desk, b"".join(b"m%d\n" % at for at in range(50)), 3, capsys)
    assert desk.received == 50
    assert desk.most == 3


async def test_signals_come_in_the_order_of_their_messages(
    capsys: pytest.CaptureFixture[str],
) -> None:
    desk = Desk({"slow": 0.2})
    output = await ran(desk, b"slow\nquick\nquicker\n", 8, capsys)
    assert [line.split("\t")[-1] for line in output.splitlines()] == ["slow", "quick", "quicker"]


# --- the table -------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_on_a_terminal_rows_stay_within_its_width_and_totals_follow(
    monkeypatch: pytest.MonkeyPatch, width: int, language: str
) -> None:
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=True, color_system=None, theme=Theme(STYLES)
    )
    monkeypatch.setattr(render, "out", lambda: console)
    signals = [supported(), contradicted(language)]
    with Board(language, JOB, as_json=False, clock=lambda: 1.0) as board:
        for number, each in enumerate(signals, start=1):
            board.began(number, each.message.text)
            run = made_run(each.message.text, result=each.model_dump(mode="json"))
            board.done(number, run)
        board.bad(3, "the message is empty")
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", out.getvalue().replace("\r", "\n")).splitlines()
    rows = [line for line in lines if "0.71" in line or "0.20" in line]
    assert any("● supported" in row and "hack" in row and "$0.0123" in row for row in rows)
    assert any("✕" in row and "0.20" in row for row in rows)
    assert all(cell_len(line.rstrip()) <= width for line in rows)
    expected = "2 messages · $0.0246" if language == "en" else "2 条消息 · $0.0246"
    counted = "1 ● supported" if language == "en" else "1 ● 有据"
    assert any(expected in line and counted in line for line in lines[-3:])


STYLES = render.STYLES


# --- through the door ------------------------------------------------------------------------


def test_json_is_one_signal_a_line_in_the_order_of_the_input(gw: Gw) -> None:
    result = gw("verify", "-", "--json", given="\n".join(RUMOURS))
    signals = [Signal.model_validate_json(line) for line in result.out.splitlines()]
    assert result.code == 0, result.err
    assert result.err == ""
    assert [each.message.text for each in signals] == list(RUMOURS)


def test_bad_lines_are_named_stop_nothing_and_leave_nothing(gw: Gw) -> None:
    lines = [RUMOURS[0].encode(), b'{"text": ', b"", b'{"text": ""}', b"x" * 30_000, b"\xff"]
    result = gw("verify", "-", "--json", given=b"\n".join([*lines, RUMOURS[1].encode()]))
    assert result.code == 1
    assert len(result.out.splitlines()) == 2
    numbers = [line.split(":")[0] for line in result.err.splitlines() if line.startswith("line ")]
    assert numbers == ["line 2", "line 4", "line 5", "line 6"]
    assert len(runs_in(gw.home)) == 2


def test_the_same_file_again_verifies_nothing_twice(gw: Gw, tmp_path: Path) -> None:
    listed = tmp_path / "messages.jsonl"
    listed.write_text("\n".join(json.dumps({"text": text}) for text in RUMOURS))
    first = gw("verify", "--from", str(listed), "--json")
    again = gw("verify", "--from", str(listed), "--json")
    assert again.out == first.out
    assert len(runs_in(gw.home)) == len(RUMOURS)


def test_a_message_that_is_repeated_gets_the_signal_of_the_first(gw: Gw) -> None:
    lines = [{"text": RUMOURS[0], "source": "a"}, {"text": RUMOURS[0], "source": "b"}]
    result = gw("verify", "-", given="\n".join(json.dumps(each) for each in lines))
    first, second = (line.split("\t") for line in result.out.splitlines())
    assert result.code == 0, result.err
    assert first[6] == second[6]
    assert "duplicate:" in second[4]
    assert "duplicate:" not in first[4]
    assert len(runs_in(gw.home)) == 1


def test_in_a_pipe_each_signal_is_one_line_of_columns(gw: Gw) -> None:
    result = gw("verify", "-", given="\n".join(RUMOURS[:2]))
    lines = [line.split("\t") for line in result.out.splitlines()]
    assert [line[-1] for line in lines] == list(RUMOURS[:2])
    assert all(line[6].startswith("verify-") and 0 <= float(line[2]) <= 1 for line in lines)
    assert "2 messages" in result.err


def test_a_single_piped_message_gets_its_card(gw: Gw) -> None:
    result = gw("verify", given=RUMOURS[0])
    assert result.code == 0
    assert "Why " in result.out


def test_one_message_is_a_card_and_its_story(gw: Gw) -> None:
    result = gw("verify", RUMOURS[0], "--published-at", "2023-03-11T08:00Z", "--source", "desk")
    assert result.code == 0, result.err
    assert "run verify-" in result.err
    assert "impression: " in result.err
    assert RUMOURS[0] in " ".join(result.out.split())
    assert "gw feedback verify-" in result.out
    shown = json.loads(gw("show", "last", "--json").out)
    assert shown["message"]["source"] == "desk"
    assert shown["message"]["published_at"].startswith("2023-03-11T08:00")


def test_no_tools_is_a_first_impression(gw: Gw) -> None:
    signal = json.loads(gw("verify", RUMOURS[0], "--no-tools", "--json").out)
    assert signal["verdict"] == "unverified"
    assert "not_searched" in signal["risk_flags"]
    assert signal["confidence"] == signal["preliminary"]["confidence"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("verify", ""), "is empty"),
        (("verify", "a", "--published-at", "soon"), "cannot be read: 'soon'"),
        (("verify", "a", "--zone", "Nowhere"), "is no time zone"),
        (("verify", "a", "--from", "b"), "not both"),
        (("verify", "--from", "missing.jsonl"), "cannot be read"),
    ],
)
def test_what_cannot_be_verified_is_one_sentence_and_leaves_nothing(
    empty: Gw, args: tuple[str, ...], sentence: str
) -> None:
    result = empty(*args, given="")
    if args == ("verify", ""):
        assert result.out == ""  # nothing on stdin either
        return
    assert result.code == 2
    assert sentence in result.err
    assert "Traceback" not in result.err
    assert result.out == ""
    assert not (empty.home / "groundwire.db").exists()


def test_a_verified_run_exports_checks_and_replays(gw: Gw, tmp_path: Path) -> None:
    gw("verify", RUMOURS[0], "--json")
    assert RUMOURS[0] in gw("runs").out
    report = gw("export", "last", "-f", "md").out
    assert report.startswith("# ")
    assert "| --- | ---: | ---: | --- |" in report
    assert json.loads(gw("export", "last", "-f", "json").out)["waterfall"]
    assert gw("export", "last", "-f", "bundle", "-o", "b.zip").code == 0
    checked = gw("check", "b.zip", "--json")
    assert checked.code == 0, checked.out
    assert json.loads(checked.out)["quotes"] > 0
    replayed = gw("replay", "last")
    assert replayed.code == 0, replayed.out


# --- how it ends -----------------------------------------------------------------------------


def start(home: Path, place: Path, *args: str, stdin: int) -> subprocess.Popen[bytes]:
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(SOURCE),
        "HOME": str(place),
        "GROUNDWIRE_HOME": str(home),
        "GROUNDWIRE_OFFLINE": "1",
        "GROUNDWIRE_BUDGET__DAY_TOOL_CALLS": "1000",  # the day's limit is not what is tested
        "LANG": "C.UTF-8",
    }
    return nursery.Popen(
        [sys.executable, "-m", "groundwire", "verify", *args],
        preexec_fn=listening,
        env=env,
        cwd=place,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.slow  # by default tests/kill/test_batch.py kills one twice
def test_after_a_kill_the_same_command_gives_every_message_one_signal(
    gw: Gw, tmp_path: Path
) -> None:
    count = 16
    listed = tmp_path / "messages.jsonl"
    messages = [{"text": f"{RUMOURS[at % 3]} {at * 7919}", "id": str(at)} for at in range(count)]
    listed.write_text("\n".join(json.dumps(each) for each in messages))
    args = ("--from", str(listed), "--json", "--concurrency", "4")
    process = start(gw.home, tmp_path, *args, stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    process.stdout.readline()  # the first is done, others are under way
    process.kill()
    process.communicate()
    done = {run for run, state in runs_in(gw.home) if state == "complete"}
    assert 0 < len(done) < count
    again = start(gw.home, tmp_path, *args, stdin=subprocess.DEVNULL)
    out, err = again.communicate(timeout=200)
    assert again.returncode == 0, err
    signals = [json.loads(line) for line in out.splitlines()]
    assert [each["message"]["text"] for each in signals] == [each["text"] for each in messages]
    assert {each["run_id"] for each in signals} >= done
    assert len({each["run_id"] for each in signals}) == len(runs_in(gw.home)) == count
    assert all(each["cost"]["repeated"] == 0 for each in signals)


@pytest.mark.parametrize(
    "ending", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_an_interrupt_while_it_waits_for_lines_ends_at_once_and_says_how_to_go_on(
    gw: Gw, tmp_path: Path, ending: signal.Signals
) -> None:
    with start(gw.home, tmp_path, "-", stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(f"{RUMOURS[0]}\n".encode())
        process.stdin.flush()
        assert b"\t" in process.stdout.readline()
        sent = time.monotonic()
        process.send_signal(ending)
        output = process.stderr.read()  # although nobody has closed its stdin
        assert process.wait(timeout=20) == 130
        assert time.monotonic() - sent < 20
        assert b"go on with the same command" in output
        assert b"Traceback" not in output
