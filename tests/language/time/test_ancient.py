"""Years before our era: found, and never read as days or years of ours."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.language.time.ancient import ancient
from groundwire.language.time.expressions import expressions

BASE = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "found", "left"),
    [
        ("On 15 March 44 BC Caesar was killed.", ["44 BC"], []),
        ("It was built in the 3rd century BCE and rebuilt in 1987.", ["3rd century BCE"], ["1987"]),
        ("Founded on 21 April, 753 B.C., it fell later.", ["753 B.C."], []),
        ("公元前221年，秦统一六国。", ["公元前221年"], []),
        ("西元前221年，秦統一六國，1974年發現兵馬俑。", ["西元前221年"], ["1974年"]),
        ("公元前三世纪建成，2019年重修。", ["公元前三世纪"], ["2019年"]),
        ("She holds a BC licence of 3 May 2023.", [], ["3 May 2023"]),
        ("三年前的2021年，公司成立。", [], ["三年前", "2021年"]),
    ],
)
def test_a_year_before_our_era_is_no_time_of_ours(
    text: str, found: list[str], left: list[str]
) -> None:
    assert [text[start:end] for start, end in ancient(text)] == found
    assert [each.text for each in expressions(text, BASE)] == left
