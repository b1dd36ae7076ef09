"""Whose value it is: two things of a subject that have one attribute, and one thing told in other words."""

from __future__ import annotations

import pytest
from watch_days import Days, page


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A day pass for Norvale's trams costs $6.", "Norvale's new depot will cost $430 million."),
        ("Norvale 的电车日票售价为 6 美元。", "Norvale 新车库的售价为 4.3 亿美元。"),
        ("Norvale 的電車日票售價為 6 美元。", "Norvale 新車庫的售價為 4.3 億美元。"),
        ("Norvale pays $75,000 in fees to its auditor.", "The Glimt app of Norvale charges a fee of $2."),
        ("Norvale's gate 4 opened on 2 October.", "Norvale will open a school for pilots on 9 May 2027."),
    ],
)  # fmt: skip
def test_two_things_with_one_attribute_are_two_claims(one: str, other: str) -> None:
    days = Days()
    first = page("harbour", 1, one)
    days.look(1, first)
    assert [each[0] for each in days.look(3, first, page("meridian", 3, other))] == ["new"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A day pass for Norvale's trams costs $6.", "Norvale now sells its day pass for $7."),
        ("A day pass for Norvale's trams costs $6.", "Norvale 的电车日票售价为 7 美元。"),
        ("Norvale 的電車日票售價為 6 美元。", "Norvale 将日票定价为 7 美元。"),
        ("Norvale's price is $6.", "Norvale costs $7."),
    ],
)
def test_one_thing_in_other_words_is_one_claim(one: str, other: str) -> None:
    days = Days()
    first = page("harbour", 1, one)
    days.look(1, first)
    assert [each[0] for each in days.look(3, first, page("meridian", 3, other))] == ["changed"]
