"""Our own Chinese words in traditional characters; text of pages is never converted."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from opencc import OpenCC


@cache
def _converter() -> OpenCC:
    # Deferred: its tables take long to load and are rarely needed.
    from opencc import OpenCC

    return OpenCC("s2tw")  # 為 and 裡, as they are written today


@lru_cache(maxsize=1024)
def traditional(text: str) -> str:
    """Write simplified Chinese in traditional characters, by OpenCC's tables."""
    return _converter().convert(text)


def in_script(words: Iterable[str], language: str) -> tuple[str, ...]:
    """Write our own Chinese words in the characters of a language: zh-Hant has its own."""
    return tuple(map(traditional, words)) if language == "zh-Hant" else tuple(words)


def language_distance(written: str, wanted: str) -> int:
    """Return how far a language is from a reader's: 0 his own, 1 its other script, 2 another."""
    if written == wanted:
        return 0
    return 1 if written.partition("-")[0] == wanted.partition("-")[0] else 2


AnswerLanguage = Literal["en", "zh", "zh-Hant"]


def language_of_question(detected: str) -> AnswerLanguage:
    """Return the language in which a question is answered."""
    if detected in ("zh", "zh-Hant"):
        return detected
    return "en"
