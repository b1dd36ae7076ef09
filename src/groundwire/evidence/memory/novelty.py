"""What a later text says that an earlier one did not: another figure, day or name, a denial, news.

Precision before recall: a message that is wrongly taken for a repetition is looked into by nobody;
one that is looked into twice costs a little.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.evidence.data import data_lines
from groundwire.evidence.memory.beliefs import named_spans
from groundwire.language.amounts.counts import counts
from groundwire.language.amounts.numbers import Figure, figures, same_figure
from groundwire.language.names.glossary import equivalents
from groundwire.language.names.names import has_name, name_key
from groundwire.language.text.characters import HAN, normalise
from groundwire.language.text.opposites import antonyms
from groundwire.language.text.phrases import patterns
from groundwire.language.text.polarity import hedges, negations
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import content_tokens
from groundwire.language.text.wording import Wording, ways
from groundwire.language.time.dates import DateMention, agrees, date_mentions

_SHORT = 60  # words that carry content; in a longer text a few may be put otherwise
_PUT_OTHERWISE = 0.05
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_SIGNED = re.compile(r"(?<![\w.%])[-+]\$?\d+(?:[.,]\d+)*")
_WORD = re.compile(rf"[^\W\d_{HAN}]{{2,}}")
_told = patterns("novelty.txt", "groundwire.evidence.data", flags=re.IGNORECASE)
_ASKS = re.compile(r"\?|吗(?![啡])|是否|\bwhether\b", re.IGNORECASE)


class _Said(NamedTuple):
    text: str
    figures: tuple[Figure, ...]
    numbers: tuple[str, ...]  # digits that are neither amounts nor dates: versions, blocks, flights
    signed: tuple[str, ...]  # +5 and -5 are not the same
    counts: tuple[tuple[str, str], ...]
    days: tuple[DateMention, ...]
    names: tuple[tuple[str, str], ...]  # key, as written; in order
    shouted: bool  # most words begin with a capital: capitals name nothing
    negated: int
    denied: int
    hedged: bool
    asks: bool
    ahead: bool
    chapters: frozenset[str]
    words: frozenset[str]


def novelty(first: str, later: str, *, strict: bool = False) -> str:
    """In a few words what the later text has of its own; "" when it only repeats the first.

    `strict`: for texts that hardly differ, where a single other word counts.
    """
    one, other = _said(first), _said(later)
    return (
        _amount(one, other)
        or _day(one, other)
        or _polarity(one, other, strict=strict)
        or _name(one, other)
        or _stage(one, other, strict=strict)
        or _opposite(one, other)
        or (_replaced(one, other) if strict else "")
    )


@lru_cache(maxsize=512)
def _said(text: str) -> _Said:
    flat = normalise(text).text
    amounts = tuple(figures(flat))
    days = tuple(date_mentions(flat))
    taken = [(each.start, each.end) for each in (*amounts, *days)]
    spans = named_spans(flat)
    negative = negations(flat)
    return _Said(
        text=flat,
        figures=amounts,
        numbers=tuple(
            match.group().replace(",", "")
            for match in _DIGITS.finditer(flat)
            if not any(start <= match.start() < end for start, end in taken)
        ),
        signed=tuple(_SIGNED.findall(flat)),
        counts=tuple((each.kind, str(each.value)) for each in counts(flat)),
        days=days,
        names=tuple(
            dict.fromkeys((name_key(flat[start:end]), flat[start:end]) for start, end in spans)
        ),
        shouted=_shouted(flat),
        negated=sum(not each.denial for each in negative),
        denied=sum(each.denial for each in negative) + len(_told["denial"].findall(flat)),
        hedged=hedges(flat),
        asks=_ASKS.search(flat) is not None,
        ahead=_told["ahead"].search(flat) is not None,
        chapters=_chapters(flat),
        words=frozenset(stem(token) for token in content_tokens(flat)),
    )


@cache
def _openers() -> tuple[frozenset[str], tuple[str, ...]]:
    """Words that open another chapter of a story: English ones by their stems, and Chinese ones."""
    found = [word for line in data_lines("chapters.txt") for word in line.split()]
    return (
        frozenset(stem(word) for word in found if word.isascii()),
        tuple(word for word in found if not word.isascii()),
    )


def _chapters(flat: str) -> frozenset[str]:
    english, chinese = _openers()
    written = {stem(word.lower()) for word in _WORD.findall(flat)}
    return frozenset(written & english) | {word for word in chinese if word in flat}


def _shouted(flat: str) -> bool:
    written = _WORD.findall(flat)
    capital = sum(word[0].isupper() for word in written)
    return len(written) > 3 and capital * 3 > len(written) * 2


def _amount(one: _Said, other: _Said) -> str:
    for figure in other.figures:
        if not any(same_figure(figure, known) for known in one.figures):
            return f"another figure: {figure.text}"
    known = {*one.numbers, *(digits.replace(",", "") for digits in _DIGITS.findall(one.text))}
    for number in other.numbers:
        if number not in known:
            return f"another number: {number}"
    for number in other.signed:
        if number not in one.signed:
            return f"another number: {number}"
    for kind, value in other.counts:
        if (kind, value) not in one.counts and value not in known and kind != "time":
            return f"another number: {value}"
    return ""


def _day(one: _Said, other: _Said) -> str:
    written = {day.text.lower() for day in one.days}
    for day in other.days:
        if day.text.lower() not in written and not any(agrees(day, known) for known in one.days):
            return f"another date: {day.text}"
    return ""


def _polarity(one: _Said, other: _Said, *, strict: bool) -> str:
    denied = (one.denied, other.denied) if strict else (one.denied > 0, other.denied > 0)
    negated = (one.negated, other.negated) if strict else (one.negated > 0, other.negated > 0)
    if denied[0] != denied[1]:
        return "a denial"
    if negated[0] != negated[1]:
        return "a negation"
    return ""


def _name(one: _Said, other: _Said) -> str:
    for _, written in other.names:
        if not has_name(written, one.text) and not (other.shouted and _unknown(written)):
            return f"another name: {written}"
    shared = {key for key, _ in one.names} & {key for key, _ in other.names}
    orders = [[key for key, _ in said.names if key in shared] for said in (one, other)]
    return "other roles of the names" if orders[0] != orders[1] else ""


def _unknown(written: str) -> bool:
    """A word that only its capital makes a name."""
    return written.isascii() and written.isalpha() and len(equivalents(written)) == 1


def _stage(one: _Said, other: _Said, *, strict: bool) -> str:
    if one.asks != other.asks and (one.asks or strict):
        return "a question on one side"
    if one.hedged and not other.hedged:
        return "no longer a rumour"
    if one.ahead != other.ahead:
        return "planned on one side"
    chapters = other.chapters - one.chapters
    return f"more of the story: {min(chapters)}" if chapters else ""


def _opposite(one: _Said, other: _Said) -> str:
    wording = Wording(one.text)
    for word in sorted(other.words - one.words):
        if any(wording.has_any(side) for side in antonyms(word)):
            return f"the opposite: {word}"
    return ""


def _replaced(one: _Said, other: _Said) -> str:
    """A word in the place of another, unless both mean the same."""
    gone, new = sorted(one.words - other.words), sorted(other.words - one.words)
    left = [word for word in new if not _meant(word, gone)]
    size = max(len(one.words), len(other.words))
    few = size > _SHORT and max(len(gone), len(left)) <= _PUT_OTHERWISE * size
    return "" if not gone or not left or few else f"other words: {gone[0]} → {left[0]}"


def _meant(word: str, others: Iterable[str]) -> bool:
    known = {stem(way.lower()) for way in ways(word)}
    return any(other in known for other in others)
