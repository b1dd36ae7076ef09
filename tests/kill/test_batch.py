"""kill -9 during a batch of messages: afterwards each has exactly one signal, and nothing that was
recorded is asked again.

The short version kills twice in a batch of 6; `make killmatrix` five times in one of 200.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from lab.stubs import Stubs, running_stubs
from tests import nursery

pytestmark = pytest.mark.timeout(900)

_WHO = (
    "Aave",
    "Circle",
    "Binance",
    "Curve",
    "Tether",
    "Lido",
    "Kraken",
    "Solana",
    "Uniswap",
    "Ripple",
)
_WHAT = (
    ("{} was hacked for ${} million, wallets drained", "en"),
    ("{} 遭黑客攻击，损失{}百万美元", "zh"),
    ("{} 遭監管機構起訴，罰款{}百萬美元", "zh-Hant"),
    ("{} announces a partnership worth ${} million", "en"),
)


def messages(count: int) -> list[str]:
    """Make up different messages: another party, another sum, another kind of event."""
    return [
        _WHAT[at % len(_WHAT)][0].format(_WHO[at // len(_WHAT) % len(_WHO)], 11 + 7 * at)
        for at in range(count)
    ]


@pytest.fixture(scope="module")
def stubs() -> Iterator[Stubs]:
    with running_stubs(spread=1) as running:
        yield running


@dataclass
class Batch:
    """One data folder, one file of messages, and `gw verify --from` on them as often as needed."""

    home: Path
    stubs: Stubs
    count: int

    @property
    def listed(self) -> Path:
        return self.home / "messages.jsonl"

    def write(self) -> None:
        lines = [
            json.dumps({"id": at, "text": text}) for at, text in enumerate(messages(self.count))
        ]
        self.listed.write_text("\n".join(lines), encoding="utf-8")

    def run(self, kill_at: int | None = None) -> tuple[int, str, str]:
        env = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "HOME": str(self.home),
            "GROUNDWIRE_HOME": str(self.home / "data"),
            "GROUNDWIRE_SEARCH__CHAIN": "tavily",
            "TAVILY_API_KEY": "tvly-stub",
            "TAVILY_BASE_URL": self.stubs.url("tavily"),
            "GROUNDWIRE_FETCH__ALLOW_PRIVATE": "127.0.0.0/8",
            "GROUNDWIRE_FETCH__WORKERS": "1",
            "GROUNDWIRE_FETCH__DELAY": "0",
            "GROUNDWIRE_VERIFY__PAGES": "1",
            "GROUNDWIRE_VERIFY__RESULTS": "3",
            "GROUNDWIRE_TOOLS__PRICE__ENABLED": "false",
            "GROUNDWIRE_TOOLS__ONCHAIN__ENABLED": "false",
            "GROUNDWIRE_BUDGET__DAY_TOOL_CALLS": "100000",
            "GROUNDWIRE_BUDGET__DAY_USD": "none",
            "GROUNDWIRE_BUDGET__MONTH_USD": "none",
        }
        child = nursery.Popen(
            [sys.executable, "-m", "groundwire", "verify", "--from", str(self.listed), "--json"],
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if kill_at is not None:
            self.stubs.kill(child.pid, len(self.stubs.log()) + kill_at)
        out, err = child.communicate(timeout=600)
        return child.returncode, out, err

    def query(self, statement: str) -> list[Any]:
        with sqlite3.connect(self.home / "data" / "groundwire.db") as base:
            rows = base.execute(statement).fetchall()
        base.close()
        return rows

    def recorded(self) -> dict[tuple[str, str], tuple[Any, ...]]:
        """Read every settled call: its answer, its time, and how often it was sent again."""
        rows = self.query(
            "SELECT run_id, key, outcome, response, finished_at, repeated FROM calls"
            " WHERE outcome != 'intent'"
        )
        return {(row[0], row[1]): tuple(row[2:]) for row in rows}


def survives(batch: Batch, kills: list[int]) -> None:
    batch.write()
    for at in kills:
        before = batch.recorded() if (batch.home / "data").exists() else {}
        code, _, err = batch.run(at)
        assert code == -signal.SIGKILL, err[-2000:]
        now = batch.recorded()
        assert {name: now.get(name) for name in before} == before
    before = batch.recorded()
    assert before
    code, out, err = batch.run()
    assert code in (0, 3), err[-2000:]
    after = batch.recorded()
    assert {
        name: after.get(name) for name in before
    } == before  # not asked again, not written again
    signals = [json.loads(line) for line in out.splitlines()]
    assert [each["message"]["text"] for each in signals] == messages(batch.count)
    # One message, one run, one signal; what layer 4 knows is told of as a duplicate of its first.
    found = batch.query("SELECT message_id, count(*) FROM signals GROUP BY message_id")
    assert len(found) == batch.count
    assert {times for _, times in found} == {1}
    assert batch.query("SELECT count(*) FROM runs WHERE kind = 'verify'") == [(batch.count,)]
    assert batch.query("SELECT count(*) FROM messages") == [(batch.count,)]
    # The other side received what the ledger says was sent: once, and once more for each that was
    # under way at a kill.
    sent, repeated = batch.query(
        "SELECT count(*), coalesce(sum(repeated), 0) FROM calls WHERE via = 'sent' AND kind != 'read'"
    )[0]
    received = Counter(f"{call.stub} {call.path} {call.body_sha256}" for call in batch.stubs.log())
    assert sent <= received.total() <= sent + repeated
    assert repeated <= 32 * len(kills)


def test_a_batch_that_is_killed_has_one_signal_for_each_message(
    tmp_path: Path, stubs: Stubs
) -> None:
    stubs.reset()
    survives(Batch(tmp_path, stubs, 4), [3])


@pytest.mark.slow
def test_a_batch_of_200_that_is_killed_five_times_has_one_signal_for_each_message(
    tmp_path: Path, stubs: Stubs
) -> None:
    stubs.reset()
    survives(Batch(tmp_path, stubs, 200), [1, 50, 120, 200, 90])
