"""What a page says of the subject: statements `(attribute, qualifier) → value`, each with its manner and its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

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
    names_in,
    narrows,
    periods,
    seats_somebody,
    versions,
)
from groundwire.language.text.spans import Span, overlaps
from groundwire.model.base import short_id

Side = Literal["says", "denies", "retracts"]
_CLAUSE = 40  # characters that a border between clauses counts for
_WEAK = 25  # and that a word counts for that names an attribute only at need
_FARTHEST = 160
_CONTENT = 0.5  # what a word weighs that says something
_FEWEST = 2  # words that an open statement is known by


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a page says, or denies, or takes back, of the subject."""

    start: int  # of its sentence, in the page's text
    end: int
    text: str
    side: Side
    attribute: str  # "" for the open class
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
    words: frozenset[str]  # the content of an open one

    @property
    def fingerprint(self) -> str:
        """The same for the same statement of a page, wherever in it."""
        return short_id("st", [self.text, self.attribute, self.kind, self.key, self.side])


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence with what its statements have in common."""

    sentence: Sentence
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
    if not refers_back(sentence.text.lstrip("\"'")):
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
    told = _Told(sentence, places, hidden, times, tuple(named().find(sentence)))
    taken: set[str] = set()
    found = [*_figures(told), *_states(told), *_seats(told)]
    for attribute, value in found:
        # One value for an attribute: the nearest comes first.
        if attribute.id not in taken:
            taken.add(attribute.id)
            statement = _statement(told, attribute, value)
            if statement is not None:
                yield statement
    if not taken:
        yield from _open(told)


def _mentions(sentence: Sentence, sources: Iterable[str]) -> Iterator[Span]:
    """Find where a sentence names its source: in an attribution, or by a publisher's name."""
    yield from attributions(sentence.low)
    for name in sources:
        at = sentence.low.find(name)
        if at >= 0:
            yield at, at + len(name)


# --- which value for which attribute -------------------------------------------------------------


def _figures(told: _Told) -> list[tuple[Attribute, Found]]:
    """Pair amounts, versions and times with the attributes that are named nearest to them."""
    sentence = told.sentence
    dated = [(each.start, each.end) for each in told.times]
    values = [
        *amounts(sentence, dated),
        *(each for each in versions(sentence) if not overlaps(each.span, dated)),
        *days(each for each in told.times if not is_as_of(sentence, (each.start, each.end))),
    ]
    pairs: list[tuple[float, Attribute, Found]] = []
    for value in values:
        if is_earlier(sentence, value.span) or is_difference(sentence, value.span):
            continue
        best = min(_attributes_of(value, told), key=lambda each: each[0], default=None)
        if best is not None:
            pairs.append((*best, value))
    pairs.sort(key=lambda each: (each[0], each[2].start))
    return [(attribute, value) for _, attribute, value in pairs]


def _attributes_of(value: Found, told: _Told) -> Iterator[tuple[float, Attribute]]:
    """Yield the attributes that can have the value, each with how far it is named from it."""
    for cue in told.cues:
        attribute = attributes()[cue.meaning]
        if value.kind in attribute.kinds and not overlaps(value.span, ((cue.start, cue.end),)):
            far = _distance(told.sentence, value.span, (cue.start, cue.end))
            if far < _FARTHEST:
                yield far + _WEAK * cue.weak - (cue.end - cue.start) / 10, attribute


def _distance(sentence: Sentence, one: Span, other: Span) -> float:
    first, second = sorted((one, other))
    borders = sum(first[1] <= edge < second[0] for edge in sentence.edges)
    scale = 1.0 if sentence.text.isascii() else 2.0
    return scale * max(0, second[0] - first[1]) + _CLAUSE * borders


