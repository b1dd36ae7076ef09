"""What a figure or a date of a sentence is said of, beside what its quote says it of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.citations.acts import CONTENT, clause_of
from groundwire.evidence.citations.problems import problem
from groundwire.evidence.citations.values import around, name_of
from groundwire.evidence.reading.alignment import Alignment, Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.comparison import Compared
from groundwire.language.time.dates import agrees
from groundwire.model.phrase import Phrase

_CROSSING = 4.0  # words that an edge between two parts of a sentence counts for
_MARGIN = 0.7
_FROM = re.compile(
    r"(?:\bfrom|than|从|由|比)(?: (?:about|around|nearly|roughly|the))? ?[^\d,;。]{0,8}\Z",
    re.IGNORECASE,
)
_APART = re.compile(
    r"[,;:、()。]|\band\b|\bor\b|\bbut\b|\bwhile\b|\bthen\b|和|与|而|但|及", re.IGNORECASE
)
_PART = re.compile(
    r" ?(?:out )?of (?:\w+ ){0,3}|[^,。;]{0,8}(?:中|其中)[^,。;]{0,4}", re.IGNORECASE
)


def misplaced(claim: Claim, laid: Sequence[Alignment]) -> list[Phrase]:
    """Values whose words stand nearer to another value of the quote."""
    found: list[Phrase] = []
    for alignment in laid:
        values = [
            v
            for v in alignment.values
            if v.place and v.place[0] == alignment.best and v.outcome in ("same", "near")
        ]
        for value in values:
            if not _is_score(claim, value) and _is_apart(claim, alignment, value, values):
                written = claim.sentence.text[value.start : value.end]
                if all(written != p.params.get("what") for p in found):
                    found.append(problem("apart", what=written, whom=_whom(claim, value)))
    return found


def _is_score(claim: Claim, value: Compared) -> bool:
    """Whether a number belongs to a score or a vote: 7-2."""
    around = claim.sentence.text[max(0, value.start - 2) : value.end + 2]
    return re.search(r"\d-\d", around) is not None


def _whom(claim: Claim, value: Compared) -> str:
    near = around(claim, value.start)
    if not near:
        return ""
    word = claim.sentence.words[near[0]]
    return claim.sentence.text[word.start : word.end]


def _is_apart(
    claim: Claim, alignment: Alignment, value: Compared, values: Sequence[Compared]
) -> bool:
    """Whether the quote says this value of something else, and another one of what the sentence speaks of."""
    assert value.place is not None
    here, there = (value.start, value.end), (value.place[1], value.place[2])
    taken = {(v.place[1], v.place[2]): v for v in values if v.place and v is not value}
    for rival in _rivals(value, alignment.sentence):
        if _parted(alignment.sentence.text, there, rival):
            continue
        other = taken.get(rival)
        mine, theirs = claim.sentence.text, alignment.sentence.text
        if other is None:
            # "from 24 to 26": both are said of one thing.
            if _source(theirs, rival) == _source(theirs, there) and _prefers(
                claim, alignment, value, values, rival
            ):
                return True
            continue
        if _source(theirs, rival) != _source(theirs, there):
            if _source(mine, here) == _source(theirs, rival) and _source(
                mine, (other.start, other.end)
            ) == _source(theirs, there):
                return True
            continue
        if _prefers(claim, alignment, value, values, rival) and _prefers(
            claim, alignment, other, values, there
        ):
            return True
    return False


def _parted(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether one value is a part of the other, so that both are said of one thing: "$3.3 billion of $40 billion"."""
    first, second = sorted((one, other))
    return _PART.fullmatch(text[first[1] : second[0]]) is not None


def _prefers(
    claim: Claim,
    alignment: Alignment,
    value: Compared,
    values: Sequence[Compared],
    rival: tuple[int, int],
) -> bool:
    """Whether the words around a value of the sentence stand nearer to a rival of its counterpart."""
    assert value.place is not None
    mine, theirs = claim.sentence, alignment.sentence
    here, there = (value.start, value.end), (value.place[1], value.place[2])
    others = [(v.start, v.end) for v in values if v is not value and v.kind == value.kind]
    keys = [word.key for word in theirs.words]
    own = away = 0.0
    for link in alignment.links:
        each = claim.sought[link.claim]
        if each.weight <= CONTENT or each.value or keys.count(keys[link.at]) > 1:
            continue
        word = mine.words[link.claim]
        near = _distance(mine, word.start, here)
        if any(_distance(mine, word.start, other) <= near for other in others):
            continue
        if not others and word.clause != clause_of(mine, value.start):
            continue
        at = theirs.words[link.at].start
        if _distance(theirs, at, there) <= _distance(theirs, at, rival):
            own += each.weight
        else:
            away += each.weight
    return away > own + _MARGIN


def _rivals(value: Compared, sentence: Sentence) -> list[tuple[int, int]]:
    """Other values of the sentence that could be taken for this one."""
    assert value.place is not None
    _, start, _ = value.place
    if value.kind == "date":
        mine = next(d for d in sentence.dates if d.start == start)
        return [
            (d.start, d.end)
            for d in sentence.dates
            if d.start != start
            and d.precision == mine.precision
            and not agrees(d, mine)
            # "Friday 10 March": one day, however the weekday was read.
            and min(abs(d.end - mine.start), abs(mine.end - d.start)) > 2
        ]
    figure = next((f for f in sentence.figures if f.start == start), None)
    if figure is None:
        return [
            (c.start, c.end) for c in sentence.counts if c.start != start and c.kind == "number"
        ] + [(f.start, f.end) for f in sentence.figures if not f.unit]
    return [
        (f.start, f.end)
        for f in sentence.figures
        if f.start != start and f.unit == figure.unit and not name_of(f, sentence.text)
    ]


def _source(text: str, span: tuple[int, int]) -> bool:
    return _FROM.search(text[max(0, span[0] - 24) : span[0]]) is not None


def _distance(sentence: Sentence, at: int, span: tuple[int, int]) -> float:
    low, high = (at, span[0]) if at < span[0] else (span[1], at)
    between = sentence.text[low:high]
    words = sum(low <= word.start < high for word in sentence.words)
    return words + _CROSSING * len(_APART.findall(between))
