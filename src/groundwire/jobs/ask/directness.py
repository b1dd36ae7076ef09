"""How directly a sentence answers a question: its names, its predicate, its value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.coverage import day_of, named_things
from groundwire.evidence.questions.facets import Facet
from groundwire.evidence.questions.intent import Intent, Term
from groundwire.evidence.questions.quotable import refers_back
from groundwire.evidence.questions.surroundings import has_short_form
from groundwire.jobs.ask.values import (
    Stretch,
    amount,
    asks_level,
    goes_on,
    has_country,
    has_place,
    is_place,
    others,
    pattern,
    stretches,
    tells_change,
    value_of,
)
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.phrases import patterns

# Facets whose answer is a value or a yes; why, how and what are answered by whole sentences.
NARROW: tuple[Facet, ...] = ("when", "how_much", "who", "where", "whether")
_phrases = patterns("directness.txt", "groundwire.jobs.ask")
_NOT = re.compile(_phrases("not"))
_ELSEWHERE = 0.4  # what the cause of something else is worth
_LEAST_WORDS = 0.5  # share of the key words of the question
_DEFINING = re.compile(
    rf"(?:(?:In [^,]{{1,30}}, |在[^，,]{{1,12}}[中里上][，,]))?(?:(?:an?|the) )?(?P<subject>[^,.;，。；]{{1,40}}?)"
    rf"(?: (?:is|are|means?|refers? to) |(?<=[{HAN}\w”」])(?:是指|是一|指的是|指一|就是|是(?=.{{4,}}的)))",
    re.IGNORECASE,
)
_CAUSE = re.compile(_phrases("cause"))
_MEASURE = re.compile(_phrases("measure"))
_MATTERS = re.compile(_phrases("matters"))
_RARE = 0.7  # the weight of a word that few passages have
_NEARLY, _CONTRAST = 0.95, 1.15
_POINTLESS = 0.35
_NEXT, _BESIDE = 0.9, 0.5  # what an amount in a neighbouring clause is worth
_QUOTED = 0.5  # what a sentence is worth that only quotes or denies what is asked
_QUOTATION = re.compile('“[^”]*”|「[^」]*」|『[^』]*』|"[^"]*"')
LEAST_COVERAGE = 0.34
_LARGE = 100_000  # from here on a number without a unit is an amount
_NAMES_SHARE = 0.6  # both of two names, two of three
_CARRIED: tuple[Facet, ...] = ("why", "when", "whether")


def relevant(intent: Intent, candidate: Candidate) -> bool:
    """Tell whether a sentence is about the question at all: its names, and some of its words."""
    if candidate.coverage < LEAST_COVERAGE:
        return False
    present = candidate.own | candidate.near
    named = [n for n, term in enumerate(intent.terms) if term.kind == "name" and not term.light]
    key_words = intent.telling
    # What happened on another day is another matter; a cause may be reported at any time.
    dated = [n for n, term in enumerate(intent.terms) if term.date is not None]
    if any(n not in present for n in dated) and intent.facets != ("why",):
        return False
    if sum(number in present for number in named) < _NAMES_SHARE * len(named):
        return False
    if any(number in candidate.own for number in key_words or named):
        return True
    # What links two names need not be in the question's words.
    if len(named) > 1 and intent.facets[0] in ("what", "how"):
        return all(number in candidate.own for number in named)
    # A cause or a day may follow in the sentence after the one that names the event.
    strongest = max((value for facet, value in candidate.facets if facet in _CARRIED), default=0.0)
    return (
        strongest >= 1.0
        and all(number in present for number in named)
        and any(number in present for number in key_words)
    )


def is_about(intent: Intent, candidate: Candidate) -> bool:
    """Tell whether a sentence may be about the thing asked for, and not about its sibling.

    Half of the names and every number of a thing (the 16 of iPhone 16, V3) stand in the sentence or its passage;
    of days it has, and is of, none but those of the question; a price, a share or a country is answered by one, and how much by a number.
    """
    things = named_things(candidate.text)
    if (intent.sort in ("money", "percent") or asks_level(intent)) and not amount(intent, things):
        return False
    if intent.facets == ("how_much",) and not (things.figures or things.counts):
        return False
    if _measure_only(intent, candidate):
        return False
    if intent.facets == ("why",) and only_in_cause(intent, candidate.text):
        return False
    if intent.sort == "country" and not has_place(intent, candidate.text):
        return False
    passage = candidate.passage
    around = named_things(f"{passage.title}\n{passage.text}", day_of(passage)).matched(intent)
    present = candidate.own | candidate.near | around
    named = [n for n, term in enumerate(intent.terms) if term.kind == "name" and not term.light]
    if 2 * sum(number in present for number in named) < len(named):
        return False
    for number, term in enumerate(intent.terms):
        if term.date is not None and number not in candidate.own | candidate.near:
            # "On 8 August": the year may stand further above.
            open_year = number in around and all(day.year is None for day in candidate.dates)
            if day_of(passage) is not None or (candidate.dates and not open_year):
                return False
        elif number not in present and _tells_apart(intent, term):
            return False
    return True


def _tells_apart(intent: Intent, term: Term) -> bool:
    if term.figure is not None:
        return not term.light and "whether" not in intent.facets
    return term.kind == "name" and any(char.isdigit() for char in term.written)


@dataclass(frozen=True, slots=True)
class Directness:
    """How far a sentence answers one facet, in [0, 1]; `related` when only the value is missing."""

    worth: float
    related: bool


_NONE = Directness(0.0, False)


def direct(intent: Intent, candidate: Candidate, facet: Facet) -> Directness:
    """Judge one sentence for one narrow facet."""
    if not _has_all_names(intent, candidate) or _measure_only(intent, candidate):
        return _NONE
    words = intent.words(facet)
    stated = [n for n in words if n in candidate.own]
    implied = [n for n in words if n in candidate.near]
    # The headline may supply a part of it, but not all.
    if len(stated) + len(implied) < _LEAST_WORDS * len(words) or (words and not stated):
        return _NONE
    parts = stretches(candidate.text)
    # Unless the question is who, a clause that names somebody else does not count.
    if facet != "who" and _by_title_alone(intent, candidate):
        parts = tuple(at for at in parts if not others(intent, at.core))
    complete = len(stated) == len(words) and bool(_own_names(intent, candidate))
    if facet not in NARROW:
        return Directness(0.0, complete)
    if facet == "whether":
        whole = len(parts) == len(stretches(candidate.text))
        return _settles(intent, candidate, words) if whole else _NONE
    best = max((_stretch_worth(intent, candidate, facet, words, at) for at in parts), default=0.0)
    changed = tells_change(intent, candidate.text)
    return Directness(best, best == 0.0 and complete and not changed)


def answering(intent: Intent, candidate: Candidate) -> dict[Facet, float]:
    """Rate how far a sentence answers each facet asked for, in [0, 1]."""
    found: dict[Facet, float] = {}
    for facet, value in candidate.facets:
        if facet in NARROW:
            found[facet] = direct(intent, candidate, facet).worth
        else:
            found[facet] = _cause(intent, candidate, value) if facet == "why" else value
            found[facet] *= _rarity_factor(intent, candidate)
            if intent.sort == "meaning":
                found[facet] = 1.0 if defines(intent, candidate.text) else value * _ELSEWHERE
    return found


def rare(intent: Intent) -> list[int]:
    """Return the key words that few passages have, or fewer than have the others."""
    weights = {n: intent.terms[n].weight for n in intent.telling if n not in intent.missing}
    most, least = max(weights.values(), default=0.0), min(weights.values(), default=0.0)
    bar = min(_RARE, _NEARLY * most) if most > _CONTRAST * least else _RARE
    return [n for n, weight in weights.items() if weight >= bar]


def _rarity_factor(intent: Intent, candidate: Candidate) -> float:
    """Return a factor that is lower for a sentence without the question's rare words."""
    words = rare(intent)
    if not words:
        return 1.0
    share = sum(1.0 if n in candidate.own else 0.5 * (n in candidate.near) for n in words)
    return _POINTLESS + (1 - _POINTLESS) * share / len(words)


