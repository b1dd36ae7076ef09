"""kill -9 in the middle of a timeline: it goes on to the same history, and no recorded call is repeated."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lab.stubs import Stubs, running_stubs
from tests.kill.child import Order
from tests.kill.test_kill_matrix import House, survives

pytestmark = pytest.mark.timeout(600)
ORDER = Order(
    kind="timeline",
    given={"topic": "iPhone", "level": "light"},
    edited={
        "threads": [
            {"name": "models", "description": "new models", "estimated_nodes": 3},
            {"name": "markets", "description": "orders and bans", "estimated_nodes": 2},
        ]
    },
)
SETTINGS = {
    "GROUNDWIRE_TIMELINE__PAGES": "8",
    "GROUNDWIRE_TIMELINE__RESULTS": "4",
    "GROUNDWIRE_MODELS__EXAM": "off",
    "GROUNDWIRE_BUDGET__RUN_USD": "50",
}


@pytest.fixture(scope="module")
def stubs() -> Iterator[Stubs]:
    with running_stubs(spread=1) as running:
        yield running


def house(home: Path, stubs: Stubs) -> House:
    (home / "data").mkdir(parents=True)
    stubs.reset()
    return House(home, f"sqlite:///{home / 'data' / 'gw.db'}", stubs, ORDER, SETTINGS)


@pytest.fixture(scope="module")
def baseline(stubs: Stubs, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], int]:
    """Run without a kill; return the result and how many calls the stubs received."""
    whole = house(tmp_path_factory.mktemp("baseline"), stubs)
    result = whole.finished(fresh=True)
    # The stub copies Chinese words into English titles, which are refused: degraded.
    assert result["state"] in ("complete", "degraded"), result
    assert result["nodes"] >= 3
    return result, len(stubs.log())


def test_a_timeline_that_dies_while_its_call_is_under_way_goes_on(
    tmp_path: Path, stubs: Stubs, baseline: tuple[dict[str, Any], int]
) -> None:
    before, count = baseline
    struck = house(tmp_path / "struck", stubs)
    stubs.kill(struck.pid_file, count * 2 // 3)  # among the details
    assert survives(struck, before, "")["repeated"] >= 1


@pytest.mark.parametrize("part", [1 / 4, pytest.param(1 / 2, marks=pytest.mark.slow)])
def test_a_timeline_that_dies_after_a_record_repeats_nothing_recorded(
    tmp_path: Path, stubs: Stubs, baseline: tuple[dict[str, Any], int], part: float
) -> None:
    before, _ = baseline
    at = int(len(before["records"]) * part)
    survives(house(tmp_path / "struck", stubs), before, f"after:{at}")
