"""What a stretch of text names of a question: its words, amounts and days, across languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, lru_cache
from math import log1p

from groundwire.evidence.questions.intent import Intent, Term
from groundwire.language.amounts.counts import Count, counts
from groundwire.language.amounts.numbers import Figure, figures, same_figure
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import is_stop_word
from groundwire.language.text.wording import Wording, is_han
from groundwire.language.time.dates import DateMention, agrees, date_mentions
from groundwire.model.source import NumberedPassage

_WORD = re.compile(rf"[^\W_{HAN}]+")
_COMMON = 0.4  # share of its weight left to a term that every passage has


class NamedThings:
    """What a stretch of text names: words, amounts, days; each computed on demand."""

    def __init__(self, text: str, reference: date | None) -> None:
        self.text = text
        self._reference = reference

    @cached_property
    def wording(self) -> Wording:
        return Wording(self.text)

    @cached_property
    def content(self) -> frozenset[str]:
        """The stems of its words, without stop words."""
        return frozenset(word for word in self.wording.stems if not is_stop_word(word))

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(figures(self.text))

    @cached_property
    def counts(self) -> tuple[Count, ...]:
        """Numbers in words: eleven funds, 三家银行."""
        return tuple(counts(self.text))

    @cached_property
    def dates(self) -> tuple[DateMention, ...]:
        return tuple(date_mentions(self.text, self._reference))

    def names(self, term: Term) -> bool:
        """Tell whether the text names this term: words in any form, figures and dates by value."""
        if term.figure is not None:
            return any(same_figure(term.figure, figure) for figure in self.figures)
        if term.date is not None:
            return any(agrees(term.date, day) for day in self.dates if day.weekday is None)
        if term.exact:
            return not self.wording.tokens.isdisjoint(term.names)
        return self.wording.has_any(term.names)

    def place(self, names: Sequence[str]) -> tuple[int, int] | None:
        """Find the first of these stemmed names in the normal form of the text."""
        flat = simplify(self.text).lower()
        spans: list[tuple[int, int]] = []
        words = [(stem(match.group()), *match.span()) for match in _WORD.finditer(flat)]
        for name in names:
            if is_han(name):
                spans.extend((m.start(), m.end()) for m in re.finditer(re.escape(name), flat))
                continue
            parts = name.split()
            for at in range(len(words) - len(parts) + 1):
                if all(words[at + n][0] == part for n, part in enumerate(parts)):
                    spans.append((words[at][1], words[at + len(parts) - 1][2]))
                    break
        return min(spans, default=None)

    def matched(self, intent: Intent) -> frozenset[int]:
        return frozenset(n for n, term in enumerate(intent.terms) if self.names(term))


@lru_cache(maxsize=1024)
def named_things(text: str, reference: date | None = None) -> NamedThings:
    """Return what a stretch of text names; `reference` is the day it was published."""
    return NamedThings(text, reference)


def named_in(term: Term, passage: NumberedPassage) -> bool:
    """Tell whether the passage or its title names this term."""
    return named_things(f"{passage.title}\n{passage.text}", day_of(passage)).names(term)


def weigh_terms(intent: Intent, passages: Sequence[NumberedPassage]) -> Intent:
    """Weigh each term less the more of the passages name it.

    Where every page is about the same names, the other words tell the answer.
    """
    counts = [sum(named_in(term, each) for each in passages) for term in intent.terms]
    shares = [_COMMON + (1 - _COMMON) * rarity(count, len(passages)) for count in counts]
    terms = tuple(
        replace(term, weight=term.weight * share)
        for term, share in zip(intent.terms, shares, strict=True)
    )
    missing = frozenset(n for n, count in enumerate(counts) if not count)
    return replace(intent, terms=terms, missing=missing)


def rarity(count: int, total: int) -> float:
    """Return 1 for what one text of many has, falling towards 0 for what all have."""
    return log1p(total / max(1, count)) / log1p(max(1, total))


def day_of(passage: NumberedPassage) -> date | None:
    """Return the day on which its page was published."""
    return date.fromisoformat(passage.date[:10]) if passage.date else None
