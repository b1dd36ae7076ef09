"""When two beliefs cannot both be current: another figure, day, name, value or polarity.

Precision before recall: a belief that stands beside its successor is seen and can be withdrawn;
one that was wrongly replaced is missed by nobody. So both must speak of the same thing at the
same time of the world, and exactly one value must differ.
"""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from groundwire.evidence.memory.beliefs import named_spans, wording
from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.contested import contradictions
from groundwire.language.amounts.numbers import Figure, figures, same_figure
from groundwire.language.names.names import name_key
from groundwire.language.text.characters import simplify
from groundwire.language.text.phrases import patterns
from groundwire.language.text.polarity import hedges, negations, opposes
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import content_tokens
from groundwire.language.text.wording import is_han, stemmed
from groundwire.language.time.dates import DateMention, date_mentions, date_spans
from groundwire.model.memory import Belief, Remembered, Rivalry
from groundwire.model.source import NumberedPassage

_NEAR = 0.8  # of the words of the shorter claim, values and names left out
_NEAR_ON_ONE_PAGE = 0.6  # a page that was changed still speaks of the same thing
_POSTPONED = timedelta(days=60)
_said = patterns("rivals.txt", "groundwire.evidence.data", flags=re.IGNORECASE)


class Difference(NamedTuple):
    """In what two claims differ, as each writes it."""

    kind: str
    mine: str
    theirs: str


def rivals(a: Remembered, b: Remembered) -> tuple[Rivalry, Rivalry] | None:
    """Return the rivalry as each side has it, or None; the same whichever comes first."""
    first, second = sorted((a, b), key=lambda each: each.belief.id)
    found = difference(first, second)
    if found is None:
        return None
    one, other = first.belief.id, second.belief.id
    kind, mine, theirs = found
    return (
        Rivalry.model_validate(
            {"belief_id": one, "other_id": other, "kind": kind, "mine": mine, "theirs": theirs}
        ),
        Rivalry.model_validate(
            {"belief_id": other, "other_id": one, "kind": kind, "mine": theirs, "theirs": mine}
        ),
    )


def difference(a: Remembered, b: Remembered) -> Difference | None:
    """Return the one value in which two beliefs about the same thing differ."""
    one, other = a.belief, b.belief
    if one.id == other.id or wording(one.text) == wording(other.text):
        return None
    if one.predicate and other.predicate:
        return _by_predicate(one, other)
    if not comparable(one, other):
        return None
    near = _near(one, other, _NEAR_ON_ONE_PAGE if _one_page(a, b) else _NEAR)
    now = _at_one_time(one, other)
    if now:
        found = _figure(one, other, near) or (_polarity(one, other) if near else None)
        if found is not None:
            return found
    if near and (_one_page(a, b) or _postponed(a, b)):
        return _day(one, other)
    return _holder(one, other) if now else None


def comparable(one: Belief, other: Belief) -> bool:
    """Tell whether two texts can be about one thing at all; cheap, to be asked of many."""
    if one.predicate and other.predicate:
        return one.subject_key == other.subject_key
    x, y = _read(one.text), _read(other.text)
    if x.hedged or y.hedged:
        return False  # a rumour replaces nothing
    return not x.names.isdisjoint(y.names) or not (x.names or y.names)


def _by_predicate(one: Belief, other: Belief) -> Difference | None:
    """A writer that names the attribute leaves nothing to guess."""
    same = (
        one.subject_key == other.subject_key
        and one.subject_key != ""
        and stemmed(one.predicate) == stemmed(other.predicate)
        and _at_one_time(one, other)
    )
    if not same or not one.value or not other.value or _same_value(one.value, other.value):
        return None
    return Difference("value", one.value, other.value)


def _same_value(x: str, y: str) -> bool:
    mine, theirs = figures(x), figures(y)
    if len(mine) == len(theirs) == 1:
        return same_figure(mine[0], theirs[0])
    return wording(x) == wording(y)


def _at_one_time(one: Belief, other: Belief) -> bool:
    """Whether both speak of one time of the world: a price on two days is no change of mind, nor
    are a month and the year that it lies in."""
    if not one.span.dated or not other.span.dated:
        return True
    return one.span.precision == other.span.precision and one.span.meets(other.span)


def _one_page(a: Remembered, b: Remembered) -> bool:
    """Tell whether one page said the one before and the other since."""
    pages = [
        {ground.url: ground.document_id for each in m.sightings for ground in each.grounds}
        for m in (a, b)
    ]
    return any(pages[1].get(url, document) != document for url, document in pages[0].items())


# --- what a claim says apart from its values -------------------------------------------------


class _Read(NamedTuple):
    words: frozenset[str]
    written: tuple[tuple[str, str], ...]  # each name: its key, and as it stands there
    names: frozenset[str]
    figures: tuple[Figure, ...]
    days: tuple[DateMention, ...]
    hedged: bool
    which: frozenset[str]

    def beside(self, other: _Read) -> list[str]:
        """Names that the other has not, as written."""
        return [text for key, text in self.written if key not in other.names]


