"""Which words a citation mark is kept together with."""

from __future__ import annotations

import pytest

from groundwire.doors.ui.render import split_end


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("It fell to $0.88 on some venues.", "venues."),
        ("It fell to $0.88", "$0.88"),
        ("持有者担心这笔钱无法全额收回。", "回。"),
        ("投資者只好在市場上折讓沽出。」", "出。」"),
        ("价格一度跌破0.90美元", "元"),
        ("训练只花了557", "557"),
        ("he said “no.”", "no.”"),
        ("", ""),
        (" ", ""),
        ("…", "…"),
    ],
)
def test_the_end_is_a_word_with_its_punctuation(text: str, end: str):
    assert split_end(text)[1] == end
    assert "".join(split_end(text)) == text


def test_what_is_glued_is_never_long():
    for text in ("x" * 500, "。" * 500, "y" * 400 + "!" * 400):
        assert len(split_end(text)[1]) <= 20
