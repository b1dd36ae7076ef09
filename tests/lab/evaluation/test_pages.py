"""Pages written blind: what the product says of each is counted, by language, and a wrong side by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lab.evaluation.kinds.pages import FAMILIES, measure

from groundwire.errors import InputError

_ROWS = [
    ("Tessera acquired Valor Labs.", "Tessera acquired Valor Labs on Monday.", "supports"),
    ("Tessera acquired Valor Labs.", "Tessera did not acquire Valor Labs.", "supports"),
    ("市议会批准了这座桥。", "天气预报说明天有雨。", "unrelated"),
]


async def test_labels_and_wrong_sides_are_counted_by_language(tmp_path: Path) -> None:
    rows = [
        json.dumps({"claim": claim, "title": "", "text": text, "label": label})
        for claim, text, label in _ROWS
    ]
    (tmp_path / FAMILIES).write_text("\n".join(rows), "utf-8")
    found = {
        each.name.partition(".")[0] + "." + each.metric: each
        for each in (await measure(tmp_path)).figures
    }
    name = tmp_path.name
    assert found[f"{name}.accuracy"].sample == 3
    assert found[f"{name}.wrong_side"].value == pytest.approx(1 / 3)
    assert found[f"{name}/zh.accuracy"].value == 1.0


async def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        await measure(tmp_path)
