"""The evaluation of answers on a tiny invented set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lab.evaluation.kinds.ask import flat, measure

DOCS = [
    ("https://a.example/1", "Bread", "Bread rises because yeast makes gas in the dough."),
    ("https://a.example/2", "潮汐", "月球的引力使海水每天涨落两次，这就是潮汐。"),
]
ASKED = [
    ("Why does bread rise?", ["yeast makes gas"]),
    ("Why does bread rise?", ["by magic"]),
    ("Who founded Zanzibar Motors?", ["nobody"]),
    ("", ["left out"]),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    at = tmp_path / "tiny"
    at.mkdir()
    docs = [{"url": url, "title": title, "text": text} for url, title, text in DOCS]
    asked = [{"id": str(n), "question": q, "answers": a} for n, (q, a) in enumerate(ASKED)]
    for name, rows in (("docs", docs), ("questions", asked)):
        (at / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return tmp_path


async def test_right_wrong_and_missing_are_told_apart(folder: Path) -> None:
    measured = await measure(folder)
    shares = {each.metric: round(each.value, 3) for each in measured.figures}
    assert shares == {"right": 0.333, "wrong": 0.333, "missing": 0.333}
    assert {each.sample for each in measured.figures} == {3}
    assert measured.notes == ("tiny: 1 without a question left out",)


@pytest.mark.parametrize(("one", "other"), [("２０–18", "20—18"), ("俄國", "俄国"), ("U.S.", "us")])
def test_script_width_and_punctuation_do_not_count(one: str, other: str) -> None:
    assert flat(one) == flat(other)
