"""Acts that another act undoes, where no attribute names them: a gate is closed and reopened, trading halted and resumed.

Pairs stand in `attributes.json` as `done` and `undone`; the key of a value is its pair and its side.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from groundwire.evidence.reading.analysis import Sentence, analyse
from groundwire.jobs.watch.ledger.attributes import Word, reversals
from groundwire.jobs.watch.ledger.values import (
    Found,
)
from groundwire.language.text.spans import Span, overlaps

_UNDONE = "-"


def reversal(sentence: Sentence, hidden: Iterable[Span]) -> Found | None:
    """Return what a sentence says was done, or undone; "lifted the blockade" tells of its end alone."""
    spans = list(hidden)
    words = [
        each
        for each in reversals().find(sentence)
        if not each.weak and not overlaps((each.start, each.end), spans)
    ]
    found = min(words, key=_first, default=None)
    if found is None:
        return None
    written = sentence.text[found.start : found.end]
    return Found("state", found.meaning, "", found.start, found.end, written)


def is_of_one_pair(one: str, other: str) -> bool:
    """Tell whether two keys are of one pair: the act, and what undoes it."""
    return one[:-1] == other[:-1]


def is_one_act(one: str, other: str) -> bool:
    """Tell whether two words as written are of one act: suspended, 暂停."""
    return not _acts(one).isdisjoint(_acts(other))


def are_opposite(one: str, other: str) -> bool:
    """Tell whether one word as written undoes what the other tells: reopened, closed."""
    sides = {each[-1] for each in (*_acts(one), *_acts(other))}
    paired = any(is_of_one_pair(a, b) for a in _acts(one) for b in _acts(other))
    return paired and len(sides) > 1 and not is_one_act(one, other)


@lru_cache(maxsize=1024)
def _acts(value: str) -> frozenset[str]:
    return frozenset(each.meaning for each in reversals().find(analyse(value, whole=True).lead))


def is_undone(key: str) -> bool:
    """Tell whether a key is that of an act which undoes another."""
    return key.endswith(_UNDONE)


def _first(word: Word) -> tuple[bool, int, int]:
    return not word.meaning.endswith(_UNDONE), word.start, word.start - word.end
