"""Snippets: the right stretch, whole words, exact offsets."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.store import bm25
from groundwire.store.snippet import snippet


@settings(max_examples=200, deadline=None)
@given(text=st.text(min_size=1, max_size=300), query=st.text(min_size=1, max_size=20))
def test_a_snippet_stands_in_the_text_at_its_offset(text: str, query: str) -> None:
    shown = snippet(text, dict.fromkeys((item.term for item in bm25.query_terms(query)), 1.0))
    assert text[shown.start : shown.start + len(shown.text)] == shown.text


def test_a_snippet_takes_the_window_with_the_most_terms_and_whole_sentences() -> None:
    text = (
        "The bridge was built in 1901. " + "It stands. " * 60 + "Attackers drained the bridge on "
        "Sunday. The team paused it." + " Nothing else is known." * 60
    )
    shown = snippet(text, {"bridg": 1.0, "attack": 2.0, "drain": 2.0, "attackers": 2.0})
    assert "Attackers drained the bridge on Sunday." in shown.text
    assert shown.text[0].isupper()
    assert shown.text.endswith(".")


def test_a_snippet_never_cuts_a_word() -> None:
    text = " ".join(["extraordinarily"] * 50 + ["needle"] + ["unquestionable"] * 50)
    words = snippet(text, {"needl": 1.0}).text.split()
    assert "needle" in words
    assert set(words) <= {"extraordinarily", "needle", "unquestionable"}


def test_a_snippet_is_found_far_into_a_very_long_text() -> None:
    text = "海" * 150_000 + "。这里有脱锚。" + "山" * 1000
    shown = snippet(text, {"脱锚": 1.0})
    assert "脱锚" in shown.text
    assert text[shown.start :].startswith(shown.text)
