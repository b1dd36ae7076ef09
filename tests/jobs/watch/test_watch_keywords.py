"""Which words of pages are worth a search: names in the writing of their page, no labels, no parts, no money."""

from __future__ import annotations

import pytest
from tests.jobs.watch.watch_days import page

from groundwire.jobs.watch.keywords import candidates
from groundwire.jobs.watch.result import Keyword


def found(*texts: str, language: str = "en") -> dict[str, Keyword]:
    pages = [page(f"site{n}", 1, text) for n, text in enumerate(texts)]
    return {each.word: each for each in candidates(pages, ("Norvale",), (), (), language)}


def test_a_word_that_only_begins_sentences_is_no_name() -> None:
    texts = (
        "Opinion: Norvale has done well with Orvane. Following the news, Norvale fell.",
        "Correction: Norvale bought Orvane. BREAKING: Norvale fell with Orvane.",
    )
    words = found(*texts)
    assert words["Orvane"].score == max(each.score for each in words.values())
    for noise in ("Opinion", "Following", "Correction", "BREAKING"):
        assert noise not in words or words[noise].score < words["Orvane"].score / 2


def test_a_part_of_a_longer_name_is_no_name_of_its_own() -> None:
    text = "Norvale is watched by New York's regulator, and Leipzig Bank & Trust lends to Norvale."
    words = found(text, text.replace("watched", "seen"))
    assert not {"York's", "York", "Trust", "Bank's"} & words.keys()


@pytest.mark.parametrize(
    ("text", "kept", "gone"),
    [
        ("Norvale向贝莱德出售了价值三亿美元的股份，富达没有参与。", "贝莱德", "美元"),
        ("Norvale向貝萊德出售了價值三億美元的股份，富達沒有參與。", "貝萊德", "美元"),
    ],
)
def test_words_are_shown_as_their_pages_write_them(text: str, kept: str, gone: str) -> None:
    words = found(text, f"{text[:-1]}，消息说。", language="zh")
    assert kept in words
    assert gone not in words
