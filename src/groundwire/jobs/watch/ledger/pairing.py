"""Which value is of which attribute: in each sentence, the words that name attributes beside the values that it gives."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from groundwire.evidence.reading.analysis import Sentence
from groundwire.jobs.watch.ledger.attributes import Attribute, Word, attributes
from groundwire.jobs.watch.ledger.claims import ValueKind
from groundwire.jobs.watch.ledger.signs import (
    follows,
    is_a_cause,
    is_as_of,
    is_at_the_earliest,
    is_background,
    is_difference,
    is_earlier,
    is_put_right,
    is_since,
    is_told_on,
    opens,
    rejected_reports,
    seats_somebody,
    stands_apposed,
    takes_over,
    was_holder,
)
from groundwire.jobs.watch.ledger.values import (
    Found,
    Period,
    amounts,
    days,
    is_news,
    is_somebody,
    names_in,
    only_passes,
    versions,
)
from groundwire.language.text.spans import Span, overlaps

CLAUSE = 40  # characters that a border between clauses counts for
_WEAK = 25  # and that a word counts for that names an attribute only at need
_FARTHEST = 160
_NEXT = 12  # characters between "led by" and who leads
_JOINED = re.compile(r"\band (?:another |the other )?$")
_OWN_VERB = re.compile(r" (?:[a-z]+ )?(?:were|was|are|is|have|has|had)\b")
_WHOSE = re.compile(r"(?P<name>'s) (?:[a-z-]+ ){0,2}$|,? whose (?:[a-z-]+ ){0,2}$")
_OWNERS = ("nr", "nz", "nt", "ns")  # tags of names
_ITSELF = re.compile(r"(?:,|\b(?:is|was|are|were|be|been|being|now|still|jointly))$|^$")
_LEAVES = "tenure"
_PRICED = frozenset({"money", "percent"})
_NAMED: frozenset[ValueKind] = frozenset({"name", "place"})


class Pair(NamedTuple):
    """A value with its attribute, and all attributes that it can be of; "" where none is sure.

    What is only told in passing ("says Rui Falcato, the chief executive") supports a claim, and makes or changes none.
    """

    attribute: Attribute | None
    value: Found
    can_be: tuple[str, ...]
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence with what its statements have in common."""

    sentence: Sentence
    day: date  # when it was written
    places: tuple[Span, ...]  # of the subject
    hidden: tuple[Span, ...]  # stretches in which no name of a thing stands
    times: tuple[Period, ...]
    cues: tuple[Word, ...]


def _is_of_another(told: Told, cue: Word) -> bool:
    """Tell whether what a word names is another's: "Orvane, whose chief executive is", 奥凡首席执行官."""
    attribute = attributes()[cue.meaning]
    if not (attribute.single or attribute.person):
        return False
    text, start = told.sentence.text, cue.start
    before = text[: start - 1] if text[start - 1 : start] == "的" else text[:start]
    whose = _WHOSE.search(before)
    at = whose.start() if whose else len(before)
    if whose and not whose["name"]:
        # Of the name before it.
        owner = max((span[1] for span in told.places if span[1] <= at), default=-1)
        named = (each.end for each in names_in(told.sentence, told.hidden) if each.end <= at)
        return owner < max(named, default=-1)
    names = names_in(told.sentence, told.hidden)
    several = len(names) > 1 or not attribute.kinds & _NAMED
    owned = several and any(each.end == at for each in names)
    if owned and (whose is not None or not text.isascii()):
        return True
    behind = any(_is_said_with(told, cue, each) for each in names)
    return behind and attribute.person and _has_owner(told, len(before))


def _is_said_with(told: Told, cue: Word, name: Found) -> bool:
    """Tell whether a name stands behind a word, in its clause."""
    return cue.end <= name.start and not borders(told.sentence, (cue.start, cue.end), name.span)


def without_others(told: Told) -> Told:
    """Leave out the offices and the like of others, with whoever holds them."""
    others = [cue for cue in told.cues if _is_of_another(told, cue)]
    if not others:
        return told
    names = names_in(told.sentence, told.hidden)
    holders = (each.span for each in names for cue in others if _is_said_with(told, cue, each))
    cues = tuple(cue for cue in told.cues if cue not in others)
    return replace(told, cues=cues, hidden=(*told.hidden, *holders))


def _has_owner(told: Told, at: int) -> bool:
    """Tell whether the nouns right before a place, in Chinese, name whose it is, and that is not the subject: 奥凡首席执行官."""
    words = told.sentence.words
    named = False
    for number in reversed(range(len(words))):
        word, tag = words[number], told.sentence.tags[number]
        if word.end > at:
            continue
        if word.end < at or not tag.startswith("n"):
            return named
        if overlaps((word.start, word.end), told.places):
            return False
        named = named or tag in _OWNERS
        at = word.start
    return named


def marks_at(sentence: Sentence, span: Span) -> int:
    """Return how the words of a stretch are told, as bits of `standing`."""
    found = 0
    for word, marks in zip(sentence.words, sentence.marks, strict=True):
        if overlaps((word.start, word.end), (span,)):
            found |= marks
    return found


