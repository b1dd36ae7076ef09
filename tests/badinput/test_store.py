"""Databases and disks that cannot be used: said in one sentence, and nothing is half-written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from groundwire.app import open_app
from groundwire.jobs.sections import Settings
from groundwire.runs.lock import FileLock

from .conftest import ENGLISH, Door


@pytest.mark.parametrize("command", [("ask", ENGLISH), ("runs",), ("doctor",), ("db", "upgrade")])
def test_a_database_of_a_newer_version_is_left_alone(door: Door, command: tuple[str, ...]):
    file = door.home / "groundwire.db"
    with sqlite3.connect(file) as base:
        base.execute("UPDATE alembic_version SET version_num = '9999'")
    base.close()
    result = door(*command)
    assert result.code == 4
    assert "newer version" in result.err
    assert "upgrade Groundwire" in result.err
    assert door.rows() == []


def garbage(file: Path) -> None:
    file.write_bytes(b"this is no database " * 1000)


def half(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def spoilt(file: Path) -> None:
    data = bytearray(file.read_bytes())
    for page in range(4096 * 3, len(data), 4096):
        data[page : page + 100] = b"\xff" * 100
    file.write_bytes(data)


@pytest.mark.parametrize("spoil", [garbage, half, spoilt])
def test_a_damaged_database_is_said(door: Door, spoil: Callable[[Path], None]):
    file = door.home / "groundwire.db"
    for beside in door.home.glob("groundwire.db-*"):
        beside.unlink()
    spoil(file)
    before = file.read_bytes()
    result = door("ask", ENGLISH)
    assert result.code == 4
    assert "damaged" in result.err
    assert "GROUNDWIRE_HOME" in result.err
    assert file.read_bytes() == before


def a_file(door: Door) -> None:
    door.home.write_text("x")


def a_folder_as_database(door: Door) -> None:
    (door.home / "groundwire.db").mkdir(parents=True)


def a_folder_as_lock(door: Door) -> None:
    (door.home / "groundwire.db.lock").mkdir(parents=True)


@pytest.mark.parametrize(
    ("spoil", "code"), [(a_file, 2), (a_folder_as_database, 4), (a_folder_as_lock, 4)]
)
@pytest.mark.parametrize("command", [("ask", ENGLISH), ("read", "http://news.example/")])
def test_a_data_folder_that_cannot_be_used(
    empty: Door, spoil: Callable[[Door], None], code: int, command: tuple[str, ...]
):
    spoil(empty)
    result = empty(*command)
    assert result.code == code
    assert "cannot be" in result.err
    assert "GROUNDWIRE_HOME" in result.err


def test_a_lock_that_cannot_be_written_holds_nothing(tmp_path: Path):
    from groundwire.errors import StoreError

    lock = FileLock(tmp_path / "nowhere" / "gw.lock")
    with pytest.raises(StoreError, match="cannot be used"):
        lock.acquire()
    assert not lock.held


@pytest.mark.parametrize(
    "url",
    ["postgresql://u:planted-secret@127.0.0.1:1/db", "postgresql://u:planted-secret@no.invalid/db"],
)
def test_a_postgresql_that_is_not_there(empty: Door, url: str):
    result = empty("ask", ENGLISH, GROUNDWIRE_DATABASE_URL=url)
    assert result.code == 4
    assert "cannot be reached" in result.err
    assert "GROUNDWIRE_DATABASE_URL" in result.err


def _mounted(folder: Path, *options: str) -> None:
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["mount", *options, str(folder)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("only root can mount a small disk")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if shutil.which("mount") is None or os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    folder = tmp_path / "disk"
    _mounted(folder, "-t", "tmpfs", "-o", "size=4m", "tmpfs")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(disk: Path, left: int) -> Path:
    found = os.statvfs(disk)
    rest = disk / "rest"
    rest.write_bytes(b"x" * (found.f_bavail * found.f_frsize - left))
    return rest


@pytest.mark.parametrize("left", [0, 40_000])
def test_a_disk_that_is_full_at_submit(door: Door, small_disk: Path, left: int):
    shutil.copytree(door.home, small_disk / "data")
    small_door = Door(small_disk / "data", door.place, door.env)
    rest = fill(small_disk, left)
    result = small_door("ask", ENGLISH)
    assert result.code == 4
    assert "The disk is full" in result.err
    assert "free some space" in result.err
    rest.unlink()
    assert small_door.rows() == []
    assert small_door("ask", ENGLISH).code == 0


@pytest.mark.parametrize(
    "left",
    [
        pytest.param(90_000, marks=pytest.mark.slow),
        160_000,
        pytest.param(240_000, marks=pytest.mark.slow),
    ],
)
def test_a_disk_that_fills_in_mid_run_and_is_emptied(door: Door, small_disk: Path, left: int):
    shutil.copytree(door.home, small_disk / "data")
    small_door = Door(small_disk / "data", door.place, door.env)
    rest = fill(small_disk, left)
    result = small_door("ask", ENGLISH)
    assert result.code == 4
    assert "The disk is full" in result.err
    rest.unlink()
    (run_id, _) = small_door.rows()[0]
    assert f"gw follow {run_id}" in result.err
    followed = small_door("follow", run_id, "--json")
    assert followed.code == 0
    assert followed.json()["answer"]
    assert small_door.rows() == [(run_id, "complete")]


def test_a_read_only_folder_is_said(door: Door, tmp_path: Path):
    if shutil.which("mount") is None or os.geteuid() != 0:
        pytest.skip("only root can mount, and to others chmod does the same")
    shown = tmp_path / "shown"
    _mounted(shown, "--bind", str(door.home))
    try:
        remount = ["mount", "-o", "remount,bind,ro", str(shown)]
        if subprocess.run(remount, capture_output=True, check=False).returncode:
            pytest.skip("a bind mount cannot be made read-only here")
        result = Door(shown, door.place, door.env)("ask", ENGLISH)
    finally:
        subprocess.run(["umount", str(shown)], check=True)
    assert result.code == 4
    assert "cannot be opened for writing" in result.err
    assert "GROUNDWIRE_HOME" in result.err
    assert door.rows() == []


@pytest.mark.parametrize("years", [-30, 30])
async def test_a_clock_that_jumps_changes_no_end(tmp_path: Path, sample_home: Path, years: int):
    shutil.copytree(sample_home, tmp_path / "data")
    env = {"GROUNDWIRE_HOME": str(tmp_path / "data"), "GROUNDWIRE_OFFLINE": "1"}
    async with open_app(Settings.load({}, tmp_path, env)) as app:
        jumped = datetime.now(UTC) + timedelta(days=365 * years)
        run = await app.submit("ask", {"question": ENGLISH}, now=jumped)
        run = await app.finished(run.id)
        assert (run.state, run.now) == ("complete", jumped)
        assert run.result is not None
        assert run.result["evidence"]


@pytest.mark.parametrize("years", [-30, 30])
async def test_a_lease_from_another_time_holds_nobody_up(
    tmp_path: Path, sample_home: Path, years: int
):
    """The clock jumped while a process died: its run is picked up all the same."""
    shutil.copytree(sample_home, tmp_path / "data")
    env = {"GROUNDWIRE_HOME": str(tmp_path / "data"), "GROUNDWIRE_OFFLINE": "1"}
    settings = Settings.load({}, tmp_path, env)
    async with open_app(settings) as app:
        run = await app.submit("ask", {"question": ENGLISH})
        await app.finished(run.id)
    with sqlite3.connect(tmp_path / "data" / "groundwire.db") as base:
        base.execute("UPDATE runs SET state = 'running', lease_owner = 'elsewhere/1/1'")
        names = [row[1] for row in base.execute("PRAGMA table_info(runs)")]
        assert "lease_until" in names
        (kind,) = base.execute("SELECT typeof(created_at) FROM runs").fetchone()
        (made,) = base.execute("SELECT created_at FROM runs").fetchone()
        shift = timedelta(days=365 * years)
        until = (
            (datetime.fromisoformat(made) + shift).isoformat()
            if kind == "text"
            else made + type(made)(shift.total_seconds() * 1_000_000)
        )
        base.execute("UPDATE runs SET lease_until = ?", (until,))
    base.close()
    async with open_app(settings) as app:
        assert (await app.finished(run.id)).state == "complete"


@pytest.mark.parametrize("column", ["input", "settings", "versions"])
def test_a_damaged_row_is_said_and_keeps_nobody_waiting(door: Door, column: str):
    assert door("ask", "USDC?", "--json").code == 0
    with sqlite3.connect(door.home / "groundwire.db") as base:
        base.execute(f"UPDATE runs SET state = 'queued', {column} = '{{broken'")
    base.close()
    result = door("ask", ENGLISH)
    assert result.code in (0, 4)
    if result.code == 4:
        assert "damaged" in result.err
    listed = door("runs")
    assert listed.code == 4
    assert "damaged" in listed.err
