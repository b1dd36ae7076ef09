"""Where sentences of independent origins give another figure or another day for the same thing.

Only sentences that answer the same question are compared, by the one clause that holds the
figure or the day.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Literal, TypeAlias

from groundwire.evidence.questions.candidates import TIER_WEIGHT, Candidate
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.polarity import turns
from groundwire.language.amounts.numbers import Figure, figures, same_figure
from groundwire.language.names.glossary import known_names
from groundwire.language.names.names import names
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.sentences import sentences
from groundwire.language.text.spans import blanked
from groundwire.language.text.tokens import content_tokens
from groundwire.language.text.wording import is_han, related_spans, stemmed, variants
from groundwire.language.time.dates import DateMention, agrees, date_mentions, date_spans
from groundwire.model.source import Tier

Kind: TypeAlias = Literal["figure", "date"]

_CLAUSE = re.compile(r"[,，;；。:：](?!\d)")
_BEFORE = re.compile(
    r"(?:\b(?:from|until|till|by|before|after|since)(?: \w+day)?,? |[自至到])$", re.IGNORECASE
)
_AFTER = re.compile(r"(?:（[^）]*）)?(?:起|前|后|後|之前|之后|以前|以来|以來)")
# Where it was evening in California, it was the next morning in Beijing.
_CLOCK = re.compile(
    rf"[{HAN}]{{2,4}}时间|\b(?:[A-Z][a-z]+|local|[Ee]astern|[Pp]acific) (?:local |standard )?time\b|\b(?:UTC|GMT|[ECMP][SD]?T)\b"
)
# Many things happen to one name on different days; a figure for it is rarer.
_FEWEST_SHARED: dict[Kind, int] = {"figure": 3, "date": 4}
_SHORT_SHARE = 0.5  # of the shorter clause's subjects, when both have all of the question
_LEAST_SHARE: dict[Kind, float] = {"figure": 0.5, "date": 0.4}
# How far apart two amounts may be and still be one: 0.87 and 0.88, not 589 and 593.
_CLOSE, _CLOSE_EXACT, _EXACT_DIGITS = Decimal("0.02"), Decimal("0.005"), 3
_DAYS_APART = 30
_FACTOR = 30


@dataclass(frozen=True, slots=True)
class StatedValue:
    """One sentence and the one figure or day that it gives."""

    candidate: Candidate
    value: str  # as written
    given: Figure | date
    subjects: frozenset[str]
    named: frozenset[str]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A point with at least two sides, the best supported first."""

    kind: Kind
    sides: tuple[tuple[StatedValue, ...], ...]


def contradictions(
    pool: Sequence[Candidate], kinds: Sequence[Kind], intent: Intent | None = None
) -> tuple[Contradiction, ...]:
    """Find sides that cannot all be true; at most one point for figures and one for days."""
    points: list[Contradiction] = []
    for kind in kinds:
        statements = [each for candidate in pool for each in _stated_values(candidate, kind)]
        points.append(Contradiction(kind, _sides(_Point(kind, intent), statements)))
    return tuple(each for each in points if each.sides)


def strength(side: Sequence[StatedValue]) -> float:
    """Sum the independent origins behind a side, each by its best source."""
    best: dict[str, float] = {}
    for each in side:
        passage = each.candidate.passage
        weight = TIER_WEIGHT[passage.tier]
        best[passage.origin_id] = max(weight, best.get(passage.origin_id, 0.0))
    return sum(best.values())


def outweighs(one: Sequence[tuple[str, Tier]], other: Sequence[tuple[str, Tier]]) -> bool:
    """Tell whether one side settles a point: a primary source and another origin, against one lesser origin.

    A side is given by the origin and the tier of each of its pages.
    """
    primary = any(tier == "primary" for _, tier in one)
    lesser = all(TIER_WEIGHT[tier] < TIER_WEIGHT["primary"] for _, tier in other)
    return primary and lesser and len({o for o, _ in one}) > 1 and len({o for o, _ in other}) == 1


