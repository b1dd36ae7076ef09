"""kill -9 at every gateway call of an ask, on both databases: nothing is lost or paid twice.

(a) after the intent, before sending · (b) after the other side received it · (c) after the record.
The short version takes the first call of (a), the middle one of (b), on PostgreSQL as well, and the
last record of (c); `make killmatrix` takes all on both.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from lab.stubs import Stubs, running_stubs
from tests import nursery
from tests.kill.child import ASK, Order, go_on

from groundwire.jobs.sections import Settings

pytestmark = pytest.mark.timeout(600)


@dataclass
class House:
    """One data folder and database, and the child processes that work on it."""

    home: Path
    database_url: str
    stubs: Stubs
    order: Order = ASK
    settings: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def pid_file(self) -> Path:
        return self.home / "child.pid"

    def environment(self, kill: str = "") -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "HOME": str(self.home),
            "GROUNDWIRE_HOME": str(self.home / "data"),
            "GROUNDWIRE_DATABASE_URL": self.database_url,
            "GROUNDWIRE_SEARCH__CHAIN": "tavily",
            "TAVILY_API_KEY": "tvly-stub",
            "TAVILY_BASE_URL": self.stubs.url("tavily"),
            "OPENAI_API_KEY": "stub",
            "OPENAI_BASE_URL": self.stubs.url("model"),
            "GROUNDWIRE_MODELS__LIGHT": "openai:gpt-4.1-mini",
            "GROUNDWIRE_MODELS__HEAVY": "openai:gpt-4.1",
            "GROUNDWIRE_FETCH__ALLOW_PRIVATE": "127.0.0.0/8",
            "GROUNDWIRE_FETCH__WORKERS": "1",
            "GROUNDWIRE_ASK__PAGES": "4",
            "GROUNDWIRE_ASK__QUERIES": "2",
            "CHILD_PID_FILE": str(self.pid_file),
            "ORDER": self.order.text(),
            "KILL": kill,
            **self.settings,
        }

    def child(self, kill: str) -> subprocess.CompletedProcess[str]:
        command_line = [sys.executable, "-m", "tests.kill.child"]
        return nursery.run(command_line, env=self.environment(kill), text=True)

    def finished(self, *, fresh: bool = False) -> dict[str, Any]:
        loaded = Settings.load({}, self.home, self.environment())
        return asyncio.run(go_on(loaded, fresh=fresh, order=self.order))

    def sent(self) -> Counter[str]:
        """Count how often the stubs received each request, by its content."""
        return Counter(f"{call.stub} {call.path} {call.body_sha256}" for call in self.stubs.log())


@pytest.fixture(scope="module")
def stubs() -> Iterator[Stubs]:
    with running_stubs(spread=1) as running:
        yield running


@pytest.fixture
def new_house(new_database: Callable[[], str], tmp_path: Path, stubs: Stubs) -> Callable[[], House]:
    """Provide a data folder and database for each kill, and stubs that have seen nothing."""

    def make() -> House:
        url = new_database()
        home = tmp_path / f"house{len(list(tmp_path.iterdir()))}"
        (home / "data").mkdir(parents=True)
        stubs.reset()
        return House(home, url, stubs)

    return make


@pytest.fixture(scope="module")
def baseline(stubs: Stubs, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], int]:
    """Run without a kill; return the result and how many calls the stubs received."""
    home = tmp_path_factory.mktemp("baseline")
    (home / "data").mkdir()
    stubs.reset()
    house = House(home, f"sqlite:///{home / 'data' / 'gw.db'}", stubs)
    result = house.finished(fresh=True)
    assert result["state"] == "complete", result
    assert result["answer"] >= 2
    return result, len(stubs.log())


Places = Callable[[int], list[int]]


@pytest.fixture
def places(which: str) -> Places:
    """Choose at which of so many calls to kill, counted from 1."""
    return {
        "first": lambda _: [1],
        "middle": lambda count: [(count + 1) // 2],
        "last": lambda count: [count],
        "every": lambda count: list(range(1, count + 1)),
    }[which]


def survives(house: House, before: dict[str, Any], kill: str) -> dict[str, Any]:
    """Kill, look, start again: the digest is equal and every event is there once."""
    first = house.child(kill)
    assert first.returncode == -signal.SIGKILL, (kill, first.returncode, first.stderr[-2000:])
    received = house.sent()
    after = house.finished()
    assert after["digest"] == before["digest"], kill
    assert after["restarts"] == 1
    assert after["spent"] == after["cost"]
    assert [seq for seq, _ in after["events"]] == list(range(1, after["last_seq"] + 1))
    assert len({key for _, key in after["events"]}) == after["last_seq"]
    assert after["last_seq"] == before["last_seq"]
    total = house.sent()
    twice = {content for content, times in total.items() if times > 1}
    assert max(total.values()) <= 2, kill
    # Only what was under way when the process died may be sent again, and it is listed.
    assert twice <= set(received), kill
    assert len(twice) <= after["repeated"], kill
    return after


Baseline = tuple[dict[str, Any], int]


def _places(short: str, *more: str) -> pytest.MarkDecorator:
    """Parametrize: short on SQLite and on what else is named, every place on both as a slow test."""
    cases = [
        pytest.param("sqlite", short),
        *(pytest.param(kind, short, marks=pytest.mark.postgres) for kind in more),
        pytest.param("sqlite", "every", marks=pytest.mark.slow),
        pytest.param("postgres", "every", marks=[pytest.mark.postgres, pytest.mark.slow]),
    ]
    return pytest.mark.parametrize(("database_kind", "which"), cases)


class TestKill:
    @_places("first")
    def test_before_sending(
        self, new_house: Callable[[], House], baseline: Baseline, places: Places
    ) -> None:
        before, count = baseline
        for at in places(count):
            survives(new_house(), before, f"before:{at}")

    @_places("middle", "postgres")
    def test_after_the_other_side_received_it(
        self, new_house: Callable[[], House], baseline: Baseline, places: Places
    ) -> None:
        before, count = baseline
        for at in places(count):
            house = new_house()
            house.stubs.kill(house.pid_file, at - 1)
            assert survives(house, before, "")["repeated"] >= 1

    @_places("last")
    def test_after_the_record(
        self, new_house: Callable[[], House], baseline: Baseline, places: Places
    ) -> None:
        before, _ = baseline
        for at in places(len(before["records"])):
            survives(new_house(), before, f"after:{at}")
