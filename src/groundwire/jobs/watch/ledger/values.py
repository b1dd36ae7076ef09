"""The values that a sentence gives: amounts, dates, names, versions; which were earlier ones or mere differences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import NamedTuple

from groundwire.evidence.reading.analysis import Sentence
from groundwire.jobs.watch.ledger.claims import ValueKind
from groundwire.jobs.watch.ledger.signs import stands_before
from groundwire.jobs.watch.ledger.units import in_base, unit_at
from groundwire.language.amounts.numbers import figures
from groundwire.language.names.chinese_names import chinese_names
from groundwire.language.names.glossary import known_names
from groundwire.language.names.names import is_country, name_key
from groundwire.language.names.subjects import is_people, is_region, latin_subjects
from groundwire.language.text.chinese import is_chinese
from groundwire.language.text.phrases import patterns
from groundwire.language.text.spans import Span, overlaps, without_overlaps
from groundwire.language.text.tokens import is_stop_word
from groundwire.language.text.wording import is_proper
from groundwire.language.time.dates import date_spans
from groundwire.language.time.expressions import expressions

TENFOLD = 10  # a figure that is so many times another is seldom of the same thing
_CURRENCIES = frozenset(
    {"元", "USD", "CNY", "EUR", "GBP", "JPY", "HKD", "TWD", "KRW", "INR", "SGD", "AUD", "CAD", "CHF", "NZD", "BRL", "¥"}
    | {"BTC", "ETH", "USDC", "USDT", "DAI", "BNB", "SOL", "XRP"}
)  # fmt: skip
_ALIKE = ({"元", "CNY", "TWD", "HKD"}, {"¥", "CNY"}, {"¥", "JPY"}, {"deg", "C"})
_RATES = frozenset({"%", "pp", "bp"})
_PRECISIONS = {"day": 10, "month": 7, "year": 4}  # characters of an ISO day that are sure
_TIMES = ("years", "months", "weeks", "days", "hours", "minutes")
_PERIODS = frozenset({"month", "quarter", "half", "year"})
_VERSION = re.compile(
    r"(?<![\w.,$€£¥])v?\d{1,4}(?:\.\d{1,5}){1,3}(?![\w%]|\.\d)|\b(?:version|ver\.?|v) ?\d[A-Za-z0-9.]*\b|(?:(?<=版本)|(?<=版本[是为]))\d+(?:\.\d+)*",
    re.IGNORECASE,
)
_BARE = re.compile(r"^[^A-Za-z¥]*(?<!人民币)元$")  # of which country nobody says
_MODEL = re.compile(r"[A-Z\u00c0-\u00de][A-Za-z0-9\u00c0-\u024f&'-]* ?$")  # Aurin 5
_NUMBER = re.compile(r"[ -]?\d{1,3}(?![\d.,%])")
_NEXT_WORDS = frozenset("为任将已曾的是被出担")
_SHORTEST = 2  # characters of a Chinese name
_MOVED = re.compile(
    r"\b(?:mov|postpon|push|put back|delay|shift|chang|bring|brought|reschedul|advanc|slip|defer|extend|switch)\w*\b[^.;]{0,60}?"
    r"\bfrom (?:[a-z]+day,? )?[^,.;]{3,24}?( to )",
    re.IGNORECASE,
)
_MODEL_TO = re.compile(r"(?<=[a-z] )\d{1,3}(?= (?:to|until|till) \d)")
_TITLE = re.compile("《[^《》]{1,30}》")
_CONTENT = 0.5  # what a word weighs that says something
_FEW = 10
_CONVERTED = 4  # digits that nobody measures: it was another unit
_TELLING = 3  # digits of a length of time that is exact
_COUNTED = 2  # words behind a figure that can say what it counts
_YEAR = re.compile(r"\d{4}|年")
_HALF_A_YEAR = 183
_patterns = patterns("values.txt", __package__ or "", re.IGNORECASE)


class Found(NamedTuple):
    """A value in a sentence: where, and one key for all ways to write it."""

    kind: ValueKind
    key: str
    unit: str
    start: int
    end: int
    text: str
    written: str = ""  # its number as written, where that is another than its key

    @property
    def span(self) -> Span:
        return self.start, self.end


class Period(NamedTuple):
    """A time that a sentence names."""

    first: date
    precision: str
    start: int
    end: int
    text: str

    @property
    def label(self) -> str:
        """The same for all ways to write it: 2026-Q3, 2026-07, 2026."""
        if self.precision == "quarter":
            return f"{self.first.year}-Q{(self.first.month + 2) // 3}"
        if self.precision == "half":
            return f"{self.first.year}-H{1 if self.first.month < 7 else 2}"
        return self.first.isoformat()[: _PRECISIONS.get(self.precision, 10)]


def periods(sentence: Sentence, day: date) -> tuple[Period, ...]:
    """Return the times that a sentence names, seen from the day on which it was written."""
    base = datetime.combine(day, time(12), tzinfo=UTC)
    text = _without_stretches(sentence.text)
    found = (
        Period(each.first_day, each.precision, each.start, each.end, each.text)
        for each in expressions(text, base)
        if each.resolved and each.first_day is not None and not text.startswith("'s", each.end)
        and (each.precision in _PERIODS or each.first_day == each.last_day)
    )  # fmt: skip
    return tuple(_ahead(each, sentence, day) for each in found)


def _ahead(time: Period, sentence: Sentence, day: date) -> Period:
    """Return a day without a year as that of the coming year, where something is put off to it."""
    yearless = time.precision == "day" and _YEAR.search(time.text) is None
    far = (day - time.first).days > _HALF_A_YEAR
    open_ended = not sentence.text.isascii() and _patterns["over"].search(sentence.low) is None
    if not (yearless and far and (open_ended or _patterns["put off"].search(sentence.low))):
        return time
    try:
        return time._replace(first=time.first.replace(year=time.first.year + 1))
    except ValueError:  # 29 February
        return time


def time_spans(sentence: Sentence) -> list[Span]:
    """Find where a sentence names times, sure ones and others."""
    return date_spans(_without_stretches(sentence.text))


def _without_stretches(text: str) -> str:
    """Hide what makes a stretch of two days that are none: "the Pulse 3 to 12 November", "moved from 14 to 16 October"."""
    text = _MODEL_TO.sub(lambda match: "x" * len(match.group()), text)
    moved = _MOVED.search(text)
    return f"{text[: moved.start(1)]} ;  {text[moved.end(1) :]}" if moved else text


def amounts(sentence: Sentence, hidden: Iterable[Span]) -> Iterator[Found]:
    """Yield the amounts of a sentence, without numbers of models, ages and lengths of time."""
    for figure in sentence.figures:
        unit, end = unit_at(sentence.text, *figure.span, figure.unit)
        unit = "years" if not unit and stands_before(sentence, figure.span, "aged") else unit
        kind: ValueKind = (
            "money" if unit in _CURRENCIES else "percent" if unit in _RATES else "count"
        )
        before = sentence.text[max(0, figure.start - 24) : figure.start]
        bare = kind == "count" and not unit and figure.value < 1000
        model = not figure.qualifier and _is_model(before)
        label = bare and (model or _is_label(sentence, figure.span))
        label = label or before.endswith("+")  # N+2
        label = label or (bare and stands_before(sentence, figure.span, "against"))
        label = label or _patterns["day of two"].match(sentence.text, figure.end) is not None
        if not label and not overlaps(figure.span, hidden):
            unit = "元" if unit == "CNY" and _BARE.search(figure.text) else unit
            value, unit = in_base(figure.value, unit)
            text, plain = sentence.text[figure.start : end], _plain(figure.value)
            yield Found(kind, _plain(value), unit, figure.start, end, text, plain)
    for match in _patterns["one more"].finditer(sentence.text):
        figure = next(iter(figures(match["n"])), None)
        if figure is not None:
            yield Found("count", _plain(figure.value), "", *match.span("n"), match["n"])
    for count in sentence.counts:
        if count.kind == "number" and not overlaps((count.start, count.end), hidden):
            unit, end = unit_at(sentence.text, count.start, count.end, "")
            value, unit = in_base(count.value, unit)
            text, plain = sentence.text[count.start : end], _plain(count.value)
            yield Found("count", _plain(value), unit, count.start, end, text, plain)


def _is_model(before: str) -> bool:
    """Tell whether a number stands behind a name as part of it: Aurin 5, but not "About 900"."""
    match = _MODEL.search(before)
    return match is not None and not is_stop_word(match.group().strip().lower())


def _is_label(sentence: Sentence, span: Span) -> bool:
    """Tell whether a number only tells things of a kind apart: courtroom 3, ward 4."""
    behind = sentence.text[span[1] :]
    before = [at for at, word in enumerate(sentence.words) if word.end == span[0] - 1]
    if not before or (behind and behind[0] not in ",.;:)"):
        return False
    word = sentence.words[before[0]]
    return (
        sentence.text[word.start : word.end].isalpha()
        and sentence.kinds[before[0]] != "v"
        and word.weight > _CONTENT
        and not word.key.endswith("ed")
    )


def is_measured(sentence: Sentence, value: Found) -> bool:
    """Tell whether a sentence gives a thing the length of time that it has: "a lifetime of four years", 寿命为四年."""
    return value.unit in _TIMES and stands_before(sentence, value.span, "measured")


def is_news(value: Found) -> bool:
    """Tell whether an amount is news without an attribute: no few things, and no stretch of time."""
    if value.kind != "count":
        return True
    if value.unit in _TIMES:
        return len(value.key.rstrip("0")) >= _TELLING  # 148 minutes; "10 years" are seldom news
    written = value.written or value.key
    return Decimal(written) >= _FEW + (not value.text[:1].isdigit()) or "." in written


def versions(sentence: Sentence) -> Iterator[Found]:
    """Yield what looks like the number of a version."""
    for match in _VERSION.finditer(sentence.text):
        key = re.sub(r"[^\d.]*(?=\d)", "", match.group(), count=1).rstrip(".")
        yield Found("version", key, "", *match.span(), match.group())


def days(times: Iterable[Period]) -> Iterator[Found]:
    """Yield the times as values."""
    for each in times:
        # "This year" is no day to be known by.
        if each.precision != "year" or _is_dated(each):
            yield Found("date", each.label, "", each.start, each.end, each.text)


def _is_dated(time: Period) -> bool:
    return any(char.isdigit() for char in time.text)


def has_digits(text: str) -> bool:
    """Tell whether a time is written with a figure, and so says which day: 3 May, 10月3日."""
    return any(char.isdigit() for char in text)


def only_passes(value: Found, day: date) -> bool:
    """Tell whether a time is one of the last days by the telling: "on Wednesday" says when, and is no news itself."""
    past = value.kind == "date" and value.key <= day.isoformat()
    return past and not any(char.isdigit() for char in value.text)


def names_in(sentence: Sentence, hidden: Iterable[Span]) -> tuple[Found, ...]:
    """Return the names of a sentence outside the hidden stretches: Latin ones whole, Chinese ones as known."""
    text = sentence.text
    for start, end in hidden:
        text = text[:start] + ";" * (end - start) + text[end:]
    chinese = not sentence.text.isascii() and is_chinese(sentence.text)
    spans = [
        (each.start, _with_number(text, each.end))
        for each in latin_subjects(text)
        # A capital shows nothing where a sentence begins, except among Chinese characters.
        if each.sure or chinese or text[: each.start].strip(";' \"")
    ]
    people = [(start, end - _tail(text[start:end])) for start, end in chinese_names(text)]
    spans.extend(people)
    # 由导演唐屿担任: where a name is known in it, what stands before that is his trade.
    seats = [
        match.span("who")
        for heading in ("seated", "holds")
        for match in _patterns[heading].finditer(text)
    ]
    spans.extend(_dotted(sentence))
    spans.extend(seat for seat in seats if not any(seat[1] == end for _, end in people))
    spans.extend(match.span() for match in _TITLE.finditer(text))
    spans.extend(span for span in known_names(text) if is_proper(text[slice(*span)]))
    return tuple(
        Found("name", name_key(text[a:b]), "", a, b, sentence.text[a:b])
        for a, b in without_overlaps(spans)
        if not is_people(text[a:b]) and not is_stop_word(text[a:b].lower())
    )


def _dotted(sentence: Sentence) -> Iterator[Span]:
    """Find foreign names in Chinese letters by the dot inside them: 阿莱娜·多雷."""
    words = sentence.words
    for at, char in enumerate(sentence.text):
        before = [each for each in words if each.end == at]
        behind = [number for number, each in enumerate(words) if each.start == at + 1]
        if char not in "·・" or not before or not behind:
            continue
        last = behind[0]
        while last + 1 < len(words) and _goes_on(sentence, last):
            last += 1
        yield before[0].start, words[last].end


def _goes_on(sentence: Sentence, at: int) -> bool:
    """Tell whether a name cut in pieces goes on with the next word: 卡, 斯蒂."""
    one, other = sentence.words[at], sentence.words[at + 1]
    tag = sentence.tags[at + 1]
    return one.end == other.start and len(one.key) == 1 and tag[:1] in ("n", "x", "")


def is_somebody(name: str) -> bool:
    """Tell whether a name can be that of a person: no country, place or body."""
    if _patterns["nobody"].search(name) is not None:
        return False
    return not is_region(name) and not is_country(name)


def _tail(name: str) -> int:
    """Count the characters behind a Chinese name that belong to the next word: 周岚为."""
    return int(len(name) > _SHORTEST and name[-1] in _NEXT_WORDS)


def _with_number(text: str, end: int) -> int:
    """Extend a name by the number behind it: Aurin 5."""
    number = _NUMBER.match(text, end)
    return number.end() if number else end


def written_on(sentence: Sentence, day: date) -> date:
    """Return the day of its text that a sentence gives, if that is an old one: "this review first appeared in June"."""
    if _patterns["own date"].search(sentence.low) is None:
        return day
    return min((each.first for each in periods(sentence, day)), default=day)


def content(sentence: Sentence) -> frozenset[str]:
    """Return the words of a sentence that say something, without figures."""
    return frozenset(
        word.key for word in sentence.words if word.weight > _CONTENT and not word.key[0].isdigit()
    )


def counted(sentence: Sentence, found: Span) -> frozenset[str]:
    """Return what a figure counts: the words right behind it, and those that name a unit."""
    words = [word for word in sentence.words if word.start >= found[1] and word.weight > _CONTENT]
    edge = min((edge for edge in sentence.edges if edge >= found[1]), default=len(sentence.text))
    return frozenset(word.key for word in words[:_COUNTED] if word.start < edge)


def same_unit(one: str, other: str) -> bool:
    """Tell whether two units can be one: 元 is that of any of its countries, ¥ that of two."""
    if one == other or any(one in units and other in units for units in _ALIKE):
        return True
    # What is measured may be told without its unit: a top speed of 350.
    return "" in (one, other) and not {one, other} & {*_TIMES, *_CURRENCIES, *_RATES}


def same_value(kind: ValueKind, one: str, other: str) -> bool:
    """Tell whether two keys of a kind are one value, at the coarser precision of dates and of rounded amounts."""
    if one == other:
        return True
    if kind == "date":
        return one.startswith(other) or other.startswith(one)
    if kind in ("money", "count", "percent"):
        return _rounds(Decimal(one), Decimal(other))
    return False


def _rounds(a: Decimal, b: Decimal) -> bool:
    """Tell whether one amount is the other with at least two digits fewer; beside one converted two digits are sure."""
    fine, coarse = sorted((a.normalize(), b.normalize()), key=lambda x: -len(x.as_tuple().digits))
    most, fewest = len(fine.as_tuple().digits), len(coarse.as_tuple().digits)
    exponent = coarse.as_tuple().exponent
    if most - fewest < 2 or not isinstance(exponent, int):
        return False
    if fewest < 2:
        if most <= _CONVERTED:
            return False
        exponent -= 1
    return 2 * abs(a - b) < Decimal(1).scaleb(exponent)


def _plain(value: Decimal) -> str:
    return format(value.normalize(), "f")


def are_far_apart(one: str, other: str, times: int = TENFOLD) -> bool:
    """Tell whether two figures differ as those of one thing seldom do."""
    least, most = sorted(abs(Decimal(each)) for each in (one, other))
    return most > times * least
