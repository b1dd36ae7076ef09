"""What a page says of the subject: statements `(attribute, qualifier) → value`, each with its manner and its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from groundwire.evidence.reading.analysis import Analysis, Sentence, analyse
from groundwire.evidence.reading.standing import PLANNED, refers_back
from groundwire.evidence.sources.attribution import attributions
from groundwire.jobs.watch.ledger.attributes import Word, attributes, named, sorts
from groundwire.jobs.watch.ledger.beside import replaced_in, tag
from groundwire.jobs.watch.ledger.claims import Manner, ValueKind
from groundwire.jobs.watch.ledger.manner import Side, how_told
from groundwire.jobs.watch.ledger.pairing import (
    CLAUSE,
    Pair,
    Told,
    distance,
    marks_at,
    pairs_in,
    without_others,
)
from groundwire.jobs.watch.ledger.reversals import reversal
from groundwire.jobs.watch.ledger.signs import (
    calls_report_false,
    follows,
    is_as_of,
    is_background,
    is_difference,
    is_earlier,
    is_of_a_report,
    is_since,
    narrows,
    offices,
    opens,
    rejected_reports,
    takes_back,
    tells_of_itself,
    was_holder,
    was_said_on,
)
from groundwire.jobs.watch.ledger.subject import Subject
from groundwire.jobs.watch.ledger.values import (
    Found,
    Period,
    amounts,
    days,
    has_digits,
    is_measured,
    is_news,
    names_in,
    periods,
    time_spans,
)
from groundwire.language.text.spans import Span, overlaps
from groundwire.model.base import short_id

_DAYS_AGO, _WEEK, _LONG_AGO = 2, 7, 31  # days: a later report may give a figure of that time


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a page says, or denies, or takes back, of the subject."""

    start: int  # of its sentence, in the page's text; until it is placed, of its value in that
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
    gone_by: (
        date | None
    )  # when a month or year gone by began of which it is told, unless that is which one
    as_of: date | None  # where the sentence gives the time for which it holds
    manner: Manner
    follows: bool  # it is told as a new value of something that had another
    loose: bool  # nothing shows that its sentence is about the subject but where it stands
    passing: bool  # told beside something else: it supports a claim, and makes or changes none
    replaced: frozenset[str]  # values of its kinds that the sentence says were so before
    siblings: frozenset[str]  # the other values that it gives now

    @property
    def fingerprint(self) -> str:
        """The same for the same statement of a page, wherever in it."""
        return short_id("st", [self.text, self.attribute, self.kind, self.key, self.side])


def statements(
    page: Analysis, subject: Subject, day: date, sources: Sequence[str], *, own: bool = False
) -> tuple[Statement, ...]:
    """Read everything that a page says of the subject; `sources` are names of publishers, normal and in small letters.

    A page of the subject's `own` is about it unless it opens a sentence with somebody else.
    """
    found: list[Statement] = []
    last: list[Statement] = []
    before: frozenset[str] = frozenset()  # who was named in the sentence before
    about = {id(sentence): sure for sentence, sure in subject.sentences(page, own=own)}
    withdrawn = any(takes_back(each) for each in page.sentences)
    for sentence in page.sentences:
        if last and not sentence.figures and (side := _answers(sentence)) is not None:
            # "That is false": what was just told is not held, unless it names something else.
            of = {cue.meaning for cue in named().find(sentence) if not cue.weak}
            found[-len(last) :] = [
                _turned(each, side) if not of or not of.isdisjoint(each.can_be) else each
                for each in last
            ]
            last = []
        elif id(sentence) in about:
            sure = about[id(sentence)]
            read = _read(sentence, subject, day, sources, sure=sure)
            last = [
                replace(_placed(each, page, sentence), loose=not sure, replaced=_had(each, before))
                for each in read
                if sure or each.kind != "state"
            ]
            if withdrawn and tells_of_itself(sentence):
                last = [_turned(each, "retracts") for each in last]
            found.extend(last)
            before = frozenset(
                tag(each) for each in names_in(sentence, subject.places(sentence.text))
            )
        else:
            last, before = [], frozenset[str]()
    return tuple(found)


def _had(statement: Statement, before: frozenset[str]) -> frozenset[str]:
    """Return the values that a statement can replace: of who takes a place, whoever was named just before."""
    return statement.replaced | before if statement.kind == "name" else statement.replaced


def _answers(sentence: Sentence) -> Side | None:
    """Return how a sentence that only refers back takes what was told before it."""
    if takes_back(sentence):
        return "retracts"
    if rejected_reports(sentence):
        return "denies"
    if not refers_back(sentence.text.lstrip("\"'")) and not calls_report_false(sentence):
        return None
    manners = sentence.manners
    if "takes back" in manners:
        return "retracts"
    # "That was wrong: no fine has been set": what the rest of it negates does not turn the answer.
    words = sentence.words
    opening = {cue.kind for cue in sentence.cues if words[cue.first].clause == words[0].clause}
    turned = "negates" in (opening if opening & {"false", "denies"} else manners)
    return "denies" if manners & {"false", "denies"} and not turned else None