def _states(told: _Told) -> list[tuple[Attribute, Found]]:
    """Pair attributes whose values are words with the word that is nearest."""
    pairs: list[tuple[float, Attribute, Found]] = []
    for cue in told.cues:
        attribute = attributes()[cue.meaning]
        if attribute.states is None:
            continue
        for word in attribute.states.find(told.sentence):
            inside = word.start <= cue.start and cue.end <= word.end
            # 牌照获批 is a licence before it is an approval.
            near = _distance(told.sentence, (cue.start, cue.end), (word.start, word.end))
            far = _WEAK if inside else near
            if far < _CLAUSE:
                value = Found("state", word.meaning, "", word.start, word.end, word.meaning)
                rank = far + _WEAK * (cue.weak + word.weak) - (word.end - word.start) / 10
                pairs.append((rank, attribute, value))
    # One thing happened, whatever else its words could name.
    best = min(pairs, key=lambda each: (each[0], each[1].id), default=None)
    return [] if best is None else [(best[1], best[2])]


def _seats(told: _Told) -> list[tuple[Attribute, Found]]:
    """Pair offices and places with the name that is put there."""
    sentence = told.sentence
    found: list[tuple[float, Attribute, Found]] = []
    names = [
        each for each in names_in(sentence, told.hidden) if not is_earlier(sentence, each.span)
    ]
    for cue in told.cues:
        attribute = attributes()[cue.meaning]
        if not attribute.kinds & {"name", "place"} or not seats_somebody(sentence.text):
            continue
        for name in names:
            if overlaps(name.span, ((cue.start, cue.end),)):
                continue
            far = _distance(sentence, name.span, (cue.start, cue.end)) + _WEAK * cue.weak
            if far < _CLAUSE:
                kind: ValueKind = "place" if "place" in attribute.kinds else "name"
                found.append((far, attribute, name._replace(kind=kind)))
    found.sort(key=lambda each: (each[0], each[2].start))
    return [(attribute, name) for _, attribute, name in found]


# --- how it is told ------------------------------------------------------------------------------


def _statement(told: _Told, attribute: Attribute | None, value: Found) -> Statement | None:
    how = _how(told, value)
    if how is None:
        return None
    side, manner = how
    others = names_in(
        told.sentence, (*told.hidden, value.span, *((cue.start, cue.end) for cue in told.cues))
    )
    period = ""
    if attribute is not None and attribute.period and value.kind != "date":
        period = next((each.label for each in told.times if each.precision != "day"), "")
    return Statement(
        start=0,
        end=0,
        text="",
        side=side,
        attribute="" if attribute is None else attribute.id,
        kind=value.kind,
        value=value.text,
        key=value.key,
        unit=value.unit,
        names=frozenset(each.key for each in others),
        places=frozenset(each.key for each in others if narrows(told.sentence, each.span)),
        sorts=tuple(sorted(sorts(told.sentence).items())),
        period=period,
        as_of=next(
            (each.first for each in told.times if is_as_of(told.sentence, (each.start, each.end))),
            None,
        ),
        manner=manner,
        words=_content(told, value) if attribute is None else frozenset(),
    )


def _how(told: _Told, value: Found) -> tuple[Side, Manner] | None:
    """Return how a value is told; None where it is only asked or supposed."""
    mark = 0
    for word, marks in zip(told.sentence.words, told.sentence.marks, strict=True):
        if word.start < value.end and value.start < word.end:
            mark |= marks
    if mark & (ASKED | SUPPOSED):
        return None
    manner: Manner = (
        "planned" if mark & PLANNED else "rumoured" if mark & (RETOLD | HEDGED) else "stated"
    )
    if mark & TAKEN_BACK:
        return "retracts", manner
    turned = sum(bool(mark & bit) for bit in (DENIED, FALSE, NEGATED)) % 2
    return ("denies" if turned else "says"), manner


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
    statement = None if value is None else _statement(told, None, value)
    if statement is not None and len(statement.words) >= _FEWEST:
        yield statement


def _act(told: _Told) -> Found | None:
    """Return what was done, where somebody or something else is named with it."""
    sentence = told.sentence
    others = names_in(sentence, told.hidden)
    if not others or "v" not in sentence.kinds:
        return None
    return Found("act", "", "", others[0].start, others[0].end, others[0].text)


def _content(told: _Told, value: Found) -> frozenset[str]:
    spans = [
        *told.hidden,
        value.span,
        *(each.span for each in names_in(told.sentence, told.hidden)),
    ]
    return frozenset(
        word.key
        for word in told.sentence.words
        if word.weight > _CONTENT
        and not word.key[0].isdigit()
        and not overlaps((word.start, word.end), spans)
    )