def _stated_values(candidate: Candidate, kind: Kind) -> list[StatedValue]:
    """List the values that a sentence states singly; of two it is unclear which is meant."""
    named = frozenset(_named(candidate.text))
    if kind == "date":
        days = [day for day in candidate.dates if day.precision == "day" and day.weekday is None]
        exact = {day.date for day in days}
        if len(exact) != 1 or days[0].date is None or len(sentences(candidate.text)) != 1:
            return []
        text, day = candidate.text, days[0]
        if only_bounds(text, day):
            return []
        return [StatedValue(candidate, day.text, days[0].date, subjects_of(text), named)]
    amounts = [f for f in candidate.figures if f.unit not in ("", "x") and f.value != 1]
    units = [figure.unit for figure in amounts]
    return [
        StatedValue(candidate, each.text, each, subjects_of(_clause(candidate.text, each)), named)
        for each in amounts
        if units.count(each.unit) == 1
    ]


def only_bounds(text: str, day: DateMention) -> bool:
    """Tell whether a day only begins or ends something: from Monday, 自3月13日起."""
    return bool(_BEFORE.search(text[: day.start]) or _AFTER.match(text[day.end :]))


def tells_whose_clock(text: str) -> bool:
    """Tell whether a text says by whose clock it names a day: 北京时间, local time."""
    return _CLOCK.search(simplify(text)) is not None


def _clause(text: str, figure: Figure) -> str:
    stops = [match.end() for match in _CLAUSE.finditer(text)]
    start = max((stop for stop in stops if stop <= figure.start), default=0)
    return text[start : min((stop for stop in stops if stop >= figure.end), default=len(text))]


@lru_cache(maxsize=4096)
def _named(text: str) -> tuple[str, ...]:
    return tuple(_key(name.text) for name in names(text))


@lru_cache(maxsize=4096)
def subjects_of(text: str) -> frozenset[str]:
    """Collect what a clause is about, in either language, without its own figures and days."""
    flat = simplify(text)
    taken = [*date_spans(flat), *((figure.start, figure.end) for figure in figures(flat))]
    flat = blanked(flat, taken)
    spans = known_names(flat)
    spans.extend(related_spans(blanked(flat, spans)))
    keys = [_key(flat[start:end]) for start, end in spans]
    keys.extend(_key(token) for token in content_tokens(blanked(flat, spans)) if len(token) > 1)
    keys.extend(str(figure.value.normalize()) for figure in figures(text) if figure.value != 1)
    days = (day for day in date_mentions(text) if day.precision == "day")
    keys.extend(str(day.date) for day in days if day.date is not None)
    return frozenset(keys)


@lru_cache(maxsize=4096)
def _key(word: str) -> str:
    """Return one key for a word and its relatives in both languages."""
    return min((stemmed(name) for name in variants(word)), key=lambda name: (is_han(name), name))


class _Point:
    """What the question is about: two statements dispute it only if both speak of it."""

    def __init__(self, kind: Kind, intent: Intent | None) -> None:
        terms = intent.terms if intent is not None else ()
        heavy = [(n, term) for n, term in enumerate(terms) if not term.light]
        self.kind: Kind = kind
        self.given = intent is not None
        self.words = frozenset(n for n, term in heavy if term.kind == "word")
        self.names = frozenset(n for n, term in heavy if term.kind == "name")

    def clash(self, a: StatedValue, b: StatedValue) -> bool:
        """Tell whether two statements differ about one thing, by the question and their words."""
        if not _differ(a, b):
            return False
        # The day on which it was denied is another day than that on which it came.
        if self.kind == "date" and turns(a.candidate.text) != turns(b.candidate.text):
            return False
        both = a.candidate.own & b.candidate.own & (self.words | self.names)
        event = bool(self.words) and self.words <= both
        if not event and (
            (self.kind == "date" and self.given) or (self.words and not self.words & both)
        ):
            return False
        # R1 and V3 are two things, and so are two years, whatever else the sentences share.
        if _name_other_codes(a, b) or not _may_share_period(a.candidate, b.candidate):
            return False
        least = min(len(a.subjects), len(b.subjects))
        # Names may stand in another clause of the sentence.
        shared = (a.subjects | a.named) & (b.subjects | b.named)
        # Short clauses share few words; that both hold all of the question is enough.
        if event and self.names <= both and len(shared) >= _SHORT_SHARE * least:
            return True
        named = bool(a.named & b.named or both & self.names)
        inside = bool((a.subjects & b.subjects) - a.named)
        enough = max(_FEWEST_SHARED[self.kind], _LEAST_SHARE[self.kind] * least)
        return named and inside and least > 0 and len(shared) >= enough