def _turned(statement: Statement, side: Side) -> Statement:
    return replace(statement, side=side) if statement.side == "says" else statement


def _placed(statement: Statement, page: Analysis, sentence: Sentence) -> Statement:
    """Place a statement in its page, with sentence and value as written there."""
    span = page.normal.original(sentence.start + statement.start, sentence.start + statement.end)
    value = statement.value and page.text[slice(*span)]
    start, end = page.original(sentence, sentence)
    return replace(statement, start=start, end=end, text=page.text[start:end], value=value)


def _read(
    sentence: Sentence, subject: Subject, day: date, sources: Sequence[str], *, sure: bool
) -> Iterator[Statement]:
    sentence = _without(sentence, subject.of_others(sentence))
    places = subject.places(sentence.text)
    times = periods(sentence, day)
    hidden = (*places, *time_spans(sentence), *_mentions(sentence, sources))
    houses = tuple(_houses(sentence, sources))
    # The "visitor desk" that tells it speaks of no visitors, nor 深度求索 of depth; a Rivers Act is an act.
    ends = {end for _, end in places}
    cues = (
        cue
        for cue in named().find(sentence)
        if not overlaps((cue.start, cue.end), houses)
        and (cue.end in ends or not overlaps((cue.start, cue.end), places))
    )
    told = Told(sentence, day, places, hidden, times, _with_offices(sentence, tuple(cues)))
    told = without_others(told)
    pairs = pairs_in(told)
    found: dict[tuple[str, Side], Statement] = {}
    for pair in pairs:
        statement = _statement(told, pair)
        # One value for an attribute, the nearest; what is put right has two.
        if statement is not None:
            found.setdefault((statement.attribute, statement.side), statement)
    known = list(found.values()) or _bare(told)
    alone = all(each.passing for each in known)
    known.extend(_open(told, pairs, alone=alone, sure=sure))
    yield from _side_by_side(known)


def _with_offices(sentence: Sentence, cues: tuple[Word, ...]) -> tuple[Word, ...]:
    """Add the titles that no list knows: whoever is put somewhere has an office."""
    known = [(each.start, each.end) for each in cues if attributes()[each.meaning].person]
    titles = (span for span in offices(sentence) if not overlaps(span, known))
    return (*cues, *(Word(*span, "office", weak=False) for span in titles))


def _without(sentence: Sentence, spans: Sequence[Span]) -> Sentence:
    """Return a sentence in which some stretches say nothing, everything else where it was."""
    text = sentence.text
    for start, end in spans:
        text = text[:start] + ";" * (end - start) + text[end:]
    return analyse(text, published=sentence.published, whole=True).lead if spans else sentence


