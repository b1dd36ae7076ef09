"""How far a text bears on a topic: by its words, in either language, the telling ones most."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from groundwire.language.text.characters import simplify
from groundwire.language.text.rarity import rarity
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import query_terms
from groundwire.language.text.wording import is_han

_FEW = 4  # words: any telling one of them means the topic; of more, two do
_TELLING = 0.5  # of the weightiest word: what weighs less says nothing by itself


@dataclass(frozen=True, slots=True)
class Term:
    """A word or name of the topic: its stems, its forms of several words, and its weight."""

    stems: frozenset[str]
    phrases: tuple[str, ...]
    weight: float


class Topic:
    """What a timeline is about."""

    def __init__(self, words: Sequence[str]) -> None:
        terms = query_terms(" ".join(words))
        self._terms = tuple(_term(names, weight) for names, weight in terms)
        weights = sorted((each.weight for each in self._terms), reverse=True)
        self._whole = sum(weights[: 1 if len(weights) < _FEW else 2])
        self._least = weights[0] * _TELLING if weights else 0.0
        self.stems = frozenset(key for each in self._terms for key in each.stems)

    def bearing(self, words: Collection[str], text: str) -> float:
        """Rate how much of the topic a text names, in [0, 1]; 1 where there is no topic."""
        if not self._terms:
            return 1.0
        found = [each.weight for each in self._terms if _has(each, words, text)]
        if not found or max(found) < self._least:
            return 0.0
        return min(1.0, sum(found) / self._whole)


def _term(names: Sequence[str], weight: float) -> Term:
    single = frozenset(stem(name) for name in names if " " not in name)
    phrases = tuple(name for name in names if " " in name or (is_han(name) and len(name) > 1))
    return Term(single, phrases, weight * min(map(rarity, sorted(single)), default=1.0))


def _has(term: Term, words: Collection[str], text: str) -> bool:
    if not term.stems.isdisjoint(words):
        return True
    return bool(term.phrases) and any(each in _flat(text) for each in term.phrases)


@lru_cache(maxsize=256)
def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", simplify(text).lower())
