"""A question that asks several things is split where it does, in the person's own words."""

from __future__ import annotations

import pytest

from groundwire.evidence.questions.parts import question_parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Did the fund open, and when?",
            ("Did the fund open", "when?"),
        ),
        (
            "When was it sold and how much did it cost?",
            ("When was it sold", "how much did it cost?"),
        ),
        ("基金被盗了多少钱？还了吗？", ("基金被盗了多少钱？", "还了吗？")),
        ("新手机何时发布，卖多少钱？", ("新手机何时发布", "卖多少钱？")),
        ("新手機何時發布，賣多少錢？", ("新手機何時發布", "賣多少錢？")),
        # one thing, whatever its commas
        ("When the price fell, who sold?", ("When the price fell, who sold?",)),
        ("How much did Apple and Google pay?", ("How much did Apple and Google pay?",)),
        ("苹果、谷歌一共付了多少钱？", ("苹果、谷歌一共付了多少钱？",)),
        ("蘋果、谷歌一共付了多少錢？", ("蘋果、谷歌一共付了多少錢？",)),
    ],
)
def test_each_part_is_as_it_was_written(question: str, parts: tuple[str, ...]) -> None:
    assert question_parts(question) == parts
