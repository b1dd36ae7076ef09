"""`gw` in this process, on a data folder of its own, offline, with the sample in its archive."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import typer.testing
from typer.testing import CliRunner

from groundwire.doors.cli import cli

# The commands are put together once, as in a process of `gw`, not for each call.
typer.testing._get_command = cache(typer.testing._get_command)

HOST = ("GROUNDWIRE_", "TAVILY_", "OPENAI_", "GEMINI_", "GOOGLE_", "ANTHROPIC_", "OPENROUTER_")


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str
    raw: bytes


@dataclass(frozen=True)
class Gw:
    """Runs commands; `env` adds to a clean environment."""

    home: Path
    env: Mapping[str, str]

    def __call__(self, *args: str, given: str | bytes | None = None, **env: str) -> Outcome:
        runner = CliRunner(env={**self.env, "GROUNDWIRE_HOME": str(self.home), **env})
        result = runner.invoke(cli, list(args), input=given, prog_name="gw")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Outcome(result.exit_code, result.stdout, result.stderr, result.stdout_bytes)

    def at(self, home: Path) -> Gw:
        return Gw(home, self.env)


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import os

    for name in list(os.environ):
        if name.startswith(HOST):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def empty(tmp_path: Path) -> Gw:
    return Gw(tmp_path / "home", {"GROUNDWIRE_OFFLINE": "1"})


@pytest.fixture
def gw(sample_home: Path, tmp_path: Path) -> Gw:
    shutil.copytree(sample_home, tmp_path / "home")
    return Gw(tmp_path / "home", {"GROUNDWIRE_OFFLINE": "1"})
