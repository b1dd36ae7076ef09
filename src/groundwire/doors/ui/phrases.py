"""Sentences of the doctor in the reader's language: they are made in English, for every door."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from groundwire.doors.language import Language
from groundwire.words import catalogue

_PREFIX = "said."
_HOLE = re.compile(r"\{(\w+)\}")


class _Phrase(NamedTuple):
    """How a sentence looks in English, and what it is in Chinese; what it names stays."""

    looks: re.Pattern[str]
    spoken: str


def said(text: str, language: Language) -> str:
    """A sentence that is known, translated; one that is not, piece by piece or as it is."""
    if language == "en" or not text:
        return text
    whole = _translated(text, language)
    if whole is None:
        pieces = text.split(", ")
        found = [_translated(piece, language) for piece in pieces]
        if not any(found):
            return text
        whole = "，".join(new or old for new, old in zip(found, pieces, strict=True))
    return whole


def _translated(text: str, language: Language) -> str | None:
    for phrase in _phrases(language):
        if match := phrase.looks.fullmatch(text):
            return phrase.spoken.format(**match.groupdict())
    return None


@cache
def _phrases(language: Language) -> tuple[_Phrase, ...]:
    """Those that say the most by themselves come first."""
    english, chinese = catalogue("en"), catalogue(language)
    codes = [code for code in english if code.startswith(_PREFIX)]
    codes.sort(key=lambda code: (-len(_HOLE.sub("", english[code])), english[code]))
    return tuple(_Phrase(_pattern(english[code]), chinese[code]) for code in codes)


def _pattern(template: str) -> re.Pattern[str]:
    parts = _HOLE.split(template)
    spelled = (
        f"(?P<{part}>.+)" if number % 2 else re.escape(part) for number, part in enumerate(parts)
    )
    return re.compile("".join(spelled), re.DOTALL)
