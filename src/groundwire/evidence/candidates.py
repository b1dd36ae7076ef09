"""Sentences of pages as possible answers: what each says of the question, and how well it stands alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property, lru_cache

from groundwire.evidence.asking import Asked, Facet, Term, any_of, facet_words
from groundwire.evidence.characters import HAN, simplify
from groundwire.evidence.dates import DateMention, agrees, date_mentions
from groundwire.evidence.glossary import data_lines
from groundwire.evidence.names import names
from groundwire.evidence.numbers import Figure, figures, same_figure
from groundwire.evidence.sentences import sentences
from groundwire.evidence.text import is_stop_word
from groundwire.evidence.wording import Wording, is_han, stemmed
from groundwire.model.source import NumberedPassage, Tier

TIER_WEIGHT: dict[Tier, float] = {
    "primary": 1.0,
    "wire": 0.97,
    "established": 0.92,
    "trade": 0.86,
    "aggregator": 0.66,
    "unknown": 0.66,
    "social": 0.4,
    "satire": 0.0,
}
_NONE: frozenset[int] = frozenset()
_FLAG_WEIGHT = {
    "opinion": 0.7,
    "stale": 0.5,
    "repost": 0.5,
    "snippet": 0.8,
    "correction": 1.05,
    "retraction": 0.2,
}
# What need not be said again: named by the title, or by the sentence that "the bank" refers to.
_TITLE_CREDIT, _REFERENCE_CREDIT = 0.5, 0.8
_LONGEST_JOIN = {"zh": 180, "en": 420}
_DATELINE = re.compile(rf"^[{HAN}]{{2,16}}(?:电|電|讯|訊)(?:[\u3000 ]+|[（(][^）)]{{2,20}}[）)])")
_FIRST_PERSON = re.compile(r"\b(?:we|our)\b|我们|我們|本公司", re.IGNORECASE)
_LINK = re.compile(r"https?://|www\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sentence (or two that belong together), verbatim, with what it says of the question."""

    passage: NumberedPassage
    order: int  # its place in the passage
    text: str
    language: str  # zh or en
    own: frozenset[int]  # terms of the question that it names itself
    near: frozenset[int]  # terms named only by its title or by what stands before it
    coverage: float
    facets: tuple[tuple[Facet, float], ...]  # how well it answers each facet asked for
    quality: float
    figures: tuple[Figure, ...]
    dates: tuple[DateMention, ...]
    stems: frozenset[str]

    @property
    def facet(self) -> float:
        return max((value for _, value in self.facets), default=0.0)


def candidates(asked: Asked, passages: Sequence[NumberedPassage]) -> list[Candidate]:
    """Every sentence that can be quoted; satire and pages with injected instructions give none."""
    return [
        candidate
        for passage in passages
        if usable(passage)
        for candidate in _of_passage(asked, passage)
    ]


def usable(passage: NumberedPassage) -> bool:
    """Whether an answer may stand on this page at all."""
    return passage.tier != "satire" and not {"satire", "injection"} & frozenset(passage.flags)


class Reading:
    """What a stretch of text names: words, amounts, days; each looked for when first asked for."""

    def __init__(self, text: str, reference: date | None) -> None:
        self._text = text
        self._reference = reference

    @cached_property
    def wording(self) -> Wording:
        return Wording(self._text)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(figures(self._text))

    @cached_property
    def dates(self) -> tuple[DateMention, ...]:
        return tuple(date_mentions(self._text, self._reference))

    def names(self, term: Term) -> bool:
        """Whether the text names this term: words in any form, figures and dates by value."""
        if term.figure is not None:
            return any(same_figure(term.figure, figure) for figure in self.figures)
        if term.date is not None:
            return any(agrees(term.date, day) for day in self.dates if day.weekday is None)
        return self.wording.has_any(term.names)

    def matched(self, asked: Asked) -> frozenset[int]:
        return frozenset(n for n, term in enumerate(asked.terms) if self.names(term))


# The same sentences are read when passages are chosen and again when the answer is written.
@lru_cache(maxsize=1024)
def reading(text: str, reference: date | None = None) -> Reading:
    """Read a stretch of text; `reference` is the day it was published."""
    return Reading(text, reference)


