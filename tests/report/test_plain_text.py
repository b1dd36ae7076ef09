"""What a report may hold: text that shows what it is, and addresses that can be followed."""

from __future__ import annotations

import pytest

from groundwire.report.blocks import Code, Excerpt, Quotation, SourceEntry, Statement, TextSpan
from groundwire.report.plain import cut, flowing, lines, one_line


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("two\nlines\tand  blanks ", "two lines and blanks"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;http://evil.example\x07link\x1b]8;;\x07", "link"),
        ("\u202egnp.exe\u202c", "gnp.exe"),
        ("a\u2066b\u2069c", "abc"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("nul\x00 bell\x07", "nul bell"),
        ("half \ud83d pair", "half pair"),
        ("not XML \ufffe\uffff", "not XML"),
        ("e\u0301\u0301\u0301\u0301\u0301", "e\u0301\u0301\u0301"),
        ("می\u200cخواهم", "می\u200cخواهم"),  # belongs to the word
        ("跨链桥 並未 $3.3", "跨链桥 並未 $3.3"),
        ("U+E0041 \U000e0041tag", "U+E0041 tag"),
    ],
)
def test_what_cannot_be_seen_is_not_there(given: str, shown: str) -> None:
    assert one_line(given) == shown


def test_lines_stay_where_they_are_wanted() -> None:
    assert lines("one \r\ntwo\r\n\r\n\r\n\r\nthree\u2028four") == "one\ntwo\n\nthree\nfour"
    assert flowing("and  then ") == "and then "
    assert cut("abcdef", 4) == "abc…"


def test_every_part_cleans_what_it_is_given() -> None:
    bad = "a\u202e\x00b"
    assert Statement(text=bad, word=bad, about=bad).text == "a b"
    assert TextSpan(text=bad).text == "a b"
    assert Quotation(text=f"{bad}\n{bad}").text == "a b\na b"
    assert Code(text=f"  {bad}").text == "  a b"
    assert (
        SourceEntry(number=1, title=bad, quotes=(Excerpt(text=bad),), about=(bad,)).quotes[0].text
        == "a b"
    )


@pytest.mark.parametrize(
    ("given", "link"),
    [
        ("https://a.example/x?y=1&z=2#f", "https://a.example/x?y=1&z=2#f"),
        ("http://a.example/汉字", "http://a.example/%E6%B1%89%E5%AD%97"),
        ('https://a.example/"><b>', "https://a.example/%22%3E%3Cb%3E"),
        ("javascript:alert(1)", None),
        ("java\nscript:alert(1)", None),
        (" https://a.example/", None),
        ("https://a.example/\n", None),
        ("data:text/html,x", None),
        ("file:///etc/passwd", None),
        ("//a.example/", None),
        ("https://local.invalid/notes.md", None),
        ("", None),
        (None, None),
    ],
)
def test_a_link_is_an_address_of_the_web_or_none(given: str | None, link: str | None) -> None:
    assert SourceEntry(number=1, title="t", link=given).link == link
