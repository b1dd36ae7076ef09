"""A stored text cut up for reading: nothing is lost, nothing unseen comes through, passages stand."""

from __future__ import annotations

import pytest

from groundwire.doors.ui.passages import Paragraph, Piece, Span, stretches


def paragraphs(text: str, *spans: Span) -> list[Paragraph]:
    return [each for stretch in stretches(text, spans) for each in stretch.paragraphs]


def pieces(text: str, *spans: Span) -> list[Piece]:
    return [piece for each in paragraphs(text, *spans) for piece in each.pieces]


def shown(text: str, *spans: Span) -> str:
    return "\n".join("".join(p.text for p in each.pieces) for each in paragraphs(text, *spans))


@pytest.mark.parametrize("text", [
    "one", "one\ntwo", "第一段。\n\n第二段。", "  indented\n\tand tabbed", "ends with a break\n",
])  # fmt: skip
def test_every_word_is_shown_in_its_order(text: str):
    kept = "\n".join(line for line in text.split("\n") if line.strip())
    assert shown(text) == kept
    assert shown(text, Span(0, 2), Span(1, 3, "asked")) == kept


def test_no_text_has_no_paragraphs():
    assert stretches("", []) == []
    assert stretches(" \n \n", []) == []


def test_what_is_asked_for_is_cut_out_of_what_is_cited():
    text = "0123456789"
    found = pieces(text, Span(1, 8, sentences=("s1",)), Span(3, 5, "asked"))
    assert [(p.text, p.mark, p.sentences) for p in found] == [
        ("0", None, ()),
        ("12", "cited", ()),
        ("34", "asked", ()),
        ("567", "cited", ("s1",)),
        ("89", None, ()),
    ]


def test_the_same_passage_cited_and_asked_for_is_one():
    (first, rest) = pieces(
        "quote, and more", Span(0, 5, sentences=("s1", "s2")), Span(0, 5, "asked")
    )
    assert (first.text, first.mark, first.first, first.sentences) == (
        "quote",
        "asked",
        True,
        ("s1", "s2"),
    )
    assert rest.mark is None


def test_passages_that_overlap_are_one_stretch():
    found = pieces("0123456789", Span(0, 4, sentences=("s1",)), Span(2, 6, sentences=("s2",)))
    assert [(p.text, p.mark, p.sentences) for p in found] == [
        ("012345", "cited", ("s1", "s2")),
        ("6789", None, ()),
    ]


def test_a_passage_goes_over_paragraphs():
    found = paragraphs("one two\nthree", Span(4, 10, "asked", ("s1",)))
    marked = [[(p.text, p.first, p.sentences) for p in each.pieces if p.mark] for each in found]
    assert marked == [[("two", True, ())], [("th", False, ("s1",))]]


@pytest.mark.parametrize("span", [Span(-1, 3), Span(3, 3), Span(5, 2), Span(0, 99)])
def test_what_is_no_passage_is_not_marked(span: Span):
    assert all(piece.mark is None for piece in pieces("0123456789", span))


def test_what_is_not_to_be_seen_is_named():
    found = pieces("a\u202eb\x07c")
    assert [(p.text, p.odd) for p in found] == [
        ("a", False), ("U+202E RIGHT-TO-LEFT OVERRIDE", True), ("b", False), ("U+0007", True),
        ("c", False),
    ]  # fmt: skip
    assert shown("soft\u00adhy\u200bphen\ufeff\r\nnext") == "softhyphen\nnext"


def test_marks_heaped_on_a_letter_are_thinned_out():
    assert shown("z" + "\u0334" * 50 + "a") == "z" + "\u0334" * 3 + "a"


def test_a_text_without_breaks_is_laid_out_in_parts():
    text = "x" * 10_000 + " " + "word " * 3_000
    found = paragraphs(text, Span(9_990, 10_010, "asked"))
    assert max(sum(len(p.text) for p in each.pieces) for each in found) <= 4_000
    assert not found[0].goes_on and all(each.goes_on for each in found[1:])
    assert "".join(p.text for each in found for p in each.pieces) == text
    assert len(stretches(text, [])) > 1


def test_a_stretch_of_words_alone_is_written_out():
    (first, *_, last) = stretches("a < b & c\n" + "word " * 10_000, [Span(0, 1, "asked")])
    assert first.words is None  # it holds a passage
    assert last.words is not None and last.words.startswith('<p class="goes-on" dir="auto">word')
    (plain,) = stretches('a < b & "c"\n<script>', [])
    assert plain.words == (
        '<p dir="auto">a &lt; b &amp; &#34;c&#34;</p>\n<p dir="auto">&lt;script&gt;</p>'
    )
