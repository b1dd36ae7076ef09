"""When two beliefs cannot both be current: another figure, day, name, value or polarity.

Precision before recall: a belief kept beside its successor is seen and can be withdrawn; one
wrongly replaced is missed by nobody. So both must speak of the same thing at the same time of
the world, and exactly one value must differ.
"""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from typing import NamedTuple

from groundwire.evidence.memory.beliefs import normal_words
from groundwire.evidence.memory.facts import Facts, facts_of
from groundwire.language.amounts.numbers import figures, same_figure
from groundwire.language.text.phrases import patterns
from groundwire.language.text.wording import stemmed
from groundwire.model.memory import Belief, Remembered, Rivalry

_NEAR = 0.8  # share of the shorter claim's words, without values and names
_NEAR_ON_ONE_PAGE = 0.6  # a page that was changed still speaks of the same thing
_POSTPONED = timedelta(days=60)
_patterns = patterns("rivals.txt", "groundwire.evidence.data", flags=re.IGNORECASE)


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
    ids = {"belief_id": first.belief.id, "other_id": second.belief.id}
    one = Rivalry.model_validate(found._asdict() | ids)
    turned = {"belief_id": one.other_id, "other_id": one.belief_id}
    return one, one.model_copy(update=turned | {"mine": one.theirs, "theirs": one.mine})


def difference(a: Remembered, b: Remembered) -> Difference | None:
    """Find the one value in which two beliefs about the same thing differ."""
    one, other = a.belief, b.belief
    if one.id == other.id or normal_words(one.text) == normal_words(other.text):
        return None
    if one.predicate and other.predicate:
        return _by_predicate(one, other)
    if not comparable(one, other):
        return None
    x, y = facts_of(one.text), facts_of(other.text)
    near = x.names.keys() == y.names.keys() and _alike(
        x, y, _NEAR_ON_ONE_PAGE if _one_page(a, b) else _NEAR
    )
    now = _at_one_time(one, other)
    found = _figure(x, y) or _polarity(x, y) if near and now else None
    if found is not None:
        return found
    if near and (_one_page(a, b) or _postponed(a, b)):
        return _day(one, other)
    return _holder(one, other) if now else None


def comparable(one: Belief, other: Belief) -> bool:
    """Tell whether two texts can be about one thing at all; cheap enough to ask of many."""
    if one.predicate and other.predicate:
        return one.subject_key == other.subject_key
    x, y = facts_of(one.text), facts_of(other.text)
    if x.unsure or y.unsure:
        return False  # a rumour replaces nothing
    return bool(x.names.keys() & y.names.keys()) or not (x.names or y.names)


def _by_predicate(one: Belief, other: Belief) -> Difference | None:
    """Compare the values of one named attribute, which leaves nothing to guess."""
    same = (
        one.subject_key == other.subject_key
        and one.subject_key != ""
        and stemmed(one.predicate) == stemmed(other.predicate)
        and _at_one_time(one, other)
    )
    if not same or not one.value or not other.value:
        return None
    first, second = figures(one.value), figures(other.value)
    if len(first) == len(second) == 1:
        equal = same_figure(first[0], second[0])
    else:
        equal = normal_words(one.value) == normal_words(other.value)
    return None if equal else Difference("value", one.value, other.value)


def _at_one_time(one: Belief, other: Belief) -> bool:
    """Tell whether both speak of one time: prices of two days do not differ, nor month and year."""
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


def _alike(x: Facts, y: Facts, least: float) -> bool:
    """Tell whether both say the same except for values and names."""
    fewest = min(len(x.words), len(y.words))
    size = max(fewest, (len(x.words) + len(y.words)) // 2)
    return bool(fewest) and len(x.words & y.words) >= least * size


def _figure(x: Facts, y: Facts) -> Difference | None:
    # Parts of a year or a week, which without a year are no span of time.
    parts = [
        {part.lower().replace("-", " ") for part in _patterns["which"].findall(each.text)}
        for each in (x, y)
    ]
    if parts[0] != parts[1] or (x.words - y.words and y.words - x.words):
        return None  # imports and exports, the first half and the second: each has its own value
    first = [f for f in x.figures if not any(same_figure(f, g) for g in y.figures)]
    second = [g for g in y.figures if not any(same_figure(f, g) for f in x.figures)]
    if len(first) != 1 or len(second) != 1 or len(x.figures) != len(y.figures):
        return None
    a, b = first[0], second[0]
    # One amount may be the other with fewer digits.
    places = [each.value.normalize().as_tuple().exponent for each in (a, b)]
    grain = Decimal(1).scaleb(max(place for place in places if isinstance(place, int)))
    same = places[0] != places[1] and 2 * abs(a.value - b.value) < grain
    if same or a.qualifier or b.qualifier or a.unit != b.unit:
        return None
    return Difference("figure", a.text, b.text)


def _polarity(x: Facts, y: Facts) -> Difference | None:
    """Find where one denies what the other says, and nothing else differs."""
    turned = [bool((each.negated + each.denied) % 2) for each in (x, y)]
    if turned[0] == turned[1] or len(x.figures) != len(y.figures):
        return None
    return Difference("polarity", *("no" if each else "yes" for each in turned))


def _day(one: Belief, other: Belief) -> Difference | None:
    first, second = (
        [day for day in facts_of(each.text).days if day.precision == "day"] for each in (one, other)
    )
    if len(first) != 1 or len(second) != 1 or one.span == other.span:
        return None
    return Difference("date", first[0].text, second[0].text)


def _postponed(a: Remembered, b: Remembered) -> bool:
    """Tell whether the later claim moves a day still to come; a past day is another event."""
    if not a.sightings or not b.sightings:
        return False
    earlier, later = sorted((a, b), key=lambda each: each.sightings[0].learned_at)
    due, moved = earlier.belief.span.true_from, later.belief.span.true_from
    if due is None or moved is None:
        return False
    return later.sightings[0].learned_at < due and abs(moved - due) <= _POSTPONED


def _holder(one: Belief, other: Belief) -> Difference | None:
    """Find another name for what only one can hold: the chief executive, the capital."""
    x, y = facts_of(one.text), facts_of(other.text)
    first, second = x.beside(y), y.beside(x)
    seats = [{seat.lower() for seat in _patterns["only one"].findall(each.text)} for each in (x, y)]
    same = bool(one.subject_key) and one.subject_key == other.subject_key
    if not same or len(first) != 1 or len(second) != 1 or not seats[0] or seats[0] != seats[1]:
        return None
    if not _alike(x, y, 1.0) or x.negated or y.negated or x.denied or y.denied:
        return None
    return Difference("name", first[0], second[0])