def defines(intent: Intent, text: str) -> bool:
    """Tell whether a sentence defines what is asked about: "A flash loan is …"."""
    match = _DEFINING.match(text) if intent.sort == "meaning" else None
    if match is None:
        return False
    subject = named_things(match["subject"])
    return all(subject.names(term) for term in intent.terms if not term.light)


def _cause(intent: Intent, candidate: Candidate, value: float) -> float:
    """Rate a cause, which must be the cause of what is asked, not its consequence."""
    words = intent.words("why")
    present = candidate.own | candidate.near
    mentioned = sum(n in present for n in words)
    if mentioned < _LEAST_WORDS * len(words) or (mentioned == 1 and len(words) > 1):
        return value * _ELSEWHERE
    flat = simplify(candidate.text).lower()
    if _MATTERS.search(flat):
        return value * _ELSEWHERE
    if only_in_cause(intent, flat):
        return value * _ELSEWHERE
    forward = pattern("forward", "why")
    sign = forward.search(flat)
    if sign is None or pattern("strong", "why").search(forward.sub(" ", flat)):
        return value
    after = named_things(flat[sign.end() :]).matched(intent)
    return value if not words or any(n in after for n in words) else value * _ELSEWHERE


def only_in_cause(intent: Intent, text: str) -> bool:
    """Tell whether what is asked about is only the cause of something else: it fell because the bank failed."""
    flat = simplify(text).lower()
    told = named_things(flat).matched(intent) & frozenset(intent.words("why"))
    effect = named_things(_CAUSE.sub(" ", flat)).matched(intent)
    return bool(told) and told.isdisjoint(effect)


