"""What a form says of what was refused, to people."""

from __future__ import annotations

import pytest

from groundwire.doors.ui.forms import refusal
from groundwire.errors import InputError
from groundwire.words import words


@pytest.mark.parametrize(
    ("language", "empty", "later"),
    [
        ("en", "Please write something first.", "2999-01-01 is still to come"),
        ("zh", "请先写点内容。", "2999-01-01 还没有到"),
        ("zh-Hant", "請先寫點內容。", "2999-01-01 還沒有到"),
    ],
)
def test_a_form_names_no_field_of_a_program(language: str, empty: str, later: str) -> None:
    say = words(language)
    fault = InputError("input.empty", name="ask", field="question")
    assert refusal(fault, say) == empty
    no_time = refusal(InputError("input.no_time", name="verify", field="published_at"), say)
    assert "published_at" not in no_time and "2026-11-10" in no_time
    assert later in refusal(InputError("error.published_later", day="2999-01-01"), say)