def pairs_in(told: Told) -> tuple[Pair, ...]:
    """Return every value of a sentence with its attribute: figures and times, states, names and places."""
    figures = _figures(told)
    tops = {pair.can_be[0] for pair in figures}
    words = [(cue.start, cue.end) for cue in told.cues if cue.meaning in tops]
    states = _states(told, words)
    # "Sacked head coach Dario Melk" does not say that he is the coach.
    seats = [pair for pair in _seats(told) if not (states and pair.passing)]
    if any(not pair.passing and pair.value.kind == "name" for pair in seats):
        # Who leaves is told beside who comes: the place has one new holder.
        states = [pair for pair in states if pair.can_be[0] != _LEAVES]
    return (*figures, *states, *seats)


def _figures(told: Told) -> list[Pair]:
    """Pair amounts, versions and times with the attributes whose words stand nearest to them.

    Each word that names an attribute speaks of one value, the nearest that can be its own: of "3 dead and 20 injured",
    each has its own word.
    """
    values = [each for each in _values(told) if not is_earlier(told.sentence, each.span)]
    found: dict[Found, list[tuple[float, Word]]] = {}
    for cue in told.cues:
        attribute = attributes()[cue.meaning]
        fits = [
            (distance(told.sentence, value.span, (cue.start, cue.end)), value.start, value)
            for value in values
            if attribute.can_have(value.kind, value.unit)
            and not overlaps(value.span, ((cue.start, cue.end),))
        ]
        near = min(fits, default=None, key=lambda each: each[:2])
        if near is not None and cue.weak and _acts_between(told.sentence, cue, near[2].span):
            continue  # "lost its peg and traded at $0.87" tells of no loss
        if near is not None and near[0] < _FARTHEST:
            far = near[0] + _WEAK * cue.weak - (cue.end - cue.start) / 10
            found.setdefault(near[2], []).append((far, cue))
    pairs: list[tuple[float, Pair]] = []
    for value, cues in found.items():
        cues.sort(key=lambda each: (each[0], each[1].meaning))
        sure = any(not cue.weak for _, cue in cues)
        if not sure and value.kind in ("date", "version"):
            continue  # a day beside a word that can mean anything is when it was written
        ids = tuple(dict.fromkeys(cue.meaning for _, cue in cues))
        few = value.kind == "count" and not value.unit and not is_news(value)
        beside = any(each.kind in _PRICED for each in values)
        can_be = ids if sure else (*ids, "")
        # "We walked into three shops and paid $129" is about the price.
        opens_it = not told.sentence.text[: value.start].strip("\"'( ")
        passing = few and (beside or not sure) and not opens_it
        passing = passing or only_passes(value, told.day)
        pair = Pair(attributes()[ids[0]], value, can_be, passing)
        pairs.append((cues[0][0], pair))
    pairs.sort(
        key=lambda each: (
            not follows(told.sentence, each[1].value.span),
            each[0],
            each[1].value.start,
        )
    )
    return [pair for _, pair in pairs] + _put_right(told, [pair for _, pair in pairs], values)


def _acts_between(sentence: Sentence, cue: Word, value: Span) -> bool:
    """Tell whether another verb stands between a word and the value behind it, and so has the value."""
    return any(
        kind == "v" and cue.end <= word.start and word.end <= value[0]
        for word, kind in zip(sentence.words, sentence.kinds, strict=True)
    )


def _put_right(told: Told, pairs: Sequence[Pair], values: Sequence[Found]) -> list[Pair]:
    """Give the value that stands right for another the attribute of that one: "12 million is wrong, it was 10"."""
    taken = [pair.value for pair in pairs]
    return [
        pair._replace(value=value._replace(unit=value.unit or pair.value.unit))
        for value in values
        if value not in taken and is_put_right(told.sentence, value.span)
        for pair in pairs[:1]
        if pair.value.kind == value.kind or not value.unit
    ]


def _values(told: Told) -> Iterator[Found]:
    sentence = told.sentence
    dated = [(each.start, each.end) for each in told.times]
    for value in amounts(sentence, dated):
        if not is_difference(sentence, value.span):
            yield value
    for value in versions(sentence):
        if not overlaps(value.span, dated):
            yield value
    yield from days(each for each in told.times if not _only_says_when(told, each))


def _only_says_when(told: Told, time: Period) -> bool:
    """Tell whether a time says when something was so, rather than being what is told.

    Beside a figure that is news, that is a month or year that has begun, and a day with which the sentence opens.
    """
    sentence, span = told.sentence, (time.start, time.end)
    if is_as_of(sentence, span) or is_told_on(sentence, span):
        return True
    if is_background(sentence, span) and not is_at_the_earliest(sentence, span):
        return True  # "when banks open on Monday"
    if is_since(sentence, span):
        return time.first <= told.day or _has_news(told)
    if time.first > told.day or not (time.precision != "day" or opens(sentence, span)):
        return False
    return _has_news(told)