@lru_cache(maxsize=2048)
def _read(text: str) -> _Read:
    flat = simplify(text)
    found = tuple(figures(flat))
    spans = named_spans(flat)
    left = flat
    for start, end in (*spans, *date_spans(flat), *((f.start, f.end) for f in found)):
        # Not spaces: between Chinese characters they would join what they stand between.
        left = left[:start] + "," * (end - start) + left[end:]
    written = {name_key(flat[start:end]): flat[start:end] for start, end in spans}
    return _Read(
        frozenset(stem(token) for token in content_tokens(left)),
        tuple(written.items()),
        frozenset(written),
        found,
        tuple(day for day in date_mentions(flat) if day.precision == "day"),
        hedges(text),
        frozenset(match.lower().replace("-", " ") for match in _said["which"].findall(flat)),
    )


def _near(one: Belief, other: Belief, least: float) -> bool:
    """Tell whether both say the same of the same names, but for figures and days."""
    x, y = _read(one.text), _read(other.text)
    return x.names == y.names and _alike(x, y, least)


def _alike(x: _Read, y: _Read, least: float) -> bool:
    fewest = min(len(x.words), len(y.words))
    return bool(fewest) and len(x.words & y.words) >= least * max(
        fewest, (len(x.words) + len(y.words)) // 2
    )


# --- values ----------------------------------------------------------------------------------


def _figure(one: Belief, other: Belief, near: bool) -> Difference | None:
    x, y = _read(one.text), _read(other.text)
    if not x.figures or not y.figures or x.which != y.which:
        return None
    if (x.beside(y) or x.words - y.words) and (y.beside(x) or y.words - x.words):
        return None  # sales in Asia and in Europe, imports and exports: each has its own value
    pair = (_candidate(one.id, one.text), _candidate(other.id, other.text))
    found = contradictions(pair, ("figure",))
    if found:
        values = {said.candidate.text: said.value for side in found[0].sides for said in side}
        return Difference("figure", values[one.text], values[other.text])
    mine = [f for f in x.figures if not any(same_figure(f, g) for g in y.figures)]
    theirs = [g for g in y.figures if not any(same_figure(f, g) for f in x.figures)]
    if not near or len(mine) != 1 or len(theirs) != 1:
        return None
    exact = not mine[0].qualifier and not theirs[0].qualifier
    if not exact or mine[0].unit != theirs[0].unit or len(x.figures) != len(y.figures):
        return None
    if _rounded(mine[0], theirs[0]):
        return None
    return Difference("figure", mine[0].text, theirs[0].text)


def _rounded(x: Figure, y: Figure) -> bool:
    """Tell whether one amount is the other with fewer digits."""
    places = [figure.value.normalize().as_tuple().exponent for figure in (x, y)]
    coarse = max(place for place in places if isinstance(place, int))
    return places[0] != places[1] and 2 * abs(x.value - y.value) < Decimal(1).scaleb(coarse)


@lru_cache(maxsize=2048)
def _candidate(name: str, text: str) -> Candidate:
    """A belief as a sentence of an origin of its own, as the rules of contested points take it."""
    language = "zh" if is_han(text) else "en"
    return Candidate(
        passage=NumberedPassage(
            number=1,
            passage_id=name,
            evidence_id=name,
            title="",
            publisher="",
            date="",
            language=language,
            tier="unknown",
            origin_id=name,
            flags=(),
            relevance=0.0,
            text=text,
        ),
        order=0,
        text=text,
        language=language,
        own=frozenset(),
        near=frozenset(),
        coverage=0.0,
        facets=(),
        quality=1.0,
        figures=tuple(figures(text)),
        dates=tuple(date_mentions(text)),
        stems=frozenset(),
    )


def _polarity(one: Belief, other: Belief) -> Difference | None:
    """One denies what the other says, and nothing else differs."""
    denied = [bool(negations(each.text)) for each in (one, other)]
    if denied[0] == denied[1] or not opposes(one.text, other.text):
        return None
    x, y = _read(one.text), _read(other.text)
    if x.names != y.names or len(x.figures) != len(y.figures):
        return None
    return Difference("polarity", *("no" if each else "yes" for each in denied))


def _day(one: Belief, other: Belief) -> Difference | None:
    mine, theirs = _read(one.text).days, _read(other.text).days
    if len(mine) != 1 or len(theirs) != 1 or one.span == other.span:
        return None
    return Difference("date", mine[0].text, theirs[0].text)


def _postponed(a: Remembered, b: Remembered) -> bool:
    """Whether the later claim moves a day that had not come when it was learned; a day that had
    come is another event."""
    if not a.sightings or not b.sightings:
        return False
    earlier, later = sorted((a, b), key=lambda each: each.sightings[0].learned_at)
    due, moved = earlier.belief.span.true_from, later.belief.span.true_from
    if due is None or moved is None:
        return False
    return later.sightings[0].learned_at < due and abs(moved - due) <= _POSTPONED


def _holder(one: Belief, other: Belief) -> Difference | None:
    """Another name for what only one can hold: the chief executive, the capital."""
    x, y = _read(one.text), _read(other.text)
    mine, theirs = x.beside(y), y.beside(x)
    seats = [
        {match.lower() for match in _said["only one"].findall(simplify(each.text))}
        for each in (one, other)
    ]
    same = bool(one.subject_key) and one.subject_key == other.subject_key
    if not same or len(mine) != 1 or len(theirs) != 1 or not seats[0] or seats[0] != seats[1]:
        return None
    if not _alike(x, y, 1.0) or negations(one.text) or negations(other.text):
        return None
    return Difference("name", mine[0], theirs[0])
