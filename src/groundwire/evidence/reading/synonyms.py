"""Other words for a word, in both languages, each with how well it may stand for it; and words that oppose it."""

from __future__ import annotations

import gzip
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from groundwire.evidence.reading.analysis import TOKEN, key_of, root
from groundwire.language.data import data_lines, lines_of
from groundwire.language.names.glossary import groups as glossary_groups
from groundwire.language.text.lexicon import Lexicon, low_form
from groundwire.language.text.opposites import antonyms

# A translation or another name is the thing itself; a related word only points at it.
_TRANSLATED, _SAME, _RELATED, _ROOT = 1.0, 0.9, 0.65, 0.85
_LISTED = 0.95  # a dictionary gives every sense of a word
_DATA = "groundwire.evidence.reading.data"
_BEFORE = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
# Words that only look like the opposite of what is left without their first letters.
_WHOLE = frozenset(
    map(
        key_of,
        [
            "disclose",
            "discover",
            "uncover",
            "display",
            "discount",
            "discuss",
            "dispatch",
            "import",
            "impress",
            "improve",
            "impart",
            "impose",
            "impact",
            "inform",
            "insure",
            "intend",
            "invest",
            "include",
            "increase",
            "instate",
            "install",
            "insight",
            "inside",
            "intense",
            "invent",
            "intention",
        ],
    )
)
_LONGEST = 5  # words of an English phrase
_POSSESSIVES = ("his", "her", "its", "their", "the")


def thesaurus() -> tuple[str, ...]:
    """Read the lines of words that may stand for each other, separated by bars."""
    return lines_of(_DATA, "thesaurus.tsv")


@cache
def _groups() -> tuple[dict[str, list[int]], list[tuple[float, tuple[str, ...]]], Lexicon]:
    """Build the groups of words: forms to their groups, groups with their strength, Chinese forms to look for."""
    groups: list[tuple[float, tuple[str, ...]]] = []
    for strength, lines in (
        # Two Chinese words of one English word are no synonyms; each line has one Chinese name.
        (_TRANSLATED, glossary_groups()),
        (_SAME, [line.split("|") for line in thesaurus()]),
        (_RELATED, [line.split("|") for line in data_lines("related.tsv")]),
    ):
        for words in lines:
            forms = dict.fromkeys(form for word in words for form in _forms(word))
            groups.append((strength, tuple(forms)))
    index: dict[str, list[int]] = {}
    for number, (_, forms) in enumerate(groups):
        for form in forms:
            index.setdefault(form, []).append(number)
    return index, groups, Lexicon(form for form in index if len(form) > 1 and not form.isascii())


def _forms(word: str) -> Iterator[str]:
    """Yield English as the keys of its words, so that phrases inflect, and everything else in lower case."""
    low = low_form(word.strip())
    if not low.isascii():
        yield low
    elif "one's" in low:
        yield from (_keyed(low.replace("one's", whose)) for whose in _POSSESSIVES)
    else:
        yield _keyed(low)


def _keyed(low: str) -> str:
    return " ".join(key_of(match.group()) for match in TOKEN.finditer(low))


@lru_cache(maxsize=32_768)
def alternatives(form: str) -> dict[str, float]:
    """Collect the keys and phrases that may stand for a key or phrase, with their strength."""
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
    """Tell whether the thesaurus has other words for a key, so that their absence says something."""
    index, groups, _ = _groups()
    return any(groups[number][0] == _SAME for number in index.get(key, ()))


@cache
def _dictionary() -> list[str]:
    """Load the lines of the dictionary, sorted by key."""
    packed = files(_DATA).joinpath("dictionary.tsv.gz").read_bytes()
    return gzip.decompress(packed).decode().splitlines()[1:]


def _translated(form: str) -> Iterator[tuple[str, float]]:
    """Yield what the dictionary has for a key: translations and words that share them, with their strength."""
    lines = _dictionary()
    at = bisect_left(lines, f"{form}\t")
    if at < len(lines) and lines[at].startswith(f"{form}\t"):
        for item in lines[at].partition("\t")[2].split("|"):
            other, _, hundredths = item.rpartition(":")
            yield other, int(hundredths) / 100 * _LISTED


def chinese_forms(low: str) -> Iterator[tuple[int, int, str]]:
    """Find the Chinese words of the lists in a text: start, end and form."""
    return _groups()[2].find(low)


def phrases_of(keys: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Find the English phrases of the lists: first word, the one after the last, and form."""
    index = _groups()[0]
    for first in range(len(keys)):
        for last in range(first + 2, min(first + _LONGEST, len(keys)) + 1):
            form = " ".join(keys[first:last])
            if form in index:
                yield first, last, form


@lru_cache(maxsize=32_768)
def opposed(key: str) -> frozenset[str]:
    """Collect the keys and phrases opposed to a key, by the list of antonyms or by a negative prefix."""
    found = {word for side in antonyms(key) for word in side}
    if key.isascii() and key.isalpha() and len(key) > 3:
        found.update(prefix + key for prefix in _BEFORE if prefix + key not in _WHOLE)
        found.update(
            key.removeprefix(prefix)
            for prefix in _BEFORE
            if key.startswith(prefix) and len(key) > 6 and key not in _WHOLE
        )
    found.discard(key)
    return frozenset(found)
