"""What a sentence tells and what stands beside it: clauses of cause, time and contrast, asides between commas; pure.

What is told is news of the sentence's day; what stands beside was told before, and a sentence about something else may
only mention it there.
"""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.language.text.phrases import patterns
from groundwire.language.text.wording import is_han

_cues = patterns("mentions.txt", "groundwire.jobs.timeline", re.IGNORECASE)
_STOP = re.compile(r"[,;，；。.](?=\s|\D|$)")
_LEAST = {True: 8, False: 24}  # characters that are told, else the sentence is taken whole
_TRIMMED = " ,;，；。.、"


@lru_cache(maxsize=8192)
def beside(text: str) -> tuple[tuple[int, int], ...]:
    """Return the stretches of a sentence in which it does not tell its news."""
    found: list[tuple[int, int]] = []
    for heading, places in (
        ("opening", _openings(text)),
        ("within", (0,)),
        ("trailing", (0,)),
        ("modifier", (0,)),
    ):
        for place in places:
            for match in _cues[heading].finditer(text, place):
                if heading == "opening" and match.start() != place:
                    break
                end = _end(text, match.end(), heading)
                if end is not None:
                    found.append((match.start(), end))
                if heading == "opening":
                    break
    return _joined(found)


@lru_cache(maxsize=8192)
def told(text: str) -> str:
    """Return a sentence without what stands beside its news."""
    kept, at = "", 0
    for start, end in beside(text):
        kept, at = kept + text[at:start], end
    kept = (kept + text[at:]).strip(_TRIMMED)
    return kept if len(kept) >= _LEAST[is_han(text)] else text


def is_told_beside(text: str, start: int) -> bool:
    """Tell whether a place in a sentence stands beside its news."""
    return told(text) != text and any(first <= start < last for first, last in beside(text))


def _openings(text: str) -> tuple[int, ...]:
    """Return where clauses begin that may open with a cause or a time."""
    breaks = (each.end() for each in re.finditer(r"[;；。，]\s*", text))
    return (0, *breaks)


def _end(text: str, at: int, heading: str) -> int | None:
    """Return where a stretch ends: at its comma, or with the sentence where it trails."""
    stop = _STOP.search(text, at)
    if heading == "modifier":
        return at
    if heading == "opening":
        return None if stop is None or stop.end() >= len(text) else stop.end()
    if heading == "within":
        return None if stop is None or stop.group() not in ",，" else stop.end()
    end = re.compile(r"[;；。]").search(text, at)
    return end.start() if end else len(text)


def _joined(found: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    kept: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if kept and start <= kept[-1][1]:
            kept[-1] = kept[-1][0], max(kept[-1][1], end)
        else:
            kept.append((start, end))
    return tuple(kept)