def _name_other_codes(a: StatedValue, b: StatedValue) -> bool:
    codes = [frozenset(n for n in each.named if any(c.isdigit() for c in n)) for each in (a, b)]
    return bool(codes[0] and codes[1] and not codes[0] & codes[1])


def _may_share_period(a: Candidate, b: Candidate) -> bool:
    """Tell whether the years and quarters that both name can be the same."""
    periods = [
        [day for day in each.dates if day.precision in ("year", "quarter") and day.weekday is None]
        for each in (a, b)
    ]
    if not periods[0] or not periods[1]:
        return True
    return any(agrees(x, y) for x in periods[0] for y in periods[1])


def _differ(a: StatedValue, b: StatedValue) -> bool:
    if a.candidate.passage.origin_id == b.candidate.passage.origin_id:
        return False
    x, y = a.given, b.given
    if isinstance(x, date) or isinstance(y, date):
        clocks = any(tells_whose_clock(each.candidate.text) for each in (a, b))
        least = 1 if clocks else 0
        return (
            isinstance(x, date) and isinstance(y, date) and least < abs((x - y).days) <= _DAYS_APART
        )
    # A sentence that has the other figure too explains the difference.
    explained = any(same_figure(y, figure) for figure in a.candidate.figures) or any(
        same_figure(x, figure) for figure in b.candidate.figures
    )
    return x.unit == y.unit and not explained and not compatible(x, y)


def compatible(x: Figure, y: Figure) -> bool:
    """Tell whether two amounts can both be right: equal, rounded, bounded, or not comparable."""
    if same_figure(x, y) or not x.value or not y.value:
        return True
    low, high = sorted((abs(x.value), abs(y.value)))
    exact = all(len(each.value.normalize().as_tuple().digits) >= _EXACT_DIGITS for each in (x, y))
    if high > _FACTOR * low or high - low <= (_CLOSE_EXACT if exact else _CLOSE) * high:
        return True
    return any(
        _rounded(one.value, other.value)
        or (one.qualifier == "under" and other.value <= one.value)
        or (one.qualifier == "over" and other.value >= one.value)
        for one, other in ((x, y), (y, x))
    )


def _rounded(short: Decimal, long: Decimal) -> bool:
    """Tell whether one amount is the other with fewer digits."""
    exponent = short.normalize().as_tuple().exponent
    # Compared, not quantised: a number of thirty digits does not fit the context.
    return isinstance(exponent, int) and 2 * abs(long - short) <= Decimal(1).scaleb(exponent)


def _same(x: Figure | date, y: Figure | date) -> bool:
    if isinstance(x, date) or isinstance(y, date):
        return x == y
    return same_figure(x, y)


def _sides(point: _Point, statements: Sequence[StatedValue]) -> tuple[tuple[StatedValue, ...], ...]:
    """Return the strongest contradicted statement with those who make it, and each other side."""
    groups: list[list[StatedValue]] = []
    for each in statements:
        if not any(point.clash(each, other) for other in statements):
            continue
        group = next((group for group in groups if _same(group[0].given, each.given)), None)
        if group is None:
            groups.append(group := [])
        group.append(each)
    groups.sort(key=lambda group: (-strength(group), group[0].candidate.passage.number))
    others = [
        group for group in groups[1:] if any(point.clash(a, b) for a in group for b in groups[0])
    ]
    return tuple(tuple(group) for group in (groups[0], *others)) if others else ()


def restates(text: str, side: str, other: str) -> bool:
    """Tell whether a text gives the value in which two accounts differ, for the same thing."""
    other_figures = figures(other)
    values = [
        x
        for x in figures(side)
        if x.value != 1
        and any(y.unit == x.unit for y in other_figures)
        and not any(same_figure(x, y) for y in other_figures)
    ]
    for figure in figures(text):
        if any(same_figure(figure, value) for value in values):
            return _shares(_clause(text, figure), side)
    text_days, side_days, other_days = (
        [day for day in date_mentions(each) if day.precision == "day"]
        for each in (text, side, other)
    )
    disputed = [x for x in side_days if other_days and not any(agrees(x, y) for y in other_days)]
    return any(agrees(x, y) for x in text_days for y in disputed) and _shares(text, side)


def _shares(clause: str, side: str) -> bool:
    """Tell whether a clause shares at least half of its subjects with a side."""
    subjects, side_subjects = subjects_of(clause), subjects_of(side)
    return 2 * len(subjects & side_subjects) >= len(subjects) and bool(subjects & side_subjects)
