"""Counts in words, ordinals, times, decades, multiples, shares and slashed dates."""

from __future__ import annotations

from decimal import Decimal

import pytest

from groundwire.language.amounts.counts import counts, same_count


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Three banks and thirty-three lenders", [("number", 3), ("number", 33)]),
        ("三家银行、五名高管", [("number", 3), ("number", 5)]),
        ("三家銀行、兩名高管", [("number", 3), ("number", 2)]),
        ("It ranks 5th, the second largest", [("ordinal", 5), ("ordinal", 2)]),
        ("排名第五", [("ordinal", 5)]),
        ("at 5 p.m.", [("time", 1020)]),
        ("下午3点", [("time", 900)]),
        ("in the 1980s", [("decade", 1980)]),
        ("20世纪90年代", [("decade", 1990)]),
        ("sales doubled, then tripled", [("multiple", 2), ("multiple", 3)]),
        ("营收翻倍", [("multiple", 2)]),
        ("half of the users", [("share", 0.5)]),
        ("一半用户", [("share", 0.5)]),
        ("on 03/11/2023", [("slashed", 20230311)]),
        ("one of them, a bank, no one", []),
        ("一个人一直一起", []),
        ("2023年3月11日", []),
        ("one third of it, 三分之一", []),
        ("the second quarter", []),
    ],
)
def test_found(text: str, found: list[tuple[str, float]]) -> None:
    assert [(c.kind, c.value) for c in counts(text)] == [(k, Decimal(str(v))) for k, v in found]


def test_a_time_without_morning_or_evening_fits_both() -> None:
    (vague,), (evening,), (morning,) = counts("3:00"), counts("3 p.m."), counts("3 a.m.")
    assert same_count(vague, evening)
    assert not same_count(morning, evening)
