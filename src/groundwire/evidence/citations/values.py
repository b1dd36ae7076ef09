"""Whether figures, dates and counts of a sentence stand in its grounds, as exactly."""

from __future__ import annotations

import re
from dataclasses import replace

from groundwire.evidence.citations.acts import clause_of, content
from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.reading.alignment import Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.comparison import Compared, compare
from groundwire.language.amounts.numbers import Figure
from groundwire.language.time.dates import DateMention, agrees, date_mentions, is_finer

_SHARED = 0.5  # of the words around a value that a further sentence must have
# "iPhone 15", "Unit 2", "Luna 25": a number that belongs to a name.
_NAMED = re.compile(r"(?:^|[^\w.])([A-Z][A-Za-z]+|[a-z][A-Z][A-Za-z]+) \Z")
_NOT_NAMED = frozenset({"The", "In", "On", "By", "At", "About", "Over", "Around", "Nearly", "Some", "More", "Only",
                        "All", "From", "For", "To", "As", "And", "But", "Of", "After", "Before", "Until", "Since"})  # fmt: skip
_OVER = re.compile(
    r"more than|over|above|at least|exceed|upwards of|超过|逾|超|至少|不少于|高于|突破|多|余|以上",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"less than|under|below|at most|up to|fewer than|maximum|不到|不足|低于|最多|至多|最高|少于|以下|以内",
    re.IGNORECASE,
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


def check_figures(claim: Claim, grounds: Grounds) -> Findings:
    """Look for every figure and count; what is not quoted may stand beside or further on."""
    found = Findings()
    mine = claim.sentence
    by_start = {figure.start: figure for figure in mine.figures}
    for value in compare(mine, list(enumerate(grounds.quoted))):
        if value.kind == "date":
            continue
        if value.kind == "figure" and (name := name_of(by_start[value.start], mine.text)):
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
    value: Compared, figure: Figure | None, text: str, grounds: Grounds, found: Findings
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


def name_of(figure: Figure, text: str) -> str:
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
    near = around(claim, value.start)

    def has(sentence: Sentence) -> bool:
        (one,) = [
            v
            for v in compare(claim.sentence, [(0, sentence)])
            if v.start == value.start and v.kind == value.kind
        ][:1]
        return one.outcome == "same" and grounds.says(claim, sentence, near, _SHARED)

    if any(has(sentence) for sentence in grounds.beside):
        return True
    digits = re.compile(r"\d")
    if figure is None or not digits.search(claim.sentence.text, value.start, value.end):
        return False
    return grounds.further(lambda flat: digits.search(flat) is not None, has) is not None


def around(claim: Claim, at: int) -> list[int]:
    """Words with content in the clause of a value."""
    return content(claim, clause_of(claim.sentence, at))


def check_dates(claim: Claim, grounds: Grounds, question: str) -> Findings:
    """Look for every date at its precision; the question lends one to a page of that date."""
    mine = claim.sentence
    plain = date_mentions(mine.text, None)
    found = Findings()
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
    if published is None:
        return False
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