def named_in(term: Term, passage: NumberedPassage) -> bool:
    """Whether the passage or its title names this term."""
    return reading(f"{passage.title}\n{passage.text}", _day(passage)).names(term)


def _day(passage: NumberedPassage) -> date | None:
    return date.fromisoformat(passage.date[:10]) if passage.date else None


def _of_passage(asked: Asked, passage: NumberedPassage) -> list[Candidate]:
    found: list[Candidate] = []
    day = _day(passage)
    # The title, the day and the publisher of a report need not be said again in every sentence.
    publisher = reading(passage.publisher).matched(asked)
    title = reading(f"{passage.title} {passage.date[:10]}", day).matched(asked) | publisher
    before = _NONE
    for part in _parts(passage.text):
        own = reading(part.text, day).matched(asked)
        if passage.tier == "primary" and _FIRST_PERSON.search(part.text):
            own |= publisher
        found.append(_candidate(asked, passage, part, own, title, before if part.refers else _NONE))
        before = own
    return found


@dataclass(frozen=True, slots=True)
class _Part:
    order: int
    text: str
    standing: float
    refers: bool  # whether it speaks of something that the sentence before named


@lru_cache(maxsize=1024)
def _parts(text: str) -> tuple[_Part, ...]:
    """The quotable sentences of a text; one that cannot stand alone comes with the one before."""
    found: list[_Part] = []
    spans = sentences(text)
    for order, (start, end) in enumerate(spans):
        start += _after_dateline(text[start:end])
        quality = standing(text[start:end])
        if quality <= 0:
            continue
        if quality < _DANGLING_BELOW and order:
            joined = _joined(text, spans[order - 1], end)
            if joined is not None:
                start, quality = joined, 0.85
        part = text[start:end].rstrip("；;：:，, ")
        found.append(_Part(order, part, quality, refers(part)))
    return tuple(found)


def _after_dateline(sentence: str) -> int:
    match = _DATELINE.match(sentence)
    return match.end() if match else 0


def _candidate(
    asked: Asked,
    passage: NumberedPassage,
    part: _Part,
    own: frozenset[int],
    title: frozenset[int],
    before: frozenset[int],
) -> Candidate:
    read = reading(part.text, _day(passage))
    near = (title | before) - own
    total = sum(term.weight for term in asked.terms)
    said = sum(asked.terms[number].weight for number in sorted(own))
    implied = sum(
        asked.terms[n].weight * (_REFERENCE_CREDIT if n in before else _TITLE_CREDIT)
        for n in sorted(near)
    )
    return Candidate(
        passage=passage,
        order=part.order,
        text=part.text,
        language="zh" if is_han(part.text) and _mostly_han(part.text) else "en",
        own=own,
        near=near,
        coverage=(said + implied) / total if total else 0.0,
        facets=tuple((facet, _answers(facet, asked, part, read)) for facet in asked.facets),
        quality=part.standing
        * _weight(passage)
        * max(0.85, 1 - 0.02 * part.order)
        * _leading(asked, part.text, own)
        * (1.0 if read.figures or read.dates or _names(part.text) else 0.7),
        figures=read.figures,
        dates=read.dates,
        stems=frozenset(word for word in read.wording.stems if not is_stop_word(word)),
    )


def _leading(asked: Asked, text: str, own: frozenset[int]) -> float:
    """Less for a sentence that comes to the subject only towards its end: it has another one."""
    named = [asked.terms[n] for n in sorted(own) if asked.terms[n].kind == "name"]
    if not named:
        return 1.0
    cut = len(text) * 3 // 5
    while cut < len(text) and (text[cut].isascii() and text[cut] not in " ,."):
        cut += 1
    opening = reading(text[:cut])
    return 1.0 if any(opening.names(term) for term in named) else 0.85


def _mostly_han(text: str) -> bool:
    return len(re.findall(f"[{HAN}]", text)) * 4 >= len(re.findall("[A-Za-z]", text))


def _weight(passage: NumberedPassage) -> float:
    weight = TIER_WEIGHT[passage.tier]
    for flag in passage.flags:
        weight *= _FLAG_WEIGHT.get(flag, 1.0)
    return weight


# How well a sentence stands alone.

_DANGLING_BELOW, _STANDS_ALONE = 0.6, 0.7


