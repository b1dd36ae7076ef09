"""The value that is asked for, in a stretch of text: a day, an amount, a doer, a place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from groundwire.evidence.questions.candidates import is_of_sort
from groundwire.evidence.questions.coverage import NamedThings, named_things
from groundwire.evidence.questions.facets import Facet, any_of, facet_words
from groundwire.evidence.questions.intent import Intent, Term
from groundwire.language.amounts.numbers import Figure
from groundwire.language.names.chinese_names import chinese_names
from groundwire.language.names.names import country_names, is_country, names
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.chinese import tagged
from groundwire.language.text.phrases import patterns
from groundwire.language.text.wording import is_han, stemmed
from groundwire.language.time.dates import DateMention

_EARLIER_DAY = 0.3  # what the day of an earlier event is worth
_PRECISE = {"day": 1.0, "month": 0.9, "quarter": 0.8, "year": 0.7}
_phrases = patterns("values.txt", "groundwire.jobs.ask")
_MODEL = re.compile(_phrases("model"))
_BY = re.compile(r"\bby [^,;]+|(?:被|由|遭)[^,，;；]+")
_INNER = re.compile(_phrases("inner"))
_AUXILIARIES = re.compile(rf"^(?:{_phrases('auxiliaries')})$")
_FRACTION = re.compile(_phrases("fraction"))
_CONTINENT = re.compile(_phrases("continent"))
_EARLIER, _SINCE = re.compile(_phrases("earlier")), re.compile(_phrases("since"))
_LEVEL = re.compile(_phrases("level"))
_CHANGE = re.compile(_phrases("change"))
_MOVES = re.compile(_phrases("moves"))
_REACHES = re.compile(_phrases("reaches"))
_UNDONE = re.compile(_phrases("undone"))
_PASSIVE = re.compile(_phrases("passive"))
_IN_PLACE = re.compile(
    rf"\b(?:in|at|near|from|to) [A-Z]|(?:在|于|位于)[{HAN}]{{2,6}}?(?:市|省|州|县|区|国|岛|镇|附近)"
)


@cache
def pattern(role: str, facet: Facet) -> re.Pattern[str]:
    """Compile the word signs of one role for a facet."""
    return any_of(facet_words(role)[facet])


def others(intent: Intent, text: str) -> list[str]:
    """Return names in the text that the question lacks; Finance is a part of Euler Finance."""
    wanted = frozenset(name for term in intent.terms for name in term.names)
    found: list[str] = []
    known_until = -2
    for name in names(text):
        joined = name.start == known_until + 1 and text[known_until] == " "
        if stemmed(name.text) in wanted or joined:
            known_until = name.end
        else:
            found.append(name.text)
    return found


def has_place(intent: Intent, text: str) -> bool:
    """Tell whether a text names a place of the sort that is asked for."""
    return _place(intent, text) > 0


def value_of(intent: Intent, facet: Facet, text: str, read: NamedThings) -> float:
    """Rate whether the value asked for is here, and how exact it is."""
    if facet == "when":
        given = {term.written for term in intent.terms if term.date is not None}
        days = [day for day in read.dates if day.text not in given]
        exact = (
            (0.6 if d.weekday is not None else _PRECISE[d.precision])
            * (_EARLIER_DAY if _is_of_another(text, d) else 1.0)
            for d in days
        )
        return max(exact, default=0.0)
    if facet == "how_much":
        return amount(intent, read)
    if facet == "who":
        return _agent(intent, text)
    return _place(intent, text)


def _agent(intent: Intent, text: str) -> float:
    """Rate somebody the question does not name, best where the doer is: before the verb, or by."""
    flat = simplify(text).lower()
    names = [name for n in intent.telling for name in intent.terms[n].names]
    at, end = named_things(text).place(names) or (len(flat), len(flat))
    strangers = [simplify(name).lower() for name in others(intent, text)]
    asked = simplify(" ".join(term.written for term in intent.terms))
    strangers += [name for name in _chinese(simplify(text)) if name not in asked]
    by = " ".join(_BY.findall(flat))
    # Before a passive comes what it was done to, not the doer.
    passive = _PASSIVE.search(flat[:at]) is not None
    doer = by if passive else _after_own(intent, _subject(flat[:at])) + by
    title = flat[end:].lstrip()  # Chair Gary Gensler, 主席根斯勒
    if any(name in doer or title.startswith(name) for name in strangers):
        return 1.0
    if pattern("strong", "who").search(doer):
        return 0.9
    return 0.6 if strangers and not passive else 0.0


@lru_cache(maxsize=4096)
def _chinese(flat: str) -> tuple[str, ...]:
    """List the people and bodies of a Chinese text that no glossary need know."""
    if not is_han(flat):
        return ()
    people = (word for word, tag in tagged(flat) if tag.startswith("nr") and len(word) > 1)
    return (*(flat[start:end] for start, end in chinese_names(flat)), *people)


def _subject(before: str) -> str:
    """Return what comes before a verb in its own clause; for "X, who chairs" that is X."""
    clauses = _INNER.split(before)
    last = _AUXILIARIES.sub("", clauses[-1])
    # "Mira Murati, the head of technology, took over."
    return last if last.strip() else " ".join(clauses[-3:])


def _after_own(intent: Intent, subject: str) -> str:
    """Leave out what stands before the question's own name: the lending protocol of Ethereum, Euler."""
    own = (name for term in intent.terms if term.kind == "name" for name in term.names)
    ends = (subject.rfind(name) + len(name) for name in own if name in subject)
    return subject[max(ends, default=0) :]


