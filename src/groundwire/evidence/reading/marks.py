"""The marks that show the encoder how words of a claim and a passage match: the same, a synonym, or the opposite.

Figures, dates and counts are compared by value: 3.2亿 matches 320 million, and 41 opposes 70.
"""

from __future__ import annotations

from groundwire.evidence.reading.alignment import Claim, Sought
from groundwire.evidence.reading.analysis import Sentence, Word
from groundwire.evidence.reading.comparison import compare
from groundwire.evidence.reading.synonyms import opposed

NONE, SAME, ALIKE, AGAINST = range(4)
_LIGHT = 0.3  # words that weigh less say nothing by being there


def marks(claim: Claim, passage: Sentence) -> tuple[bytearray, bytearray]:
    """Mark each character of the claim and of the passage by how its word is matched."""
    claim_marks, passage_marks = bytearray(len(claim.sentence.text)), bytearray(len(passage.text))
    places = _places(passage)
    for each in claim.sought:
        if each.value or each.word.weight < _LIGHT:
            continue
        mark, spans = _match(each, passage, places)
        if mark:
            _put(claim_marks, each.word.start, each.word.end, mark)
            for start, end in spans:
                _put(passage_marks, start, end, mark)
    for value in compare(claim.sentence, [(0, passage)]):
        if value.place is None:
            continue
        mark = AGAINST if value.outcome == "other" else SAME
        _put(claim_marks, value.start, value.end, mark)
        _put(passage_marks, value.place[1], value.place[2], mark)
    return claim_marks, passage_marks


def _places(passage: Sentence) -> dict[str, list[Word]]:
    """Index the words of a passage by key and root."""
    places: dict[str, list[Word]] = {}
    for word in passage.words:
        for key in dict.fromkeys((word.key, word.root or word.key)):
            places.setdefault(key, []).append(word)
    return places


def _match(
    each: Sought, passage: Sentence, places: dict[str, list[Word]]
) -> tuple[int, list[tuple[int, int]]]:
    """Find how a word of the claim is matched, and where."""
    own_keys = {each.word.key, each.word.root or each.word.key}
    if same := [word for key in sorted(own_keys) for word in places.get(key, ())]:
        return SAME, [(word.start, word.end) for word in same]
    if spans := _spelling_matches(each, passage.low):
        return SAME, spans
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


def _spelling_matches(each: Sought, low: str) -> list[tuple[int, int]]:
    """Find pairs of a Chinese word's characters in a text, however both were segmented."""
    inside = each.pairs[1:-1] if len(each.pairs) > 2 else each.pairs
    return [(at, at + 2) for pair in inside if (at := low.find(pair)) >= 0]


def _put(marks: bytearray, start: int, end: int, mark: int) -> None:
    for at in range(start, min(end, len(marks))):
        marks[at] = marks[at] or mark
