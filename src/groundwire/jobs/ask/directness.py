"""Whether a sentence is about a question and answers it: its names, its predicate, its value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.coverage import day_of, reading
from groundwire.evidence.questions.facets import Facet
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.openings import refers
from groundwire.evidence.questions.surroundings import by_short_form
from groundwire.jobs.ask.values import (
    Stretch,
    amount,
    goes_on,
    others,
    pattern,
    stretches,
    value_of,
)
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.phrases import patterns

# Facets whose answer is a value or a yes; why, how and what are answered by whole sentences.
NARROW: tuple[Facet, ...] = ("when", "how_much", "who", "where", "whether")
_told = patterns("directness.txt", "groundwire.jobs.ask")
_NOT = re.compile(_told("not"))
_ELSEWHERE = 0.4  # what the cause of something else is worth
_LEAST_WORDS = 0.5  # of the words that tell what is asked
_DEFINING = re.compile(
    rf"(?:(?:an?|the) )?(?P<subject>[^,.;，。；]{{1,40}}?)"
    rf"(?: (?:is|are|means?|refers? to) |(?<=[{HAN}\w”」])(?:是指|是一|指的是|指一|就是|是(?=.{{4,}}的)))",
    re.IGNORECASE,
)
_MATTERS = re.compile(_told("matters"))
_RARE = 0.7  # the weight of a word that few passages have
_NEARLY, _CONTRAST = 0.95, 1.15
_POINTLESS = 0.35
_NEXT, _BESIDE = 0.9, 0.5  # what an amount is worth that stands in the clause beside
_QUOTED = 0.5  # what a sentence is worth that quotes what is asked: it tells of the words
_QUOTATION = re.compile('“[^”]*”|「[^」]*」|『[^』]*』|"[^"]*"')


LEAST_COVERAGE = 0.34
_NAMES_SHARE = 0.6  # of two names both, of three two
_CARRIED: tuple[Facet, ...] = ("why", "when", "whether")


def relevant(asked: Intent, candidate: Candidate) -> bool:
    """Whether a sentence is about the question at all: its names, and some of its words."""
    if candidate.coverage < LEAST_COVERAGE:
        return False
    here = candidate.own | candidate.near
    named = [n for n, term in enumerate(asked.terms) if term.kind == "name" and not term.light]
    worded = asked.telling
    # What happened on another day is another matter; a cause may be told at any time.
    dated = [n for n, term in enumerate(asked.terms) if term.date is not None]
    if any(n not in here for n in dated) and asked.facets != ("why",):
        return False
    if sum(number in here for number in named) < _NAMES_SHARE * len(named):
        return False
    if any(number in candidate.own for number in worded or named):
        return True
    # What one says of the other need not be in the question's words.
    if len(named) > 1 and asked.facets[0] in ("what", "how"):
        return all(number in candidate.own for number in named)
    # A cause or a day may follow in the sentence after the one that named the matter.
    strong = max((value for facet, value in candidate.facets if facet in _CARRIED), default=0.0)
    carried = all(number in here for number in named) and any(number in here for number in worded)
    return strong >= 1.0 and carried


@dataclass(frozen=True, slots=True)
class Directness:
    """How far a sentence answers one facet, in [0, 1]; `related` when only the value is lacking."""

    worth: float
    related: bool


_NONE = Directness(0.0, False)


def direct(asked: Intent, candidate: Candidate, facet: Facet) -> Directness:
    """Judge one sentence for one narrow facet."""
    if not _named(asked, candidate):
        return _NONE
    words = asked.words(facet)
    said = [n for n in words if n in candidate.own]
    implied = [n for n in words if n in candidate.near]
    # Its headline may say a part of it, but not all.
    if len(said) + len(implied) < _LEAST_WORDS * len(words) or (words and not said):
        return _NONE
    parts = stretches(candidate.text)
    # Unless it is somebody that is asked for, nobody else may stand beside the value.
    if facet != "who" and _by_title_alone(asked, candidate):
        parts = tuple(at for at in parts if not others(asked, at.core))
    every = len(said) == len(words) and bool(_own_names(asked, candidate))
    if facet not in NARROW:
        return Directness(0.0, every)
    if facet == "whether":
        whole = len(parts) == len(stretches(candidate.text))
        return _settles(asked, candidate, words) if whole else _NONE
    best = max((_stretch(asked, candidate, facet, words, at) for at in parts), default=0.0)
    return Directness(best, best == 0.0 and every)


def answering(asked: Intent, candidate: Candidate) -> dict[Facet, float]:
    """How far a sentence answers each facet asked for, in [0, 1]."""
    found: dict[Facet, float] = {}
    for facet, value in candidate.facets:
        if facet in NARROW:
            found[facet] = direct(asked, candidate, facet).worth
        else:
            found[facet] = _cause(asked, candidate, value) if facet == "why" else value
            found[facet] *= _pointed(asked, candidate)
            if asked.sort == "meaning":
                found[facet] = 1.0 if defines(asked, candidate.text) else value * _ELSEWHERE
    return found


def rare(asked: Intent) -> list[int]:
    """The telling words that few of the passages have, or fewer than have the others."""
    weights = {n: asked.terms[n].weight for n in asked.telling if n not in asked.missing}
    most, least = max(weights.values(), default=0.0), min(weights.values(), default=0.0)
    bar = min(_RARE, _NEARLY * most) if most > _CONTRAST * least else _RARE
    return [n for n, weight in weights.items() if weight >= bar]


def _pointed(asked: Intent, candidate: Candidate) -> float:
    """Less for a sentence without the rare words of the question."""
    words = rare(asked)
    if not words:
        return 1.0
    share = sum(1.0 if n in candidate.own else 0.5 * (n in candidate.near) for n in words)
    return _POINTLESS + (1 - _POINTLESS) * share / len(words)


def defines(asked: Intent, text: str) -> bool:
    """Whether a sentence says what the thing that is asked about is: "A flash loan is …"."""
    match = _DEFINING.match(text) if asked.sort == "meaning" else None
    if match is None:
        return False
    subject = reading(match["subject"])
    return all(subject.names(term) for term in asked.terms if not term.light)


def _cause(asked: Intent, candidate: Candidate, value: float) -> float:
    """The worth of a cause: it must be the cause of what is asked, not what came of it."""
    words = asked.words("why")
    here = candidate.own | candidate.near
    told = sum(n in here for n in words)
    if told < _LEAST_WORDS * len(words) or (told == 1 and len(words) > 1):
        return value * _ELSEWHERE
    flat = simplify(candidate.text).lower()
    if _MATTERS.search(flat):
        return value * _ELSEWHERE
    forward = pattern("forward", "why")
    sign = forward.search(flat)
    if sign is None or pattern("strong", "why").search(forward.sub(" ", flat)):
        return value
    after = reading(flat[sign.end() :]).matched(asked)
    return value if not words or any(n in after for n in words) else value * _ELSEWHERE


def _required(asked: Intent) -> list[int]:
    """Names, and numbers that belong to them: the 15 of iPhone 15."""
    return [
        n
        for n, term in enumerate(asked.terms)
        if not term.light
        and (term.kind == "name" or (term.kind == "figure" and "whether" not in asked.facets))
    ]


def _own_names(asked: Intent, candidate: Candidate) -> list[int]:
    return [n for n in _required(asked) if n in candidate.own]


def _named(asked: Intent, candidate: Candidate) -> bool:
    """Whether the sentence, its title or what it refers to has all names; days must agree."""
    here = candidate.own | candidate.near
    days = [n for n, term in enumerate(asked.terms) if term.date is not None]
    return all(n in here for n in (*_required(asked), *days))


def _by_title_alone(asked: Intent, candidate: Candidate) -> bool:
    """Whether only the title has the names: then the sentence may be about somebody else."""
    required = _required(asked)
    if not required or _own_names(asked, candidate) or refers(candidate.text):
        return False
    read = reading(candidate.text, day_of(candidate.passage))
    return not any(by_short_form(asked.terms[n], read) for n in required)


def _settles(asked: Intent, candidate: Candidate, words: Sequence[int]) -> Directness:
    """Yes or no: what is asked stands there, asserted or denied, or another amount does."""
    # What no page mentions, no page settles.
    if any(n in asked.missing for n in words):
        return _NONE
    share = sum(n in candidate.own for n in words) / len(words) if words else 1.0
    units = {term.figure.unit for term in asked.terms if term.figure is not None}
    if units and not any(_amounts_to(asked, words, units, at) for at in stretches(candidate.text)):
        return _NONE
    strong = dict(candidate.facets).get("whether", 0.0) >= 1.0
    worth = (0.3 + 0.5 * share + 0.2 * strong) * (0.5 + 0.5 * _pointed(asked, candidate))
    return Directness(round(worth, 6), False)


def _amounts_to(asked: Intent, words: Sequence[int], units: set[str], at: Stretch) -> bool:
    read = reading(at.core)
    told = not words or not read.matched(asked).isdisjoint(words)
    return told and any(figure.unit in units for figure in read.figures)


def _stretch(
    asked: Intent, candidate: Candidate, facet: Facet, words: Sequence[int], at: Stretch
) -> float:
    """How well one stretch answers: its predicate and its value, and more of the question."""
    day = day_of(candidate.passage)
    read = reading(at.text, day)
    here = read.matched(asked)
    # What the sentence takes from its headline holds for the clauses about the same names.
    carried = candidate.carried if here & frozenset(_required(asked)) else frozenset[int]()
    here |= carried
    told = [n for n in words if n in here]
    implied = [n for n in words if n in candidate.near and n not in here]
    if words and (not told or len(told) + len(implied) < _LEAST_WORDS * len(words)):
        return 0.0
    # "Who approved …": nothing stands for what was done.
    if facet == "who" and asked.act is not None and asked.act not in here:
        return 0.0
    value = value_of(asked, facet, at.text, read)
    if not value:
        return 0.0
    if facet == "how_much":
        value *= _beside(asked, words, carried, at, day)
    # What is asked may stand there negated: then its day is the day of something else.
    place = reading(at.text).place([name for n in words for name in asked.terms[n].names])
    if place is not None and _NOT.search(simplify(at.text).lower()[: place[0]]):
        value *= _QUOTED
    if words and (reading(_unquoted(at.text), day).matched(asked) | carried).isdisjoint(words):
        value *= _QUOTED
    total = sum(term.weight for term in asked.terms)
    share = sum(asked.terms[n].weight for n in sorted(here)) / total if total else 0.0
    required = _required(asked)
    named = len(_own_names(asked, candidate)) / len(required) if required else 1.0
    return round(value * (0.5 + 0.5 * share) * (0.7 + 0.3 * named), 6)


def _beside(
    asked: Intent, words: Sequence[int], carried: frozenset[int], at: Stretch, day: date | None
) -> float:
    """Less for an amount of another clause; what comes before its own predicate is another's."""
    before, _, after = at.text.partition(at.core)
    core = reading(at.core, day)
    told = not words or not (core.matched(asked) | carried).isdisjoint(words)
    if amount(asked, core):
        earlier = not reading(before, day).matched(asked).isdisjoint(words)
        return 1.0 if told else _NEXT if earlier and goes_on(at.core) else _BESIDE
    return _NEXT if told and amount(asked, reading(after, day)) else _BESIDE


def _unquoted(text: str) -> str:
    return _QUOTATION.sub(" ", text)


def quoted_only(asked: Intent, candidate: Candidate) -> bool:
    """Whether a sentence has what is asked only in the words of somebody whom it quotes."""
    words = asked.telling
    bare = _unquoted(candidate.text)
    return (
        bool(words)
        and bare != candidate.text
        and reading(bare, day_of(candidate.passage)).matched(asked).isdisjoint(words)
    )
