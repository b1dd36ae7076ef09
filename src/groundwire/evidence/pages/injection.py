"""Instructions to a model that someone planted in a page; found to be shown, never obeyed."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from groundwire.evidence.data import data_lines
from groundwire.language.data import sections
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.text.spans import merged

_PACKAGE = "groundwire.evidence.data"
_said = patterns("injection.txt", _PACKAGE, re.IGNORECASE)
_EN = re.compile(_said("english"), re.IGNORECASE | re.ASCII)
_ROLE = re.compile(_said("role"), re.IGNORECASE | re.MULTILINE)
_DROPS = re.compile(rf"(?:{_said('drop')})\b|[忽无忘不抛覆]", re.IGNORECASE)
_ROLE_SIGNS = ("##", "system", "assistant")
_WINDOW = 120
# Cyrillic, Greek and Armenian letters, small capitals and accents that hide a Latin word.
_FOREIGN = re.compile("[\u00c0-\u058f\u1d00-\u1d2f\u1e00-\u1eff]")


@cache
def _signs(language: str) -> tuple[str, ...]:
    """What such text cannot do without."""
    return tuple("\t".join(sections(_PACKAGE, "injection.txt")[f"{language} signs"]).split("\t"))


def injected_instructions(text: str) -> tuple[tuple[int, int], ...]:
    """Offsets of text that speaks to a model instead of to a reader, in order."""
    spans: list[tuple[int, int]] = []
    low = text.lower()
    if any(sign in low for sign in _ROLE_SIGNS):
        spans.extend(match.span() for match in _ROLE.finditer(text))
    for offset, paragraph in _paragraphs(text):
        flat = normalise(paragraph)
        plain = flat.text.translate(_look_alikes()) if _FOREIGN.search(flat.text) else flat.text
        for start, end in _found(plain):
            left, right = flat.original(start, end)
            spans.append((left + offset, right + offset))
    return tuple(merged(spans))


def _found(flat: str) -> list[tuple[int, int]]:
    """Matches near their signs; the patterns are too slow for whole pages."""
    low = folded(flat)
    spans: list[tuple[int, int]] = []
    chinese = () if flat.isascii() else _signs("chinese")
    for pattern, signs in ((_EN, _signs("english")), (_said["chinese"], chinese)):
        done = 0
        here = [re.escape(sign) for sign in signs if sign in low]
        for at in sorted(place.start() for sign in here for place in re.finditer(sign, low)):
            if at >= done:
                done = at + _WINDOW
                near = pattern.finditer(flat, max(0, at - _WINDOW), done + _WINDOW)
                for match in near:
                    before = flat[max(0, match.start() - 48) : match.start()]
                    # Told of somebody else: jurors should ignore earlier instructions.
                    if not (_DROPS.match(match.group()) and _said["of others"].search(before)):
                        spans.append(match.span())
    return spans


@cache
def _look_alikes() -> dict[int, str]:
    """Letters of other scripts, and the Latin ones that they look like."""
    accented = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    table = {code: unicodedata.normalize("NFD", chr(code))[0] for code in accented}
    rows = (line.split("	") for line in data_lines("lookalikes.tsv"))
    return table | {ord(char): letter for letter, others in rows for char in others}


def _paragraphs(text: str) -> list[tuple[int, str]]:
    """Paragraphs with their offsets: single line breaks may be hiding places, blank lines are not."""
    breaks = [match.span() for match in re.finditer(r"\n\s*\n", text)]
    ends = zip(
        [0, *(end for _, end in breaks)], [*(start for start, _ in breaks), None], strict=True
    )
    return [(start, text[start:end]) for start, end in ends]
