"""The retrieval evaluation on a tiny invented set, on both databases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lab.evaluation.kinds.retrieval import measure, ndcg

from groundwire.errors import InputError

PAGES = {
    "a": ("Tides", "The moon raises the tides of the sea twice a day."),
    "b": ("潮汐", "月球的引力使海水每天涨落两次，这就是潮汐。"),
    "c": ("Bread", "Bread rises because yeast makes gas in the dough."),
}
QUESTIONS = {"1": "Why does bread rise?", "2": "潮汐是怎么来的？", "3": "volcano"}
RIGHT = [("1", "c", 1), ("2", "b", 1), ("3", "a", 1)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    at = tmp_path / "tiny"
    at.mkdir()
    pages = [{"_id": name, "title": t, "text": body} for name, (t, body) in PAGES.items()]
    (at / "corpus.jsonl").write_text("\n".join(json.dumps(page) for page in pages))
    queries = [{"_id": name, "text": text} for name, text in QUESTIONS.items()]
    (at / "queries.jsonl").write_text("\n".join(json.dumps(query) for query in queries))
    lines = ["query-id\tcorpus-id\tscore", *("\t".join(map(str, row)) for row in RIGHT)]
    (at / "qrels_test.tsv").write_text("\n".join(lines))
    return at


async def test_what_is_found_counts_and_what_is_not_does_too(folder: Path) -> None:
    measured = await measure(folder.parent)
    by_set = {each.set: (round(each.value, 3), each.sample) for each in measured.figures}
    assert by_set["tiny/sqlite"] == (0.667, 3)
    assert by_set.get("tiny/postgresql", (0.667, 3)) == (0.667, 3)
    assert not measured.limited


async def test_a_limit_bounds_the_questions(folder: Path) -> None:
    measured = await measure(folder, limit=2)
    assert {each.sample for each in measured.figures} == {2}
    assert measured.limited


async def test_a_set_without_judgements_is_refused(folder: Path) -> None:
    (folder / "qrels_test.tsv").unlink()
    with pytest.raises(InputError, match="qrels"):
        await measure(folder)


@pytest.mark.parametrize(
    ("found", "wanted", "value"),
    [
        (["a"], {"a": 1}, 1.0),
        (["b", "a"], {"a": 1}, 0.6309),  # 1 / log2(3)
        (["b"], {"a": 1}, 0.0),
        ([], {"a": 1}, 0.0),
        (["a", "b"], {"a": 1, "b": 2}, 0.8597),  # (1 + 2/1.585) / (2 + 1/1.585)
        (["x"] * 10 + ["a"], {"a": 1}, 0.0),  # only the first ten count
    ],
)
def test_ndcg_is_as_trec_eval_has_it(
    found: list[str], wanted: dict[str, int], value: float
) -> None:
    assert ndcg(found, wanted) == pytest.approx(value, abs=1e-3)
