"""`gw eval dates`: pages through the code that reads pages, counted as htmldate counts."""

from __future__ import annotations

import asyncio
import gzip
import json
from pathlib import Path

import pytest
from lab.evaluation.figures import Measured
from lab.evaluation.kinds.dates import measure

from groundwire.errors import InputError

DECLARED = '<meta property="article:published_time" content="{}T20:00:00-08:00">'
# file, what the page says, the right day
PAGES = [
    ("right.html", DECLARED.format("2021-03-04"), "2021-03-04"),
    ("right_zh.html", "<h1>题</h1><p>发布时间：2021-03-05</p>", "2021-03-05"),
    ("wrong.html", DECLARED.format("2021-03-04"), "2021-03-07"),
    ("missed.html", "<p>Nothing is said.</p>", "2021-03-04"),
    ("undated.html", "<p>Nothing is known.</p>", None),
    ("invented.html", DECLARED.format("2021-03-04"), float("nan")),
    ("empty.html", "", "2021-03-04"),
]


def folder(root: Path) -> Path:
    (root / "html").mkdir(parents=True)
    lines: list[str] = []
    for name, head, day in PAGES:
        html = f"<html><head>{head}</head><body><p>Text.</p></body></html>" if head else ""
        (root / "html" / f"{name}.gz").write_bytes(gzip.compress(html.encode()))
        lines.append(json.dumps({"file": name, "url": f"https://e.com/{name}", "date": day}))
    (root / "ground_truth.jsonl").write_text("\n".join(lines))
    return root


def run(at: Path, limit: int = 0) -> tuple[Measured, dict[str, float]]:
    measured = asyncio.run(measure(at, limit))
    return measured, {each.metric: each.value for each in measured.figures}


def test_days_are_counted_as_htmldate_counts_them(tmp_path: Path) -> None:
    measured, values = run(folder(tmp_path / "pages"))
    # 2 right; wrong and invented are false positives; missed and empty false negatives.
    assert values == {"f1": 0.5, "precision": 0.5, "recall": 0.5}
    assert {(each.set, each.sample, each.of) for each in measured.figures} == {
        ("pages", 7, "pages")
    }
    assert not measured.limited
    assert "declared 1/3" in measured.notes[0]
    assert "text 1/1" in measured.notes[0]


def test_a_folder_of_sets_is_measured_set_by_set(tmp_path: Path) -> None:
    folder(tmp_path / "one")
    folder(tmp_path / "two")
    measured, _ = run(tmp_path)
    assert [each.name for each in measured.figures if each.metric == "f1"] == ["one.f1", "two.f1"]


def test_a_limit_takes_the_first_pages(tmp_path: Path) -> None:
    measured, values = run(folder(tmp_path), limit=2)
    assert measured.limited
    assert values == {"f1": 1.0, "precision": 1.0, "recall": 1.0}


def test_a_missing_page_is_an_error_and_not_a_miss(tmp_path: Path) -> None:
    (folder(tmp_path) / "html" / "wrong.html.gz").unlink()
    with pytest.raises(InputError, match=r"wrong\.html\.gz"):
        run(tmp_path)
    (tmp_path / "ground_truth.jsonl").write_text('{"url": "https://e.com/"}')
    with pytest.raises(InputError, match="without file"):
        run(tmp_path)
