"""How the reader is measured on edits of true sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
from lab.evaluation.kinds import probes

from groundwire.errors import InputError


async def test_edits_are_counted_by_kind_and_language(tmp_path: Path) -> None:
    figures = {each.name: each for each in (await probes.measure(tmp_path, limit=1)).figures}
    assert {"all.read_rightly", "all/en.says", "all/zh-Hant.says_wrong_side"} <= figures.keys()
    assert figures["negation.read_rightly"].sample < figures["all.read_rightly"].sample


async def test_probes_need_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        await probes.measure(tmp_path / "none")