def in_passing(intent: Intent, text: str) -> bool:
    """Tell whether a sentence names the question's names only in passing: another closed after the bank failed."""
    flat = simplify(text).lower()
    names = frozenset(n for n, term in enumerate(intent.terms) if term.kind == "name")
    told = named_things(flat).matched(intent) & names
    return bool(told) and told.isdisjoint(named_things(_CAUSE.sub(" ", flat)).matched(intent))


def elsewhere(intent: Intent, candidate: Candidate) -> bool:
    """Tell whether a sentence is of another place: its headline names the US, and neither of them Hong Kong."""
    places = [term for term in intent.terms if term.kind == "name" and is_place(term)]
    title = candidate.passage.title
    if not places or intent.sort == "country" or not has_country(intent, title):
        return False
    said = named_things(f"{title}\n{candidate.text}")
    return not any(said.names(place) for place in places)


def _measure_only(intent: Intent, candidate: Candidate) -> bool:
    """Tell whether the names only serve to measure another thing: a quarter of the iPhone's price."""
    rest = _MEASURE.sub(" ", simplify(candidate.text).lower())
    required = [n for n in _required(intent) if n in candidate.own]
    if not required or len(rest) == len(candidate.text):
        return False
    left = named_things(rest).matched(intent)
    return any(n not in left for n in required) and not set(required) <= candidate.near


def _required(intent: Intent) -> list[int]:
    """List the names, and the numbers that belong to them: the 15 of iPhone 15."""
    return [
        n
        for n, term in enumerate(intent.terms)
        if not term.light
        and (term.kind == "name" or (term.kind == "figure" and "whether" not in intent.facets))
    ]


def _own_names(intent: Intent, candidate: Candidate) -> list[int]:
    return [n for n in _required(intent) if n in candidate.own]


def _has_all_names(intent: Intent, candidate: Candidate) -> bool:
    """Tell whether the sentence, its title or what it refers to has all names; days must agree."""
    present = candidate.own | candidate.near
    days = [n for n, term in enumerate(intent.terms) if term.date is not None]
    return all(n in present for n in (*_required(intent), *days))


def _by_title_alone(intent: Intent, candidate: Candidate) -> bool:
    """Tell whether only the title has the names: the sentence may be about somebody else."""
    required = _required(intent)
    if not required or _own_names(intent, candidate) or refers_back(candidate.text):
        return False
    read = named_things(candidate.text, day_of(candidate.passage))
    return not any(has_short_form(intent.terms[n], read) for n in required)


