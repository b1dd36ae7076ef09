"""`gw eval verify` on small invented sets: scenarios, and what is none."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from lab.evaluation.kinds.verify import figures_of, measure
from lab.evaluation.scenarios import Scenario
from lab.evaluation.scoring import Score

from groundwire.errors import InputError

CLAIM = "Norvik Bank closed 12 branches in Oslo."
SAYS = "Norvik Bank closed 12 branches in Oslo."
DENIES = "Norvik Bank has not closed 12 branches in Oslo."


def write(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path.parent


def case(number: int, verdict: str, holds: str) -> dict[str, Any]:
    page = {
        "url": f"https://www.norvikbank{number}.example/press",
        "title": "Norvik Bank closes branches",
        "publisher": "Norvik Bank",
        "published_at": "2025-06-03T08:00:00Z",
        "text": f"{holds}\n\nThe bank has had branches in the city since 1990.",
    }
    return {
        "id": f"own-{number:03}",
        "kind": "test",
        "message": {"text": CLAIM, "published_at": "2025-06-03T09:00:00Z", "language": "en"},
        "now": "2025-06-03T09:05:00Z",
        "web": [page],
        "expect": {"verdict": verdict, "event_type": ["corporate", "other"]},
    }


def test_a_folder_of_sets_gives_the_figures_of_each_with_their_samples(tmp_path: Path) -> None:
    rows = [case(1, "insufficient", SAYS), case(2, "contradicted", DENIES)]
    write(tmp_path / "own" / "scenarios.jsonl", *rows)
    measured = asyncio.run(measure(tmp_path))
    samples = {each.name: each.sample for each in measured.figures}
    assert samples["own.verdict"] == 2
    assert samples["own/en.verdict"] == 2
    assert samples["own.deep_false_positive_rate"] == 1
    assert "0 of 2 messages without a signal" in measured.notes[0]
    assert not measured.limited


def test_a_limit_bounds_each_file(tmp_path: Path) -> None:
    write(tmp_path / "scenarios.jsonl", *(case(number, "insufficient", SAYS) for number in (1, 2)))
    measured = asyncio.run(measure(tmp_path, limit=1))
    assert measured.limited
    assert {each.sample for each in measured.figures if each.metric == "verdict"} == {1}


@pytest.mark.parametrize("made", [False, True])
def test_a_folder_without_any_set_is_refused(tmp_path: Path, made: bool) -> None:
    folder = tmp_path / "none"
    if made:
        write(folder / "rows.jsonl", {"a": 1})
    with pytest.raises(InputError):
        asyncio.run(measure(folder))


def scored(number: int, verdict: str, *, plain: bool, deep: bool) -> Score:
    scenario = Scenario.model_validate(case(number, verdict, SAYS))
    fields = {"actual": verdict, "verdict": True, "flags": True, "band": True}
    return Score(scenario=scenario, **fields, plain=plain, deep=deep)


def test_both_paths_are_counted_on_messages_that_are_true_or_false() -> None:
    scores = [
        scored(1, "supported", plain=True, deep=True),
        scored(2, "supported", plain=True, deep=False),  # a miss, not a false alarm
        scored(3, "contradicted", plain=True, deep=False),
        scored(4, "stale", plain=False, deep=False),
        scored(5, "insufficient", plain=True, deep=True),  # nobody knows: counts for neither
    ]
    figures = {each.metric: (each.value, each.sample) for each in figures_of("own", scores)}
    assert figures["plain_accuracy"] == (0.75, 4)
    assert figures["deep_accuracy"] == (0.75, 4)
    assert figures["plain_false_positive_rate"] == (0.5, 2)
    assert figures["deep_false_positive_rate"] == (0.0, 2)
