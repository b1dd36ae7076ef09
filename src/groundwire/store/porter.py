"""The Porter stemmer (1980), in Python: both databases then index exactly the same stems."""

from __future__ import annotations

import re

from groundwire.language.text.stems import base

_CONSONANTS = "[^aeiou][^aeiouy]*"
_VOWELS = "[aeiouy][aeiou]*"
_SOME = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}")  # m > 0
_ONE = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}(?:{_VOWELS})?$")  # m = 1
_SEVERAL = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}{_VOWELS}{_CONSONANTS}")  # m > 1
_VOWEL = re.compile(f"(?:{_CONSONANTS})?[aeiouy]")
_DOUBLE = re.compile(r"([^aeiouylsz])\1$")
_SHORT = re.compile(f"{_CONSONANTS}[aeiouy][^aeiouwxy]$")

# Old ending to new one, where anything with a vowel and a consonant stands before it.
_FIRST = (
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e "
    "ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous "
    "aliti:al iviti:ive biliti:ble logi:log"
)
_SECOND = "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"
_THIRD = "al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize"


def _endings(table: str) -> tuple[re.Pattern[str], dict[str, str]]:
    pairs = dict(entry.split(":") for entry in table.split())
    longest_first = sorted(pairs, key=len, reverse=True)
    return re.compile(f"(.+?)({'|'.join(longest_first)})$"), pairs


_REPLACED = (_endings(_FIRST), _endings(_SECOND))
_DROPPED = re.compile(f"(.+?)({'|'.join(sorted(_THIRD.split(), key=len, reverse=True))})$")
_ION = re.compile("(.+?[st])ion$")


def stem(word: str) -> str:
    """Stem a lower-case English word; words of one or two letters stay as they are.

    Irregular verbs take their base form first, which Porter's rules know nothing of.
    """
    word = base(word)
    if len(word) < 3:
        return word
    # A leading y is a consonant; in upper case it is none of the vowels above.
    word = _inflection("Y" + word[1:] if word[0] == "y" else word)
    for pattern, endings in _REPLACED:
        found = pattern.match(word)
        if found and _SOME.match(found[1]):
            word = found[1] + endings[found[2]]
    found = _DROPPED.match(word) or _ION.match(word)
    if found and _SEVERAL.match(found[1]):
        word = found[1]
    return _last_letters(word).lower()


def _inflection(word: str) -> str:
    """Strip plurals, -ed and -ing, and turn a final y to i."""
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if word.endswith("eed"):
        if _SOME.match(word[:-3]):
            word = word[:-1]
    else:
        cut = 2 if word.endswith("ed") else 3 if word.endswith("ing") else 0
        if cut and _VOWEL.match(word[:-cut]):
            word = _restored(word[:-cut])
    if word.endswith("y") and _VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    return word


def _restored(base: str) -> str:
    if base.endswith(("at", "bl", "iz")) or _SHORT.match(base):
        return base + "e"
    return base[:-1] if _DOUBLE.search(base) else base


def _last_letters(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        if _SEVERAL.match(base) or (_ONE.match(base) and not _SHORT.match(base)):
            word = base
    if word.endswith("ll") and _SEVERAL.match(word):
        word = word[:-1]
    return word
