"""How far a text bears on a topic: by its words, in either language, the telling ones most."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from groundwire.jobs.timeline.topic_words import words_by_use
from groundwire.language.data import words
from groundwire.language.text.characters import simplify
from groundwire.language.text.chinese import tagged
from groundwire.language.text.rarity import rarity
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import query_terms
from groundwire.language.text.wording import is_han

_Terms = tuple[tuple[tuple[str, ...], float], ...]  # the forms of each, and its weight
_FEW = 4  # words: any telling one of them means the topic; of more, two do
_RUN = re.compile(r"(?:[A-Z][\w'’-]*)(?: (?:of |and |the |de )?[A-Z][\w'’-]*)+")
# A word with the capitalised one before it, and whether that opens no sentence: the platform Cream Finance.
_WITHIN = r"(?:(?P<inside>[a-z,] )?\b(?P<before>[A-Z][\w'’-]*) )?\b(?i:{})\w{{0,3}}\b"
_TITLES = words("titles and calendar")
_COMMON = 0.1  # of a word's occurrences in small letters, from which on it is no name by itself
_KNOWN = 2.0  # what names that are known in both languages, or not written in Chinese, weigh
_PLACE = "ns"  # a tag
_YEAR = re.compile(r"(?<![A-Za-z0-9.,/-])(?:19|20)\d{2}(?:年|(?![A-Za-z0-9]|[-/.,]\d))")
_NEAR = (
    0.5  # of a Chinese topic of common words, before a text and what stands beside it are about it
)
_TELLING = 0.5  # of the weightiest word: what weighs less says nothing by itself


def years_in(text: str) -> frozenset[str]:
    """Return the years that a text names by their numbers."""
    return frozenset(each.removesuffix("年") for each in _YEAR.findall(text))


def years_of(topic: str) -> frozenset[str]:
    """Return the years that a topic names beside other words: they say which of several is meant."""
    return years_in(topic) if without_years(topic) != topic else frozenset()


def without_years(topic: str) -> str:
    """Return a topic without its years, which everything of the year names; a year alone stays."""
    bare = " ".join(_YEAR.sub(" ", topic).split())
    return bare if any(map(str.isalpha, bare)) else topic


@dataclass(frozen=True, slots=True)
class Term:
    """A word or name of the topic: its stems, its forms of several words, and its weight."""

    stems: frozenset[str]
    phrases: tuple[str, ...]
    weight: float
    name: int = 0  # which name of several words it is a part of; 0: none


class Topic:
    """What a timeline is about."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(without_years(each) for each in words)
        self._common: frozenset[str] = frozenset()
        self._take(query_terms(" ".join(self._words)), [query_terms(each) for each in self._words])

    def _take(self, terms: _Terms, of_each: Sequence[_Terms]) -> None:
        """Take the terms of all words and names together, and those of each."""
        parts = _parts(self._words)
        self._terms = tuple(_term(names, weight, parts) for names, weight in terms)
        weights = sorted((each.weight for each in self._terms), reverse=True)
        self._whole = sum(weights[: 1 if len(weights) < _FEW else 2])
        self._least = weights[0] * _TELLING if weights else 0.0
        both = zip(self._words, of_each, strict=True)
        self._both = any(is_han(name) and _is_common_only(own) for name, own in both)
        self.stems = frozenset(key for each in self._terms for key in each.stems)

    def named(self, words: Collection[str], text: str) -> frozenset[Term]:
        """Return what a text names of the topic."""
        return frozenset(each for each in self._terms if _has(each, words, text))

    def bearing(
        self, words: Collection[str], text: str, beside: Collection[Term] = frozenset()
    ) -> float:
        """Rate how much of the topic a text names, in [0, 1]; 1 where there is no topic.

        Of a Chinese topic of several common words (新余火灾) one alone is any news of the place or any fire: two
        stand in the text or beside it, in the headline and the opening of its page.
        """
        if not self._terms:
            return 1.0
        told = [each for each in self._terms if _has(each, words, text)]
        if self._both and told:
            near = [each for each in self._terms if each in told or each in beside]
            if not _several([(sorted(each.stems), 1.0) for each in near]):
                return 0.0
            if sum(each.weight for each in near) < _NEAR * self._whole:
                return 0.0  # media that report, and who is always reported of
        # Of the Suez Canal, a canal says nothing by itself.
        names = [each.name for each in told]
        found = [
            each.weight
            for each in told
            if each.stems.isdisjoint(self._common) or names.count(each.name) > 1
        ]
        if not found or max(found) < self._least:
            return 0.0
        return min(1.0, sum(found) / self._whole)

    def read(self, texts: Sequence[str]) -> None:
        """Learn from the pages into which words it falls, and which of its names are also written as common words."""
        used = [_by_use(each, texts) for each in self._words]
        if used != [query_terms(each) for each in self._words]:
            every = {names: weight for terms in used for names, weight in terms}
            self._take(tuple(every.items()), used)
        self._common = frozenset(
            key
            for each in self._terms
            if each.name
            for key in each.stems
            if _is_common(key, texts) or self._is_of_others(each, key, texts)
        )

    def _is_of_others(self, term: Term, key: str, texts: Sequence[str]) -> bool:
        """Tell whether pages write a word mostly in names of others: Euler Finance is no Cream Finance."""
        own = [each for each in self._terms if each.name == term.name]
        if term.weight >= max(each.weight for each in own):
            return False
        parts = {part for each in own for part in each.stems}
        within = re.compile(_WITHIN.format(re.escape(key)))
        found = [each for text in texts for each in within.finditer(text)]
        alone = [each for each in found if stem((each["before"] or "").lower()) not in parts]
        others = [
            each for each in alone if each["inside"] and each["before"].lower() not in _TITLES
        ]
        return bool(others) and 2 * len(others) >= len(alone)


