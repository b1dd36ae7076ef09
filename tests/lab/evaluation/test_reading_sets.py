"""How the reader is measured on pairs: the whole set, what was kept back of it, and edits of true sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lab.evaluation.kinds import probes, stance
from lab.training.sets import kept_back

from groundwire.errors import InputError


def _claims() -> list[str]:
    """One that was kept back, and one that was not."""
    names = [f"The council of Harlow closed pool {number}." for number in range(40)]
    return [next(name for name in names if kept_back(name) is kept) for kept in (True, False)]


async def test_a_set_is_counted_whole_and_by_what_was_kept_back(tmp_path: Path) -> None:
    folder = tmp_path / "fever_symmetric"
    folder.mkdir()
    rows = [{"claim": claim, "evidence": claim, "label": "supports"} for claim in _claims()]
    (folder / "dev.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    figures = {each.name: each for each in (await stance.measure(tmp_path)).figures}
    assert figures["fever_symmetric.accuracy"].sample == 2
    assert figures["fever_symmetric/kept_back.accuracy"].sample == 1
    assert figures["fever_symmetric.says_wrong_side"].value == 0.0


async def test_edits_are_counted_by_kind_and_language(tmp_path: Path) -> None:
    figures = {each.name: each for each in (await probes.measure(tmp_path, limit=1)).figures}
    assert {"all.read_rightly", "all/en.says", "all/zh-Hant.says_wrong_side"} <= figures.keys()
    assert figures["negation.read_rightly"].sample < figures["all.read_rightly"].sample


async def test_probes_need_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        await probes.measure(tmp_path / "none")
