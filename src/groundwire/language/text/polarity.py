"""Hedging, negation and denial, in Chinese and English."""

from __future__ import annotations

import re
from dataclasses import dataclass

from groundwire.language.data import words
from groundwire.language.text.characters import normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import content_tokens, is_stop_word, tokens

_said = patterns("polarity.txt", flags=re.ASCII | re.IGNORECASE)
_HEDGE = re.compile(_said("hedge"), re.ASCII)
_CLAUSE_END = re.compile(r"[,.;:!?。、]|\bbut\b|但", re.ASCII)
_AUXILIARIES = words("auxiliaries")


@dataclass(frozen=True, slots=True)
class Negated:
    """What a negation denies: its predicate, or the words of the denied clause."""

    words: tuple[str, ...]
    denial: bool


def hedges(text: str) -> bool:
    """Tell whether the text itself says that it is not certain."""
    return _HEDGE.search(normalise(text).text) is not None


def negations(text: str) -> list[Negated]:
    """Return every negation in the text with the stems of what it negates."""
    flat = normalise(text).text
    found: list[Negated] = []
    for pattern, denial in ((_said["negation"], False), (_said["denial"], True)):
        for match in pattern.finditer(flat):
            denied = _after(flat, match.end(), whole=denial)
            if denial and not denied:
                denied = _before(flat, match.start())
            if denied:
                found.append(Negated(denied, denial))
    return found


def opposes(statement: str, quote: str) -> bool:
    """Tell whether one text negates what the other asserts about the same predicate."""
    return _denies(quote, statement) or _denies(statement, quote)


def _denies(one: str, other: str) -> bool:
    """Tell whether `one` negates something that `other` says without negation."""
    theirs = negations(other)
    their_negated = {word for negated in theirs for word in negated.words}
    said = {stem(token) for token in tokens(other)} - their_negated
    for negated in negations(one):
        shared = [word for word in negated.words if word in said]
        if negated.denial and any(item.denial for item in theirs):
            continue
        if negated.denial and 2 * len(shared) > len(negated.words) and len(shared) > 1:
            return True
        if not negated.denial and shared:
            return True
    return False


def _after(flat: str, start: int, *, whole: bool) -> tuple[str, ...]:
    stop = _CLAUSE_END.search(flat, start)
    end = stop.start() if stop else len(flat)
    found = [
        token for token in tokens(flat[start : min(end, start + 160)]) if token not in _AUXILIARIES
    ]
    if whole:
        found = [word for word in found if not is_stop_word(word)]
    else:
        found = [word for word in found if not word.endswith("ly")][:1]
    return tuple(stem(word) for word in found)


def _before(flat: str, end: int) -> tuple[str, ...]:
    start = max((match.end() for match in _CLAUSE_END.finditer(flat, 0, end)), default=0)
    return tuple(stem(token) for token in content_tokens(flat[start:end]))
