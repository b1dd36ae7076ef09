"""`gw eval verify` on small invented sets: claims on their passages, scenarios, and what is neither."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from lab.evaluation.claims import measure_climate, measure_factuality, verdict_of
from lab.evaluation.kinds.verify import figures_of, measure
from lab.evaluation.scenarios import Scenario
from lab.evaluation.scoring import Score

from groundwire.errors import InputError
from groundwire.model.stance import StanceLabel

KNOWN: tuple[StanceLabel, ...] = ("supports", "qualifies", "contradicts", "unrelated")
CLAIM = "Norvik Bank closed 12 branches in Oslo."
SAYS = "Norvik Bank closed 12 branches in Oslo."
DENIES = "Norvik Bank has not closed 12 branches in Oslo."
ELSE = "The weather will stay dry until the weekend."


def write(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path.parent


@pytest.mark.parametrize(
    ("passages", "verdict", "supported"),
    [
        ([SAYS, SAYS, SAYS], "supported", True),
        ([SAYS, ELSE], "insufficient", True),
        ([DENIES, ELSE], "contradicted", False),
        ([SAYS, DENIES], "contested", True),
        ([ELSE], "insufficient", False),
        ([], "insufficient", False),
    ],
)
def test_a_claim_has_the_verdict_of_its_passages(
    passages: list[str], verdict: str, supported: bool
) -> None:
    assert verdict_of(CLAIM, passages, KNOWN) == (verdict, supported)


def factuality(folder: Path) -> Path:
    other = "Norvik Bank closed 13 branches in Oslo."
    write(
        folder / "subtask4_claim_factuality.jsonl",
        {"claim": CLAIM, "label": "true"},
        {"claim": other, "label": "false"},
        {"claim": "Nobody knows.", "label": "not_enough_evidence"},
    )
    return write(
        folder / "subtask3_claim_evidence_stance.jsonl",
        {"claim": CLAIM, "evidence": SAYS, "stance": "completely-support"},
        {"claim": other, "evidence": f"No, {DENIES} {SAYS}", "stance": "refute"},
        {"claim": other, "evidence": "Norvik Bank has not closed 13 branches.", "stance": "refute"},
    )


def test_claims_that_somebody_contradicts_are_called_false(tmp_path: Path) -> None:
    figures, notes = measure_factuality(factuality(tmp_path / "facts"))
    assert [(each.name, each.value, each.sample) for each in figures] == [
        ("facts/claims.f1_true", 1.0, 2),
        ("facts/claims.f1_false", 1.0, 2),
    ]
    assert "false right 1 of 1 said" in notes[0]


def climate(folder: Path) -> Path:
    def row(label: str, *texts: str) -> Any:
        evidences = [{"evidence": text, "evidence_label": "SUPPORTS"} for text in texts]
        return {"claim": CLAIM, "claim_label": label, "evidences": evidences}

    return write(
        folder / "climate_fever.jsonl",
        row("SUPPORTS", SAYS, ELSE),
        row("REFUTES", DENIES, ELSE),
        row("DISPUTED", SAYS, DENIES),
        row("NOT_ENOUGH_INFO", ELSE),
    )


def test_every_label_of_a_claim_can_be_reached(tmp_path: Path) -> None:
    figures, _ = measure_climate(climate(tmp_path / "voted"))
    assert {each.metric: each.value for each in figures} == {"macro_f1": 1.0, "accuracy": 1.0}


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
    factuality(tmp_path / "facts")
    climate(tmp_path / "voted")
    rows = [case(1, "insufficient", SAYS), case(2, "contradicted", DENIES)]
    write(tmp_path / "own" / "scenarios.jsonl", *rows)
    measured = asyncio.run(measure(tmp_path))
    samples = {each.name: each.sample for each in measured.figures}
    assert samples["own.verdict"] == 2
    assert samples["own/en.verdict"] == 2
    assert samples["own.deep_false_positive_rate"] == 1
    assert samples["facts/claims.f1_true"] == 2
    assert samples["voted/claims.macro_f1"] == 4
    assert samples["voted.macro_f1"] == 7  # the stance of each passage
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
    said = {"said": verdict, "verdict": True, "flags": True, "band": True}
    return Score(scenario=scenario, **said, plain=plain, deep=deep)


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
