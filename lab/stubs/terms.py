"""How the stubs compare texts: English words, Chinese bigrams, sentences of both."""

from __future__ import annotations

import re
from typing import TypeAlias

from pydantic import JsonValue

Json: TypeAlias = JsonValue

_WORD = re.compile(r"[a-z0-9][a-z0-9.\-']*[a-z0-9]|[a-z0-9]")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_SENTENCE = re.compile(r"[^。！？!?.\n]*(?:[.](?=\S)[^。！？!?.\n]*)*[。！？!?.]?[”’\"」』)]*")


def listed(words: str) -> list[str]:
    """Split a list of words that is written as one text."""
    return words.split()


_STOP = frozenset(
    listed(
        "a an and are as at be by did do does for from had has have how in is it its of on or that "
        "the their they this to was were what when where which who why will with"
    )
)


def terms(text: str) -> list[str]:
    """Return words without stop words for Latin text, overlapping bigrams for Chinese."""
    low = text.lower()
    found = [word for word in _WORD.findall(low) if word not in _STOP]
    for run in _HAN.findall(low):
        found.extend([run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)])
    return found


def is_chinese(text: str) -> bool:
    """Tell whether at least a sixth of the letters are Chinese characters."""
    han = sum(len(run) for run in _HAN.findall(text))
    latin = sum(1 for ch in text if ch.isascii() and ch.isalpha())
    return han > 0 and han * 5 >= latin


def sentences(text: str) -> list[str]:
    """Split a text into verbatim sentences, stripped of surrounding space."""
    return [piece for m in _SENTENCE.finditer(text) if (piece := m.group().strip())]


def tokens(text: str) -> int:
    """Estimate tokens from the text alone: one per Han character, one per four others."""
    han = sum(len(run) for run in _HAN.findall(text))
    return han + (len(text) - han + 3) // 4