def _has_news(told: Told) -> bool:
    """Tell whether a sentence gives a figure that is news."""
    dated = [(each.start, each.end) for each in told.times]
    return any(
        is_news(each) and not is_earlier(told.sentence, each.span)
        for each in amounts(told.sentence, dated)
    )


def borders(sentence: Sentence, one: Span, other: Span) -> int:
    """Count the borders of clauses between two stretches."""
    first, second = sorted((one, other))
    return sum(first[1] <= edge < second[0] for edge in sentence.edges)


def distance(sentence: Sentence, one: Span, other: Span) -> float:
    first, second = sorted((one, other))
    between = borders(sentence, one, other)
    scale = 1.0 if sentence.text.isascii() else 2.0
    # "Three were killed and eleven were injured": each has its own.
    joined = _JOINED.search(sentence.low, first[1], second[0]) is not None
    between += joined and _OWN_VERB.match(sentence.low, second[1]) is not None
    return scale * max(0, second[0] - first[1]) + CLAUSE * between


def _states(told: Told, taken: Sequence[Span]) -> list[Pair]:
    """Pair an attribute whose values are words with the word that is nearest; words of other values are taken."""
    taken = [*taken, *rejected_reports(told.sentence)]  # a report is denied, not refused
    pairs: list[tuple[float, Attribute, Word]] = []
    for cue in told.cues:
        attribute = attributes()[cue.meaning]
        if attribute.states is None:
            continue
        for word in attribute.states.find_verbs(told.sentence):
            place = word.start, word.end
            inside = word.start <= cue.start and cue.end <= word.end
            if inside and word.weak:
                continue  # "fined over the outage" does not say that there is one
            if is_background(told.sentence, place):
                continue
            # 牌照获批 is a licence before it is an approval.
            far = _WEAK if inside else distance(told.sentence, (cue.start, cue.end), place)
            here = far < CLAUSE or not borders(told.sentence, (cue.start, cue.end), place)
            if here and not overlaps(place, taken):
                rank = far + _WEAK * (cue.weak + word.weak) - (word.end - word.start) / 10
                rank -= CLAUSE * follows(told.sentence, place)  # "raised to orange"
                pairs.append((rank, attribute, word))
    # One thing happened in a clause, whatever else its words could name.
    best: dict[int, tuple[float, Attribute, Word]] = {}
    for pair in sorted(pairs, key=lambda each: (each[0], each[1].id)):
        best.setdefault(bisect_right(told.sentence.edges, pair[2].start), pair)
    return [
        Pair(
            attribute,
            _state(told.sentence, word),
            tuple(dict.fromkeys(each.id for _, each, other in pairs if other == word)),
            is_a_cause(told.sentence, (word.start, word.end)),
        )
        for _, attribute, word in best.values()
    ]


def _state(sentence: Sentence, word: Word) -> Found:
    written = sentence.text[word.start : word.end]
    return Found("state", word.meaning, "", word.start, word.end, written)


def _is_itself(told: Told, cue: Word) -> bool:
    """Tell whether what is led by somebody is no thing named right before: "a Series C led by Granite"."""
    before = told.sentence.low[: cue.start].rstrip()
    return _ITSELF.search(before) is not None or any(end == len(before) for _, end in told.places)


def _seats(told: Told) -> list[Pair]:
    """Pair offices and places with the name that is put there."""
    sentence, low = told.sentence, told.sentence.low
    seated = seats_somebody(sentence.text)
    found: list[tuple[float, Pair]] = []
    titles = [(cue.start, cue.end) for cue in told.cues if attributes()[cue.meaning].person]
    names = [
        each
        for each in names_in(sentence, told.hidden)
        if not was_holder(sentence, each.span) and not overlaps(each.span, titles)
    ]
    for cue in told.cues:
        attribute = attributes()[cue.meaning]
        for kind in attribute.kinds & _NAMED:
            for name in names:
                place = cue.start, cue.end
                if low[: cue.end].endswith(" by") and (
                    not 0 <= name.start - cue.end <= _NEXT or not _is_itself(told, cue)
                ):
                    continue  # "run by the third generation of the Holding family"
                # "His assistant, Joao Brandt, is now the manager": the comma belongs to the name.
                end = name.end + (low[name.end : name.end + 1] == ",")
                far = distance(sentence, (name.start, end), place) + _WEAK * cue.weak
                passing = kind != "place" and not seated
                near = far < CLAUSE or (passing and stands_apposed(sentence, name.span, place))
                if attribute.person and not is_somebody(name.text):
                    continue
                if near and not overlaps(name.span, (place,)):
                    pair = Pair(attribute, name._replace(kind=kind), (attribute.id,), passing)
                    found.append((far, pair))
    found.sort(key=lambda each: (each[0], each[1].value.start))
    pairs = [pair for _, pair in found]
    # Whose place it is, is said by the name of who had it.
    new = [each for each in names if takes_over(sentence, each.span) and is_somebody(each.text)]
    if not any(not pair.passing for pair in pairs) and len(new) == 1:
        pairs = [Pair(None, new[0], ("",))]
    return pairs
