"""kill -9 around the end of a run: its claims are neither lost nor doubled, on both databases."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from groundwire.jobs.sections import Settings
from tests import nursery

from .child import go_on
from .make import RATE_NEW, RATE_OLD

pytestmark = pytest.mark.timeout(300)
_PLACES = ("before finish", "after finish", "after index", "before compare", "after compare")
# `make killmatrix` dies at all of them.
_SHORT = {
    "sqlite": ("after finish", "after index"),
    "postgres": ("after finish",),
}


def _cases() -> Iterator[ParameterSet]:
    for place in _PLACES:
        for kind, short in _SHORT.items():
            marks = [pytest.mark.postgres] if kind == "postgres" else []
            slow = [] if place in short else [pytest.mark.slow]
            yield pytest.param(kind, place, marks=[*marks, *slow])


def environment(home: Path, database_url: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join([str(Path.cwd()), *(path for path in sys.path if path)]),
        "HOME": str(home),
        "GROUNDWIRE_HOME": str(home / "data"),
        "GROUNDWIRE_DATABASE_URL": database_url,
        "GROUNDWIRE_OFFLINE": "1",
    }


@pytest.mark.parametrize(("database_kind", "place"), list(_cases()))
async def test_a_process_that_dies_there_loses_and_doubles_nothing(
    tmp_path: Path, database_url: str, place: str
):
    (tmp_path / "data").mkdir()
    env = environment(tmp_path, database_url)
    command = [sys.executable, "-m", "tests.memory.child"]
    done = nursery.run(command, env={**env, "KILL": place}, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr[-3000:]
    loaded = Settings.load({}, tmp_path, env)
    after = await go_on(loaded)
    assert after["state"] == "complete"
    claims = {name: tuple(rest) for name, *rest in after["claims"]}
    assert claims[RATE_OLD] == (1, "superseded", 1)
    assert claims[RATE_NEW] == (1, "believed", 1)
    assert all(sightings == 1 for sightings, _, _ in claims.values())
    # And it stays so, however often it is looked at.
    assert await go_on(loaded) == after
