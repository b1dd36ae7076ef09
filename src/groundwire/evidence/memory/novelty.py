"""What a later text says that an earlier one did not: another figure, day or name, a denial, news.

Precision before recall: a message that is wrongly taken for a repetition is looked into by nobody;
one that is looked into twice costs a little.
"""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.evidence.data import data_lines
from groundwire.evidence.memory.facts import Facts, facts_of
from groundwire.language.amounts.numbers import same_figure
from groundwire.language.names.glossary import equivalents
from groundwire.language.names.names import has_name
from groundwire.language.text.characters import HAN
from groundwire.language.text.opposites import antonyms
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import content_tokens
from groundwire.language.text.wording import Wording, ways
from groundwire.language.time.dates import agrees

_SHORT = 60  # words that carry content; in a longer text a few may be put otherwise
_PUT_OTHERWISE = 0.05
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(rf"[^\W\d_{HAN}]{{2,}}")


def novelty(first: str, later: str, *, strict: bool = False) -> str:
    """In a few words what the later text has of its own; "" when it only repeats the first.

    `strict`: for texts that hardly differ, where a single other word counts.
    """
    one, other = facts_of(first), facts_of(later)
    return (
        _value(one, other)
        or _polarity(one, other, strict=strict)
        or _name(one, other)
        or _stage(one, other, strict=strict)
        or _opposite(one, other)
        or (_replaced(one, other) if strict else "")
    )


def _value(one: Facts, other: Facts) -> str:
    for figure in other.figures:
        if not any(same_figure(figure, known) for known in one.figures):
            return f"another figure: {figure.text}"
    known = {*one.numbers, *(digits.replace(",", "") for digits in _DIGITS.findall(one.text))}
    counted = (
        value for kind, value in other.counts if (kind, value) not in one.counts and kind != "time"
    )
    for number in (*other.numbers, *counted):
        if number not in known:
            return f"another number: {number}"
    written = {day.text.lower() for day in one.days}
    for day in other.days:
        if day.text.lower() not in written and not any(agrees(day, known) for known in one.days):
            return f"another date: {day.text}"
    return ""


def _polarity(one: Facts, other: Facts, *, strict: bool) -> str:
    most = 99 if strict else 1  # how often counts only among texts that hardly differ
    if min(one.denied, most) != min(other.denied, most):
        return "a denial"
    return "a negation" if min(one.negated, most) != min(other.negated, most) else ""


def _name(one: Facts, other: Facts) -> str:
    loud = _shouted(other.text)
    for written in other.names.values():
        # A word that only its capital makes a name is none where every word has one.
        plain = loud and written.isascii() and written.isalpha() and len(equivalents(written)) == 1
        if not plain and not has_name(written, one.text):
            return f"another name: {written}"
    orders = [
        [key for key in each.names if key in one.names and key in other.names]
        for each in (one, other)
    ]
    return "other roles of the names" if orders[0] != orders[1] else ""


def _shouted(flat: str) -> bool:
    """Whether most words begin with a capital, so that capitals name nothing."""
    written = _WORD.findall(flat)
    capital = sum(word[0].isupper() for word in written)
    return len(written) > 3 and capital * 3 > len(written) * 2


def _stage(one: Facts, other: Facts, *, strict: bool) -> str:
    if one.asks != other.asks and (one.asks or strict):
        return "a question on one side"
    if one.unsure and not other.unsure:
        return "no longer a rumour"
    if one.ahead != other.ahead:
        return "planned on one side"
    chapters = _chapters(other.text) - _chapters(one.text)
    return f"more of the story: {min(chapters)}" if chapters else ""


@lru_cache(maxsize=512)
def _chapters(flat: str) -> frozenset[str]:
    """Words that open another chapter of a story: English ones by their stems, and Chinese ones."""
    openers = (stem(word) for line in data_lines("chapters.txt") for word in line.split())
    written = {stem(word.lower()) for word in _WORD.findall(flat)}
    return frozenset(w for w in openers if w in written or (not w.isascii() and w in flat))


def _words(one: Facts, other: Facts) -> tuple[frozenset[str], frozenset[str]]:
    """The words of both; where one shouts, those of its names and of the other's, too."""
    if not _shouted(one.text) and not _shouted(other.text):
        return one.words, other.words
    return one.words | _named(one), other.words | _named(other)


def _named(said: Facts) -> frozenset[str]:
    return frozenset(
        stem(token) for written in said.names.values() for token in content_tokens(written)
    )


def _opposite(one: Facts, other: Facts) -> str:
    wording = Wording(one.text)
    before, after = _words(one, other)
    for word in sorted(after - before):
        if any(wording.has_any(side) for side in antonyms(word)):
            return f"the opposite: {word}"
    return ""


def _replaced(one: Facts, other: Facts) -> str:
    """A word in the place of another, unless both mean the same."""
    before, after = _words(one, other)
    gone, new = sorted(before - after), sorted(after - before)
    left = [word for word in new if not {stem(way.lower()) for way in ways(word)} & {*gone}]
    size = max(len(before), len(after))
    few = size > _SHORT and max(len(gone), len(left)) <= _PUT_OTHERWISE * size
    return "" if not gone or not left or few else f"other words: {gone[0]} → {left[0]}"
