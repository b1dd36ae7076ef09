"""Whether figures, dates and counts of a sentence stand in its grounds, as exactly, and of the same thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.problems import problem
from groundwire.evidence.reading.alignment import Alignment, Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.comparison import Compared, compare
from groundwire.language.amounts.numbers import Figure
from groundwire.language.time.dates import DateMention, agrees, date_mentions, is_finer
from groundwire.model.phrase import Phrase

_CONTENT = 0.5
_SHARED = 0.5  # of the words around a value that a further sentence must have
_CROSSING = 4.0  # words that an edge between two parts of a sentence counts for
_MARGIN = 0.7
# "iPhone 15", "Unit 2", "Luna 25": a number that belongs to a name.
_NAMED = re.compile(r"(?:^|[^\w.])([A-Z][A-Za-z]+|[a-z][A-Z][A-Za-z]+) \Z")
_NOT_NAMED = frozenset({"The", "In", "On", "By", "At", "About", "Over", "Around", "Nearly", "Some", "More", "Only",
                        "All", "From", "For", "To", "As", "And", "But", "Of", "After", "Before", "Until", "Since"})  # fmt: skip
_FROM = re.compile(
    r"(?:\bfrom|than|从|由|比)(?: (?:about|around|nearly|roughly|the))? ?[^\d,;。]{0,8}\Z",
    re.IGNORECASE,
)
_APART = re.compile(
    r"[,;:、()。]|\band\b|\bor\b|\bbut\b|\bwhile\b|\bthen\b|和|与|而|但|及", re.IGNORECASE
)
_OVER = re.compile(
    r"more than|over|above|at least|exceed|upwards of|超过|逾|超|至少|不少于|高于|突破|多|余|以上",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"less than|under|below|at most|up to|fewer than|maximum|不到|不足|低于|最多|至多|最高|少于|以下|以内",
    re.IGNORECASE,
)
_PART = re.compile(
    r" ?(?:out )?of (?:\w+ ){0,3}|[^,。;]{0,8}(?:中|其中)[^,。;]{0,4}", re.IGNORECASE
)
_MINUS = re.compile(r"(?:(?<![\w)%])-|负|minus )(?:[$€£¥]|US\$)? ?\Z", re.IGNORECASE)
_DOWN = re.compile(
    r"\b(?:fell|fall|fallen|falls|drop\w*|declin\w*|decreas\w*|lost|lose|down|loss|losses|negative|plung\w*|slump\w*|"
    r"shrank|shrunk|contract\w*|cut|below)\b|跌|降|减|亏|负|缩",
    re.IGNORECASE,
)
_TO = re.compile(
    r"(?:\bto|至|到|达|为) ?(?:about |around |nearly |roughly |约|近)?\Z", re.IGNORECASE
)
_BY = re.compile(r"(?:\bby|了) ?(?:about |around |nearly |roughly |约|近)?\Z", re.IGNORECASE)
_THIS_YEAR = re.compile(r"\b(?:the|this) year\b|今年|年底|年内|年末", re.IGNORECASE)


@dataclass
class Found:
    """What came of looking for parts of a sentence."""

    problems: list[Phrase] = field(default_factory=list[Phrase])
    doubts: list[Phrase] = field(default_factory=list[Phrase])


def check_figures(claim: Claim, grounds: Grounds) -> Found:
    """Look for every figure and count; what is not quoted may stand beside or further on."""
    found = Found()
    mine = claim.sentence
    by_start = {figure.start: figure for figure in mine.figures}
    for value in compare(mine, list(enumerate(grounds.quoted))):
        if value.kind == "date":
            continue
        if value.kind == "figure" and (name := _name_of(by_start[value.start], mine.text)):
            if not _numbered(name, by_start[value.start], grounds):
                found.problems.append(problem("absent", what=mine.text[value.start : value.end]))
            continue
        if (
            value.kind == "count"
            and mine.text[value.start : value.end].lower() == "two"
            and "twice" in grounds.quoted_text
        ):
            continue
        if _is_same(value, by_start.get(value.start), grounds):
            _exactness(value, by_start.get(value.start), mine.text, grounds, found)
        elif (
            value.kind == "count"
            and value.outcome == "none"
            and claim.analysis.chinese != grounds.chinese
        ):
            continue
        elif not _elsewhere(claim, value, grounds):
            found.problems.append(problem("absent", what=mine.text[value.start : value.end]))
    return found


def _is_same(value: Compared, figure: Figure | None, grounds: Grounds) -> bool:
    if value.outcome == "same":
        return True
    if value.outcome != "near" or figure is None or value.place is None:
        return False
    number, start, _ = value.place
    other = next(f for f in grounds.quoted[number].figures if f.start == start)
    return _rounds(figure, other)


def _rounds(mine: Figure, other: Figure) -> bool:
    """Whether what the sentence says is what the quote says, rounded or bounded."""
    if mine.qualifier == "over":
        return other.value >= mine.value
    if mine.qualifier == "under":
        return other.value <= mine.value
    digits, exponent = mine.value.as_tuple().digits, mine.value.normalize().as_tuple().exponent
    if not isinstance(exponent, int) or len(digits) >= len(
        other.value.normalize().as_tuple().digits
    ):
        return False
    return abs(other.value - mine.value) * 2 <= 10**exponent


def _exactness(
    value: Compared, figure: Figure | None, text: str, grounds: Grounds, found: Found
) -> None:
    if figure is None or value.place is None:
        return
    number, start, _ = value.place
    other = next((f for f in grounds.quoted[number].figures if f.start == start), None)
    if other is None or other.value != figure.value:
        return
    mine, theirs = figure.qualifier, other.qualifier
    written = text[value.start : value.end]
    there = grounds.quoted[number].text
    around = there[max(0, start - 24) : start] + there[other.end : other.end + 6]
    here = text[max(0, value.start - 24) : value.start]
    before = there[max(0, start - 24) : start]
    negative = bool(_MINUS.search(before))
    moved = (_BY.search(here) and _TO.search(before)) or (_TO.search(here) and _BY.search(before))
    if moved or (
        bool(_MINUS.search(here)) != negative and not _DOWN.search(text if negative else there)
    ):
        found.problems.append(problem("bound", what=written))
        return
    said = {"over": _OVER, "under": _UNDER}.get(mine)
    if said is not None and mine != theirs and said.search(around):
        return
    if {mine, theirs} == {"over", "under"} or (
        mine in ("over", "under") and theirs in ("", "about")
    ):
        found.problems.append(problem("bound", what=written))
    elif not mine and theirs in ("over", "under"):
        found.doubts.append(problem("loose", what=written))


def _name_of(figure: Figure, text: str) -> str:
    match = _NAMED.search(text[: figure.start])
    if match is None or figure.unit or figure.qualifier or match.group(1) in _NOT_NAMED:
        return ""
    return match.group(1) if text[figure.start : figure.end].isdigit() else ""


def _numbered(name: str, figure: Figure, grounds: Grounds) -> bool:
    """Whether a name with its number stands there; the same name with other numbers alone is another thing."""
    phrase = re.compile(rf"{re.escape(name)}[ -]?{figure.value}(?!\d)", re.IGNORECASE)
    if phrase.search(grounds.quoted_text) or figure.value in [
        f.value for sentence in grounds.quoted for f in sentence.figures if not f.unit
    ]:
        return True
    if re.search(rf"{re.escape(name)}[ -]?\d", grounds.quoted_text, re.IGNORECASE):
        return False
    if phrase.search(grounds.beside_text):
        return True
    return grounds.further(lambda flat: phrase.search(flat) is not None, lambda _: True) is not None


def _elsewhere(claim: Claim, value: Compared, grounds: Grounds) -> bool:
    """Whether the headline, the sentence before or a further one gives this value for the same thing."""
    figure = next((f for f in claim.sentence.figures if f.start == value.start), None)
    around = _around(claim, value.start)

    def has(sentence: Sentence) -> bool:
        (one,) = [
            v
            for v in compare(claim.sentence, [(0, sentence)])
            if v.start == value.start and v.kind == value.kind
        ][:1]
        if one.outcome != "same":
            return False
        strengths = grounds.strengths(claim, [sentence])
        total = sum(claim.sought[i].weight for i in around)
        got = sum(claim.sought[i].weight * strengths[i] for i in around)
        return not total or got >= _SHARED * total

    if any(has(sentence) for sentence in grounds.beside):
        return True
    written = claim.sentence.text[value.start : value.end]
    digits = re.search(r"\d+", written)
    if figure is None or digits is None:
        return False
    return (
        grounds.further(lambda flat: digits.group() in flat or bool(re.search(r"\d", flat)), has)
        is not None
    )


def _around(claim: Claim, at: int) -> list[int]:
    """Words with content in the clause of a value."""
    words = claim.sentence.words
    clause = next((word.clause for word in words if word.end > at), 0)
    return [
        i
        for i, each in enumerate(claim.sought)
        if each.weight > _CONTENT and not each.value and words[i].clause == clause
    ]


def check_dates(claim: Claim, grounds: Grounds, question: str) -> Found:
    """Look for every date at its precision; the question lends one to a page of that date."""
    mine = claim.sentence
    plain = date_mentions(mine.text, None)
    found = Found()
    for wanted, raw in zip(mine.dates, plain, strict=True):
        if not _dated(wanted, raw, grounds, question):
            found.problems.append(problem("absent", what=mine.text[wanted.start : wanted.end]))
    return found


def _dated(wanted: DateMention, raw: DateMention, grounds: Grounds, question: str) -> bool:
    published = grounds.published

    def same(other: DateMention) -> bool:
        # A day without a year may be read as the one before or after the page.
        if (
            published
            and other.year
            and wanted.year == published.year
            and abs(other.year - published.year) == 1
        ):
            other = replace(other, year=wanted.year) if str(other.year) not in other.text else other
        if agrees(wanted, other) and not is_finer(wanted, other):
            return True
        if raw.year is None and raw.month and not is_finer(raw, other):
            return raw.month == other.month and raw.day == other.day
        return raw.date is None and raw.text == other.text

    if any(same(other) for sentence in grounds.quoted for other in sentence.dates):
        return True
    if _day_alone(wanted, grounds):
        return True
    known = [other for sentence in grounds.quoted for other in sentence.dates]
    rival = any(
        not is_finer(wanted, other) and other.precision == wanted.precision for other in known
    )
    if not rival and any(same(other) for sentence in grounds.beside for other in sentence.dates):
        return True
    published = grounds.published
    if published is None:
        return False
    if (
        wanted.precision == "year"
        and wanted.year == published.year
        and not any(other.year not in (None, wanted.year) for other in known)
    ):
        return _THIS_YEAR.search(grounds.quoted_text) is not None
    page = DateMention(0, 0, "", published, "day", published.year, published.month, published.day)
    return agrees(wanted, page) and any(
        agrees(wanted, asked) and not is_finer(wanted, asked)
        for asked in date_mentions(question, published)
    )


def _day_alone(wanted: DateMention, grounds: Grounds) -> bool:
    """Whether the quote names a day of the month in which its page was published: 28日前."""
    published = grounds.published
    if published is None or wanted.date is None or wanted.precision != "day":
        return False
    if (wanted.year, wanted.month) != (published.year, published.month):
        return False
    return re.search(rf"(?<![\d月]){wanted.day}日", grounds.quoted_text) is not None


# What a value is said of.


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
            if (
                not _is_score(claim, value)
                and not _name_of_value(claim, value)
                and _is_apart(claim, alignment, value, values)
            ):
                written = claim.sentence.text[value.start : value.end]
                if all(written != p.params.get("what") for p in found):
                    found.append(problem("apart", what=written, whom=_whom(claim, value)))
    return found


def _is_score(claim: Claim, value: Compared) -> bool:
    """Whether a number belongs to a score or a vote: 7-2."""
    around = claim.sentence.text[max(0, value.start - 2) : value.end + 2]
    return re.search(r"\d-\d", around) is not None


def _name_of_value(claim: Claim, value: Compared) -> bool:
    figure = next((f for f in claim.sentence.figures if f.start == value.start), None)
    return figure is not None and bool(_name_of(figure, claim.sentence.text))


def _whom(claim: Claim, value: Compared) -> str:
    around = _around(claim, value.start)
    if not around:
        return ""
    word = claim.sentence.words[around[0]]
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
            if (
                _source(theirs, rival) == _source(theirs, there)
                and not _is_reporting(alignment.sentence, rival)
                and _prefers(claim, alignment, value, values, rival, named=False)
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


def _is_reporting(sentence: Sentence, span: tuple[int, int]) -> bool:
    """Whether a day or a figure stands beside a verb of saying: "said on Tuesday"."""
    for cue in sentence.cues:
        if cue.kind == "says" and cue.first < len(sentence.words):
            start, end = (
                sentence.words[cue.first].start,
                sentence.words[max(cue.first, cue.last - 1)].end,
            )
            if -2 <= span[0] - end <= 9 or 0 <= start - span[1] <= 8:
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
    *,
    named: bool = True,
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
        if each.weight <= _CONTENT or each.value or keys.count(keys[link.at]) > 1:
            continue
        word = mine.words[link.claim]
        if not named and mine.kinds[link.claim][:1] == "n":
            continue
        near = _distance(mine, word.start, here)
        if any(_distance(mine, word.start, other) <= near for other in others):
            continue
        if not others and word.clause != _clause(mine, value.start):
            continue
        at = theirs.words[link.at].start
        if _distance(theirs, at, there) <= _distance(theirs, at, rival):
            own += each.weight
        else:
            away += each.weight
    return away > own + _MARGIN


def _clause(sentence: Sentence, at: int) -> int:
    return next((word.clause for word in sentence.words if word.end > at), 0)


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
        if f.start != start and f.unit == figure.unit and not _name_of(f, sentence.text)
    ]


def _source(text: str, span: tuple[int, int]) -> bool:
    return _FROM.search(text[max(0, span[0] - 24) : span[0]]) is not None


def _distance(sentence: Sentence, at: int, span: tuple[int, int]) -> float:
    low, high = (at, span[0]) if at < span[0] else (span[1], at)
    between = sentence.text[low:high]
    words = sum(low <= word.start < high for word in sentence.words)
    return words + _CROSSING * len(_APART.findall(between))
