"""Acts that another act undoes, where no attribute names them: a gate is closed and reopened, trading halted and resumed.

Pairs stand in `attributes.json` as `done` and `undone`; the key of a value is its pair and its side.
"""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.evidence.reading.analysis import Sentence
from groundwire.jobs.watch.ledger.attributes import Word, reversals
from groundwire.jobs.watch.ledger.values import (
    Found,
)
from groundwire.language.text.spans import Span, overlaps

_UNDONE = "-"


def reversal(sentence: Sentence, hidden: Iterable[Span], start: int, end: int) -> Found | None:
    """Return what a sentence says was done, or undone; "lifted the blockade" tells of its end alone."""
    spans = list(hidden)
    words = [
        each
        for each in reversals().find(sentence)
        if not each.weak and start <= each.start < end and not overlaps((each.start, each.end), spans)
    ]
    found = min(words, key=_first, default=None)
    if found is None:
        return None
    written = sentence.text[found.start : found.end]
    return Found("state", found.meaning, "", found.start, found.end, written)


def is_of_one_pair(one: str, other: str) -> bool:
    """Tell whether two keys are of one pair: the act, and what undoes it."""
    return one[:-1] == other[:-1]


def is_undone(key: str) -> bool:
    """Tell whether a key is that of an act which undoes another."""
    return key.endswith(_UNDONE)


def _first(word: Word) -> tuple[bool, int, int]:
    return not word.meaning.endswith(_UNDONE), word.start, word.start - word.end
