"""The extraction evaluation on a tiny invented set."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from lab.evaluation.kinds.extract import measure, word_f1

from groundwire.errors import InputError

SENTENCES = [f"The harbour of town {number} was rebuilt after the storm." for number in range(30)]
PAGE = (
    "<html><head><title>Harbours</title></head><body><nav><a href='/'>Home</a></nav><article>"
    + "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    + "</article><footer>All rights reserved.</footer></body></html>"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "dev_1.html.gz").write_bytes(gzip.compress(PAGE.encode()))
    (tmp_path / "html" / "dev_2.html.gz").write_bytes(gzip.compress(b"<html></html>"))
    rows = [
        {
            "id": "1",
            "url": "https://a.example/1",
            "page_type": "article",
            "main_content": "\u2028".join(SENTENCES),
            "with": [SENTENCES[0]],
            "without": ["All rights reserved."],
        },
        {"id": "2", "url": "https://a.example/2", "page_type": "forum", "main_content": "Lost."},
        {"id": "3", "url": "https://a.example/3", "main_content": "Not there."},
    ]
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (tmp_path / "ground_truth.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


async def test_pages_count_one_each_and_a_refused_page_counts_zero(folder: Path) -> None:
    measured = await measure(folder)
    found = {each.set: (round(each.value, 2), each.sample) for each in measured.figures}
    name = folder.name
    assert found == {name: (0.5, 2), f"{name}/article": (1.0, 1), f"{name}/forum": (0.0, 1)}
    assert "kept 100%, unwanted left out 100%" in measured.figures[1].note
    assert "1 of 2 pages were refused" in measured.notes[0]


async def test_a_set_without_its_pages_is_refused(folder: Path) -> None:
    for page in (folder / "html").iterdir():
        page.unlink()
    with pytest.raises(InputError, match="none of its pages"):
        await measure(folder)


async def test_a_line_or_a_page_that_cannot_be_read_is_named(folder: Path) -> None:
    (folder / "html" / "dev_2.html.gz").write_bytes(b"not gzipped")
    with pytest.raises(InputError, match="dev_2"):
        await measure(folder)
    (folder / "ground_truth.jsonl").write_text('{"url": "https://a.example/1"}')
    with pytest.raises(InputError, match="a line without id or url"):
        await measure(folder)


@pytest.mark.parametrize(
    ("extracted", "truth", "value"),
    [
        ("one two", "two one", 1.0),
        ("One, two!", "one two", 1.0),
        ("one one", "one", 2 / 3),
        ("", "one", 0.0),
        ("", "", 1.0),
        ("月球 引力", "月球 引力", 1.0),
    ],
)
def test_words_are_compared_as_bags(extracted: str, truth: str, value: float) -> None:
    assert word_f1(extracted, truth) == pytest.approx(value)
