"""Where sentences begin and end, in Chinese and English."""

from __future__ import annotations

import re

from groundwire.language.data import words

_STOP = re.compile(r"[。！？；!?]+|…{2,}|\.+|\n\s*")
_CLOSERS = "\"'”’」』)）】》]〕"
# Never the end of a sentence.
_ABBREVIATIONS = words("abbreviations")
# "No. 5" and "Mar. 11", but "He said no. Then".
_BEFORE_NUMBERS = words("abbreviations before numbers")
# Inside or at the end of a sentence; the next word decides.
_EITHER = words("abbreviations that may end")
_STARTERS = words("sentence starters")
_WORD_BEFORE = re.compile(r"[A-Za-z][A-Za-z.]*$")
# Initials, S.G. Tallentyre, and single letters that stand for a word: Brown v. Board, (c. 1455).
_INITIALS = re.compile(r"[A-Z](?:\.[A-Z])*|[vc]")
_WORD_AFTER = re.compile(r"[\s\"'“‘(]*([^\s]*)")


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the offsets of each sentence, without white space around it; no word is left out."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _STOP.finditer(text):
        end = _end_of(text, match)
        if end is not None and not (match.group()[0] in "；;" and _bracketed(text[start:end])):
            _append(spans, text, start, end)
            start = end
    _append(spans, text, start, len(text))
    return spans


def _bracketed(text: str) -> bool:
    """Tell whether a text ends inside brackets: 纽西兰鸡毛松（学名；毛利语）."""
    return text.count("（") + text.count("(") > text.count("）") + text.count(")")


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    part = text[start:end]
    if part.strip():
        spans.append((start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())))


def _end_of(text: str, match: re.Match[str]) -> int | None:
    """Return the end of the sentence that stops here, with closing quotes; None if it goes on."""
    stop, end = match.group(), match.end()
    if stop[0] == "\n":
        return None if _is_wrapped(text, match.start(), end) else end
    while end < len(text) and text[end] in _CLOSERS:
        end += 1
    if stop[0] in "。！？；":
        return end
    following = text[end : end + 1]
    if following.isascii() and following and not following.isspace():
        return None
    after = _WORD_AFTER.match(text, end)
    word = after.group(1) if after else ""
    if stop[0] == "." and len(stop) == 1 and not _is_full_stop(text, match.start(), word):
        return None
    return None if word[:1].islower() else end


def _is_wrapped(text: str, at: int, end: int) -> bool:
    """Tell whether a line was only wrapped: no stop before the break, lower case after it."""
    before = text[:at].rstrip()[-1:]
    return (
        before not in ".!?。！？；:："
        and text[end : end + 1].islower()
        and "\n\n" not in text[at:end]
    )


def _is_full_stop(text: str, at: int, following: str) -> bool:
    before = _WORD_BEFORE.search(text, max(0, at - 12), at)
    if before is None:
        return True
    word = before.group().lower()
    if word in _ABBREVIATIONS or (word in _BEFORE_NUMBERS and following[:1].isdigit()):
        return False
    if word in _EITHER:
        return following == "" or following.lower().strip(",.") in _STARTERS
    # But "Vitamin C." at the end of the text stops.
    return not (_INITIALS.fullmatch(before.group()) and following != "")
