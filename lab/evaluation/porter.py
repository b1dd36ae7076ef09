"""Porter's stemmer with the extensions of NLTK, by which published timeline scores count words as one.

The product compares words by `language.text.stems`; this is only for figures that others can repeat.
"""

from __future__ import annotations

import re
from functools import lru_cache

_VOWELS = frozenset("aeiou")
_WHOLE = {
    word: stem
    for stem, words in {
        "sky": "sky skies", "die": "dying", "lie": "lying", "tie": "tying", "news": "news",
        "inning": "innings inning", "outing": "outings outing", "canning": "cannings canning",
        "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
    }.items()
    for word in words.split()
}  # fmt: skip
# Endings in the order in which they are tried, each with what takes its place.
_SECOND = (
    "ational ate, tional tion, enci ence, anci ance, izer ize, bli ble, alli al, entli ent, eli e, ousli ous, "
    "ization ize, ation ate, ator ate, alism al, iveness ive, fulness ful, ousness ous, aliti al, iviti ive, "
    "biliti ble, fulli ful"
)
_THIRD = "icate ic, ative , alize al, iciti ic, ical ic, ful , ness "
_FOURTH = [
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ment",
    "ent",
    "ion",
    "ou",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
]


def _pairs(listed: str) -> tuple[tuple[str, str], ...]:
    parts = (each.split(" ") for each in listed.split(", "))
    return tuple((ending, other) for ending, other in parts)


_TABLES = tuple(map(_pairs, (_SECOND, _THIRD)))


@lru_cache(maxsize=65_536)
def porter(word: str) -> str:
    """Stem a word in lower case."""
    if word in _WHOLE:
        return _WHOLE[word]
    if len(word) <= 2:
        return word
    word = _first(word)
    while word.endswith("alli") and _measure(word[:-4]):
        word = word[:-2]
    if word.endswith("logi") and not _ends(word, _TABLES[0]):
        word = word[:-1] if _measure(word[:-3]) else word
    else:
        word = _replaced(word, _TABLES[0])
    return _last(_without(_replaced(word, _TABLES[1])))


def _kinds(word: str) -> str:
    """Write c for each consonant and v for each vowel."""
    out = ""
    for letter in word:
        vowel = out.endswith("c") if letter == "y" else letter in _VOWELS
        out += "v" if vowel else "c"
    return out


def _measure(word: str) -> int:
    return _kinds(word).count("vc")


def _is_short(word: str) -> bool:
    """Tell whether a word ends like hop or fil, or is like at."""
    kinds = _kinds(word)
    return (kinds.endswith("cvc") and word[-1] not in "wxy") or kinds == "vc"


def _first(word: str) -> str:
    """Strip plurals, -ed and -ing, and turn a last y into i."""
    if re.fullmatch("[^ ]ies", word):
        word = word[:-1]
    elif word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    word = _past(word)
    if word.endswith("y") and len(word) > 2 and _kinds(word[:-1]).endswith("c"):
        word = word[:-1] + "i"
    return word


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    ending = next((each for each in ("ed", "ing") if word.endswith(each)), "")
    rest = word.removesuffix(ending)
    if not ending or "v" not in _kinds(rest):
        return word
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 1 and rest[-1] == rest[-2] and _kinds(rest).endswith("c"):
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _is_short(rest) else rest


def _ends(word: str, table: tuple[tuple[str, str], ...]) -> bool:
    return any(word.endswith(ending) for ending, _ in table)


def _replaced(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for ending, other in table:
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            return rest + other if _measure(rest) else word
    return word


def _without(word: str) -> str:
    """Strip the last suffix of a long word."""
    for ending in _FOURTH:
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            fits = ending != "ion" or rest.endswith(("s", "t"))
            return rest if _measure(rest) > 1 and fits else word
    return word


def _last(word: str) -> str:
    """Strip a silent e and a doubled l."""
    if word.endswith("e"):
        rest = word[:-1]
        count = _measure(rest)
        if count > 1 or (count == 1 and not _is_short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
