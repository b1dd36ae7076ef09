"""Acts that another act undoes, where no attribute names them: a gate is closed and reopened, trading halted and resumed.

Words stand in `attributes.json` as `done` and `undone`, shapes of them in `values.txt`: 停驶, "started again". Which of
two acts undoes which is told by what they were done to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from groundwire.evidence.reading.analysis import Sentence, analyse
from groundwire.jobs.watch.ledger.attributes import Word, acts
from groundwire.jobs.watch.ledger.matter import forms
from groundwire.jobs.watch.ledger.signs import act_shapes, is_background
from groundwire.jobs.watch.ledger.values import Found
from groundwire.language.text.spans import Span, overlaps

_SHAPED = "halt"  # the kind of what stops and goes on, which has shapes of its own in `values.txt`


def reversal(sentence: Sentence, hidden: Iterable[Span], clause: Span) -> Found | None:
    """Return what a clause says was done, or undone; "lifted the blockade" tells of its end alone."""
    spans = list(hidden)
    words = [
        each
        for each in _acts(sentence)
        if not each.weak
        and _acts_itself(sentence, each)
        and not is_background(sentence, (each.start, each.end))
        and clause[0] <= each.start < clause[1]
        and not overlaps((each.start, each.end), spans)
    ]
    found = min(words, key=_first, default=None)
    if found is None:
        return None
    written = sentence.text[found.start : found.end]
    return Found("state", found.meaning, "", found.start, found.end, written)


def _acts(sentence: Sentence) -> Iterator[Word]:
    yield from acts().find_verbs(sentence)
    for side in ("undone", "done"):
        for start, end in act_shapes(sentence, side):
            yield Word(start, end, f"{_SHAPED} {side}", weak=False)


def _kind_and_side(key: str) -> tuple[str, str]:
    kind, _, side = key.partition(" ")
    return kind, side


def _acts_itself(sentence: Sentence, word: Word) -> bool:
    """Tell whether a word is a verb where it stands: "has released", but not "the press release"."""
    at = next((n for n, each in enumerate(sentence.words) if each.start == word.start), None)
    written = sentence.text[word.start : word.end]
    plain = at is None or not written.isascii() or " " in written
    return plain or sentence.kinds[at or 0] == "v"


def is_of_one_pair(one: str, other: str) -> bool:
    """Tell whether two keys are of one kind of act, or one is of what undoes any: a ship held is a ship set free."""
    (kind, side), (other_kind, other_side) = _kind_and_side(one), _kind_and_side(other)
    return kind == other_kind or side != other_side


def is_one_act(one: str, other: str) -> bool:
    """Tell whether two words as written are of one act: suspended, 暂停."""
    return not _forms(one).isdisjoint(_forms(other))


def are_opposite(one: str, other: str) -> bool:
    """Tell whether one word as written undoes something, and the other says that something was done."""
    sides = _sides(one), _sides(other)
    return all(sides) and sides[0].isdisjoint(sides[1])


@lru_cache(maxsize=1024)
def _sides(value: str) -> frozenset[str]:
    return frozenset(
        _kind_and_side(each.meaning)[1] for each in _acts(analyse(value, whole=True).lead)
    )


@lru_cache(maxsize=1024)
def _forms(value: str) -> frozenset[str]:
    """Return the words of an act with their translations, as stems."""
    words = analyse(value, whole=True).lead.words
    return frozenset(form for word in words for form in forms(word.key))


def goes_on_again(before: str, after: str) -> bool:
    """Tell whether what was said to have stopped is said to go on: 停驶, 恢复."""
    return before == f"{_SHAPED} done" and after == f"{_SHAPED} undone"


def is_undone(key: str) -> bool:
    """Tell whether a key is that of an act which undoes another."""
    return _kind_and_side(key)[1] == "undone"


def _first(word: Word) -> tuple[bool, int, int]:
    return not is_undone(word.meaning), word.start, word.start - word.end
