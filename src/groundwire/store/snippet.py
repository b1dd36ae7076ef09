"""The stretch of a text that best shows why it was found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from groundwire.language.text.characters import HAN, normalise
from groundwire.language.text.sentences import sentences
from groundwire.store.bm25 import term, terms

_PIECE = 100_000  # long texts are looked through piece by piece until something is found
_LATIN = 280
_CHINESE = 140
_REPEAT = 0.1  # a term that occurs again adds little; another term adds its weight
_WORD = re.compile(rf"[^\W_{HAN}]+(?:[.,][^\W_{HAN}]+)*")
_HAN = re.compile(f"[{HAN}]")


class Snippet(NamedTuple):
    text: str
    start: int


class _Match(NamedTuple):
    start: int
    end: int
    term: str


def snippet(text: str, weights: Mapping[str, float]) -> Snippet:
    """Cut the densest window around the terms: `text[start:start + len(snippet)] == snippet`."""
    for offset in range(0, max(1, len(text)), _PIECE):
        piece = text[offset : offset + _PIECE]
        found = sorted(_matches(piece, weights))
        if found:
            size = _size(piece)
            start, end = _densest(found, weights, size)
            return _cut(text, offset + start, offset + end, size)
    return _cut(text, 0, 0, _size(text[:_PIECE]))


def marks(text: str, weights: Mapping[str, float]) -> tuple[tuple[int, int], ...]:
    """Find the terms in a short text, in order; touching places are one."""
    found: list[tuple[int, int]] = []
    for match in sorted(_matches(text, weights)):
        if found and match.start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], match.end))
        else:
            found.append((match.start, match.end))
    return tuple(found)


def _size(text: str) -> int:
    return _CHINESE if len(_HAN.findall(text)) * 3 > len(text) else _LATIN


def _matches(piece: str, weights: Mapping[str, float]) -> Iterator[_Match]:
    normal = normalise(piece, fold=True)
    known: dict[str, str] = {}  # words recur, each is stemmed once
    for name in weights:
        if _HAN.match(name):
            for found in re.finditer(re.escape(name), normal.text):
                yield _Match(*normal.original(*found.span()), name)
    for found in _WORD.finditer(normal.text):
        word = found[0]
        name = known.get(word)
        if name is None:
            name = known[word] = _matching_term(word, weights)
        if name:
            yield _Match(*normal.original(*found.span()), name)


def _matching_term(word: str, weights: Mapping[str, float]) -> str:
    found = term(word) if word.isalpha() else terms(word)
    return next((name for name in found.split() if name in weights), "")


def _densest(found: list[_Match], weights: Mapping[str, float], size: int) -> tuple[int, int]:
    best, place = -1.0, (found[0].start, found[0].end)
    counts: dict[str, int] = {}
    last = 0
    for first, match in enumerate(found):
        while last < len(found) and (last == first or found[last].end - match.start <= size):
            counts[found[last].term] = counts.get(found[last].term, 0) + 1
            last += 1
        value = sum(
            weights[name] * (1 + _REPEAT * min(count - 1, 5))
            for name, count in counts.items()
            if count
        )
        if value > best + 1e-9:
            best, place = value, (match.start, found[last - 1].end)
        counts[match.term] -= 1
    return place


def _cut(text: str, start: int, end: int, size: int) -> Snippet:
    """Widen to the size, then draw back to the borders of sentences, or else of words."""
    room = max(0, size - (end - start))
    low = max(0, start - room // 2)
    high = min(len(text), low + max(size, end - start))
    spans = sentences(text[max(0, low - size) : high + size])
    shift = max(0, low - size)
    low = _lower(text, [shift + span[0] for span in spans], low, start)
    high = min(len(text), max(end, low + size))
    high = _upper(text, [shift + span[1] for span in spans], high, end)
    part = text[low:high]
    low += len(part) - len(part.lstrip())
    return Snippet(part.strip(), low)


def _lower(text: str, starts: list[int], low: int, match: int) -> int:
    inside = [at for at in starts if low <= at <= match]
    if inside:
        return inside[0]
    while low < match and _within_word(text, low):
        low += 1
    return low


def _upper(text: str, ends: list[int], high: int, match: int) -> int:
    if high >= len(text):
        return high
    inside = [at for at in ends if match < at <= high]
    # A window that would lose most of its words to a border keeps the words.
    if inside and inside[-1] - match >= (high - match) // 2:
        return inside[-1]
    while high > match and _within_word(text, high):
        high -= 1
    return high


def _within_word(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    return (before.isalnum() and after.isalnum()) and not (_HAN.match(before) and _HAN.match(after))
