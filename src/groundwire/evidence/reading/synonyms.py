"""Other words for a word, in both languages, each with how far it may stand for it; and words that oppose it."""

from __future__ import annotations

import gzip
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

from groundwire.evidence.data import data_lines as evidence_lines
from groundwire.evidence.reading.analysis import root
from groundwire.language.data import data_lines
from groundwire.language.names.glossary import groups as glossary_groups
from groundwire.language.text.lexicon import Lexicon, low_form
from groundwire.language.text.opposites import antonyms
from groundwire.language.text.stems import stem

# A translation or another name is the thing itself; a related word only points at it.
_TRANSLATED, _SAME, _RELATED, _ROOT = 1.0, 0.9, 0.65, 0.85
_LISTED = 0.95  # a dictionary gives every sense of a word
_DATA = "groundwire.evidence.reading.data"
_BEFORE = ("un", "in", "im", "il", "ir", "dis", "non", "mis")


@cache
def _groups() -> tuple[dict[str, list[int]], list[tuple[float, tuple[str, ...]]], Lexicon]:
    """Forms to their groups; groups with what they are worth; forms of several words to look for."""
    groups: list[tuple[float, tuple[str, ...]]] = []
    for names in glossary_groups():
        # Two Chinese words of one English word are no synonyms; each line has one Chinese name.
        groups.append((_TRANSLATED, tuple(map(_form, names))))
    for strength, lines in (
        (_SAME, evidence_lines("same_meaning.tsv")),
        (_RELATED, data_lines("related.tsv")),
    ):
        groups.extend(
            (strength, tuple(dict.fromkeys(map(_form, line.split("|"))))) for line in lines
        )
    index: dict[str, list[int]] = {}
    phrases: list[str] = []
    for number, (_, forms) in enumerate(groups):
        for form in forms:
            index.setdefault(form, []).append(number)
            if " " in form or (len(form) > 1 and not form.isascii()):
                phrases.append(form)
    return index, groups, Lexicon(phrases)


def _form(word: str) -> str:
    """One English word by its stem, everything else in small letters."""
    low = low_form(word.strip())
    return stem(low) if low.isascii() and low.isalpha() else low


@lru_cache(maxsize=32_768)
def alternatives(form: str) -> dict[str, float]:
    """Other keys and phrases for a key or a phrase of the lists, with their strength."""
    index, groups, _ = _groups()
    found: dict[str, float] = {}
    for number in index.get(form, ()):
        strength, forms = groups[number]
        for other in forms:
            if other != form and strength > found.get(other, 0.0):
                found[other] = strength
    for other, strength in _translated(form):
        found[other] = max(strength, found.get(other, 0.0))
        short = root(other)
        if short and short != other:
            found[short] = max(strength * _ROOT, found.get(short, 0.0))
    short = root(form)
    if short and short != form:
        found.setdefault(short, _ROOT)
    found.pop(form, None)
    return found


@lru_cache(maxsize=32_768)
def is_listed(key: str) -> bool:
    """Whether the lists know other words for a key, so that their absence says something."""
    index, groups, _ = _groups()
    return any(groups[number][0] == _SAME for number in index.get(key, ()))


@cache
def _dictionary() -> list[str]:
    """The lines of the dictionary, sorted by their key."""
    packed = files(_DATA).joinpath("dictionary.tsv.gz").read_bytes()
    return gzip.decompress(packed).decode().splitlines()[1:]


def _translated(form: str) -> Iterator[tuple[str, float]]:
    """What the dictionary has for a key: translations, and words that share them."""
    lines = _dictionary()
    at = bisect_left(lines, f"{form}\t")
    if at < len(lines) and lines[at].startswith(f"{form}\t"):
        for item in lines[at].partition("\t")[2].split("|"):
            other, _, hundredths = item.rpartition(":")
            yield other, int(hundredths) / 100 * _LISTED


def phrases_in(low: str) -> Iterator[tuple[int, int, str]]:
    """Where a text has forms of several words that the lists know."""
    return _groups()[2].find(low)


@lru_cache(maxsize=32_768)
def opposed(key: str) -> frozenset[str]:
    """Keys and phrases that speak against a key, by the list of antonyms or by their first syllable."""
    found = {word for side in antonyms(key) for word in side}
    if key.isascii() and key.isalpha() and len(key) > 3:
        found.update(before + key for before in _BEFORE)
        found.update(
            key.removeprefix(before)
            for before in _BEFORE
            if key.startswith(before) and len(key) > 6
        )
    found.discard(key)
    return frozenset(found)
