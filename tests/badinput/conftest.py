"""The command as a newcomer meets it: a real `python -m groundwire` with a fresh HOME, and stubs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lab.stubs.launch import Stubs, running_stubs

from tests.nursery import Popen
from tests.signals import listening

SOURCE = Path(__file__).parents[2] / "src"
ENGLISH = "Did USDC lose its peg in March 2023, and why?"
CHINESE = "USDC 为什么在2023年3月脱锚？"
KEYS = {"TAVILY_API_KEY": "tvly-planted-secret-1", "OPENAI_API_KEY": "sk-planted-secret-22"}


@dataclass(frozen=True)
class CommandResult:
    code: int
    out: str
    err: str

    def json(self) -> dict[str, object]:
        return json.loads(self.out)


@dataclass(frozen=True)
class Door:
    """Runs commands in processes of their own; `env` adds to an almost empty environment."""

    home: Path  # the data folder
    place: Path  # HOME and working folder
    env: dict[str, str]

    def environment(self, **env: str) -> dict[str, str]:
        base = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(SOURCE),
            "HOME": str(self.place),
            "GROUNDWIRE_HOME": str(self.home),
            "LANG": "C.UTF-8",
        }
        return {**base, **self.env, **env}

    def start(self, *args: str | bytes, **env: str) -> subprocess.Popen[bytes]:
        # What an interpreter reads when it starts is read by one that starts.
        cold = any(name.startswith(("PYTHON", "LC_", "LANG")) for name in env)
        return (subprocess.Popen if cold else Popen)(
            [sys.executable, "-m", "groundwire", *args],
            preexec_fn=listening,
            env=self.environment(**env),
            cwd=self.place,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def __call__(self, *args: str | bytes, **env: str) -> CommandResult:
        return ended(self.start(*args, **env))

    def shell(self, command: str, **env: str) -> CommandResult:
        """Run a line of bash in which `gw` is the command."""
        line = f'gw() {{ "{sys.executable}" -m groundwire "$@"; }}; {command}'
        done = subprocess.run(
            ["bash", "-c", line],
            env=self.environment(**env),
            cwd=self.place,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=100,
            check=False,
        )
        return _checked_result(done.returncode, done.stdout, done.stderr)

    def rows(self) -> list[tuple[str, str]]:
        """Return id and state of every run, after checking that the database is intact."""
        file = self.home / "groundwire.db"
        if not file.exists():
            return []
        with sqlite3.connect(file) as base:
            assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            found = base.execute("SELECT id, state FROM runs ORDER BY created_at").fetchall()
        base.close()
        return found


def _checked_result(code: int, out: bytes, err: bytes) -> CommandResult:
    result = CommandResult(code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))
    assert "Traceback" not in result.err
    assert "planted-secret" not in result.out + result.err
    return result


def ended(process: subprocess.Popen[bytes], seconds: float = 100) -> CommandResult:
    out, err = process.communicate(timeout=seconds)
    return _checked_result(process.returncode, out, err)


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.02)


@pytest.fixture
def empty(tmp_path: Path) -> Door:
    (tmp_path / "home").mkdir()
    return Door(tmp_path / "data", tmp_path / "home", {"GROUNDWIRE_OFFLINE": "1"})


@pytest.fixture
def door(empty: Door, sample_home: Path) -> Door:
    shutil.copytree(sample_home, empty.home)
    return empty


@pytest.fixture(scope="session")
def all_stubs() -> Iterator[Stubs]:
    with running_stubs() as running:
        yield running


@pytest.fixture
def stubs(all_stubs: Stubs) -> Stubs:
    all_stubs.reset()
    all_stubs.latency(model=0.0, search=0.0, page=0.0)
    return all_stubs


@pytest.fixture
def online(stubs: Stubs) -> dict[str, str]:
    """Build the environment that leads to the stubs."""
    return {
        **KEYS,
        "GROUNDWIRE_OFFLINE": "",
        "GROUNDWIRE_SEARCH__CHAIN": "tavily",
        "TAVILY_BASE_URL": stubs.url("tavily"),
        "OPENAI_BASE_URL": stubs.url("model"),
        "GROUNDWIRE_FETCH__ALLOW_PRIVATE": "127.0.0.0/8",
        "GROUNDWIRE_FETCH__ALLOW_PORTS": str(urlsplit(stubs.url("web")).port),
    }


ENDINGS = (
    signal.SIGINT,
    pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
    pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
)
