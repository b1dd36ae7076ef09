"""Whether a sentence answers what is asked: the names, the predicate, and the value beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from itertools import pairwise

from groundwire.evidence.asking import Asked, Facet, Term, any_of, facet_words, is_country
from groundwire.evidence.candidates import Candidate, is_of_sort
from groundwire.evidence.characters import HAN, simplify
from groundwire.evidence.named import Reading, day_of, reading
from groundwire.evidence.names import names
from groundwire.evidence.openings import refers
from groundwire.evidence.surroundings import by_short_form
from groundwire.evidence.wording import is_han, stemmed

# Facets whose answer is a value or a yes; why, how and what are answered by whole sentences.
NARROW: tuple[Facet, ...] = ("when", "how_much", "who", "where", "whether")
_CLAUSE = re.compile(r"[,，;；。!?！？](?!\d)|\.(?=\s|$)|\n")
_SHORT_HAN, _SHORT_WORDS = 16, 6
_ELSEWHERE = 0.4  # what the cause of something else is worth
_LEAST_WORDS = 0.5  # of the words that tell what is asked
_DEFINING = re.compile(
    rf"(?:(?:an?|the) )?(?P<subject>[^,.;，。；]{{1,40}}?)"
    rf"(?: (?:is|are|means?|refers? to) |(?<=[{HAN}\w”」])(?:是指|是一|指的是|指一|就是|是(?=.{{4,}}的)))",
    re.IGNORECASE,
)
_RARE = 0.7  # the weight of a word that few passages have
_POINTLESS = 0.35
_NEXT, _BESIDE = 0.9, 0.5  # what an amount is worth that stands in the clause beside
_QUOTED = 0.5  # what a sentence is worth that quotes what is asked: it tells of the words
_QUOTATION = re.compile('“[^”]*”|「[^」]*」|『[^』]*』|"[^"]*"')
_PRECISE = {"day": 1.0, "month": 0.9, "quarter": 0.8, "year": 0.7}
_EVENT = re.compile(
    r"\W*(?:it|this|that) (?:happened|occurred|took place|came|followed)\b|\W*(?:这|此)[^,，]{0,4}发生",
    re.IGNORECASE,
)
_BY = re.compile(r"\bby [^,;]+|(?:被|由|遭)[^,，;；]+")
_INNER = re.compile(
    r",? (?:when|while|after|before|as|because|since|which|that|who|where|although) |[,，;；:：] ?|(?:因为|由于|导致)"
)
_PASSIVE = re.compile(r"\b(?:was|were|been|being|is|are|be|got)(?: \w+ly)? $|(?:被|遭|遭到)$")
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
    if not _named(asked, candidate):
        return _NONE
    words = telling(asked)
    said = [n for n in words if n in candidate.own]
    implied = [n for n in words if n in candidate.near]
    # Its headline may say a part of it, but not all.
    if len(said) + len(implied) < _LEAST_WORDS * len(words) or (words and not said):
        return _NONE
    stretches = _windows(candidate.text)
    # Unless it is somebody that is asked for, nobody else may stand beside the value.
    if facet != "who" and _by_title_alone(asked, candidate):
        stretches = tuple(at for at in stretches if not _others(asked, at.core))
    if facet not in NARROW:
        return Directness(0.0, len(said) == len(words) and bool(_own_names(asked, candidate)))
    if facet == "whether":
        whole = len(stretches) == len(_windows(candidate.text))
        return _settles(asked, candidate, words) if whole else _NONE
    best = max((_window(asked, candidate, facet, words, at) for at in stretches), default=0.0)
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
            found[facet] *= _pointed(asked, candidate)
            if asked.sort == "meaning":
                found[facet] = 1.0 if defines(asked, candidate.text) else value * _ELSEWHERE
    return found


def _pointed(asked: Asked, candidate: Candidate) -> float:
    """Less for a sentence without the rare words of the question: they say what is asked."""
    rare = [n for n in telling(asked) if asked.terms[n].weight >= _RARE]
    if not rare:
        return 1.0
    share = sum(1.0 if n in candidate.own else 0.5 * (n in candidate.near) for n in rare)
    return _POINTLESS + (1 - _POINTLESS) * share / len(rare)


def defines(asked: Asked, text: str) -> bool:
    """Whether a sentence says what the thing that is asked about is: "A flash loan is …"."""
    match = _DEFINING.match(text) if asked.sort == "meaning" else None
    if match is None:
        return False
    subject = reading(match["subject"])
    return all(subject.names(term) for term in asked.terms if not term.light)


def _cause(asked: Asked, candidate: Candidate, value: float) -> float:
    """The worth of a cause: it must be the cause of what is asked, not what came of it."""
    words = telling(asked)
    here = candidate.own | candidate.near
    told = sum(n in here for n in words)
    if told < _LEAST_WORDS * len(words) or (told == 1 and len(words) > 1):
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


def _named(asked: Asked, candidate: Candidate) -> bool:
    """Whether the sentence, its title or what it refers to has all names; days must agree."""
    here = candidate.own | candidate.near
    days = [n for n, term in enumerate(asked.terms) if term.date is not None]
    return all(n in here for n in (*_required(asked), *days))


def _by_title_alone(asked: Asked, candidate: Candidate) -> bool:
    """Whether only the title has the names: then the sentence may be about somebody else."""
    required = _required(asked)
    if not required or _own_names(asked, candidate) or refers(candidate.text):
        return False
    read = reading(candidate.text, day_of(candidate.passage))
    return not any(by_short_form(asked.terms[n], read) for n in required)


def _others(asked: Asked, text: str) -> list[str]:
    """Names in the text that the question does not have; Finance is a part of Euler Finance."""
    wanted = frozenset(name for term in asked.terms for name in term.names)
    found: list[str] = []
    known_until = -2
    for name in names(text):
        joined = name.start == known_until + 1 and text[known_until] == " "
        if stemmed(name.text) in wanted or joined:
            known_until = name.end
        else:
            found.append(name.text)
    return found


def _settles(asked: Asked, candidate: Candidate, words: list[int]) -> Directness:
    """Yes or no: what is asked stands there, asserted or denied, or another amount does."""
    share = sum(n in candidate.own for n in words) / len(words) if words else 1.0
    units = {term.figure.unit for term in asked.terms if term.figure is not None}
    if units and not any(_amounts_to(asked, words, units, at) for at in _windows(candidate.text)):
        return _NONE
    strong = dict(candidate.facets).get("whether", 0.0) >= 1.0
    return Directness(round(0.3 + 0.5 * share + 0.2 * strong, 6), False)


def _amounts_to(asked: Asked, words: list[int], units: set[str], at: Window) -> bool:
    read = reading(at.core)
    told = not words or not read.matched(asked).isdisjoint(words)
    return told and any(figure.unit in units for figure in read.figures)


@cache
def _pattern(role: str, facet: Facet) -> re.Pattern[str]:
    return any_of(facet_words(role)[facet])


@dataclass(frozen=True, slots=True)
class Window:
    """A clause, and the same with the short ones around it: a day before it, a name beside it."""

    core: str
    text: str


@lru_cache(maxsize=4096)
def _windows(text: str) -> tuple[Window, ...]:
    stops = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    spans = [(a, b) for a, b in pairwise(stops) if text[a:b].strip()]
    found: list[Window] = []
    for at, (start, end) in enumerate(spans):
        core = text[start:end]
        # "It happened on …" is about what the sentence before says.
        if at and _EVENT.match(core):
            start = 0
        for back in (1, 2):
            if at < back or not _short(text[slice(*spans[at - back])]):
                break
            start = min(start, spans[at - back][0])
        if at + 1 < len(spans) and _short(text[slice(*spans[at + 1])]):
            end = spans[at + 1][1]
        found.append(Window(core, text[start:end]))
    return tuple(found) or (Window(text, text),)


def _short(clause: str) -> bool:
    han = len(re.findall(f"[{HAN}]", clause))
    return han <= _SHORT_HAN and len(re.findall(r"[A-Za-z0-9]+", clause)) <= _SHORT_WORDS


def _window(
    asked: Asked, candidate: Candidate, facet: Facet, words: list[int], at: Window
) -> float:
    """How well one stretch answers: its predicate and its value, and more of the question."""
    day = day_of(candidate.passage)
    read = reading(at.text, day)
    here = read.matched(asked)
    # What the sentence takes from its headline holds for the clauses about the same names.
    carried = candidate.carried if here & frozenset(_required(asked)) else frozenset[int]()
    here |= carried
    told = [n for n in words if n in here]
    if words and (not told or len(told) + _implied(candidate, words) < _LEAST_WORDS * len(words)):
        return 0.0
    # "Who approved …": nothing stands for what was done.
    if facet == "who" and asked.act is not None and asked.act not in here:
        return 0.0
    value = _value(asked, facet, at.text, read)
    if not value:
        return 0.0
    if facet == "how_much":
        value *= _beside(asked, words, carried, at, day)
    if words and (reading(_unquoted(at.text), day).matched(asked) | carried).isdisjoint(words):
        value *= _QUOTED
    total = sum(term.weight for term in asked.terms)
    share = sum(asked.terms[n].weight for n in sorted(here)) / total if total else 0.0
    required = _required(asked)
    named = len(_own_names(asked, candidate)) / len(required) if required else 1.0
    return round(value * (0.5 + 0.5 * share) * (0.8 + 0.2 * named), 6)


def _beside(
    asked: Asked, words: list[int], carried: frozenset[int], at: Window, day: date | None
) -> float:
    """Less for an amount of another clause; what comes before its own predicate is another's."""
    before, _, after = at.text.partition(at.core)
    core = reading(at.core, day)
    told = not words or not (core.matched(asked) | carried).isdisjoint(words)
    if _amount(asked, core):
        earlier = not reading(before, day).matched(asked).isdisjoint(words)
        return 1.0 if told else _NEXT if earlier else _BESIDE
    return _NEXT if told and _amount(asked, reading(after, day)) else _BESIDE


