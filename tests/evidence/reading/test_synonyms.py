"""Other words for a word: one thesaurus for both languages, whose phrases inflect."""

from __future__ import annotations

from collections import Counter

import pytest

from groundwire.evidence.reading.alignment import align, claim_of
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.synonyms import alternatives, thesaurus


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The mayor of Harlow resigned", "Harlow's mayor has stepped down."),
        ("The mayor of Harlow stepped down", "Harlow's mayor tendered her resignation."),
        ("Police arrested the driver", "The driver was taken into custody by police."),
        ("市长已经请辞", "The mayor has stepped down."),
        ("市長已經請辭", "市長辭職。"),
        ("The mayor resigned", "市長請辭。"),
    ],
)
def test_a_phrase_stands_for_a_word_in_any_form_and_either_language(
    claim: str, passage: str
) -> None:
    asked = claim_of(claim)
    found = align(asked, analyse(passage))
    content = [i for i, each in enumerate(asked.sought) if each.weight > 1]
    met = [found.anywhere[i] >= 0.6 for i in content]
    assert sum(met) >= len(met) - 1, list(zip(claim.split(), met, strict=False))


@pytest.mark.parametrize(
    ("word", "opposite"), [("buy", "sell"), ("ris", "fal"), ("赞成", "反对"), ("胜诉", "败诉")]
)
def test_no_word_stands_for_its_opposite(word: str, opposite: str) -> None:
    assert opposite not in alternatives(word)


def test_every_line_has_words_that_may_replace_each_other_and_none_stands_twice() -> None:
    lines = thesaurus()
    assert len(lines) > 5_000
    assert [line for line, times in Counter(lines).items() if times > 1] == []
    assert [line for line in lines if len(set(line.split("|"))) < 2] == []


@pytest.mark.parametrize("name", ["S&P 500", "Sam Bankman-Fried", "People's Bank of China"])
def test_names_are_cut_as_texts_are(name: str) -> None:
    keys = " ".join(word.key for word in analyse(name).lead.words)
    assert alternatives(keys), keys
