"""schemathesis over the whole OpenAPI, every check, against a desk that runs as a process.

Examples, coverage, fuzzing and stateful phases: no 5xx, no answer that the document does not have,
nothing valid that is refused, nothing invalid that is taken.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import nursery

HERE = Path(__file__).parent
GW = [sys.executable, "-m", "groundwire"]
PHASES = ("examples", "coverage", "fuzzing", "stateful")
_PATIENCE = 120.0  # a busy machine; nothing waits for it when all is well


@dataclass(frozen=True)
class Desk:
    """A desk as a process of its own, and the token of somebody who may do everything."""

    home: Path
    env: dict[str, str]
    url: str
    token: str

    def log(self) -> str:
        return (self.home / "desk.log").read_text(encoding="utf-8", errors="replace")


def _gw(env: dict[str, str], *args: str) -> str:
    done = nursery.run([*GW, *args], env=env, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def serving(home: Path, **more: str) -> Iterator[Desk]:
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "GROUNDWIRE_HOME": str(home),
        "GROUNDWIRE_OFFLINE": "1",
        "GROUNDWIRE_DESK__REQUIRE_TOKEN": "1",
        "GROUNDWIRE_INTAKE__SECRET": "s3cret-of-tests",
        "GROUNDWIRE_FETCH__WORKERS": "1",
        **more,
    }
    token = json.loads(_gw(env, "token", "create", "fuzz", "--scope", "admin", "--json"))["token"]
    with (home / "desk.log").open("wb") as log:
        process = nursery.Popen(
            [*GW, "serve", "--port", "0"], env=env, cwd=home, stdout=log, stderr=log
        )
        try:
            until = time.monotonic() + _PATIENCE
            while not (note := home / "desk.json").exists():
                assert process.poll() is None, (home / "desk.log").read_text()
                assert time.monotonic() < until, "the desk does not come up"
                time.sleep(0.05)
            yield Desk(home, env, json.loads(note.read_text())["url"], token)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(_PATIENCE)


def fuzz(desk: Desk, folder: Path, *options: str, phases: Sequence[str] = PHASES) -> None:
    """Run schemathesis, and fail with what it prints of its failures."""
    folder.mkdir()
    command = [
        str(Path(sys.executable).with_name("st")), "--no-color", "run",
        f"{desk.url}/api/openapi.json",
        "--header", f"Authorization: Bearer {desk.token}",
        "--checks", "all",
        "--suppress-health-check", "all",
        "--request-timeout", "120",
        "--wait-for-schema", "120",
        "--warnings", "off",
        "--phases", ",".join(phases),
        *options,
    ]  # fmt: skip
    env = {**os.environ, "PYTHONPATH": str(HERE), "SCHEMATHESIS_HOOKS": "fuzz_hooks"}
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True)
    lines = [line[:300] for line in done.stdout.splitlines()]
    assert done.returncode == 0, "\n".join([*lines[-150:], done.stderr, desk.log()[-2000:]])
    for phase in phases:
        assert f"✅ {phase.title()}" in done.stdout, phase
    assert "Traceback" not in desk.log()


def drained(desk: Desk) -> dict[str, int]:
    """Count the runs that the fuzzing started, by state, once none is under way."""
    until = time.monotonic() + _PATIENCE
    while True:
        runs = json.loads(_gw(desk.env, "runs", "--limit", "1000", "--json"))
        states = [run["state"] for run in runs]
        if not {"queued", "running"} & set(states):
            return {state: states.count(state) for state in sorted(set(states))}
        assert time.monotonic() < until, "runs pile up"
        time.sleep(1)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("examples", "phases"),
    # What each schema leaves out, one thing after the other, is most of the cases.
    [
        ("1", ("examples", "fuzzing", "stateful")),
        pytest.param("4", PHASES, marks=pytest.mark.slow),
    ],
)
def test_the_document_is_true(
    sample_home: Path, tmp_path: Path, examples: str, phases: Sequence[str]
) -> None:
    """The short version: the same cases each time."""
    home = tmp_path / "home"
    shutil.copytree(sample_home, home)
    with serving(home) as desk:
        fixed = ("--max-examples", examples, "--generation-deterministic")
        fuzz(desk, tmp_path / "st", *fixed, phases=phases)
        ended = drained(desk)
        assert "complete" in ended, ended


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_the_document_is_true_for_long(database_url: str, tmp_path: Path, seed: str) -> None:
    """The long version: other cases for each seed, on both databases."""
    home = tmp_path / "home"
    home.mkdir()
    with serving(home, GROUNDWIRE_DATABASE_URL=database_url) as desk:
        _gw(desk.env, "archive", "add", "--sample")
        fuzz(desk, tmp_path / "st", "--max-examples", "60", "--seed", seed)
        drained(desk)
