"""Whether the figures, dates and counts of a sentence stand in its grounds, equally exact."""

from __future__ import annotations

import re
from dataclasses import replace

from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.problems import Findings, problem
from groundwire.evidence.citations.verbs import clause_of, content_words
from groundwire.evidence.reading.alignment import Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.comparison import Compared, compare
from groundwire.language.amounts.numbers import Figure
from groundwire.language.time.dates import DateMention, agrees, date_mentions, is_finer

_COUNTED = 3  # words after a number among which is what it counts,
_BESIDE = 14  # and characters between a number and that
_DIGIT = re.compile(r"\d")
_SHARED = 0.5  # share of the words around a value that another sentence must have
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
    """Look for every figure and count in the quotes, then beside them and elsewhere in the page."""
    findings = Findings()
    claimed = claim.sentence
    by_start = {figure.start: figure for figure in claimed.figures}
    for value in compare(claimed, list(enumerate(grounds.quoted))):
        figure, written = by_start.get(value.start), claimed.text[value.start : value.end]
        absent = problem("absent", what=written)
        if value.kind == "date":
            continue
        if value.kind == "figure" and figure and (name := numbered_name(figure, claimed.text)):
            if not _has_number(name, figure, grounds):
                findings.problems.append(absent)
            continue
        counted = value.kind == "count"
        if counted and written.lower() == "two" and "twice" in grounds.quoted_text:
            continue
        if _is_same(value, figure, grounds):
            _check_exactness(value, figure, claimed.text, grounds, findings)
        elif counted and value.outcome == "none" and claim.analysis.chinese != grounds.chinese:
            continue
        elif not _is_elsewhere(claim, value, grounds):
            # In words, a number is as often a way to put it as a figure ("two rivals", 第一次).
            loose = not _DIGIT.search(written) and not (figure and figure.unit)
            unsure = loose and not _is_counted_otherwise(claim, value, grounds)
            (findings.unsure if unsure else findings.problems).append(absent)
    return findings


def _is_counted_otherwise(claim: Claim, value: Compared, grounds: Grounds) -> bool:
    """Tell whether a quote has another number before what the sentence counts."""
    words = claim.sentence.words
    near = [i for i, word in enumerate(words) if word.start >= value.end][:_COUNTED]
    counted = [i for i in content_words(claim) if i in near][:1]
    for alignment in grounds.align(claim) if counted else ():
        quoted = alignment.sentence
        ends = [each.end for each in (*quoted.figures, *quoted.counts)]
        starts = [quoted.words[link.at].start for link in alignment.links if link.claim in counted]
        if any(0 <= start - end <= _BESIDE for start in starts for end in ends):
            return True
    return False


def _is_same(value: Compared, figure: Figure | None, grounds: Grounds) -> bool:
    if value.outcome == "same":
        return True
    if value.outcome != "near" or figure is None or value.place is None:
        return False
    number, start, _ = value.place
    other = next(f for f in grounds.quoted[number].figures if f.start == start)
    return _is_rounded(figure, other)


def _is_rounded(claimed: Figure, quoted: Figure) -> bool:
    """Tell whether the sentence's figure is the quote's, rounded or bounded."""
    if claimed.qualifier == "over":
        return quoted.value >= claimed.value
    if claimed.qualifier == "under":
        return quoted.value <= claimed.value
    digits, exponent = (
        claimed.value.as_tuple().digits,
        claimed.value.normalize().as_tuple().exponent,
    )
    longer = len(quoted.value.normalize().as_tuple().digits) > len(digits)
    if not isinstance(exponent, int) or not longer:
        return False
    return abs(quoted.value - claimed.value) * 2 <= 10**exponent


def _check_exactness(
    value: Compared, figure: Figure | None, text: str, grounds: Grounds, findings: Findings
) -> None:
    if figure is None or value.place is None:
        return
    number, start, _ = value.place
    other = next((f for f in grounds.quoted[number].figures if f.start == start), None)
    if other is None or other.value != figure.value:
        return
    claim_bound, quote_bound = figure.qualifier, other.qualifier
    written = text[value.start : value.end]
    quote_text = grounds.quoted[number].text
    claim_before = text[max(0, value.start - 24) : value.start]
    quote_before = quote_text[max(0, start - 24) : start]
    context = quote_before + quote_text[other.end : other.end + 6]
    negative = bool(_MINUS.search(quote_before))
    pairs = ((_BY, _TO), (_TO, _BY))
    if any(one.search(claim_before) and two.search(quote_before) for one, two in pairs) or (
        bool(_MINUS.search(claim_before)) != negative
        and not _DOWN.search(text if negative else quote_text)
    ):
        findings.problems.append(problem("bound", what=written))
        return
    bound_words = {"over": _OVER, "under": _UNDER}.get(claim_bound)
    if bound_words is not None and claim_bound != quote_bound and bound_words.search(context):
        return
    if {claim_bound, quote_bound} == {"over", "under"} or (
        claim_bound in ("over", "under") and quote_bound in ("", "about")
    ):
        findings.problems.append(problem("bound", what=written))
    elif not claim_bound and quote_bound in ("over", "under"):
        findings.doubts.append(problem("loose", what=written))


def numbered_name(figure: Figure, text: str) -> str:
    match = _NAMED.search(text[: figure.start])
    if match is None or figure.unit or figure.qualifier or match.group(1) in _NOT_NAMED:
        return ""
    return match.group(1) if text[figure.start : figure.end].isdigit() else ""


def _has_number(name: str, figure: Figure, grounds: Grounds) -> bool:
    """Tell whether a name stands there with its number; another number is another thing."""
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


def _is_elsewhere(claim: Claim, value: Compared, grounds: Grounds) -> bool:
    """Tell whether the headline or another sentence gives this value for the same thing."""
    figure = next((f for f in claim.sentence.figures if f.start == value.start), None)
    words = words_around(claim, value.start)

    def has(sentence: Sentence) -> bool:
        (compared,) = [
            v
            for v in compare(claim.sentence, [(0, sentence)])
            if v.start == value.start and v.kind == value.kind
        ][:1]
        return compared.outcome == "same" and grounds.says(claim, sentence, words, _SHARED)

    if any(has(sentence) for sentence in grounds.beside):
        return True
    if figure is None or not _DIGIT.search(claim.sentence.text, value.start, value.end):
        return False
    return grounds.further(lambda flat: _DIGIT.search(flat) is not None, has) is not None


def words_around(claim: Claim, at: int) -> list[int]:
    """List the content words in the clause of a value."""
    return content_words(claim, clause_of(claim.sentence, at))


def check_dates(claim: Claim, grounds: Grounds, question: str) -> Findings:
    """Look for every date at its precision; the question lends its date to a page of that date."""
    claimed = claim.sentence
    undated = date_mentions(claimed.text, None)
    findings = Findings()
    for wanted, raw in zip(claimed.dates, undated, strict=True):
        if not _is_dated(wanted, raw, grounds, question):
            written = claimed.text[wanted.start : wanted.end]
            findings.problems.append(problem("absent", what=written))
    return findings


def _is_dated(wanted: DateMention, raw: DateMention, grounds: Grounds, question: str) -> bool:
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
        agrees(wanted, day) and not is_finer(wanted, day)
        for day in date_mentions(question, published)
    )
