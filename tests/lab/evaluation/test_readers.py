"""Scenarios with a reader of adjustable skill: its exams come first, and nothing is hidden that gets worse."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from lab.evaluation.kinds.verify import measure_with_reader
from lab.evaluation.readers import compared
from lab.evaluation.scenarios import Scenario
from lab.evaluation.scoring import Score
from typer.testing import CliRunner

from groundwire.doors.cli import cli
from groundwire.errors import InputError

CLAIM = "Norvik Bank closed 12 branches in Oslo."
SAYS = "The twelve Oslo branches of Norvik Bank are shut for good since Monday."


def case(number: int) -> dict[str, Any]:
    page = {
        "url": f"https://www.norvikbank{number}.example/press",
        "title": "Norvik Bank closes branches",
        "publisher": "Norvik Bank",
        "published_at": "2025-06-03T08:00:00Z",
        "text": f"{SAYS}\n\nThe bank has had branches in the city since 1990.",
    }
    return {
        "id": f"own-{number:03}",
        "kind": "test",
        "message": {"text": CLAIM, "published_at": "2025-06-03T09:00:00Z", "language": "en"},
        "now": "2025-06-03T09:05:00Z",
        "web": [page],
        "expect": {"verdict": "insufficient", "event_type": ["corporate", "other"]},
    }


def key(number: int) -> dict[str, Any]:
    url = f"https://www.norvikbank{number}.example/press"
    reading = {"url": url, "claim": 1, "stance": "supports", "quote": SAYS}
    names = {"id": f"own-{number:03}", "event_type": "corporate"}
    return {**names, "claims": [CLAIM.rstrip(".")], "pages": [reading]}


def write(path: Path, *rows: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")


def test_a_reader_sits_its_exams_and_is_shown_beside_no_model(tmp_path: Path) -> None:
    write(tmp_path / "own" / "scenarios.jsonl", case(1))
    write(tmp_path / "own" / "keys" / "scenarios.jsonl", key(1))
    measured = asyncio.run(measure_with_reader(tmp_path, 0, 1.0))
    values = {each.name: each.value for each in measured.figures}
    assert {"own.verdict", "own/reader.verdict"} <= values.keys()
    assert values["own/reader.tokens"] > 0
    assert any(line.startswith("own, verdict: 1 → 1 of 1; 0 better") for line in measured.notes)
    earned = [line for line in measured.notes if line.startswith("verify/weigh_message:")]
    assert "decides, 1.00 beside" in earned[0]


def test_a_folder_without_scenarios_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        asyncio.run(measure_with_reader(tmp_path, 0, 1.0))


def test_other_evaluations_take_no_reader(tmp_path: Path) -> None:
    found = CliRunner().invoke(cli, ["eval", "dates", str(tmp_path), "--reader", "0.98"])
    assert "dates is not measured with a reader" in found.output


def scored(number: int, *, right: bool) -> Score:
    fields = {"actual": "insufficient", "verdict": right, "flags": True, "band": True}
    return Score(scenario=Scenario.model_validate(case(number)), **fields)


@pytest.mark.parametrize(("name", "listed"), [("own", " (own-002)"), ("blind", "")])
def test_what_gets_worse_is_named_except_of_the_blind_set(name: str, listed: str) -> None:
    without = [scored(number, right=number != 1) for number in (1, 2, 3)]
    with_reader = [scored(number, right=number != 2) for number in (1, 2, 3)]
    lines = compared(name, without, with_reader)
    assert lines[0] == f"{name}, verdict: 2 → 2 of 3; 1 better, 1 worse{listed}"
