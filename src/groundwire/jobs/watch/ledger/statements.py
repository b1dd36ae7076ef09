"""What a page says of the subject: statements `(attribute, qualifier) → value`, each with its manner and its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, NamedTuple

from groundwire.evidence.reading.analysis import Analysis, Sentence
from groundwire.evidence.reading.standing import (
    ASKED,
    DENIED,
    FALSE,
    HEDGED,
    NEGATED,
    PLANNED,
    RETOLD,
    SUPPOSED,
    TAKEN_BACK,
    refers_back,
)
from groundwire.evidence.sources.attribution import attributions
from groundwire.jobs.watch.ledger.attributes import Attribute, Word, attributes, named, sorts
from groundwire.jobs.watch.ledger.claims import Manner, ValueKind
from groundwire.jobs.watch.ledger.subject import Subject
from groundwire.jobs.watch.ledger.values import (
    Found,
    Period,
    amounts,
    days,
    is_as_of,
    is_difference,
    is_earlier,
    is_of_a_report,
    is_put_right,
    names_in,
    narrows,
    periods,
    seats_somebody,
    versions,
    was_holder,
)
from groundwire.language.text.spans import Span, overlaps
from groundwire.model.base import short_id

Side = Literal["says", "denies", "retracts"]
_CLAUSE = 40  # characters that a border between clauses counts for
_WEAK = 25  # and that a word counts for that names an attribute only at need
_FARTHEST = 160
_LONG_AGO = 31  # days: a later report may give a figure of that time
_NAMED: frozenset[ValueKind] = frozenset({"name", "place"})


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a page says, or denies, or takes back, of the subject."""

    start: int  # of its sentence, in the page's text
    end: int
    text: str
    side: Side
    attribute: str  # "" for the open class
    can_be: tuple[str, ...]  # every attribute that its words can name, the likeliest first
    kind: ValueKind
    value: str
    key: str
    unit: str
    names: frozenset[str]  # which one: names beside the subject's and the value's
    places: frozenset[str]  # those of the names that say where
    sorts: tuple[tuple[str, str], ...]  # monthly or daily, paid or free
    period: str  # 2026-Q3, where that is which one
    as_of: date | None  # where the sentence gives the time for which it holds
    manner: Manner

    @property
    def fingerprint(self) -> str:
        """The same for the same statement of a page, wherever in it."""
        return short_id("st", [self.text, self.attribute, self.kind, self.key, self.side])


class _Pair(NamedTuple):
    """A value with its attribute, and all attributes that it can be of; "" where none is sure."""

    attribute: Attribute | None
    value: Found
    can_be: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence with what its statements have in common."""

    sentence: Sentence
    day: date  # when it was written
    places: tuple[Span, ...]  # of the subject
    hidden: tuple[Span, ...]  # stretches in which no name of a thing stands
    times: tuple[Period, ...]
    cues: tuple[Word, ...]


def statements(
    page: Analysis, subject: Subject, day: date, sources: Sequence[str]
) -> tuple[Statement, ...]:
    """Read everything that a page says of the subject; `sources` are names of publishers, normal and in small letters."""
    found: list[Statement] = []
    last: list[Statement] = []
    about = {id(sentence) for sentence in subject.sentences(page)}
    for sentence in page.sentences:
        if last and not sentence.figures and (side := _answers(sentence)) is not None:
            # "That is false": what was just told is not held.
            found[-len(last) :] = [_turned(each, side) for each in last]
            last = []
            continue
        if id(sentence) in about:
            last = [
                _placed(each, page, sentence) for each in _read(sentence, subject, day, sources)
            ]
            found.extend(last)
    return tuple(found)


def _answers(sentence: Sentence) -> Side | None:
    """Return how a sentence that only refers back takes what was told before it."""
    if not refers_back(sentence.text.lstrip("\"'")) and not is_of_a_report(sentence):
        return None
    manners = sentence.manners
    if "takes back" in manners:
        return "retracts"
    return "denies" if manners & {"false", "denies"} and "negates" not in manners else None


def _turned(statement: Statement, side: Side) -> Statement:
    return replace(statement, side=side) if statement.side == "says" else statement


def _placed(statement: Statement, page: Analysis, sentence: Sentence) -> Statement:
    start, end = page.original(sentence, sentence)
    return replace(statement, start=start, end=end, text=page.text[start:end])


def _read(
    sentence: Sentence, subject: Subject, day: date, sources: Sequence[str]
) -> Iterator[Statement]:
    places = subject.places(sentence.text)
    times = periods(sentence, day)
    hidden = (*places, *((each.start, each.end) for each in times), *_mentions(sentence, sources))
    told = _Told(sentence, day, places, hidden, times, tuple(named().find(sentence)))
    figures = _figures(told)
    words = [
        (cue.start, cue.end)
        for cue in told.cues
        if any(cue.meaning == pair.can_be[0] for pair in figures)
    ]
    taken: set[tuple[str, Side]] = set()
    for pair in (*figures, *_states(told, words), *_seats(told)):
        statement = _statement(told, pair)
        # One value for an attribute, the nearest; what is put right has two.
        if statement is not None and (statement.attribute, statement.side) not in taken:
            taken.add((statement.attribute, statement.side))
            yield statement
    if not taken:
        yield from _bare(told) or _open(told)


def _mentions(sentence: Sentence, sources: Iterable[str]) -> Iterator[Span]:
    """Find where a sentence names its source: in an attribution, or by a publisher's name."""
    yield from attributions(sentence.low)
    for name in sources:
        at = sentence.low.find(name)
        if at >= 0:
            yield at, at + len(name)


