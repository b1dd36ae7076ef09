"""Desks as processes of their own, none of which outlives its test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from desk_process import DeskProcess, house


@pytest.fixture
def new_desk(tmp_path: Path) -> Iterator[Callable[..., DeskProcess]]:
    """Start a desk on a data folder; the same name is the same folder."""
    with house() as desks:

        def make(name: str = "desk", **env: str) -> DeskProcess:
            desk = DeskProcess(tmp_path / name, env)
            desks.append(desk)
            return desk.start()

        yield make


@pytest.fixture
def gate(tmp_path: Path) -> Callable[[int], str]:
    """Set how many events may be emitted, in a file whose name is returned."""
    path = tmp_path / "gate"

    def allow(count: int) -> str:
        fresh = path.with_name("gate.fresh")
        fresh.write_text(str(count), encoding="utf-8")
        fresh.replace(path)
        return str(path)

    return allow
