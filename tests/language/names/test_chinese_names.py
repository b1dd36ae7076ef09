"""Chinese names that no glossary knows."""

from __future__ import annotations

import pytest

from groundwire.language.names.chinese_names import chinese_names, name_stem
from groundwire.language.text.characters import simplify


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("王建国宣布辞去华星集团董事长职务", ["王建国", "华星集团"]),
        ("王建國宣布辭去華星集團董事長職務", ["王建国", "华星集团"]),
        ("李志强表示远洋集团将继续经营", ["李志强", "远洋集团"]),
        ("美国财政部宣布保护储户", ["美国财政部"]),
        ("高管称公司经营良好", []),
        ("马上宣布", []),
        ("于是说公司不好", []),
        ("央行表示将下调利率", []),
        ("The bank failed.", []),
    ],
)
def test_found(text: str, found: list[str]) -> None:
    flat = simplify(text)
    assert [flat[start:end] for start, end in chinese_names(flat)] == found


def test_the_part_that_tells_one_body_from_another() -> None:
    assert name_stem("华星集团") == "华星"
    assert name_stem("集团") == "集团"
