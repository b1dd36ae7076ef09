"""Whether two sentences speak of one matter: the one reader's word, asked by all who match, deny or contradict."""

from __future__ import annotations

from functools import lru_cache

from groundwire.evidence.reading.reader import read
from groundwire.language.text.wording import stemmed, variants

# Likeness from which on two sentences are of one matter: where nothing else speaks for it, where something does, and
# where much does.
SURE, MATTER, NEAR = 0.6, 0.5, 0.4
FAINT = 0.3  # and where nothing else can be meant
_PLAIN = 0.7  # and from which on no more is asked


@lru_cache(maxsize=4096)
def likeness(one: str, other: str) -> float:
    """Return how likely the reader finds it that two sentences speak of one matter."""
    return max(read(one, other).same, read(other, one).same)


@lru_cache(maxsize=4096)
def can_be_opposed(one: str, other: str) -> bool:
    """Tell whether two sentences can stand against each other: they speak of one matter, and neither of another's."""
    alike = likeness(one, other)
    related = any(read(*pair).label != "unrelated" for pair in ((one, other), (other, one)))
    return alike >= _PLAIN or (alike >= MATTER and related)


@lru_cache(maxsize=8192)
def forms(word: str) -> frozenset[str]:
    """Return a word with its translations and relatives, as stems."""
    return frozenset({word, *(stemmed(each) for each in variants(word))})
