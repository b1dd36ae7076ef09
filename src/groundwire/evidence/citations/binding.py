"""What a figure or date of a sentence refers to, compared with what it refers to in the quote."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.problems import problem
from groundwire.evidence.citations.values import numbered_name, words_around
from groundwire.evidence.citations.verbs import CONTENT, clause_of
from groundwire.evidence.reading.alignment import Alignment, Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.comparison import Compared, compare
from groundwire.language.time.dates import agrees
from groundwire.model.phrase import Phrase

_CROSSING = 4.0  # words that a break between two parts of a sentence counts for
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


def misplaced(claim: Claim, alignments: Sequence[Alignment]) -> list[Phrase]:
    """List the values whose words stand nearer to another value of the quote."""
    problems: list[Phrase] = []
    for alignment in alignments:
        values = [
            v
            for v in alignment.values
            if v.place and v.place[0] == alignment.best and v.outcome in ("same", "near")
        ]
        for value in values:
            if _is_apart(claim, alignment, value, values):
                text, words = claim.sentence.text, claim.sentence.words
                around = [words[i] for i in words_around(claim, value.start)][:1]
                whom = "".join(text[word.start : word.end] for word in around)
                found = problem("apart", what=text[value.start : value.end], whom=whom)
                problems.extend([found] if found not in problems else [])
    return problems


def from_another_page(claim: Claim, grounds: Grounds) -> list[Phrase]:
    """List the values that only one cited page has, while the words around them are another's."""
    if len({place.evidence.id for place in grounds.places}) < 2:
        return []
    pages = [grounds.sentences_of(place) for place in grounds.places]
    strengths = [grounds.strengths(claim, page) for page in pages]
    given = [compare(claim.sentence, list(enumerate(page))) for page in pages]
    problems: list[Phrase] = []
    # Each page is compared with the same values, in the same order.
    for values in zip(*given, strict=True):
        words = words_around(claim, values[0].start)
        said = [sum(claim.sought[i].weight * found[i] for i in words) for found in strengths]
        has = [value.outcome in ("same", "near") for value in values]
        theirs = max((n for n, held in zip(said, has, strict=True) if held), default=None)
        if theirs is not None and max(said) > theirs + _MARGIN:
            text, whom = claim.sentence.text, claim.sentence.words[words[0]]
            problems.append(
                problem(
                    "apart",
                    what=text[values[0].start : values[0].end],
                    whom=text[whom.start : whom.end],
                )
            )
    return problems


def _is_apart(
    claim: Claim, alignment: Alignment, value: Compared, values: Sequence[Compared]
) -> bool:
    """Tell whether the quote gives this value to something else and a rival to the same thing."""
    assert value.place is not None
    claim_span, quote_span = (value.start, value.end), (value.place[1], value.place[2])
    matched = {(v.place[1], v.place[2]): v for v in values if v.place and v is not value}
    claim_text, quote_text = claim.sentence.text, alignment.sentence.text
    at_start = _is_start(quote_text, quote_span)
    for rival in _rivals(value, alignment.sentence):
        if _is_part(quote_text, quote_span, rival):
            continue
        other = matched.get(rival)
        rival_at_start = _is_start(quote_text, rival)
        if other is None:
            # "from 24 to 26" speaks of one thing.
            if rival_at_start == at_start and _prefers(claim, alignment, value, values, rival):
                return True
        elif rival_at_start != at_start:
            if _is_start(claim_text, claim_span) == rival_at_start and (
                _is_start(claim_text, (other.start, other.end)) == at_start
            ):
                return True
        elif _prefers(claim, alignment, value, values, rival) and _prefers(
            claim, alignment, other, values, quote_span
        ):
            return True
    return False


def _is_part(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Tell whether one value is a part of the other: "$3.3 billion of $40 billion"."""
    first, second = sorted((one, other))
    return _PART.fullmatch(text[first[1] : second[0]]) is not None


def _prefers(
    claim: Claim,
    alignment: Alignment,
    value: Compared,
    values: Sequence[Compared],
    rival: tuple[int, int],
) -> bool:
    """Tell whether the words around a value stand nearer to a rival of its counterpart."""
    assert value.place is not None
    claimed, quoted = claim.sentence, alignment.sentence
    claim_span, quote_span = (value.start, value.end), (value.place[1], value.place[2])
    others = [(v.start, v.end) for v in values if v is not value and v.kind == value.kind]
    keys = [word.key for word in quoted.words]
    nearer = farther = 0.0
    for link in alignment.links:
        each = claim.sought[link.claim]
        if each.weight <= CONTENT or each.value or keys.count(keys[link.at]) > 1:
            continue
        word = claimed.words[link.claim]
        near = _distance(claimed, word.start, claim_span)
        if any(_distance(claimed, word.start, other) <= near for other in others):
            continue
        if not others and word.clause != clause_of(claimed, value.start):
            continue
        at = quoted.words[link.at].start
        if _distance(quoted, at, quote_span) <= _distance(quoted, at, rival):
            nearer += each.weight
        else:
            farther += each.weight
    return farther > nearer + _MARGIN


def _rivals(value: Compared, sentence: Sentence) -> list[tuple[int, int]]:
    """List the other values of the sentence that could be taken for this one."""
    assert value.place is not None
    _, start, _ = value.place
    if value.kind == "date":
        wanted = next(d for d in sentence.dates if d.start == start)
        return [
            (d.start, d.end)
            for d in sentence.dates
            if d.start != start
            and d.precision == wanted.precision
            and not agrees(d, wanted)
            # "Friday 10 March": one day, however the weekday was read.
            and min(abs(d.end - wanted.start), abs(wanted.end - d.start)) > 2
        ]
    figure = next((f for f in sentence.figures if f.start == start), None)
    if figure is None:
        return [
            (c.start, c.end) for c in sentence.counts if c.start != start and c.kind == "number"
        ] + [(f.start, f.end) for f in sentence.figures if not f.unit]
    return [
        (f.start, f.end)
        for f in sentence.figures
        if f.start != start and f.unit == figure.unit and not numbered_name(f, sentence.text)
    ]


def _is_start(text: str, span: tuple[int, int]) -> bool:
    return _FROM.search(text[max(0, span[0] - 24) : span[0]]) is not None


def _distance(sentence: Sentence, at: int, span: tuple[int, int]) -> float:
    low, high = (at, span[0]) if at < span[0] else (span[1], at)
    between = sentence.text[low:high]
    words = sum(low <= word.start < high for word in sentence.words)
    return words + _CROSSING * len(_APART.findall(between))