@cache
def _opening(role: str) -> tuple[str, ...]:
    for line in data_lines("openings.tsv"):
        name, words = line.split("\t")
        if name == role:
            return tuple(words.split("|"))
    return ()


@cache
def _opens_with(role: str) -> re.Pattern[str]:
    words = sorted(_opening(role), key=lambda word: (-len(word), word))
    parts = (re.escape(word) if is_han(word) else rf"{re.escape(word)}\b" for word in words)
    return re.compile(rf"[\W_]*(?:{'|'.join(parts)})")


@cache
def _holds(role: str) -> re.Pattern[str]:
    return any_of(_opening(role))


def standing(sentence: str) -> float:
    """How well a sentence stands alone, in [0, 1]; 0 for questions, captions, links, notices."""
    flat = simplify(sentence).lower().strip()
    han = len(re.findall(f"[{HAN}]", flat))
    words = len(re.findall(r"[a-z0-9]+", flat))
    if han + 2 * words < 10 or flat.endswith(("?", '?"')) or _LINK.search(flat):
        return 0.0
    if _opens_with("noise").match(flat) or _holds("earlier").search(flat):
        return 0.0
    quality = 1.0
    if not re.search(r"[.!。;…][\"')\]]*$", flat):
        quality *= 0.5
    if han > 150 or (not han and words > 60):
        quality *= 0.85
    if han + 2 * words < 20:
        quality *= 0.75
    if _opens_with("dangling").match(flat):
        quality *= 0.55
    elif _opens_with("mild").match(flat):
        quality *= 0.9
    for role in ("hedge", "opinion"):
        if _holds(role).search(flat):
            quality *= 0.7
    return quality


def refers(sentence: str) -> bool:
    """Whether a sentence speaks of something that the one before it named: the bank, 该公司."""
    flat = simplify(sentence).lower()
    return (
        flat.startswith("the ")
        or _opens_with("dangling").match(flat) is not None
        or _opens_with("mild").match(flat) is not None
    )


def _joined(text: str, previous: tuple[int, int], end: int) -> int | None:
    """Where a pair of sentences begins when the one before gives this one its subject."""
    start, stop = previous
    start += _after_dateline(text[start:stop])
    pair = text[start:end]
    longest = _LONGEST_JOIN["zh" if is_han(pair) else "en"]
    if "\n" in pair or len(pair) > longest:
        return None
    return start if standing(text[start:stop]) >= _STANDS_ALONE else None


# Whether a sentence has what the question asks for.


@cache
def _signs(role: str, facet: Facet) -> re.Pattern[str] | None:
    words = facet_words(role).get(facet)
    return any_of(words) if words else None


def _answers(facet: Facet, asked: Asked, part: _Part, read: Reading) -> float:
    if facet in ("why", "whether"):
        flat = simplify(part.text)
        strong, weak = _signs("strong", facet), _signs("weak", facet)
        if strong is not None and strong.search(flat):
            return 1.0
        if weak is not None and weak.search(flat):
            return 0.5
        # To "is it true that it was so much" a sentence with another amount is an answer.
        units = {term.figure.unit for term in asked.terms if term.figure is not None}
        if facet == "whether" and any(figure.unit in units for figure in read.figures):
            return 1.0
        return 0.3 if facet == "whether" else 0.0
    if facet == "when":
        exact = {"day": 1.0, "month": 0.8, "quarter": 0.6, "year": 0.6}
        worth = (0.3 if day.weekday is not None else exact[day.precision] for day in read.dates)
        return max(worth, default=0.0)
    if facet == "how_much":
        return 1.0 if read.figures else 0.0
    if facet == "who":
        return 1.0 if _other_names(asked, part.text) else 0.0
    # What happened: the lead of a report, and what has a day and a figure.
    dated = any(day.weekday is None for day in read.dates)
    base = 0.6 if asked.of_kind("word") else 0.3
    more = 0.35 * dated + 0.2 * bool(read.figures) + 0.45 * (part.order == 0)
    return base + (1 - base) * more


def _other_names(asked: Asked, text: str) -> bool:
    """Whether a name stands there that the question does not have."""
    asked_for = frozenset(name for term in asked.terms for name in term.names)
    return any(name not in asked_for for name in _names(text))


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    return tuple(stemmed(name.text) for name in names(text))
