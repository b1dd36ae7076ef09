"""Passages: exact offsets, whole sentences, nothing lost."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.evidence.pages.passages import MOST, spans, split
from groundwire.model.source import Document

EN = "The bank cut its rate on Thursday. Markets had expected it. "
ZH = "央行周四宣布降准。市场对此早有预期。"
ZH_HANT = "央行週四宣布降準。市場對此早有預期。"


def document(text: str) -> Document:
    return Document(
        id="doc_1",
        url="https://example.com/",
        canonical_url="https://example.com/",
        publisher="example.com",
        title="t",
        language="und",
        text=text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


@given(st.lists(st.sampled_from([EN, ZH, ZH_HANT, "\n", "\n\n", " ", "x" * 700, "「a」", "3.14 "])))
def test_offsets_are_exact_and_no_word_is_lost(parts: list[str]) -> None:
    text = "".join(parts)
    passages = split(document(text))
    at = 0
    for passage in passages:
        assert text[passage.start : passage.end] == passage.text
        assert passage.text == passage.text.strip()
        assert text[at : passage.start].strip() == ""
        at = passage.end
    assert text[at:].strip() == ""
    assert len({passage.id for passage in passages}) == len(passages)


@given(st.text(max_size=3000))
def test_any_text_is_covered(text: str) -> None:
    found = spans(text)
    assert "".join("".join(text[a:b].split()) for a, b in found) == "".join(text.split())
    assert all(a < b for a, b in found)


@pytest.mark.parametrize("sentence", [EN, ZH, ZH_HANT])
def test_a_long_paragraph_is_cut_between_sentences(sentence: str) -> None:
    text = sentence * 100
    for passage in split(document(text)):
        assert 300 <= len(passage.text) <= MOST
        assert passage.text[-1] in ".。"
        assert passage.text.startswith(sentence[:3]) or passage.text.startswith(("Markets", "市"))


def test_short_paragraphs_are_read_together() -> None:
    text = "\n".join([EN.strip()] * 20)
    sizes = [len(passage.text) for passage in split(document(text))]
    assert all(size >= 300 for size in sizes[:-1])
    assert len(sizes) < 8


def test_a_passage_ends_with_its_paragraph_once_it_is_long_enough() -> None:
    first, second = EN * 6, ZH * 20
    passages = split(document(f"{first.strip()}\n{second}"))
    assert passages[0].text == first.strip()


def test_a_sentence_without_end_is_cut_at_a_space() -> None:
    text = "word " * 1000
    passages = split(document(text))
    assert all(len(passage.text) <= 1800 for passage in passages)
    assert all(passage.text.endswith("word") for passage in passages)


def test_no_text_has_no_passage() -> None:
    assert split(document(" \n ")) == ()