def amount(intent: Intent, read: NamedThings) -> float:
    """Rate whether an amount of the sort that is asked for is here, not the question's own."""
    figures = [
        figure
        for figure in read.figures
        if not any(term.figure and term.written == figure.text for term in intent.terms)
        and (figure.unit or not _MODEL.search(read.text[: figure.start]))
    ]
    if asks_level(intent):
        figures = [figure for figure in figures if not _is_change(read.text, figure)]
    if intent.sort == "percent" and _FRACTION.search(simplify(read.text).lower()):
        return 1.0
    if intent.sort == "count" and any(count.kind == "number" for count in read.counts):
        return 1.0
    return 1.0 if any(is_of_sort(intent.sort, figure) for figure in figures) else 0.0


def _is_of_another(text: str, day: DateMention) -> bool:
    """Tell whether a day is that of what came before: "recovered after the attack of 13 March"."""
    flat = simplify(text).lower()
    return bool(_EARLIER.search(flat[: day.start]) or _SINCE.match(flat[day.end :]))


@lru_cache(maxsize=256)
def asks_level(intent: Intent) -> bool:
    """Tell whether a question asks how much something is, and not by how much it changed."""
    asked = [simplify(term.written).lower() for term in intent.terms if term.kind == "word"]
    return any(map(_LEVEL.search, asked)) and not any(map(_MOVES.search, asked))


def tells_change(intent: Intent, text: str) -> bool:
    """Tell whether a text says only how much a quantity changed, where the question asks how much it is."""
    if not asks_level(intent):
        return False
    things = named_things(text)
    return not amount(intent, things) and any(_is_change(text, each) for each in things.figures)


def _is_change(text: str, figure: Figure) -> bool:
    """Tell whether a figure is what was lost or gained: 蒸发约5930亿, and not "rose to $28,000"."""
    flat = simplify(text).lower()
    before = _CLAUSE.split(flat[: figure.start])[-1]
    after = _CLAUSE.split(flat[figure.end :])[0]
    changes = [each.end() for each in _CHANGE.finditer(before)]
    if changes:
        return _REACHES.search(before[changes[-1] :]) is None
    return _UNDONE.search(after) is not None


def has_country(intent: Intent, text: str) -> bool:
    """Tell whether a text names a country that the question does not name."""
    wanted = frozenset(name for term in intent.terms for name in term.names)
    own = {name.lower() for term in intent.terms for name in country_names(term.written)}
    return any(
        stemmed(word) not in wanted and any(each.lower() not in own for each in _countries_in(word))
        for word in re.findall(rf"[A-Za-z]+(?: [A-Z][a-z]+)?|[{HAN}]+", simplify(text))
    )


@cache
def is_place(term: Term) -> bool:
    """Tell whether a name of the question is that of a place, in either language."""
    return is_country(term.written) or any(
        is_han(name) and tagged(name) == ((name, "ns"),) for name in term.names
    )


def _place(intent: Intent, text: str) -> float:
    flat = simplify(text)
    countries = has_country(intent, text)
    if intent.sort == "country":
        return 1.0 if countries else 0.0
    # The place may come before its verb: 在官方博客公布.
    verbs = [name for n in intent.telling for name in intent.terms[n].names if is_han(name)]
    if any(re.search(rf"在[^,，。;；]{{2,30}}?{re.escape(verb)}", flat) for verb in verbs):
        return 1.0
    known = pattern("strong", "where").search(flat) is not None
    return 0.9 if known or countries else 0.6 if _IN_PLACE.search(flat) else 0.0


@cache
def _countries_in(word: str) -> tuple[str, ...]:
    """List the countries that a run of letters names."""
    sizes = (word[a : a + size] for size in (2, 3, 4) for a in range(len(word)))
    parts = (word, *word.split()) if word.isascii() else sizes
    return tuple(part for part in parts if is_country(part) and not _CONTINENT.fullmatch(part))


_CLAUSE = re.compile(r"[,，;；。!?！？](?!\d)|\.(?=\s|$)|\n")
_SHORT_HAN, _SHORT_WORDS = 16, 6
_NO_SUBJECT = 8
_EVENT = re.compile(_phrases("event"), re.IGNORECASE)
_SAID = re.compile(_phrases("said"), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A clause, and the same with the short clauses around it: a day before it, a name beside it."""

    core: str
    text: str


@lru_cache(maxsize=4096)
def stretches(text: str) -> tuple[Stretch, ...]:
    """Split a sentence into its clauses, in order."""
    stops = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    spans = [(a, b) for a, b in pairwise(stops) if text[a:b].strip()]
    found: list[Stretch] = []
    for at, (start, end) in enumerate(spans):
        core = text[start:end]
        # "It happened on …" is about all that comes before.
        if at and _EVENT.match(core):
            start = 0
        for back in (1, 2):
            if at < back or not _short(text[slice(*spans[at - back])]):
                break
            start = min(start, spans[at - back][0])
        following = text[slice(*spans[at + 1])] if at + 1 < len(spans) else ""
        # "…, the firm said on Monday 3 April": its day is that of what was said.
        if following and (_short(following) or _SAID.match(following)):
            end = spans[at + 1][1]
        found.append(Stretch(core, text[start:end]))
    return tuple(found) or (Stretch(text, text),)


def _short(clause: str) -> bool:
    han = len(re.findall(f"[{HAN}]", clause))
    return han <= _SHORT_HAN and len(re.findall(r"[A-Za-z0-9]+", clause)) <= _SHORT_WORDS


def goes_on(clause: str) -> bool:
    """Tell whether a clause is too short to have a subject of its own: 超过2.7万美元."""
    han = len(re.findall(f"[{HAN}]", clause))
    return han <= _NO_SUBJECT and len(re.findall(r"[A-Za-z]+", clause)) <= _NO_SUBJECT // 2
