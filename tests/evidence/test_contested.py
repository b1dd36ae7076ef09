"""Points on which independent origins differ, and the many that are none."""

from __future__ import annotations

import pytest
from tests.evidence.builders import evidence

from groundwire.evidence.contested import conflicts

ONE = evidence("one", url="https://a.example/1", published="2023-03-13")
TWO = evidence("two", url="https://b.example/1", published="2023-03-13")
THREE = evidence("three", url="https://c.example/1", published="2023-03-13")


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("USDC fell to $0.70 on Saturday.", "USDC fell to $0.88 on Saturday.", "figure"),
        ("USDC周六跌至0.70美元", "USDC週六跌至0.88美元", "figure"),
        ("硅谷银行于3月10日倒闭", "硅谷銀行於3月11日倒閉", "date"),
        ("Silicon Valley Bank collapsed on March 10, 2023", "硅谷银行于2023年3月12日倒闭", "date"),
        (
            "Tether holds deposits at SVB.",
            "Tether denied that it holds deposits at SVB.",
            "polarity",
        ),
        ("硅谷银行倒闭", "硅谷銀行並未倒閉", "polarity"),
        (
            "In total DeepSeek spent $5.6 million.",
            "DeepSeek spent $500 million in total.",
            "figure",
        ),
    ],
)
def test_contested(a: str, b: str, kind: str) -> None:
    (conflict,) = conflicts([(a, ONE), (b, TWO)])
    assert conflict.kind == kind
    assert conflict.sides == ((0,), (1,))
    assert conflict.point.endswith(kind)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("USDC fell to $0.88.", "Circle holds a reserve of $3.3bn at SVB."),  # another thing
        ("USDC fell to about $0.87.", "USDC fell to $0.88."),  # approximate
        ("USDC跌至約0.87美元", "USDC跌至0.88美元"),
        ("Circle holds $3.3 billion there.", "Circle holds $3.28 billion there."),  # rounded
        ("Circle holds more than $3 billion there.", "Circle holds $5 billion there."),  # bound
        ("Circle holds less than $9 billion there.", "Circle holds $5 billion there."),
        ("Circle持有超过30亿美元", "Circle持有50亿美元"),
        (
            "Circle holds $3.3 billion of its reserves there.",
            "Circle holds $40 billion reserves there.",
        ),  # part
        ("DeepSeek spent $5 million on V3.", "DeepSeek spent $9 million in total on V3."),  # total
        ("DeepSeek is expected to spend $5 million.", "DeepSeek spent $9 million."),  # estimate
        ("USDC fell to $0.88 on Saturday.", "USDC fell to $0.97 on Sunday."),  # another day
        ("USDC fell to $0.88.", "USDC fell to $0.88."),
        ("USDC fell from $1 to $0.88.", "USDC fell from $0.99 to $0.9."),  # which answers which?
        ("Kraken trading fell to $5.", "Binance trading fell to $6."),  # other names
        ("Shares rose to $5 on Monday.", "USDC fell."),
    ],
)
def test_not_contested(a: str, b: str) -> None:
    assert conflicts([(a, ONE), (b, TWO)]) == ()


def test_one_origin_does_not_contradict_itself() -> None:
    a, b = "USDC fell to $0.70.", "USDC fell to $0.88."
    assert conflicts([(a, ONE), (b, ONE)]) == ()
    same = TWO.model_copy(update={"origin_id": "or_1"})
    assert conflicts([(a, ONE.model_copy(update={"origin_id": "or_1"})), (b, same)]) == ()


def test_statements_that_agree_stand_on_one_side() -> None:
    (conflict,) = conflicts(
        [
            ("USDC fell to $0.70.", ONE),
            ("USDC fell to $0.88.", TWO),
            ("USDC fell to 88 cents.", THREE),
        ]
    )
    assert conflict.sides == ((0,), (1, 2))
    assert conflict.point == "USDC: figure"


def test_two_points_are_two_groups() -> None:
    found = conflicts(
        [
            ("USDC fell to $0.70.", ONE),
            ("USDC fell to $0.88.", TWO),
            ("Kraken cut 10% of staff.", ONE),
            ("Kraken cut 30% of staff.", TWO),
        ]
    )
    assert [conflict.sides for conflict in found] == [((0,), (1,)), ((2,), (3,))]


def test_without_names_the_sentence_names_the_point() -> None:
    (conflict,) = conflicts([("shares dropped 10% there", ONE), ("shares dropped 30% there", TWO)])
    assert conflict.point == "shares dropped 10% there: figure"
