"""Which words of a claim and a passage meet, for the encoder to see: the same, another word for it, or its opposite.

Figures, days and counts are compared as values: 3.2亿 meets 320 million, and 41 opposes 70.
"""

from __future__ import annotations

from groundwire.evidence.reading.alignment import Claim, Sought
from groundwire.evidence.reading.analysis import Sentence, Word
from groundwire.evidence.reading.comparison import compare
from groundwire.evidence.reading.synonyms import opposed

NONE, SAME, ALIKE, AGAINST = range(4)
_LIGHT = 0.3  # words that weigh less say nothing by being there


def marks(claim: Claim, passage: Sentence) -> tuple[bytearray, bytearray]:
    """A mark for each character of the claim, and of the passage."""
    mine, theirs = bytearray(len(claim.sentence.text)), bytearray(len(passage.text))
    places = _places(passage)
    for each in claim.sought:
        if each.value or each.word.weight < _LIGHT:
            continue
        mark, spans = _met(each, passage, places)
        if mark:
            _put(mine, each.word.start, each.word.end, mark)
            for start, end in spans:
                _put(theirs, start, end, mark)
    for value in compare(claim.sentence, [(0, passage)]):
        if value.place is None:
            continue
        mark = AGAINST if value.outcome == "other" else SAME
        _put(mine, value.start, value.end, mark)
        _put(theirs, value.place[1], value.place[2], mark)
    return mine, theirs


def _places(passage: Sentence) -> dict[str, list[Word]]:
    """The words of a passage by what they are compared by."""
    places: dict[str, list[Word]] = {}
    for word in passage.words:
        for key in dict.fromkeys((word.key, word.root or word.key)):
            places.setdefault(key, []).append(word)
    return places


def _met(
    each: Sought, passage: Sentence, places: dict[str, list[Word]]
) -> tuple[int, list[tuple[int, int]]]:
    """How a word of the claim is met, and where."""
    own = {each.word.key, each.word.root or each.word.key}
    if same := [word for key in sorted(own) for word in places.get(key, ())]:
        return SAME, [(word.start, word.end) for word in same]
    if spelt := _spelt(each, passage.low):
        return SAME, spelt
    alike = [word for key in each.keys for word in places.get(key, ())]
    phrases = [
        (at, at + len(phrase))
        for phrase in each.phrases
        if not phrase.isascii() and (at := passage.low.find(phrase)) >= 0
    ]
    if alike or phrases:
        return ALIKE, [*((word.start, word.end) for word in alike), *phrases]
    against = [word for key in sorted(opposed(each.word.key)) for word in places.get(key, ())]
    return (AGAINST if against else NONE), [(word.start, word.end) for word in against]


def _spelt(each: Sought, low: str) -> list[tuple[int, int]]:
    """Where pairs of a Chinese word's characters stand as they do in the claim, however both were cut."""
    inside = each.pairs[1:-1] if len(each.pairs) > 2 else each.pairs
    return [(at, at + 2) for pair in inside if (at := low.find(pair)) >= 0]


def _put(marks: bytearray, start: int, end: int, mark: int) -> None:
    for at in range(start, min(end, len(marks))):
        marks[at] = marks[at] or mark