def _settles(intent: Intent, candidate: Candidate, words: Sequence[int]) -> Directness:
    """Rate a yes or no: the sentence asserts or denies what is asked, or gives another amount."""
    if any(n in intent.missing for n in words):
        return _NONE
    share = _told_together(intent, candidate, words)
    units = {term.figure.unit for term in intent.terms if term.figure is not None}
    if units and not any(_amounts_to(intent, words, units, at) for at in stretches(candidate.text)):
        return _NONE
    strong = dict(candidate.facets).get("whether", 0.0) >= 1.0
    worth = (0.3 + 0.5 * share + 0.2 * strong) * (0.5 + 0.5 * _rarity_factor(intent, candidate))
    return Directness(round(worth, 6), False)


def _told_together(intent: Intent, candidate: Candidate, words: Sequence[int]) -> float:
    """Return the share of these words in a sentence, less where no clause of its own has them together."""
    if not words:
        return 1.0
    clauses = [
        named_things(at.text).matched(intent) | candidate.carried
        for at in stretches(_unquoted(candidate.text))
    ]
    most = max((sum(n in each for n in words) for each in clauses), default=0)
    return (most + sum(n in candidate.own for n in words)) / (2 * len(words))


def _amounts_to(intent: Intent, words: Sequence[int], units: set[str], at: Stretch) -> bool:
    read = named_things(at.core)
    matches = not words or not read.matched(intent).isdisjoint(words)
    # "1 billion" of a question may be dollars; 3 is no amount.
    bare = "" in units
    return matches and any(
        figure.unit in units or (bare and abs(figure.value) >= _LARGE) for figure in read.figures
    )


def _stretch_worth(
    intent: Intent, candidate: Candidate, facet: Facet, words: Sequence[int], at: Stretch
) -> float:
    """Rate how well one stretch answers: its predicate, its value, more of the question."""
    day = day_of(candidate.passage)
    read = named_things(at.text, day)
    present = read.matched(intent)
    # What the sentence takes from its headline counts for the clauses about the same names.
    carried = candidate.carried if present & frozenset(_required(intent)) else frozenset[int]()
    present |= carried
    stated = [n for n in words if n in present]
    implied = [n for n in words if n in candidate.near and n not in present]
    if words and (not stated or len(stated) + len(implied) < _LEAST_WORDS * len(words)):
        return 0.0
    # "Who approved …": no other word replaces the act.
    if facet == "who" and intent.act is not None and intent.act not in present:
        return 0.0
    value = value_of(intent, facet, at.text, read)
    if not value:
        return 0.0
    if facet == "how_much":
        value *= _clause_factor(intent, words, carried, at, day)
    # Where what is asked is negated, the value belongs to something else.
    place = named_things(at.text).place([name for n in words for name in intent.terms[n].names])
    if place is not None and _NOT.search(simplify(at.text).lower()[: place[0]]):
        value *= _QUOTED
    if words and (named_things(_unquoted(at.text), day).matched(intent) | carried).isdisjoint(
        words
    ):
        value *= _QUOTED
    total = sum(term.weight for term in intent.terms)
    share = sum(intent.terms[n].weight for n in sorted(present)) / total if total else 0.0
    required = _required(intent)
    named = len(_own_names(intent, candidate)) / len(required) if required else 1.0
    return round(value * (0.5 + 0.5 * share) * (0.7 + 0.3 * named), 6)


def _clause_factor(
    intent: Intent, words: Sequence[int], carried: frozenset[int], at: Stretch, day: date | None
) -> float:
    """Return a factor that is lower for an amount in another clause than its predicate."""
    before, _, after = at.text.partition(at.core)
    core = named_things(at.core, day)
    stated = not words or not (core.matched(intent) | carried).isdisjoint(words)
    if amount(intent, core):
        stated_before = not named_things(before, day).matched(intent).isdisjoint(words)
        return 1.0 if stated else _NEXT if stated_before and goes_on(at.core) else _BESIDE
    return _NEXT if stated and amount(intent, named_things(after, day)) else _BESIDE


def _unquoted(text: str) -> str:
    return _QUOTATION.sub(" ", text)


def quoted_only(intent: Intent, candidate: Candidate) -> bool:
    """Tell whether a sentence has what is asked only inside a quotation."""
    words = intent.telling
    bare = _unquoted(candidate.text)
    return (
        bool(words)
        and bare != candidate.text
        and named_things(bare, day_of(candidate.passage)).matched(intent).isdisjoint(words)
    )
