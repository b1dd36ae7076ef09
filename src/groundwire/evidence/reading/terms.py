"""The words of a text one after the other: where each stands, what it weighs, and where others match it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from groundwire.evidence.reading.meaning import forms
from groundwire.language.data import words
from groundwire.language.text.characters import HAN, normalise
from groundwire.language.text.rarity import rarity
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import is_stop_word

Kind = Literal["word", "verb", "name", "number"]
Match = Literal[0, 1, 2]  # not there, by another word for it, as it is

_TERM = re.compile(rf"[{HAN}]+|[^\W\d_{HAN}]+(?:['-][^\W\d_{HAN}]+)*|\d+(?:[.,]\d+)*%?")
_NUMBER_WEIGHT = 2.0
# Particles, prepositions, pronouns and measure words say nothing of their own.
_EMPTY_TAGS = ("u", "p", "c", "r", "x", "y", "e", "o", "h", "k", "q", "f", "zg")
_NAME_TAGS = ("nr", "ns", "nt", "nz")
_VERB_TAGS = ("v", "a", "i", "l")
_ROOT = 5  # letters that words of one root share at least
_SHARED = 0.7  # of the longer word
_HAN_GRAM, _LATIN_GRAM = 2, 4
_RUN = re.compile(f"[{HAN}]+|[a-z0-9]+")
_HAN_START = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class Term:
    """A word with its place in the text."""

    key: str  # its stem, in small letters
    start: int
    end: int
    weight: float  # 0 for a word without content
    kind: Kind


class TermIndex:
    """A text as its words, which can be asked where another text's word stands in it."""

    __slots__ = ("_index", "_joined", "_roots", "_starts", "content", "flat", "terms")

    def __init__(self, text: str) -> None:
        self.flat = normalise(text).text
        self.terms = tuple(_terms(self.flat))
        self.content = tuple(at for at, term in enumerate(self.terms) if term.weight)
        self._index: dict[str, list[int]] = {}
        self._roots: dict[str, list[int]] = {}
        for at, term in enumerate(self.terms):
            self._index.setdefault(term.key, []).append(at)
            if term.weight and len(term.key) >= _ROOT and term.key.isascii():
                self._roots.setdefault(term.key[:_ROOT], []).append(at)
        self._starts = [term.start for term in self.terms]
        self._joined = " " + " ".join(term.key for term in self.terms) + " "

    @property
    def weight(self) -> float:
        """What all its words weigh together."""
        return sum(self.terms[at].weight for at in self.content)

    def find(self, term: Term) -> tuple[list[int], Match]:
        """The words that say the same as this one of another text, by their numbers."""
        own = self._index.get(term.key)
        if own:
            return own, 2
        han = not term.key.isascii()
        if han and len(term.key) > 1 and term.key in self.flat:
            return [self.at(self.flat.index(term.key))], 2
        others = self._by_meaning(term.key) or (
            self._by_part(term.key) if han else self._by_root(term.key)
        )
        return (others, 1) if others else ([], 0)

    def at(self, place: int) -> int:
        """The number of the word that stands at this character, or before it."""
        return max(0, bisect_right(self._starts, place) - 1)

    def _by_meaning(self, key: str) -> list[int]:
        found: list[int] = []
        for form in forms(key)[1:]:
            known = self._index.get(form)
            if known:
                found.extend(known)
            elif not form.isascii():
                if len(form) > 1 and form in self.flat:
                    found.append(self.at(self.flat.index(form)))
            elif " " in form and f" {form} " in self._joined:
                found.append(self._joined.count(" ", 0, self._joined.index(f" {form} ") + 1) - 1)
        return sorted(dict.fromkeys(found))

    def _by_root(self, key: str) -> list[int]:
        """regulator and regulation, advertise and advertisement; not internet and international."""
        if len(key) < _ROOT:
            return []
        found: list[int] = []
        for at in self._roots.get(key[:_ROOT], ()):
            other = self.terms[at].key
            shared = _common(key, other)
            whole = shared > _ROOT and shared >= min(len(key), len(other)) - 1
            if whole or shared >= _SHARED * max(len(key), len(other)):
                found.append(at)
        return found

    def _by_part(self, key: str) -> list[int]:
        """A long Chinese word by its first or last two characters."""
        for part in (key[:2], key[-2:]) if len(key) > 2 else ():
            if part in self.flat:
                return [self.at(self.flat.index(part))]
        return []


@lru_cache(maxsize=512)
def reading(text: str) -> TermIndex:
    """The reading of a claim, a sentence or a window, remembered."""
    return TermIndex(text)


def grams(flat: str) -> list[str]:
    """Short pieces of a text, with repeats: two Chinese characters, four letters."""
    found: list[str] = []
    for run in _RUN.findall(flat.lower()):
        size = _LATIN_GRAM if run.isascii() else _HAN_GRAM
        found.extend(run[at : at + size] for at in range(max(1, len(run) - size + 1)))
    return found


def _terms(flat: str) -> list[Term]:
    found: list[Term] = []
    for match in _TERM.finditer(flat):
        text, start = match.group(), match.start()
        if text[0].isdigit():
            key = text.replace(",", "")
            found.append(Term(key, start, match.end(), _NUMBER_WEIGHT, "number"))
        elif _HAN_START.match(text):
            found.extend(_chinese(text, start))
        else:
            found.append(_latin(text, start))
    return found


def _latin(text: str, start: int) -> Term:
    low = text.lower().removesuffix("'s")
    key, end = stem(low), start + len(text)
    if len(low) < 2 or is_stop_word(low) or low in words("light words"):
        return Term(key, start, end, 0.0, "word")
    return Term(key, start, end, rarity(key), "name" if text[0].isupper() and start else "word")


def _chinese(run: str, offset: int) -> list[Term]:
    # Deferred: loading the dictionary takes longer than most commands that never need it.
    import rjieba

    found: list[Term] = []
    at = offset
    for word, tag in rjieba.tag(run):
        start, at = at, at + len(word)
        if tag.startswith(_EMPTY_TAGS) or is_stop_word(word) or word in words("light words"):
            found.append(Term(word, start, at, 0.0, "word"))
        else:
            weight = rarity(word) if len(word) > 1 else rarity(word) / 2
            found.append(Term(word, start, at, weight, _kind(tag)))
    return found


def _kind(tag: str) -> Kind:
    if tag.startswith(_NAME_TAGS):
        return "name"
    if tag.startswith(_VERB_TAGS):
        return "verb"
    return "number" if tag == "m" else "word"


def _common(one: str, other: str) -> int:
    shared = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        shared += 1
    return shared
