"""What a stance is decided by: numbers about a claim and a passage, the same for every language."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache

from groundwire.evidence.citations.problems import problem
from groundwire.evidence.citations.quotes import QuotedText
from groundwire.evidence.questions.contested import compatible
from groundwire.evidence.reading.facts import Facts, examine
from groundwire.evidence.reading.meaning import amounts_in, named, pool, units
from groundwire.evidence.reading.reversals import (
    adjoining,
    negated_apart,
    negates,
    opposed,
    replaced,
    reversals,
    swapped,
    turned,
)
from groundwire.evidence.reading.terms import TermIndex, grams, reading
from groundwire.evidence.reading.windows import Window, window
from groundwire.language.amounts.counts import counts
from groundwire.language.amounts.numbers import Figure, same_figure
from groundwire.language.names.names import has_name
from groundwire.language.text.clauses import clauses
from groundwire.language.text.tokens import is_stop_word
from groundwire.language.time.dates import DateMention, agrees, date_mentions

# Below this share of its words a passage cannot state a claim; its facts are not looked for.
_EXAMINED = 0.3
_FAR = 24  # characters between a number and what it counts
_ENDS = 2  # words at either end of a claim: what it is about, and what it says of it
_MOST_PROBLEMS = 5
_FACTOR = 30  # numbers that are farther apart count different things


@dataclass(frozen=True, slots=True)
class Compared:
    """A claim beside the part of a passage that speaks of it."""

    window: Window
    quote: str
    values: Mapping[str, float]
    facts: Facts | None  # None when the passage is about something else


@dataclass(frozen=True, slots=True)
class _Stated:
    """What a text states besides its words."""

    names: tuple[str, ...]
    figures: tuple[Figure, ...]
    dates: tuple[DateMention, ...]
    counted: tuple[tuple[Decimal, frozenset[str]], ...]  # a number and the words after it


def compare(
    claim: str,
    passage: str,
    *,
    title: str = "",
    publisher: str = "",
    published: date | None = None,
) -> Compared:
    """Find where the passage speaks of the claim, and measure what it says of it."""
    mine = reading(claim)
    found = window(mine, passage)
    quote = passage[found.start : found.end]
    values = _overlap(mine, found)
    values["about"] = _about(mine, found, title)
    values.update(_names(mine, found, f"{title}\n{passage}"))
    values.update(_numbers(mine, found))
    values.update(_turns(mine, found))
    facts = None
    if found.coverage >= _EXAMINED:
        flat = found.reading.flat
        stretch = QuotedText(
            quote=quote,
            whole=flat,
            inside=(0, len(flat)),
            before=reading(found.before).flat if found.before else "",
            title=reading(title).flat if title else "",
            publisher=publisher,
            published=published,
        )
        # A page of the day that the claim names need not name it again.
        facts = examine(claim, [stretch], claim if published else "")
    values.update(_checks(mine, found, facts))
    return Compared(found, quote, values, facts)


def _overlap(mine: TermIndex, found: Window) -> dict[str, float]:
    """How much of the claim stands in the passage, and how close together."""
    there = found.reading
    total = mine.weight or 1.0
    weights = [mine.terms[at].weight for at in mine.content]
    held = [match for _, match in found.found]
    matched = found.matched
    pieces, theirs = grams(mine.flat), frozenset(grams(there.flat))
    acts = [unit for unit in units(mine.flat) if unit.predicate]
    said = pool(there.flat)
    sizes = len(there.terms) or 1
    return {
        "covered": found.coverage,
        "covered_most": max(0.0, found.coverage - 0.75) * 4,
        "covered_near": found.near,
        "covered_anywhere": found.whole,
        "covered_by_half": max(0.0, found.whole - 0.5) * 2,
        "exactly": sum(w for w, match in zip(weights, held, strict=True) if match == 2) / total,
        "back": sum(there.terms[at].weight for at in there.content if at in matched)
        / (there.weight or 1.0),
        "adjoining": adjoining(mine, found),
        "pieces": sum(piece in theirs for piece in pieces) / (len(pieces) or 1),
        "cosine": _cosine(mine, found.sentences),
        "first": _share([match > 0 for match in held[:_ENDS]]),
        "last": _share([match > 0 for match in held[-_ENDS:]]),
        "acts": _share([said.has(unit) for unit in acts]) if acts else found.coverage,
        "focus": found.focus,
        "sentences": math.log(1 + len(found.sentences)) / 2,
        "specifics": sum(term.kind in ("name", "number") for term in there.terms) / sizes,
        "plain": sum(not term.weight for term in there.terms) / sizes,
    }


def _about(mine: TermIndex, found: Window, title: str) -> float:
    """Whether what the claim begins with stands in the passage or its title."""
    days = [(day.start, day.end) for day in _stated(mine).dates]
    terms = [mine.terms[at] for at in mine.content if mine.terms[at].kind != "number"]
    undated = [t for t in terms if not any(start <= t.start < end for start, end in days)]
    first = undated[:_ENDS] or terms
    places = (*found.sentences, reading(title)) if title else found.sentences
    return float(any(read.find(term)[1] for term in first for read in places))


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 0.0


def _cosine(mine: TermIndex, sentences: Sequence[TermIndex]) -> float:
    theirs: dict[str, float] = {}
    for read in sentences:
        for at in read.content:
            term = read.terms[at]
            theirs[term.key] = theirs.get(term.key, 0.0) + term.weight
    own = {mine.terms[at].key: mine.terms[at].weight for at in mine.content}
    dot = sum(weight * math.log1p(theirs.get(key, 0.0)) for key, weight in own.items())
    size = math.sqrt(sum(weight**2 for weight in own.values()))
    other = math.sqrt(sum(math.log1p(weight) ** 2 for weight in theirs.values()))
    return dot / (size * other) if size and other else 0.0


@lru_cache(maxsize=512)
def _stated(read: TermIndex) -> _Stated:
    flat = read.flat
    amounts = amounts_in(flat)
    numbers = [(figure.value, figure.start, figure.end) for figure in amounts]
    numbers.extend(
        (count.value, count.start, count.end)
        for count in counts(flat)
        if count.kind == "number" and not any(f.start <= count.start < f.end for f in amounts)
    )
    counted: list[tuple[Decimal, frozenset[str]]] = []
    for value, _, end in sorted(numbers, key=lambda number: number[1]):
        after = [
            term.key
            for term in read.terms
            if 0 <= term.start - end <= _FAR
            and term.kind != "number"
            and (term.weight or not is_stop_word(term.key))
        ]
        counted.append((value, frozenset(after[:2])))
    return _Stated(
        names=tuple(dict.fromkeys(name.text for name in named(flat))),
        figures=amounts,
        dates=tuple(date_mentions(flat)),
        counted=tuple(counted),
    )


def _names(mine: TermIndex, found: Window, around: str) -> dict[str, float]:
    own, other = _stated(mine).names, _stated(found.reading).names
    here = [name for name in own if has_name(name, found.reading.flat)]
    strange = any(not has_name(name, mine.flat) for name in other)
    lacking = len(here) < len(own)
    return {
        "names": float(bool(own)),
        "names_here": len(here) / len(own) if own else 0.0,
        "names_anywhere": _share([has_name(name, around) for name in own]),
        # Another name where this one is missing, though both speak of one thing.
        "names_differ": float(lacking and strange and bool(here)),
    }


def _numbers(mine: TermIndex, found: Window) -> dict[str, float]:
    own, other = _stated(mine), _stated(found.reading)
    same = [any(same_figure(a, b) for b in other.figures) for a in own.figures]
    days = [any(agrees(a, b) for b in other.dates) for a in own.dates]
    kept = [_counted(number, other.counted) for number in own.counted]
    return {
        "figures": float(bool(own.figures)),
        "figures_same": _share(same),
        "figures_missing": 1 - _share(same) if same else 0.0,
        "figures_differ": _share([_differs(figure, other.figures) for figure in own.figures]),
        "counts_same": float(any(keep is True for keep in kept)),
        "counts_differ": float(any(keep is False for keep in kept)),
        "dates": float(bool(own.dates)),
        "dates_same": _share(days),
        "dates_missing": 1 - _share(days) if days else 0.0,
        "dates_differ": _share([_other_day(day, other.dates) for day in own.dates]),
    }


def _differs(figure: Figure, others: Sequence[Figure]) -> bool:
    """Whether the window gives figures of this unit and none that can be the same."""
    alike = [other for other in others if other.unit == figure.unit]
    known = bool(figure.unit) or len(others) < 3
    return known and bool(alike) and not any(compatible(figure, other) for other in alike)


def _counted(
    number: tuple[Decimal, frozenset[str]], others: Sequence[tuple[Decimal, frozenset[str]]]
) -> bool | None:
    """Whether the window counts the same things to the same number; None when it does not count them."""
    same = [value for value, things in others if things & number[1]]
    if number[0] in same:
        return True
    low, high = number[0] / _FACTOR, number[0] * _FACTOR
    return False if any(low <= value <= high for value in same) else None


def _other_day(day: DateMention, others: Sequence[DateMention]) -> bool:
    """Whether the window names dates as exactly as this one, and not this one."""
    if day.weekday is not None:
        return False
    alike = [o for o in others if o.precision == day.precision and o.weekday is None]
    return bool(alike) and not any(agrees(day, other) for other in alike)


def _turns(mine: TermIndex, found: Window) -> dict[str, float]:
    """Signs that the passage says the opposite; those that need the same subject by its share."""
    share = found.coverage
    there = found.reading
    here_no, there_no = negates(mine.flat), negates(there.flat)
    instead, beside = opposed(mine, found, pool(mine.flat).wording, pool(there.flat).wording)
    gone = [term.kind for term in replaced(mine, found)]
    apart = negated_apart(mine, found)
    mine_matched = frozenset(
        at for at, (places, _) in zip(mine.content, found.found, strict=True) if places
    )
    one_reverses = (reversals(mine, mine_matched) or reversals(there, found.matched)) and not (
        reversals(mine) and reversals(there)
    )
    instead_half = min(instead, 2) / 2
    turned_half = min(turned(mine, found), 2) / 2
    return {
        "negated_apart": apart,
        "negated_apart_here": apart * share,
        "one_negates": float(here_no != there_no),
        "one_negates_here": float(here_no != there_no) * share,
        "both_negate": float(here_no and there_no),
        "one_reverses_here": float(bool(one_reverses)) * share,
        "opposed": instead_half,
        "opposed_here": instead_half * share,
        "opposed_beside": min(beside, 2) / 2,
        "turned": turned_half,
        "turned_here": turned_half * share,
        "swapped": float(swapped(mine, found)),
        "name_replaced": min(gone.count("name"), 2) / 2,
        "verb_replaced": min(gone.count("verb"), 2) / 2,
    }


def _checks(mine: TermIndex, found: Window, facts: Facts | None) -> dict[str, float]:
    """What the checker of citations says of the claim with this part of the passage as its quote."""
    theirs, own = clauses(found.reading.flat), clauses(mine.flat)
    problems = facts.problems if facts else []
    return {
        "stands": float(facts is not None and not problems and not facts.doubts),
        "opposite": float(problem("opposite") in problems),
        "question": float(problem("question") in problems),
        "problems": min(len(problems), _MOST_PROBLEMS) / _MOST_PROBLEMS if facts else 1.0,
        "hedged": float(any(c.hedged for c in theirs) and not any(c.hedged for c in own)),
        "planned": float(any(c.planned for c in theirs) and not any(c.planned for c in own)),
    }