def _implied(candidate: Candidate, words: list[int]) -> int:
    return sum(n in candidate.near for n in words)


def _unquoted(text: str) -> str:
    return _QUOTATION.sub(" ", text)


def quoted_only(asked: Asked, candidate: Candidate) -> bool:
    """Whether a sentence has what is asked only in the words of somebody whom it quotes."""
    words = telling(asked)
    bare = _unquoted(candidate.text)
    return (
        bool(words)
        and bare != candidate.text
        and reading(bare, day_of(candidate.passage)).matched(asked).isdisjoint(words)
    )


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
    names = [name for n in telling(asked) for name in asked.terms[n].names]
    at, end = reading(text).place(names) or (len(flat), len(flat))
    others = [simplify(name).lower() for name in _others(asked, text)]
    by = " ".join(_BY.findall(flat))
    # What something was done to stands before a passive.
    passive = _PASSIVE.search(flat[:at]) is not None
    doer = by if passive else _subject(flat[:at]) + by
    title = flat[end:].lstrip()  # Chair Gary Gensler, 主席根斯勒
    if any(name in doer or title.startswith(name) for name in others):
        return 1.0
    if _pattern("strong", "who").search(doer):
        return 0.9
    return 0.6 if others and not passive else 0.0


def _subject(before: str) -> str:
    """What stands before a verb in its own clause; of "X, who chairs" it is X."""
    clauses = _INNER.split(before)
    last = clauses[-1]
    # "Mira Murati, the head of technology, took over."
    return last if last.strip() else " ".join(clauses[-3:])


def _asked_day(asked: Asked, written: str) -> bool:
    return any(term.date is not None and term.written == written for term in asked.terms)


def _amount(asked: Asked, read: Reading) -> float:
    figures = [f for f in read.figures if not any(_is(term, f.text) for term in asked.terms)]
    if asked.sort == "count" and any(count.kind == "number" for count in read.counts):
        return 1.0
    return 1.0 if any(is_of_sort(asked.sort, figure) for figure in figures) else 0.0


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
    if _at_place(asked, flat):
        return 1.0
    known = _pattern("strong", "where").search(flat) is not None
    return 0.9 if known or countries else 0.6 if _IN_PLACE.search(flat) else 0.0


def _at_place(asked: Asked, flat: str) -> bool:
    """Whether the place stands before what is done there: 在官方博客公布."""
    acts = [name for n in telling(asked) for name in asked.terms[n].names if is_han(name)]
    return any(re.search(rf"在[^,，。;；]{{2,30}}?{re.escape(act)}", flat) for act in acts)


@cache
def _country_in(word: str) -> bool:
    if word.isascii():
        return any(is_country(part) for part in (word, *word.split()))
    return any(is_country(word[a : a + size]) for size in (2, 3, 4) for a in range(len(word)))
