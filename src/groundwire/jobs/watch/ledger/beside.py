"""What else of its kind a sentence gives beside a value: the one that it replaces, and those of other things.

The value before says better than any word which claim a sentence is about: "from 14 to 16 October" is about the claim
of 14 October, and who takes over from Marta Quental has the place that she had.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from groundwire.evidence.reading.standing import NEGATED
from groundwire.jobs.watch.ledger.pairing import Told, marks_at
from groundwire.jobs.watch.ledger.signs import (
    is_earlier,
)
from groundwire.jobs.watch.ledger.values import (
    Found,
    amounts,
    days,
    is_news,
)


def tag(value: Found) -> str:
    """Return what a value is known by among others."""
    return f"{value.kind}:{value.key}"


def replaced_in(told: Told, names: Iterable[Found]) -> frozenset[str]:
    """Return the values that a sentence says were so before, or are not so; of names all, as one follows another."""
    return frozenset((*(tag(each) for each in _before(told)), *(tag(each) for each in names)))


def _before(told: Told) -> Iterator[Found]:
    sentence = told.sentence
    dated = [(each.start, each.end) for each in told.times]
    for value in (*amounts(sentence, dated), *days(told.times)):
        sure = value.kind != "count" or is_news(value)
        if sure and (is_earlier(sentence, value.span) or marks_at(sentence, value.span) & NEGATED):
            yield value
