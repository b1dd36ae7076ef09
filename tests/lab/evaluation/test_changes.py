"""How changes of claims are measured, and what the ledger reaches on months that were written for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lab.evaluation.changes import Score, matches, score_month
from lab.evaluation.kinds import changes
from lab.months.month import Expected
from lab.months.story import tell

from groundwire.errors import InputError
from groundwire.jobs.watch.ledger.claims import Change, Side

_SETS = Path(__file__).parents[3] / "evals" / "watch" / "short"


def _change(before: str, after: str) -> Change:
    return Change(
        kind="changed",
        claim_id="wc",
        before=Side(text="", value=before),
        after=Side(text="", value=after),
    )


@pytest.mark.parametrize(
    ("before", "after", "right"),
    [
        ("$249", "199 美元", True),
        ("249美元", "US$199", True),
        ("$249", "$279", False),
        ("$199", "$249", False),
        ("$249", "£199", False),
    ],
)
def test_a_change_matches_by_kind_and_both_values(before: str, after: str, right: bool) -> None:
    expected = Expected(day=3, kind="changed", about="price", before=("$249",), after=("$199",))
    assert right == matches(_change(before, after), expected)
    assert not matches(_change(before, after), expected.model_copy(update={"kind": "new"}))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_simulated_month_is_reported_as_it_was(language: str) -> None:
    score = Score()
    for seed in (1, 2):
        score.add(score_month(tell(seed, language)))
    assert score.precision >= 0.95
    assert score.recall >= 0.95
    assert score.noisy_days == []


async def test_other_fields_and_longer_prose_are_read_as_well() -> None:
    figures = {each.name: each.value for each in (await changes.measure(_SETS)).figures}
    assert (
        min(
            figures[f"{name}.{what}"]
            for name in ("fields", "prose")
            for what in ("precision", "recall")
        )
        >= 0.95
    )
    assert 0 == figures["fields.noisy_days"] == figures["prose.noisy_days"]


async def test_a_folder_without_months_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        await changes.measure(tmp_path)
