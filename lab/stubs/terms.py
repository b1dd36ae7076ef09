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
    """A list of words that is written as text."""
    return words.split()


_STOP = frozenset(
    listed(
        "a an and are as at be by did do does for from had has have how in is it its of on or that "
        "the their they this to was were what when where which who why will with"
    )
)


def terms(text: str) -> list[str]:
    """Words without stop words for Latin text, overlapping bigrams for Chinese."""
    low = text.lower()
    found = [word for word in _WORD.findall(low) if word not in _STOP]
    for run in _HAN.findall(low):
        found.extend([run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)])
    return found


def is_chinese(text: str) -> bool:
    """True if at least a sixth of the letters are Chinese characters."""
    han = sum(len(run) for run in _HAN.findall(text))
    latin = sum(1 for ch in text if ch.isascii() and ch.isalpha())
    return han > 0 and han * 5 >= latin


def sentences(text: str) -> list[str]:
    """Verbatim sentences of the text, without the space around them."""
    return [piece for m in _SENTENCE.finditer(text) if (piece := m.group().strip())]


def tokens(text: str) -> int:
    """A token estimate that depends on the text only: one per Han character, one per 4 others."""
    han = sum(len(run) for run in _HAN.findall(text))
    return han + (len(text) - han + 3) // 4
