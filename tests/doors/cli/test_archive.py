"""`gw archive`: files and folders go in one by one, and each failure is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Gw

STORY = (
    "The Lantern Bridge over the river Aske was opened to traffic on 4 May 2021. It cost 212 "
    "million dollars, and the city council of Velmora paid for all of it. Engineers had closed "
    "the old crossing in 2018 after cracks were found in two of its piers. The new bridge carries "
    "a tram line as well as four lanes for cars, and a path for people on foot."
)
HTML = f"""<!doctype html><html lang="en"><head><title>Lantern Bridge opens</title>
<meta property="article:published_time" content="2021-05-04T10:00:00Z"></head>
<body><article><h1>Lantern Bridge opens</h1><p>{STORY}</p><p>{STORY}</p></article></body></html>"""


def test_the_sample_is_added_once(empty: Gw) -> None:
    first = json.loads(empty("archive", "add", "--sample", "--json").out)
    again = json.loads(empty("archive", "add", "--sample", "--json").out)
    assert first["new"] > 30
    assert (again["new"], again["known"]) == (0, first["new"])
    stats = json.loads(empty("archive", "stats", "--json").out)
    assert stats["documents"] == first["new"]


def test_a_folder_is_added_with_what_lies_below_it(empty: Gw, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    (folder / "deep" / ".hidden").mkdir(parents=True)
    (folder / "a.html").write_text(HTML)
    (folder / "deep" / "b.md").write_text(f"# A bridge\n\n{STORY} Told by b.")
    (folder / "deep" / "c.TXT").write_text(f"{STORY} 大桥于2021年通车，造价两亿美元。")
    (folder / "deep" / ".hidden" / "d.txt").write_text(STORY)
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "deep" / "round").symlink_to(folder)
    result = empty("archive", "add", str(folder), "--json")
    assert result.code == 0
    assert json.loads(result.out) == {
        "new": 3,
        "known": 0,
        "failed": [],
        "skipped": {".png": 1},
        "left": 0,
    }


def test_files_that_are_passed_over_are_counted_by_kind(empty: Gw, tmp_path: Path) -> None:
    folder = tmp_path / "资料"
    folder.mkdir()
    (folder / "a.txt").write_text(STORY)
    for name in ("b.pptx", "c.PPTX", "表.ods", "README"):
        (folder / name).write_text("x,y\n1,2\n")
    result = empty("archive", "add", str(folder))
    assert result.code == 0
    assert "1 added · 4 skipped (.ods, .pptx, no ending)" in result.out


def test_files_of_ones_own_are_cited_by_their_name(empty: Gw, tmp_path: Path) -> None:
    """Also: two files of one folder are not one site, and their paths are not in the export."""
    (tmp_path / "bridge.html").write_text(HTML)
    (tmp_path / "other.txt").write_text(
        "Velmora's council met on Tuesday. The Lantern Bridge cost 212 million dollars, the "
        "treasurer confirmed, and no further payment is due to the builders after this year."
    )
    assert empty("archive", "add", "bridge.html", "other.txt").code == 0
    completed = empty("ask", "How much did the Lantern Bridge cost?")
    assert completed.code == 0
    assert "local file bridge.html" in completed.out or "local file other.txt" in completed.out
    assert ".invalid" not in completed.out
    report = empty("export", "last").out
    assert ".invalid" not in report
    bundle = empty("export", "last", "-f", "bundle").raw
    assert str(tmp_path).encode() not in bundle
    result = json.loads(empty("show", "last", "--json").out)
    assert len({each["origin_id"] for each in result["evidence"]}) == len(result["evidence"])


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("noise.txt", bytes(range(256)) * 40, "binary"),
        ("empty.md", b"", "empty"),
        ("broken.pdf", b"%PDF-1.7\nnothing of a pdf", "PDF"),
        ("table.xlsx", b"PK\x03\x04", "damaged"),
        ("table.ods", b"PK\x03\x04", "not read"),
        ("shell.html", b"<html><body><script>x()</script></body></html>", ""),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_all_failed_is_code_4(
    empty: Gw, tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    (tmp_path / name).write_bytes(content)
    result = empty("archive", "add", name)
    assert result.code == 4
    assert name in result.err
    assert reason in result.err
    assert "1 failed" in result.out
    assert "Traceback" not in result.err


def test_some_failures_are_code_3_and_the_rest_is_added(empty: Gw, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(f"# A bridge\n\n{STORY}")
    (tmp_path / "bad.txt").write_bytes(b"\x00\x01\x02" * 500)
    result = empty("archive", "add", str(tmp_path), "https://news.example/page", "--json")
    found = json.loads(result.out)
    assert result.code == 3
    assert found["new"] == 1
    assert sorted(each["code"] for each in found["failed"]) == ["offline", "unreadable"]


def test_a_file_above_the_limit_is_refused(empty: Gw, tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text(STORY * 20)
    result = empty("archive", "add", "big.txt", GROUNDWIRE_FETCH__MAX_BYTES="2000")
    assert result.code == 4
    assert "too_large" in result.err


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ((), "nothing to add"),
        (("no-such-file.txt",), "there is no file or folder"),
        (("folder",), "no file of a kind that is read"),
    ],
)
def test_nothing_to_add_is_code_2(
    empty: Gw, tmp_path: Path, args: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "folder").mkdir()
    result = empty("archive", "add", *args)
    assert result.code == 2
    assert sentence in result.err


def test_a_gb18030_file_is_read(empty: Gw, tmp_path: Path) -> None:
    text = "灯笼大桥于2021年5月4日正式通车，总造价为2.12亿美元，全部由维尔莫拉市政府承担。" * 6
    (tmp_path / "zh.txt").write_bytes(text.encode("gb18030"))
    assert empty("archive", "add", "zh.txt").code == 0
    assert "通车" in empty("archive", "search", "大桥通车").out


def test_the_archive_is_searched_in_both_languages(gw: Gw) -> None:
    for query in ("USDC 脱锚 原因", "Nvidia DeepSeek"):
        hits = json.loads(gw("archive", "search", query, "--json").out)
        assert hits
        assert "text" not in hits[0]["document"]
    assert "sample" in gw("archive", "search", "USDC").out


def test_an_empty_archive_says_how_to_fill_it(empty: Gw) -> None:
    assert "gw archive add --sample" in empty("archive", "search", "x").err
    assert "gw archive add --sample" in empty("archive", "stats").err
