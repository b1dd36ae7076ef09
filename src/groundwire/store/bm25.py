"""Index terms, query terms, and the one BM25 that ranks on both databases."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from groundwire.language.text.tokens import content_tokens, is_stop_word, tokens
from groundwire.store.porter import stem

# The usual constants; the same as SQLite's own ranking, which picks the candidates there.
_SATURATION = 1.2
_LENGTH = 0.75
TITLE_WEIGHT = 3.0

_TERM_LENGTH = 64  # longer "words" are encoded data; nobody searches for their ends
_MOST_TOKENS = 200_000
_MOST_QUERY_TERMS = 64
_RARE = 10


class IndexEntry(NamedTuple):
    """A document as it is indexed: terms joined by single spaces."""

    title: str
    body: str

    @property
    def length(self) -> int:
        # Terms are joined by single spaces: counting those is cheaper than cutting again.
        return sum(part.count(" ") + 1 for part in self if part)


class Totals(NamedTuple):
    """The size of the whole archive, as BM25 needs it."""

    documents: int
    terms: int


@lru_cache(maxsize=300_000)  # words recur
def term(token: str) -> str:
    """Return the index term of one token, or several terms joined by spaces."""
    token = token[:_TERM_LENGTH]
    if token.isascii():
        return stem(token) if token.isalpha() else token
    plain = "".join(char for char in unicodedata.normalize("NFKD", token) if char.isascii())
    if plain and len(plain) == len(unicodedata.normalize("NFC", token)):
        return stem(plain) if plain.isalpha() else token  # accents: café is found as cafe
    if len(token) == 1 or not _is_han(token[0]):
        return token
    # Deferred: loading the dictionary takes longer than most commands that never need it.
    import rjieba

    if rjieba.has_word(token):
        return token
    # A word that the dictionary does not know is cut differently from sentence to sentence
    # (脱锚, but 币脱|锚 in 稳定币脱锚), so its characters are terms of their own.
    return f"{token} {' '.join(token)}"


def _is_han(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or char >= "\U00020000"


def terms(text: str) -> str:
    """Cut a text into its terms in order, joined by spaces."""
    return " ".join(map(term, tokens(text)[:_MOST_TOKENS]))


def entry(title: str, text: str) -> IndexEntry:
    return IndexEntry(terms(title), terms(text))


class QueryTerm(NamedTuple):
    """A term of a question, and the characters to search for if hardly any document has it."""

    term: str
    parts: tuple[str, ...] = ()


def query_terms(text: str) -> tuple[QueryTerm, ...]:
    """Return the terms of a question, each once; stop words only when there is nothing else.

    Whatever was typed becomes plain terms: there is no syntax, hence no syntax error.
    """
    found = (term(token).split() for token in content_tokens(text) or tokens(text))
    return tuple(dict.fromkeys(QueryTerm(first, tuple(parts)) for first, *parts in found))[
        :_MOST_QUERY_TERMS
    ]


def merge_terms(wordings: Iterable[Sequence[QueryTerm]]) -> tuple[QueryTerm, ...]:
    """Merge the terms of several wordings, each once."""
    return tuple(dict.fromkeys(term for words in wordings for term in words))


def frequencies(
    question: Sequence[QueryTerm], count: Callable[[Sequence[str]], dict[str, int]]
) -> dict[str, int]:
    """Count the documents in which each term occurs; a rare word brings its characters along.

    A word that many documents have was cut well; its characters would only add noise and work.
    """
    counts = count([item.term for item in question])
    parts = [part for item in question if counts[item.term] < _RARE for part in item.parts]
    others = dict.fromkeys(part for part in parts if part not in counts and not is_stop_word(part))
    return {**counts, **count(list(others))}


def affordable(frequencies: Mapping[str, int], postings: int) -> list[str]:
    """Choose the rarest terms whose postings together stay within the budget, at least one.

    Frequent terms cost the most and say the least: they do not choose the candidates of a large
    archive, but still count when those are ranked. In a small archive nothing is left out.
    """
    chosen: list[str] = []
    left = postings
    for term, count in sorted(frequencies.items(), key=lambda item: (item[1], item[0])):
        if not count:
            continue
        if chosen and count > left:
            break
        chosen.append(term)
        left -= count
    return chosen


def weight(count: int, documents: int) -> float:
    """Compute the inverse document frequency, never negative."""
    return math.log1p((max(documents, count) - count + 0.5) / (count + 0.5))


def weights(frequencies: Mapping[str, int], totals: Totals) -> dict[str, float]:
    """Weigh every term that occurs."""
    return {term: weight(count, totals.documents) for term, count in frequencies.items() if count}


def score(
    title: Sequence[str], body: Sequence[str], idf: Mapping[str, float], mean: float
) -> float:
    """Compute BM25 of a document; a word of the title counts as several of the body."""
    length = (len(title) + len(body)) / mean if mean else 1.0
    base = _SATURATION * (1 - _LENGTH + _LENGTH * length)
    total = 0.0
    for term, weight in idf.items():
        count = TITLE_WEIGHT * title.count(term) + body.count(term)
        if count:
            total += weight * count * (_SATURATION + 1) / (count + base)
    return round(total, 6)
