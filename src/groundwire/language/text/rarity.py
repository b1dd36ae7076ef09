"""How rare a word is in news and reference texts, which counts when two texts share words."""

from __future__ import annotations

from functools import cache

from groundwire.language.data import data_lines

UNLISTED = 3.0  # one text in a thousand has the word, or fewer
_LEAST = 0.3  # even a very common word says a little


@cache
def _levels() -> dict[str, float]:
    levels: dict[str, float] = {}
    for line in data_lines("rarity.tsv"):
        level, _, words = line.partition("\t")
        levels.update((word, max(_LEAST, float(level))) for word in words.split())
    return levels


def rarity(key: str) -> float:
    """Return from 0.3 to 3 the logarithm of how many texts there are for one with this stem."""
    return _levels().get(key, UNLISTED)