# --- which value for which attribute -------------------------------------------------------------


def _figures(told: _Told) -> list[_Pair]:
    """Pair amounts, versions and times with the attributes whose words stand nearest to them.

    Each word that names an attribute speaks of one value, the nearest that can be its own: of "3 dead and 20 injured",
    each has its own word.
    """
    values = [each for each in _values(told) if not is_earlier(told.sentence, each.span)]
    found: dict[Found, list[tuple[float, Word]]] = {}
    for cue in told.cues:
        attribute = attributes()[cue.meaning]
        fits = [
            (_distance(told.sentence, value.span, (cue.start, cue.end)), value.start, value)
            for value in values
            if attribute.can_have(value.kind, value.unit)
            and not overlaps(value.span, ((cue.start, cue.end),))
        ]
        near = min(fits, default=None, key=lambda each: each[:2])
        if near is not None and near[0] < _FARTHEST:
            far = near[0] + _WEAK * cue.weak - (cue.end - cue.start) / 10
            found.setdefault(near[2], []).append((far, cue))
    pairs: list[tuple[float, _Pair]] = []
    for value, cues in found.items():
        cues.sort(key=lambda each: (each[0], each[1].meaning))
        sure = any(not cue.weak for _, cue in cues)
        if not sure and value.kind in ("date", "version"):
            continue  # a day beside a word that can mean anything is when it was written
        ids = tuple(dict.fromkeys(cue.meaning for _, cue in cues))
        pairs.append((cues[0][0], _Pair(attributes()[ids[0]], value, ids if sure else (*ids, ""))))
    pairs.sort(key=lambda each: (each[0], each[1].value.start))
    return [pair for _, pair in pairs] + _put_right(told, [pair for _, pair in pairs], values)


def _put_right(told: _Told, pairs: Sequence[_Pair], values: Sequence[Found]) -> list[_Pair]:
    """Give the value that stands right for another the attribute of that one: "12 million is wrong, it was 10"."""
    taken = [pair.value for pair in pairs]
    return [
        pair._replace(value=value._replace(unit=value.unit or pair.value.unit))
        for value in values
        if value not in taken and is_put_right(told.sentence, value.span)
        for pair in pairs[:1]
        if pair.value.kind == value.kind or not value.unit
    ]


def _values(told: _Told) -> Iterator[Found]:
    sentence = told.sentence
    dated = [(each.start, each.end) for each in told.times]
    for value in amounts(sentence, dated):
        if not is_difference(sentence, value.span):
            yield value
    for value in versions(sentence):
        if not overlaps(value.span, dated):
            yield value
    yield from days(each for each in told.times if not is_as_of(sentence, (each.start, each.end)))


def _distance(sentence: Sentence, one: Span, other: Span) -> float:
    first, second = sorted((one, other))
    borders = sum(first[1] <= edge < second[0] for edge in sentence.edges)
    scale = 1.0 if sentence.text.isascii() else 2.0
    return scale * max(0, second[0] - first[1]) + _CLAUSE * borders


def _states(told: _Told, taken: Sequence[Span]) -> list[_Pair]:
    """Pair an attribute whose values are words with the word that is nearest; words of other values are taken."""
    pairs: list[tuple[float, Attribute, Word]] = []
    for cue in told.cues:
        attribute = attributes()[cue.meaning]
        if attribute.states is None:
            continue
        for word in attribute.states.find(told.sentence):
            place = word.start, word.end
            inside = word.start <= cue.start and cue.end <= word.end
            if inside and word.weak:
                continue  # "fined over the outage" does not say that there is one
            # 牌照获批 is a licence before it is an approval.
            far = _WEAK if inside else _distance(told.sentence, (cue.start, cue.end), place)
            if far < _CLAUSE and not overlaps(place, taken):
                rank = far + _WEAK * (cue.weak + word.weak) - (word.end - word.start) / 10
                pairs.append((rank, attribute, word))
    # One thing happened, whatever else its words could name.
    best = min(pairs, key=lambda each: (each[0], each[1].id), default=None)
    if best is None:
        return []
    _, attribute, word = best
    value = Found("state", word.meaning, "", word.start, word.end, word.meaning)
    return [
        _Pair(
            attribute,
            value,
            tuple(dict.fromkeys(each.id for _, each, other in pairs if other == word)),
        )
    ]


