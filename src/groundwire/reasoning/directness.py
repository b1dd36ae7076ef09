"""Whether a sentence answers what is asked: the names, the predicate, and the value beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import pairwise

from groundwire.evidence.asking import Asked, Facet, Term, any_of, facet_words, is_country
from groundwire.evidence.candidates import Candidate, Reading, reading, refers
from groundwire.evidence.characters import HAN, simplify
from groundwire.evidence.names import names
from groundwire.evidence.wording import stemmed

# Facets whose answer is a value or a yes; why, how and what are answered by whole sentences.
NARROW: tuple[Facet, ...] = ("when", "how_much", "who", "where", "whether")
_CLAUSE = re.compile(r"[,，;；。!?！？](?!\d)|\.(?=\s|$)|\n")
_SHORT_HAN, _SHORT_WORDS = 16, 6
_NOT_MONEY = frozenset({"", "%", "pp", "bp", "x", "nm", "km", "kg", "t", "MW", "GW", "kWh", "GB"})
_ELSEWHERE = 0.4  # what the cause of something else is worth
_LEAST_WORDS = 0.5  # of the words that tell what is asked
_PRECISE = {"day": 1.0, "month": 0.9, "quarter": 0.8, "year": 0.7}
_IN_PLACE = re.compile(
    rf"\b(?:in|at|near|from|to) [A-Z]|(?:在|于|位于)[{HAN}]{{2,6}}?(?:市|省|州|县|区|国|岛|镇|附近)"
)


@dataclass(frozen=True, slots=True)
class Directness:
    """How far a sentence answers one facet, in [0, 1]; `related` when only the value is lacking."""

    worth: float
    related: bool


_NONE = Directness(0.0, False)


def direct(asked: Asked, candidate: Candidate, facet: Facet) -> Directness:
    """Judge one sentence for one narrow facet."""
    if not _names_met(asked, candidate):
        return _NONE
    words = telling(asked)
    said = [n for n in words if n in candidate.own]
    if len(said) < _LEAST_WORDS * len(words) or (words and not said):
        return _NONE
    if facet == "whether":
        return _settles(asked, candidate, words)
    best = max(_window(asked, candidate, facet, words, at) for at in _windows(candidate))
    every = len(said) == len(words) and bool(_own_names(asked, candidate))
    return Directness(best, best == 0.0 and every)


def telling(asked: Asked) -> list[int]:
    """The words that say what is asked; without them a sentence is about something else."""
    return [n for n, term in enumerate(asked.terms) if term.kind == "word" and not term.light]


def has_place(asked: Asked, text: str) -> bool:
    """Whether a text names a place of the sort that is asked for."""
    return _place(asked, text) > 0


def answering(asked: Asked, candidate: Candidate) -> dict[Facet, float]:
    """How far a sentence answers each facet asked for, in [0, 1]."""
    found: dict[Facet, float] = {}
    for facet, value in candidate.facets:
        if facet in NARROW:
            found[facet] = direct(asked, candidate, facet).worth
        else:
            found[facet] = _cause(asked, candidate, value) if facet == "why" else value
    return found


def _cause(asked: Asked, candidate: Candidate, value: float) -> float:
    """The worth of a cause: it must be the cause of what is asked, not what came of it."""
    words = telling(asked)
    here = candidate.own | candidate.near
    if sum(n in here for n in words) < _LEAST_WORDS * len(words):
        return value * _ELSEWHERE
    flat = simplify(candidate.text).lower()
    forward = _pattern("forward", "why")
    sign = forward.search(flat)
    if sign is None or _pattern("strong", "why").search(forward.sub(" ", flat)):
        return value
    after = reading(flat[sign.end() :]).matched(asked)
    return value if not words or any(n in after for n in words) else value * _ELSEWHERE


def _required(asked: Asked) -> list[int]:
    """Names, and numbers that belong to them: the 15 of iPhone 15."""
    return [
        n
        for n, term in enumerate(asked.terms)
        if not term.light
        and (term.kind == "name" or (term.kind == "figure" and "whether" not in asked.facets))
    ]


def _own_names(asked: Asked, candidate: Candidate) -> list[int]:
    return [n for n in _required(asked) if n in candidate.own]


def _names_met(asked: Asked, candidate: Candidate) -> bool:
    """All names, by the sentence, by its title or by what it refers to; days must agree."""
    required = _required(asked)
    here = candidate.own | candidate.near
    if any(n not in here for n in required):
        return False
    if any(term.date is not None and n not in here for n, term in enumerate(asked.terms)):
        return False
    if not required or _own_names(asked, candidate) or refers(candidate.text):
        return True
    # Only the title has the name: then the sentence must not be about somebody else.
    return not _others(asked, candidate.text)


def _others(asked: Asked, text: str) -> list[str]:
    """Names in the text that the question does not have."""
    wanted = frozenset(name for term in asked.terms for name in term.names)
    return [name.text for name in names(text) if stemmed(name.text) not in wanted]


def _settles(asked: Asked, candidate: Candidate, words: list[int]) -> Directness:
    """Yes or no: what is asked stands there, asserted or denied, or another amount does."""
    share = sum(n in candidate.own for n in words) / len(words) if words else 1.0
    units = {term.figure.unit for term in asked.terms if term.figure is not None}
    if units and not any(figure.unit in units for figure in candidate.figures):
        return _NONE
    strong = dict(candidate.facets).get("whether", 0.0) >= 1.0
    return Directness(round(0.5 + 0.3 * share + 0.2 * strong, 6), False)


def _windows(candidate: Candidate) -> tuple[str, ...]:
    return _windows_of(candidate.text)


@cache
def _pattern(role: str, facet: Facet) -> re.Pattern[str]:
    return any_of(facet_words(role)[facet])


def _windows_of(text: str) -> tuple[str, ...]:
    """Each clause together with the short ones around it: a day before it, a name beside it."""
    stops = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    spans = [(a, b) for a, b in pairwise(stops) if text[a:b].strip()]
    found: list[str] = []
    for at, (start, end) in enumerate(spans):
        if at and _short(text[slice(*spans[at - 1])]):
            start = spans[at - 1][0]
        if at + 1 < len(spans) and _short(text[slice(*spans[at + 1])]):
            end = spans[at + 1][1]
        found.append(text[start:end])
    return tuple(found) or (text,)


def _short(clause: str) -> bool:
    han = len(re.findall(f"[{HAN}]", clause))
    return han <= _SHORT_HAN and len(re.findall(r"[A-Za-z0-9]+", clause)) <= _SHORT_WORDS


def _window(asked: Asked, candidate: Candidate, facet: Facet, words: list[int], text: str) -> float:
    """How well one stretch answers: its predicate and its value, and more of the question."""
    published = candidate.passage.date
    read = reading(text, date.fromisoformat(published[:10]) if published else None)
    here = read.matched(asked)
    told = sum(n in here for n in words)
    if words and (not told or told < _LEAST_WORDS * len(words)):
        return 0.0
    # "Who approved …": what was done comes first in the question, and nothing stands for it.
    if facet == "who" and words and words[0] == 0 and 0 not in here:
        return 0.0
    value = _value(asked, facet, text, read)
    if not value:
        return 0.0
    total = sum(term.weight for term in asked.terms)
    share = sum(asked.terms[n].weight for n in sorted(here)) / total if total else 0.0
    return round(value * (0.5 + 0.5 * share), 6)


def _value(asked: Asked, facet: Facet, text: str, read: Reading) -> float:
    """Whether the value asked for stands here, and how exact it is."""
    if facet == "when":
        days = [day for day in read.dates if not _asked_day(asked, day.text)]
        exact = (0.6 if d.weekday is not None else _PRECISE[d.precision] for d in days)
        return max(exact, default=0.0)
    if facet == "how_much":
        return _amount(asked, read)
    if facet == "who":
        return _agent(asked, text)
    return _place(asked, text)


def _agent(asked: Asked, text: str) -> float:
    """Somebody that the question does not name, best where the doer stands: before it, or by."""
    flat = simplify(text).lower()
    spots = [flat.find(name) for n in telling(asked) for name in asked.terms[n].names]
    at = min((spot for spot in spots if spot >= 0), default=len(flat))
    doer = flat[:at] + " ".join(re.findall(r"\bby [^,;]+", flat))
    others = [simplify(name).lower() for name in _others(asked, text)]
    if any(name in doer for name in others):
        return 1.0
    if _pattern("strong", "who").search(doer):
        return 0.9
    return 0.6 if others else 0.0


def _asked_day(asked: Asked, written: str) -> bool:
    return any(term.date is not None and term.written == written for term in asked.terms)


def _amount(asked: Asked, read: Reading) -> float:
    figures = [f for f in read.figures if not any(_is(term, f.text) for term in asked.terms)]
    if asked.sort == "money":
        figures = [figure for figure in figures if figure.unit not in _NOT_MONEY]
    elif asked.sort == "percent":
        figures = [figure for figure in figures if figure.unit in ("%", "pp")]
    elif asked.sort == "count":
        figures = [figure for figure in figures if figure.unit in ("", "x")]
    return 1.0 if figures else 0.0


def _is(term: Term, written: str) -> bool:
    return term.figure is not None and term.written == written


def _place(asked: Asked, text: str) -> float:
    flat = simplify(text)
    wanted = frozenset(name for term in asked.terms for name in term.names)
    countries = [
        word
        for word in re.findall(rf"[A-Za-z]+(?: [A-Z][a-z]+)?|[{HAN}]+", flat)
        if stemmed(word) not in wanted and _country_in(word)
    ]
    if asked.sort == "country":
        return 1.0 if countries else 0.0
    known = _pattern("strong", "where").search(flat) is not None
    return 1.0 if known or countries else 0.6 if _IN_PLACE.search(flat) else 0.0


@cache
def _country_in(word: str) -> bool:
    if word.isascii():
        return any(is_country(part) for part in (word, *word.split()))
    return any(is_country(word[a : a + size]) for size in (2, 3, 4) for a in range(len(word)))
