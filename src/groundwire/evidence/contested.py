"""Points on which independent origins differ: another figure, another date, or the opposite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache, cached_property
from typing import Literal, TypeAlias

from groundwire.evidence.characters import normalise
from groundwire.evidence.dates import DateMention, agrees, date_mentions, date_spans
from groundwire.evidence.glossary import groups, known_names
from groundwire.evidence.names import name_key, names
from groundwire.evidence.numbers import Figure, figures, same_figure
from groundwire.evidence.polarity import opposes, stem
from groundwire.evidence.text import is_stop_word, tokens
from groundwire.model.source import Evidence

Kind: TypeAlias = Literal["figure", "date", "polarity"]

_SAME_THING = 0.6
_SAME_EVENT = 0.7
_TOLERANCE = Decimal("0.02")
_ESTIMATE = re.compile(
    r"\b(?:estimat\w*|project\w*|forecast\w*|expect\w*|target\w*)\b|预计|预估|估计|估算|预测|预期|目标",
    re.IGNORECASE | re.ASCII,
)
_PART = re.compile(
    r"\b(?:of (?:its|the|their|which|a|that)|includ\w+|part of|portion|remaining|another|additional|share of)\b|其中|包括|部分|剩余|另有|另外|占",
    re.IGNORECASE | re.ASCII,
)
_TOTAL = re.compile(
    r"\b(?:total\w*|altogether|combined|cumulative\w*|overall|aggregate|in all)\b|总计|共计|总共|累计|合计|总额|总",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Conflict:
    """One contested point; each side holds indices of the given statements that agree on it."""

    point: str
    kind: Kind
    sides: tuple[tuple[int, ...], ...]


class _Statement:
    """A sentence with what comparisons need, worked out once."""

    def __init__(self, text: str, evidence: Evidence) -> None:
        self.text = text
        self.origin = evidence.origin_id or evidence.id
        published = evidence.document.published_at
        self.published: date | None = published.date() if published else None

    @cached_property
    def figures(self) -> list[Figure]:
        return figures(self.text)

    @cached_property
    def dates(self) -> list[DateMention]:
        return date_mentions(self.text, self.published)

    @cached_property
    def names(self) -> dict[str, str]:
        return {name_key(name.text): name.text for name in names(self.text)}

    @cached_property
    def subjects(self) -> frozenset[str]:
        """What the sentence is about, without its figures and dates, in either language."""
        flat = normalise(self.text).text
        taken = [*date_spans(flat), *((figure.start, figure.end) for figure in figures(flat))]
        keys: set[str] = set()
        for start, end in known_names(flat):
            keys.add(name_key(flat[start:end]))
            taken.append((start, end))
        for start, end in sorted(taken, reverse=True):
            flat = flat[:start] + " " * (end - start) + flat[end:]
        words = (token for token in tokens(flat) if not is_stop_word(token) and len(token) > 1)
        stems = (stem(word) for word in words if not word[0].isdigit())
        return frozenset(keys | {_meanings().get(word, word) for word in stems})


@cache
def _meanings() -> dict[str, str]:
    """Stem of an English word to the key that its Chinese word has, too."""
    single = (form for group in groups() for form in group[1:] if form.isalpha() and form.isascii())
    return {stem(form.lower()): name_key(form) for form in single}


def conflicts(statements: Sequence[tuple[str, Evidence]]) -> tuple[Conflict, ...]:
    """Groups of statements from different origins that cannot all be true.

    Conservative: statements about something else, approximations, bounds and parts do not differ.
    """
    read = [_Statement(text, evidence) for text, evidence in statements]
    pairs: dict[Kind, list[tuple[int, int]]] = {}
    for j, later in enumerate(read):
        for i, earlier in enumerate(read[:j]):
            kind = _difference(earlier, later)
            if kind is not None:
                pairs.setdefault(kind, []).append((i, j))
    return tuple(
        Conflict(_point(kind, [read[index] for index in group]), kind, _sides(kind, read, group))
        for kind, found in pairs.items()
        for group in _groups(found)
    )


def _difference(a: _Statement, b: _Statement) -> Kind | None:
    if a.origin == b.origin:
        return None
    shared = a.subjects & b.subjects
    least = min(len(a.subjects), len(b.subjects))
    if len(shared) < 2 or len(shared) / least < _SAME_THING:
        return None
    if a.names and b.names and not a.names.keys() & b.names.keys():
        return None
    if opposes(a.text, b.text):
        return "polarity"
    days_differ = _dates_differ(a, b)
    if not days_differ and _figures_differ(a, b):
        return "figure"
    close = len(shared) / least >= _SAME_EVENT
    return "date" if days_differ and close and not _figures_differ(a, b) else None


def _dates_differ(a: _Statement, b: _Statement) -> bool:
    """Both name a day and no day of one agrees with a day of the other."""
    left = [mention for mention in a.dates if mention.date is not None]
    right = [mention for mention in b.dates if mention.date is not None]
    return bool(left and right) and not any(agrees(x, y) for x in left for y in right)


def _figures_differ(a: _Statement, b: _Statement) -> bool:
    for unit in sorted(
        {figure.unit for figure in a.figures} & {figure.unit for figure in b.figures}
    ):
        left = [figure for figure in a.figures if figure.unit == unit]
        right = [figure for figure in b.figures if figure.unit == unit]
        # With several amounts in play nothing says which answers which.
        if len(left) == 1 and len(right) == 1 and _differ(a, left[0], b, right[0]):
            return True
    return False


def _differ(a: _Statement, x: Figure, b: _Statement, y: Figure) -> bool:
    if same_figure(x, y) or _rounds(x, y) or _rounds(y, x) or _bounded(x, y) or _bounded(y, x):
        return False
    far = abs(x.value - y.value) > _TOLERANCE * max(abs(x.value), abs(y.value))
    if "about" in (x.qualifier, y.qualifier) and not far:
        return False
    if _ESTIMATE.search(a.text) or _ESTIMATE.search(b.text):
        return False
    flat_a, flat_b = normalise(a.text).text, normalise(b.text).text
    if _PART.search(flat_a) or _PART.search(flat_b):
        return False
    return (_TOTAL.search(flat_a) is None) == (_TOTAL.search(flat_b) is None)


def _rounds(short: Figure, long: Figure) -> bool:
    """Whether the one is the other, written with fewer digits."""
    exponent = short.value.normalize().as_tuple().exponent
    if not isinstance(exponent, int) or len(short.value.normalize().as_tuple().digits) < 2:
        return False
    return long.value.quantize(Decimal(1).scaleb(exponent)) == short.value


def _bounded(bound: Figure, value: Figure) -> bool:
    if bound.qualifier == "over":
        return value.value >= bound.value
    return bound.qualifier == "under" and value.value <= bound.value


def _groups(pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Indices that are connected by pairs, each group in order."""
    groups: list[set[int]] = []
    for pair in pairs:
        touching = [group for group in groups if group & set(pair)]
        merged = set(pair).union(*touching)
        groups = [group for group in groups if group not in touching] + [merged]
    return sorted(sorted(group) for group in groups)


def _sides(
    kind: Kind, read: Sequence[_Statement], group: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """Statements of a group that agree with the first of their side stand together."""
    sides: list[list[int]] = []
    for index in group:
        for side in sides:
            if not _apart(kind, read[side[0]], read[index]):
                side.append(index)
                break
        else:
            sides.append([index])
    return tuple(tuple(side) for side in sides)


def _apart(kind: Kind, a: _Statement, b: _Statement) -> bool:
    if kind == "polarity":
        return opposes(a.text, b.text)
    return _figures_differ(a, b) if kind == "figure" else _dates_differ(a, b)


def _point(kind: Kind, group: Sequence[_Statement]) -> str:
    """What it is about, in the words of the first statement."""
    first = group[0]
    common = [key for key in first.names if all(key in other.names for other in group)]
    label = ", ".join(first.names[key] for key in common) or first.text[:60].strip()
    return f"{label}: {kind}"
