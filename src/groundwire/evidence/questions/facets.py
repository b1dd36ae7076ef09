"""What a question can ask for (why, when, how much…), and the words that ask for it."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, TypeAlias, cast

from groundwire.evidence.data import data_lines
from groundwire.language.text.phrases import patterns
from groundwire.language.text.wording import is_han

Facet: TypeAlias = Literal["why", "when", "how_much", "who", "where", "whether", "how", "what"]
# The sort of value that answers "how much" or "where"; what a thing is, for "what".
Sort: TypeAlias = Literal["", "money", "percent", "count", "country", "meaning"]

_SORTS: tuple[Sort, ...] = ("percent", "count", "money", "country")
_patterns = patterns("asked.txt", "groundwire.evidence.data", re.IGNORECASE)


@cache
def facet_words(role: str) -> dict[Facet, tuple[str, ...]]:
    """Return the words of one role (`asking`, `strong`, `query_en`, …) by facet."""
    by_facet: dict[Facet, tuple[str, ...]] = {}
    for line in data_lines("facets.tsv"):
        facet, what, words = line.split("\t")
        if what == role:
            by_facet[cast("Facet", facet)] = tuple(words.split("|"))
    return by_facet


@cache
def any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """Compile a pattern for any of the words: whole words in English, anywhere in Chinese."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    parts = (
        re.escape(word) if is_han(word) else rf"(?<![\w]){re.escape(word)}(?![\w])"
        for word in ordered
    )
    return re.compile("|".join(parts), re.IGNORECASE)


@cache
def asking_words() -> tuple[re.Pattern[str], dict[str, Facet]]:
    """Return one pattern for all asking words, so that the longest wins, and the facet of each."""
    facet_by_word: dict[str, Facet] = {
        word: facet for facet, words in facet_words("asking").items() for word in words
    }
    return any_of(tuple(facet_by_word)), facet_by_word


def asks(text: str) -> bool:
    """Tell whether a text asks: it has an asking word, or begins with a verb."""
    words = text.strip()
    verbs = "|".join(facet_words("start")["whether"])
    return bool(
        asking_words()[0].search(words) or re.match(rf"(?:{verbs})\b", words, re.IGNORECASE)
    )


def sort_of(facets: tuple[Facet, ...], text: str) -> Sort:
    """Return the sort of value that answers these facets, as far as the question says."""
    if facets == ("what",) and _patterns["meaning"].match(text):
        return "meaning"
    for sort in _SORTS:
        known = facet_words(sort)
        if any(facet in facets and any_of(known[facet]).search(text) for facet in known):
            return sort
    return ""


def asks_by_noun(text: str) -> bool:
    """Tell whether a noun names what is asked for: "what was the price of", …的价格是什么."""
    return _patterns["noun"].match(text) is not None


def keyword_facets(text: str) -> list[tuple[int, Facet]]:
    """Find what mere keywords ask for: "DeepSeek V3 training cost" wants a figure."""
    facets: list[tuple[int, Facet]] = []
    for facet, words in facet_words("bare").items():
        match = any_of(words).search(text)
        if match is not None:
            facets.append((match.start(), facet))
    return sorted(facets)[:1]
