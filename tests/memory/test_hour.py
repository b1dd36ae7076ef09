"""The hour of memory that `make memory` prints, checked."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "memory_hour.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("memory_hour", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


async def test_what_was_believed_before_and_after_each_change(script: ModuleType, tmp_path: Path):
    hour, seen, stories = await script.spend(tmp_path)
    rate, fare, head = script.RATE, script.FARE, script.HEAD
    believed = {
        minutes: {question: [claim[6:] for claim in claims] for question, claims in found.items()}
        for minutes, found in seen.items()
    }
    rates = [
        "The savings rate of Harbor Light Bank is 4.2%.",
        "The savings rate of Harbor Light Bank is 4.5%.",
    ]
    fares = [f"海角渡轮公司的单程票价为{price}元。" for price in (12, 51, 15)]
    chief = ["The chief executive of Harbor Light Bank is Mara Quint."]
    assert believed == {
        -5: {rate: [], fare: [], head: []},
        5: {rate: rates[:1], fare: fares[:1], head: chief},
        20: {rate: rates[1:], fare: fares[:1], head: chief},
        35: {rate: rates[1:], fare: fares[1:2], head: chief},
        50: {rate: rates[1:], fare: fares[2:], head: []},
        60: {rate: rates[1:], fare: fares[2:], head: []},
    }
    changes = [
        [
            (moment.kind, round((moment.at - script.NINE).total_seconds() / 60))
            for moment in each.moments
        ]
        for each in stories
    ]
    assert changes[0] == [("learned", 0), ("learned", 15), ("superseded", 15)]
    assert changes[1] == [
        ("learned", 0), ("learned", 30), ("superseded", 30), ("learned", 45), ("superseded", 45),
    ]  # fmt: skip
    assert changes[2][-1] == ("withdrawn", 45)
    assert "withdrawn (the page took her for a namesake)" in script.render(hour, seen, stories)