def _seats(told: _Told) -> list[_Pair]:
    """Pair offices and places with the name that is put there."""
    sentence = told.sentence
    seated = seats_somebody(sentence.text)
    found: list[tuple[float, _Pair]] = []
    names = [
        each for each in names_in(sentence, told.hidden) if not was_holder(sentence, each.span)
    ]
    for cue in told.cues:
        attribute = attributes()[cue.meaning]
        for kind in attribute.kinds & _NAMED:
            for name in names if seated or kind == "place" else ():
                far = _distance(sentence, name.span, (cue.start, cue.end)) + _WEAK * cue.weak
                if far < _CLAUSE and not overlaps(name.span, ((cue.start, cue.end),)):
                    pair = _Pair(attribute, name._replace(kind=kind), (attribute.id,))
                    found.append((far, pair))
    found.sort(key=lambda each: (each[0], each[1].value.start))
    return [pair for _, pair in found]


# --- how it is told ------------------------------------------------------------------------------


def _statement(told: _Told, pair: _Pair) -> Statement | None:
    how = _how(told, pair.value)
    return None if how is None else _made(told, pair, *how)


def _made(told: _Told, pair: _Pair, side: Side, manner: Manner) -> Statement:
    attribute, value, can_be = pair
    others = names_in(
        told.sentence, (*told.hidden, value.span, *((cue.start, cue.end) for cue in told.cues))
    )
    period = ""
    if (attribute is None or attribute.period) and value.kind != "date":
        period = next((each.label for each in told.times if each.precision != "day"), "")
    return Statement(
        start=0,
        end=0,
        text="",
        side=side,
        attribute="" if attribute is None else attribute.id,
        can_be=can_be,
        kind=value.kind,
        value=value.text,
        key=value.key,
        unit=value.unit,
        names=frozenset(each.key for each in others),
        places=frozenset(each.key for each in others if narrows(told.sentence, each.span)),
        sorts=tuple(sorted(sorts(told.sentence).items())),
        period=period,
        as_of=_as_of(told, value, attribute),
        manner=manner,
    )


def _as_of(told: _Told, value: Found, attribute: Attribute | None) -> date | None:
    """Return the time for which a value is given: "as of June", or a month gone by beside an amount."""
    for each in told.times:
        span = each.start, each.end
        if is_as_of(told.sentence, span):
            return each.first
        past = value.kind != "date" and (told.day - each.first).days > _LONG_AGO
        which = attribute is None or attribute.period
        if past and not which and _distance(told.sentence, value.span, span) < _CLAUSE:
            return each.first
    return None


def _how(told: _Told, value: Found) -> tuple[Side, Manner] | None:
    """Return how a value is told; None where it is only asked or supposed."""
    mark = 0
    for word, marks in zip(told.sentence.words, told.sentence.marks, strict=True):
        if word.start < value.end and value.start < word.end:
            mark |= marks
    if is_put_right(told.sentence, value.span):
        return "says", "stated"
    if mark & (ASKED | SUPPOSED):
        return None
    ahead = PLANNED | (HEDGED if value.kind == "date" else 0)  # "is expected to arrive"
    manner: Manner = "stated"
    if mark & (RETOLD | HEDGED) & ~ahead:
        manner = "rumoured"
    elif mark & ahead or (value.kind == "date" and value.key > told.day.isoformat()):
        manner = "planned"
    if mark & TAKEN_BACK:
        return "retracts", manner
    turned = sum(bool(mark & bit) for bit in (DENIED, FALSE, NEGATED)) % 2
    return ("denies" if turned else "says"), manner


def _bare(told: _Told) -> list[Statement]:
    """Return a denial or a retraction that names what it is about, but not its value."""
    manners = told.sentence.manners
    side: Side = "retracts" if "takes back" in manners else "denies"
    against = manners & {"takes back", "denies", "false"}
    ids = tuple(dict.fromkeys(cue.meaning for cue in told.cues if not cue.weak))
    if not against or not ids or not is_of_a_report(told.sentence):
        return []
    nothing = Found("act", "", "", 0, 0, "")
    return [_made(told, _Pair(attributes()[ids[0]], nothing, ids), side, "stated")]


# --- what no attribute names ---------------------------------------------------------------------


def _open(told: _Told) -> Iterator[Statement]:
    """Yield what a sentence says without naming an attribute: an amount of something, or what was done with whom."""
    sentence = told.sentence
    dated = [(each.start, each.end) for each in told.times]
    value = next(
        (
            each
            for each in amounts(sentence, dated)
            if not is_earlier(sentence, each.span) and not is_difference(sentence, each.span)
        ),
        None,
    )
    if value is None and told.places:
        value = _act(told)
    statement = None if value is None else _statement(told, _Pair(None, value, ("",)))
    if statement is not None:
        yield statement


def _act(told: _Told) -> Found | None:
    """Return what was done, where it can be told what kind of thing it was, and to whom."""
    sentence = told.sentence
    others = names_in(sentence, told.hidden)
    if not others or all(cue.weak for cue in told.cues):
        return None
    return Found("act", "", "", others[0].start, others[0].end, others[0].text)