def _by_use(name: str, texts: Sequence[str]) -> _Terms:
    """Return the terms of a name, the Chinese ones as its pages write them."""
    terms = query_terms(name)
    used = words_by_use(name, texts)
    if not used:
        return terms
    kept = [each for each in terms if not is_han(each[0][0]) or each[0][0] in used]
    known = {form for names, _ in kept for form in names}
    return (*kept, *(((word,), 1.0) for word in used if word not in known))


def _is_common_only(terms: Sequence[tuple[Sequence[str], float]]) -> bool:
    """Tell whether a topic is several words none of which is known as a name, but of a place."""
    names = [forms for forms, weight in terms if weight >= _KNOWN and not min(forms)[0].isdigit()]
    return _several(terms) and all(map(_is_place, names))


def _is_place(forms: Sequence[str]) -> bool:
    return any(is_han(each) and tagged(each) == ((each, _PLACE),) for each in forms)


def _several(terms: Sequence[tuple[Sequence[str], float]]) -> bool:
    """Tell whether terms are more than one word; of 国民党 the parts are also cut out, and say nothing more."""
    names = {min(forms) for forms, _ in terms}
    return sum(not any(name != other and name in other for other in names) for name in names) > 1


def _parts(words: Sequence[str]) -> dict[str, int]:
    """Map the stem of each word of a name of several words to the number of that name."""
    found: dict[str, int] = {}
    for number, run in enumerate((each for text in words for each in _RUN.findall(text)), start=1):
        found.update((stem(word.lower()), number) for word in run.split())
    return found


def _is_common(key: str, texts: Sequence[str]) -> bool:
    """Tell whether pages write a word in small letters, too, and not only as a name."""
    pattern = re.compile(rf"(?<![\w-]){re.escape(key)}\w{{0,3}}\b", re.IGNORECASE)
    written = [each for text in texts for each in pattern.findall(text)]
    small = sum(each.islower() for each in written)
    return small > _COMMON * len(written)


def _term(names: Sequence[str], weight: float, parts: Mapping[str, int]) -> Term:
    single = frozenset(stem(name) for name in names if " " not in name)
    phrases = tuple(name for name in names if " " in name or (is_han(name) and len(name) > 1))
    rare = min(map(rarity, sorted(single)), default=1.0)
    # A name that is known as a whole has its phrases, and is no part of another.
    name = parts.get(min(single), 0) if len(single) == 1 and not phrases else 0
    return Term(single, phrases, weight * rare, name)


def _has(term: Term, words: Collection[str], text: str) -> bool:
    if not term.stems.isdisjoint(words):
        return True
    return bool(term.phrases) and any(each in _flat(text) for each in term.phrases)


@lru_cache(maxsize=256)
def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", simplify(text).lower())
