"""Lines of words and Chinese: filled, never too wide, punctuation where it belongs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from groundwire.report.wrapping import wrapped


def lines(text: str, width: int) -> list[str]:
    return [line.plain for line in wrapped(Text(text), width)]


def test_chinese_breaks_between_characters_and_english_between_words() -> None:
    assert lines("Circle披露其储备中有33亿美元", 12) == ["Circle披露其", "储备中有33亿", "美元"]
    assert lines("one two three", 8) == ["one two", "three"]


def test_a_full_stop_never_begins_a_line() -> None:
    assert lines("一二三四五六。七", 12) == ["一二三四五", "六。七"]


def test_an_opening_quote_never_ends_a_line() -> None:
    assert lines("一二三四五“六", 12) == ["一二三四五", "“六"]


def test_a_word_wider_than_the_column_is_cut() -> None:
    assert lines("https://a.example/long", 10) == ["https://a.", "example/lo", "ng"]


def test_styles_survive_the_break() -> None:
    text = Text.assemble(("aaa ", "bold"), ("bbb", "italic"))
    first, second = wrapped(text, 4)
    assert str(first.spans[0].style) == "bold"
    assert str(second.spans[0].style) == "italic"


@given(st.text(alphabet="ab 汉字，。“”0.$(", max_size=60), st.integers(8, 20))
def test_no_line_is_too_wide_and_no_word_is_lost(text: str, width: int) -> None:
    found = lines(text, width)
    # Punctuation that may not begin a line may hang over only when nothing else is possible.
    assert all(cell_len(line) <= width for line in found)
    assert "".join(found).replace(" ", "") == text.replace(" ", "")
