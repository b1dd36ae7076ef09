"""What a later text adds to an earlier one: another figure, day or name, a denial, news.

Precision before recall: a message wrongly taken for a repetition is examined by nobody; one that
is examined twice costs a little.
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
from groundwire.language.text.wording import Wording, variants
from groundwire.language.time.dates import agrees

_SHORT = 60  # content words; in a longer text a few may be reworded
_REWORDED = 0.05
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(rf"[^\W\d_{HAN}]{{2,}}")


def novelty(first: str, later: str, *, strict: bool = False) -> str:
    """Name in a few words what the later text adds; "" when it only repeats the first.

    `strict`: for texts that hardly differ, where a single other word counts.
    """
    one, other = facts_of(first), facts_of(later)
    return (
        _new_value(one, other)
        or _new_polarity(one, other, strict=strict)
        or _new_name(one, other)
        or _new_stage(one, other, strict=strict)
        or _new_opposite(one, other)
        or (_new_words(one, other) if strict else "")
    )


def _new_value(one: Facts, other: Facts) -> str:
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


def _new_polarity(one: Facts, other: Facts, *, strict: bool) -> str:
    most = 99 if strict else 1  # the number counts only among texts that hardly differ
    if min(one.denied, most) != min(other.denied, most):
        return "a denial"
    return "a negation" if min(one.negated, most) != min(other.negated, most) else ""


def _new_name(one: Facts, other: Facts) -> str:
    shouted = _is_shouted(other.text)
    for written in other.names.values():
        # Where every word has a capital, a capital alone makes no name.
        common = written.isascii() and written.isalpha() and len(equivalents(written)) == 1
        if not (shouted and common) and not has_name(written, one.text):
            return f"another name: {written}"
    orders = [
        [key for key in each.names if key in one.names and key in other.names]
        for each in (one, other)
    ]
    return "other roles of the names" if orders[0] != orders[1] else ""


def _is_shouted(flat: str) -> bool:
    """Tell whether most words begin with a capital, so that capitals mark no names."""
    written = _WORD.findall(flat)
    capital = sum(word[0].isupper() for word in written)
    return len(written) > 3 and capital * 3 > len(written) * 2


def _new_stage(one: Facts, other: Facts, *, strict: bool) -> str:
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
    """Find the words that open another chapter of a story: stems in English, words in Chinese."""
    openers = (stem(word) for line in data_lines("chapters.txt") for word in line.split())
    written = {stem(word.lower()) for word in _WORD.findall(flat)}
    return frozenset(w for w in openers if w in written or (not w.isascii() and w in flat))


def _words(one: Facts, other: Facts) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of both; where either shouts, with those of their names."""
    if not _is_shouted(one.text) and not _is_shouted(other.text):
        return one.words, other.words
    return one.words | _name_words(one), other.words | _name_words(other)


def _name_words(facts: Facts) -> frozenset[str]:
    return frozenset(
        stem(token) for written in facts.names.values() for token in content_tokens(written)
    )


def _new_opposite(one: Facts, other: Facts) -> str:
    wording = Wording(one.text)
    before, after = _words(one, other)
    for word in sorted(after - before):
        if any(wording.has_any(side) for side in antonyms(word)):
            return f"the opposite: {word}"
    return ""


def _new_words(one: Facts, other: Facts) -> str:
    """Find a word in the place of another, unless both mean the same."""
    before, after = _words(one, other)
    gone, new = sorted(before - after), sorted(after - before)
    left = [word for word in new if not {stem(way.lower()) for way in variants(word)} & {*gone}]
    size = max(len(before), len(after))
    few = size > _SHORT and max(len(gone), len(left)) <= _REWORDED * size
    return "" if not gone or not left or few else f"other words: {gone[0]} → {left[0]}"
