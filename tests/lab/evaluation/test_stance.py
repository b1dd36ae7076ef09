"""`gw eval stance` on small invented sets in the three forms it reads."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from lab.evaluation.kinds.stance import measure, read_set

from groundwire.errors import InputError


def _written(path: Path, rows: list[dict[str, object]]) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path.parent


def _graded(folder: Path) -> Path:
    claim = "Norvik Bank closed 12 branches in Oslo."
    texts = {
        "completely-support": "Norvik Bank closed 12 branches in Oslo.",
        "refute": "Norvik Bank has not closed 12 branches in Oslo.",
        "irrelevant": "The weather will stay dry until the weekend.",
    }
    rows = [{"claim": claim, "evidence": text, "stance": label} for label, text in texts.items()]
    return _written(folder / "graded" / "subtask3_claim_evidence_stance.jsonl", list(rows))


def _voted(folder: Path) -> Path:
    evidences = [
        {"evidence": "The tower is 300 metres high.", "evidence_label": "SUPPORTS", "votes": []},
        {"evidence": "The tower is not 300 metres high.", "evidence_label": "REFUTES"},
        {"evidence": "Bees sleep at night.", "evidence_label": "NOT_ENOUGH_INFO"},
    ]
    row = {"claim": "The tower is 300 metres high.", "claim_label": "X", "evidences": evidences}
    return _written(folder / "voted" / "climate_fever.jsonl", [row])


def _paired(folder: Path) -> Path:
    return _written(
        folder / "paired" / "pairs.jsonl",
        [
            {"claim": "股价上涨9%。", "evidence": ["股价上涨9%。"], "label": "SUPPORTED"},
            {"claim": "股價上漲9%。", "evidence": ["當日，", "股價下跌9%。"], "label": "REFUTED"},
        ],
    )


def test_every_set_gets_accuracy_and_macro_f1_with_its_size(tmp_path: Path) -> None:
    for write in (_graded, _voted, _paired):
        write(tmp_path)
    found = asyncio.run(measure(tmp_path))
    figures = {each.name: (each.value, each.sample) for each in found.figures}
    assert figures == {
        "graded.accuracy": (1.0, 3),
        "graded.macro_f1": (1.0, 3),
        "paired.accuracy": (1.0, 2),
        "paired.macro_f1": (1.0, 2),
        "voted.accuracy": (1.0, 3),
        "voted.macro_f1": (1.0, 3),
    }
    assert not found.limited
    assert any("graded: supports right 1 of 1, contradicts right 1 of 1" in n for n in found.notes)
    assert all("ms of CPU" in note for note in found.notes)


def test_one_set_can_be_measured_alone_and_in_part(tmp_path: Path) -> None:
    found = asyncio.run(measure(_paired(tmp_path), limit=1))
    assert found.limited
    assert {each.sample for each in found.figures} == {1}


def test_labels_are_mapped_to_ours(tmp_path: Path) -> None:
    assert [case.label for case in read_set(_voted(tmp_path)).cases] == [
        "supports",
        "contradicts",
        "unrelated",
    ]
    paired = read_set(_paired(tmp_path))
    assert paired.known == ("supports", "contradicts")
    assert paired.cases[1].passage == "當日，\n股價下跌9%。"


def test_a_label_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    row = {"claim": "a", "evidence": "b", "label": "MAYBE"}
    folder = _written(tmp_path / "x" / "pairs.jsonl", [row])
    with pytest.raises(InputError, match="no stance is called 'MAYBE'"):
        read_set(folder)


def test_a_row_of_another_form_is_refused(tmp_path: Path) -> None:
    folder = _written(tmp_path / "x" / "pairs.jsonl", [{"claim": 3}])
    with pytest.raises(InputError, match="no claim with evidence"):
        read_set(folder)


def test_a_folder_without_sets_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing in"):
        asyncio.run(measure(tmp_path))
