"""Words for what makes history rather than talk, in Chinese and English."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from groundwire.language.data import lines_of
from groundwire.language.text.stems import stem


def has_act(words: Collection[str]) -> bool:
    """Tell whether the stems of a sentence have an act after which something is different."""
    return not _acts().isdisjoint(words)


def is_act(word: str) -> bool:
    """Tell whether a word, or its stem, is such an act."""
    return not _acts().isdisjoint((word, stem(word)))


@cache
def _acts() -> frozenset[str]:
    lines = lines_of("groundwire.jobs.timeline", "acts.txt")
    return frozenset(
        stem(word) for line in lines if not line.startswith("==") for word in line.split()
    )
