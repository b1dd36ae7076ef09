"""Whether the value that is asked for stands in a stretch of text: a day, an amount, a doer, a place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from groundwire.evidence.questions.candidates import is_of_sort
from groundwire.evidence.questions.coverage import NamedThings, reading
from groundwire.evidence.questions.facets import Facet, any_of, facet_words
from groundwire.evidence.questions.intent import Intent
from groundwire.language.names.names import is_country, names
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.phrases import patterns
from groundwire.language.text.wording import is_han, stemmed

_PRECISE = {"day": 1.0, "month": 0.9, "quarter": 0.8, "year": 0.7}
_told = patterns("values.txt", "groundwire.jobs.ask")
_MODEL = re.compile(_told("model"))
_BY = re.compile(r"\bby [^,;]+|(?:被|由|遭)[^,，;；]+")
_INNER = re.compile(_told("inner"))
_PASSIVE = re.compile(_told("passive"))
_IN_PLACE = re.compile(
    rf"\b(?:in|at|near|from|to) [A-Z]|(?:在|于|位于)[{HAN}]{{2,6}}?(?:市|省|州|县|区|国|岛|镇|附近)"
)


@cache
def pattern(role: str, facet: Facet) -> re.Pattern[str]:
    """The signs of one role for a facet."""
    return any_of(facet_words(role)[facet])


def others(asked: Intent, text: str) -> list[str]:
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


def has_place(asked: Intent, text: str) -> bool:
    """Whether a text names a place of the sort that is asked for."""
    return _place(asked, text) > 0


def value_of(asked: Intent, facet: Facet, text: str, read: NamedThings) -> float:
    """Whether the value asked for stands here, and how exact it is."""
    if facet == "when":
        given = {term.written for term in asked.terms if term.date is not None}
        days = [day for day in read.dates if day.text not in given]
        exact = (0.6 if d.weekday is not None else _PRECISE[d.precision] for d in days)
        return max(exact, default=0.0)
    if facet == "how_much":
        return amount(asked, read)
    if facet == "who":
        return _agent(asked, text)
    return _place(asked, text)


def _agent(asked: Intent, text: str) -> float:
    """Somebody that the question does not name, best where the doer stands: before it, or by."""
    flat = simplify(text).lower()
    names = [name for n in asked.telling for name in asked.terms[n].names]
    at, end = reading(text).place(names) or (len(flat), len(flat))
    strangers = [simplify(name).lower() for name in others(asked, text)]
    by = " ".join(_BY.findall(flat))
    # What something was done to stands before a passive.
    passive = _PASSIVE.search(flat[:at]) is not None
    doer = by if passive else _subject(flat[:at]) + by
    title = flat[end:].lstrip()  # Chair Gary Gensler, 主席根斯勒
    if any(name in doer or title.startswith(name) for name in strangers):
        return 1.0
    if pattern("strong", "who").search(doer):
        return 0.9
    return 0.6 if strangers and not passive else 0.0


def _subject(before: str) -> str:
    """What stands before a verb in its own clause; of "X, who chairs" it is X."""
    clauses = _INNER.split(before)
    last = clauses[-1]
    # "Mira Murati, the head of technology, took over."
    return last if last.strip() else " ".join(clauses[-3:])


def amount(asked: Intent, read: NamedThings) -> float:
    """Whether an amount of the sort that is asked for stands here, and not that of the question."""
    figures = [
        figure
        for figure in read.figures
        if not any(term.figure and term.written == figure.text for term in asked.terms)
        and (figure.unit or not _MODEL.search(read.text[: figure.start]))
    ]
    if asked.sort == "count" and any(count.kind == "number" for count in read.counts):
        return 1.0
    return 1.0 if any(is_of_sort(asked.sort, figure) for figure in figures) else 0.0


def _place(asked: Intent, text: str) -> float:
    flat = simplify(text)
    wanted = frozenset(name for term in asked.terms for name in term.names)
    countries = [
        word
        for word in re.findall(rf"[A-Za-z]+(?: [A-Z][a-z]+)?|[{HAN}]+", flat)
        if stemmed(word) not in wanted and _country_in(word)
    ]
    if asked.sort == "country":
        return 1.0 if countries else 0.0
    # The place may stand before what is done there: 在官方博客公布.
    acts = [name for n in asked.telling for name in asked.terms[n].names if is_han(name)]
    if any(re.search(rf"在[^,，。;；]{{2,30}}?{re.escape(act)}", flat) for act in acts):
        return 1.0
    known = pattern("strong", "where").search(flat) is not None
    return 0.9 if known or countries else 0.6 if _IN_PLACE.search(flat) else 0.0


@cache
def _country_in(word: str) -> bool:
    if word.isascii():
        return any(is_country(part) for part in (word, *word.split()))
    return any(is_country(word[a : a + size]) for size in (2, 3, 4) for a in range(len(word)))


_CLAUSE = re.compile(r"[,，;；。!?！？](?!\d)|\.(?=\s|$)|\n")
_SHORT_HAN, _SHORT_WORDS = 16, 6
_NO_SUBJECT = 8
_EVENT = re.compile(_told("event"), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A clause, and the same with the short ones around it: a day before it, a name beside it."""

    core: str
    text: str


@lru_cache(maxsize=4096)
def stretches(text: str) -> tuple[Stretch, ...]:
    """Every clause of a sentence, in order."""
    stops = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    spans = [(a, b) for a, b in pairwise(stops) if text[a:b].strip()]
    found: list[Stretch] = []
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
        found.append(Stretch(core, text[start:end]))
    return tuple(found) or (Stretch(text, text),)


def _short(clause: str) -> bool:
    han = len(re.findall(f"[{HAN}]", clause))
    return han <= _SHORT_HAN and len(re.findall(r"[A-Za-z0-9]+", clause)) <= _SHORT_WORDS


def goes_on(clause: str) -> bool:
    """Whether a clause is too short to have a subject of its own: 超过2.7万美元."""
    han = len(re.findall(f"[{HAN}]", clause))
    return han <= _NO_SUBJECT and len(re.findall(r"[A-Za-z]+", clause)) <= _NO_SUBJECT // 2