def _side_by_side(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements of a sentence, each with the values that the others give."""
    said = [f"{each.kind}:{each.key}" for each in statements if each.side == "says"]
    for each in statements:
        own = f"{each.kind}:{each.key}"
        yield replace(each, siblings=frozenset(other for other in said if other != own))


def _mentions(sentence: Sentence, sources: Iterable[str]) -> Iterator[Span]:
    """Find where a sentence names its source: in an attribution, or by a publisher's name."""
    yield from attributions(sentence.low)
    yield from _houses(sentence, sources)


def _houses(sentence: Sentence, sources: Iterable[str]) -> Iterator[Span]:
    """Find where a sentence names a publisher."""
    for name in sources:
        at = sentence.low.find(name)
        if at >= 0:
            yield at, at + len(name)


# --- how it is told ------------------------------------------------------------------------------


def _statement(told: Told, pair: Pair) -> Statement | None:
    how = how_told(told, pair.value)
    return None if how is None else _made(told, pair, *how)


def _made(told: Told, pair: Pair, side: Side, manner: Manner) -> Statement:
    attribute, value, can_be, passing = pair
    others = names_in(
        told.sentence, (*told.hidden, value.span, *((cue.start, cue.end) for cue in told.cues))
    )
    period = ""
    if (attribute is None or attribute.period) and value.kind != "date":
        period = next((each.label for each in told.times if each.precision != "day"), "")
    gone_by = _gone_by(told, value)
    times = (each for each in told.times if _says_since(told, value, each))
    return Statement(
        start=value.start,
        end=value.end,
        text="",
        side=side,
        attribute="" if attribute is None else attribute.id,
        can_be=can_be,
        kind=value.kind,
        value=value.text,
        key=value.key,
        unit=value.unit,
        names=frozenset(each.key for each in others),
        places=frozenset(
            each.key
            for each in others
            if narrows(told.sentence, each.span)
            and distance(told.sentence, value.span, each.span) < CLAUSE
        ),
        sorts=tuple(sorted(sorts(told.sentence).items())),
        period=period or (gone_by.label if gone_by else ""),
        gone_by=gone_by.first if gone_by and not period else None,
        as_of=next((each.first for each in times), None),
        manner=manner,
        follows=follows(told.sentence, value.span),
        loose=False,
        passing=passing,
        replaced=replaced_in(told, others if value.kind == "name" else ()) - {tag(value)},
        siblings=frozenset(),
    )


def _says_since(told: Told, value: Found, time: Period) -> bool:
    """Tell whether a time is the one for which a value holds: "as of", or a day gone by that is told with an amount."""
    span = time.start, time.end
    if is_as_of(told.sentence, span):
        return True
    by_day = time.precision == "day"
    gone = (told.day - time.first).days > (_DAYS_AGO if by_day else _LONG_AGO)
    if gone and value.kind != "date" and was_said_on(told.sentence, span):
        return True
    gone = gone and by_day
    gone = gone and any(char.isdigit() for char in time.text)  # which Monday, is seldom sure
    near = distance(told.sentence, value.span, span) < CLAUSE or opens(told.sentence, span)
    return gone and near and value.kind != "date" and not is_earlier(told.sentence, span)


def _gone_by(told: Told, value: Found) -> Period | None:
    """Return the month or year gone by of which an amount is told, rather than of today."""
    for each in told.times:
        span = each.start, each.end
        long_ago = (told.day - each.first).days > _LONG_AGO and not is_as_of(told.sentence, span)
        beside = distance(told.sentence, value.span, span) < CLAUSE or opens(told.sentence, span)
        if value.kind != "date" and long_ago and beside:
            return each
    return None


def _bare(told: Told) -> list[Statement]:
    """Return a denial or a retraction that names what it is about, but not its value."""
    manners = told.sentence.manners
    side: Side = "retracts" if "takes back" in manners else "denies"
    against = manners & {"takes back", "denies", "false"} or rejected_reports(told.sentence)
    ids = tuple(dict.fromkeys(cue.meaning for cue in told.cues if not cue.weak))
    if not against or not ids or not is_of_a_report(told.sentence):
        return []
    nothing = Found("act", "", "", 0, 0, "")
    return [_made(told, Pair(attributes()[ids[0]], nothing, ids), side, "stated")]


# --- what no attribute names ---------------------------------------------------------------------


def _open(told: Told, pairs: Sequence[Pair], *, alone: bool, sure: bool) -> Iterator[Statement]:
    """Yield what a sentence says without naming an attribute: amounts, a day to come, what was done or undone, or with whom."""
    sentence = told.sentence
    dated = [(each.start, each.end) for each in told.times]
    spans = [each.value.span for each in pairs]
    told_of = [each.value.start for each in pairs if not each.passing]
    values: list[Found] = [
        each
        for each in amounts(sentence, dated)
        if (is_news(each) or is_measured(sentence, each))
        and not overlaps(each.span, spans)
        and not is_earlier(sentence, each.span)
        and not is_difference(sentence, each.span)
        and not is_background(sentence, each.span)
    ]
    for start, end in _clauses(sentence) if sure else ():
        if not any(start <= at < end for at in [*told_of, *(each.start for each in values)]):
            value = _to_come(told, start, end)
            if value is not None and (told_of or values) and is_since(sentence, value.span):
                value = None  # "from May" says when the rest begins
            value = value or reversal(sentence, told.hidden, (start, end))
            values.extend([value] if value else [])
    if not values and alone and sure and told.places:
        value = _act(told, spans)
        values = [value] if value else []
        yield from _on_its_day(told) if value else ()
    for value in values:
        statement = _statement(told, Pair(None, value, ("",)))
        if statement is not None:
            yield statement


def _on_its_day(told: Told) -> Iterator[Statement]:
    """Yield in passing the last days on which something was done: a plan can have been for that day."""
    for day in days(each for each in told.times if each.precision == "day"):
        past = 0 <= (told.day - date.fromisoformat(day.key)).days <= _WEEK
        statement = _statement(told, Pair(None, day, ("",), passing=True)) if past else None
        if statement is not None and (statement.side, statement.manner) == ("says", "stated"):
            yield statement


def _clauses(sentence: Sentence) -> list[Span]:
    """Return the clauses of a sentence, as spans."""
    edges = [0, *sentence.edges, len(sentence.text)]
    return list(pairwise(sorted(set(edges))))


def _to_come(told: Told, start: int, end: int) -> Found | None:
    """Return the day to come that a clause names: what is planned for it is news."""
    ahead = (
        each
        for each in days(told.times)
        if each.key > told.day.isoformat()
        and start <= each.start < end
        # "On Tuesday" is this week's or the next one's: only a plan shows which.
        and (has_digits(each.text) or marks_at(told.sentence, each.span) & PLANNED)
    )
    return next((each for each in ahead if not is_earlier(told.sentence, each.span)), None)


def _act(told: Told, taken: Sequence[Span]) -> Found | None:
    """Return what was done, where it can be told what kind of thing it was, and to whom."""
    sentence = told.sentence
    offices = [(cue.start, cue.end) for cue in told.cues] if taken else []
    others = names_in(sentence, (*told.hidden, *taken, *offices))
    others = tuple(each for each in others if not was_holder(sentence, each.span))
    if not others or all(cue.weak for cue in told.cues):
        return None
    return Found("act", "", "", *others[0].span, "")  # the sentence itself is what is told
