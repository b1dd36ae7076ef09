"""English words without their inflection, so that lost, loses and losing are one word."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from groundwire.language.data import data_lines

_VOWEL = re.compile("[aeiouy]")
_LATIN = re.compile(r"[a-z]+")


@cache
def _bases() -> dict[str, str]:
    rows = (line.split() for line in data_lines("irregular.txt"))
    return {form: first for first, *forms in rows for form in forms}


def base(word: str) -> str:
    """Return the base form of an irregular verb; any other word unchanged."""
    return _bases().get(word, word)


def is_irregular(word: str) -> bool:
    """Tell whether a word is an irregular past form, which no ending reveals."""
    return word in _bases()


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Strip the inflection of a lower-case English word; other tokens stay as they are.

    Stems are only compared with other stems, so they need not be words.
    """
    word = base(word)
    if len(word) <= 3 or _LATIN.fullmatch(word) is None:
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in ("ing", "ed"):
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) > 2 and _VOWEL.search(rest):
            word = rest + "y" if suffix == "ed" and rest.endswith("i") else rest
            word = word.replace("iy", "y") if word.endswith("iy") else word
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou" else word
