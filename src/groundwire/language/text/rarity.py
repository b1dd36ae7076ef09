"""How rare a word is in news and reference texts: what counts when two texts share words."""

from __future__ import annotations

from functools import cache

from groundwire.language.data import data_lines

UNLISTED = 3.0  # a thousand texts for one that has the word, or more
_LEAST = 0.3  # even a very common word says a little


@cache
def _levels() -> dict[str, float]:
    found: dict[str, float] = {}
    for line in data_lines("rarity.tsv"):
        level, _, words = line.partition("\t")
        found.update((word, max(_LEAST, float(level))) for word in words.split())
    return found


def rarity(key: str) -> float:
    """From 0.3 to 3: the logarithm of how many texts there are for one with this stem or word."""
    return _levels().get(key, UNLISTED)
