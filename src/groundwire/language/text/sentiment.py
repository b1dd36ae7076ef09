"""The mood of what a search found: panic, neutral or optimistic, by words and their negation."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal, cast, get_args

from groundwire.language.data import data_lines
from groundwire.language.text.lexicon import Lexicon, low_form, low_forms
from groundwire.language.text.phrases import patterns
from groundwire.model.base import Value

Mood = Literal["panic", "neutral", "optimistic"]
_UNLIKE = "unlike"

_patterns = patterns("negated_moods.txt")
_BEFORE = 60


class Sentiment(Value):
    """Shares of the moods; they sum to 1."""

    panic: float
    neutral: float
    optimistic: float


@cache
def _moods() -> tuple[Lexicon, dict[str, Mood]]:
    """Build the lexicon of all words, the unlike ones included, and map words to their mood."""
    words: list[str] = []
    moods: dict[str, Mood] = {}
    for line in data_lines("sentiment.tsv"):
        mood, _, cell = line.partition("\t")
        listed = low_forms(cell.split("|"))
        words += listed
        if mood != _UNLIKE:
            moods.update((word, cast(Mood, mood)) for word in listed)
    return Lexicon(words), moods


def moods_of(text: str) -> dict[Mood, int]:
    """Count how often each mood is expressed, without negated words: no panic is not optimism."""
    low = low_form(text)
    lexicon, moods = _moods()
    counts: dict[Mood, int] = {}
    for start, _, word in lexicon.find(low):
        mood = moods.get(word)
        if mood is not None and not _is_negated(low, start):
            counts[mood] = counts.get(mood, 0) + 1
    return counts


def _is_negated(low: str, start: int) -> bool:
    before = low[max(0, start - _BEFORE) : start]
    return bool(_patterns["negated"].search(before) and not _patterns["not negated"].search(before))


def sentiment(texts: Iterable[str]) -> Sentiment | None:
    """Average the mood shares of the texts that express a mood; None when none does.

    Each text counts once: a long page does not outweigh the others.
    """
    counted = [counts for text in texts if (counts := moods_of(text))]
    if not counted:
        return None
    shares = {
        mood: round(sum(c.get(mood, 0) / sum(c.values()) for c in counted) / len(counted), 4)
        for mood in get_args(Mood)
    }
    return Sentiment(**shares)
