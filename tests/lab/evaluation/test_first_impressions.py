"""Event types and stated losses on small invented sets, in the form of the public ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lab.evaluation.event_types import measure_event_types, read_cases, tag_scores
from lab.evaluation.losses import dollars, measure_losses

from groundwire.errors import InputError


def _set(folder: Path, **files: list[dict[str, object]]) -> Path:
    folder.mkdir(parents=True)
    for name, rows in files.items():
        text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    return folder


def _events(folder: Path) -> Path:
    rows: list[dict[str, object]] = [
        {"title": "Foo exchange hacked for $3M in bitcoin", "tag": ["Hacks", "Bitcoin"]},
        {"title": "SEC sues crypto exchange", "tag": ["Regulation"]},
        {"title": "Bitcoin price plunges 20%", "tag": ["Market moves"]},
        {"title": "Foo Bank partners with Ripple on crypto payments", "tag": ["NFTAdoption"]},
    ]
    return _set(folder / "crypto_events", timeline=rows)


def test_types_are_measured_by_the_tags_they_stand_for(tmp_path: Path) -> None:
    figures, notes = measure_event_types(_events(tmp_path))
    values = {each.name: (each.value, each.sample) for each in figures}
    assert values["crypto_events.mean_f1"] == (1.0, 4)
    assert values["crypto_events.profile"] == (1.0, 4)
    assert "Hacks 1.000" in notes[0] and "Adoption 1.000" in notes[0]


def test_a_limit_takes_the_first_rows(tmp_path: Path) -> None:
    assert len(read_cases(_events(tmp_path), 2)) == 2


def test_a_wrong_tag_costs_both_sides() -> None:
    scores = tag_scores([(("Hacks",), "hack"), (("Regulation",), "scam_alert"), ((), "other")])
    assert scores["Hacks"] == pytest.approx(2 / 3)
    assert scores["Regulation"] == 0


def test_losses_are_measured_where_they_are_stated(tmp_path: Path) -> None:
    folder = _set(
        tmp_path / "crypto_hacks",
        narratives=[
            {"name": "A", "rootCause": "A lost $4.1 million in the exploit.", "Lost": "$4.2M"},
            {"name": "B", "rootCause": "A reentrancy bug was exploited.", "Lost": "$7M"},
            {"name": "C", "rootCause": "Hackers stole $9M.", "Lost": "16 WBNB"},
            {"name": "D", "rootCause": "The team offers a $1M bounty.", "loss": "$30M"},
            {"name": "E", "rootCause": "Hackers stole $9M.", "Lost": ""},  # nobody knows
        ],
        hacks=[{"name": "c", "amount": "9100000.0"}],
    )
    figures, notes = measure_losses(folder)
    assert [(each.metric, each.value, each.sample) for each in figures] == [
        ("within_10", 1.0, 2),
        ("abstained", 1.0, 2),
    ]
    assert "of 1 narratives with other amounts only, 1" in notes[0]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("$4.3 M", 4.3e6),
        ("~20999 USD", 20999.0),
        ("1.4M", 1.4e6),
        ("$1.9 million", 1.9e6),
        ("16WBNB", None),
        ("390", None),
        ("unclear", None),
        ("", None),
    ],
)
def test_the_column_of_losses_is_read_where_it_is_in_dollars(
    written: str, value: float | None
) -> None:
    assert dollars(written) == value


@pytest.mark.parametrize("row", [{"title": 1}, {"tag": ["Hacks"]}])
def test_a_row_that_cannot_be_read_is_named(tmp_path: Path, row: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"timeline\.jsonl"):
        measure_event_types(_set(tmp_path / "x", timeline=[row]))
    with pytest.raises(InputError, match=r"narratives\.jsonl"):
        measure_losses(_set(tmp_path / "y", narratives=[row]))
    with pytest.raises(InputError, match=r"hacks\.jsonl"):
        measure_losses(_set(tmp_path / "z", narratives=[], hacks=[{"name": "a", "amount": "?"}]))
