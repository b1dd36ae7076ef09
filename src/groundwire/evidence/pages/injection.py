"""Instructions to a model planted in a page: found to be shown, never obeyed."""

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
_patterns = patterns("injection.txt", _PACKAGE, re.IGNORECASE)
_EN = re.compile(_patterns("english"), re.IGNORECASE | re.ASCII)
_ROLE = re.compile(_patterns("role"), re.IGNORECASE | re.MULTILINE)
_DROPS = re.compile(rf"(?:{_patterns('drop')})\b|[忽无忘不抛覆]", re.IGNORECASE)
_ROLE_SIGNS = ("##", "system", "assistant")
_WINDOW = 120
# Cyrillic, Greek and Armenian letters, small capitals and accents that hide a Latin word.
_FOREIGN = re.compile("[\u00c0-\u058f\u1d00-\u1d2f\u1e00-\u1eff]")


@cache
def _signs(language: str) -> tuple[str, ...]:
    """Return the words without which no such text works."""
    return tuple("\t".join(sections(_PACKAGE, "injection.txt")[f"{language} signs"]).split("\t"))


def injected_instructions(text: str) -> tuple[tuple[int, int], ...]:
    """Find the text that addresses a model instead of a reader, in order."""
    spans: list[tuple[int, int]] = []
    low = text.lower()
    if any(sign in low for sign in _ROLE_SIGNS):
        spans.extend(match.span() for match in _ROLE.finditer(text))
    for offset, paragraph in _paragraphs(text):
        flat = normalise(paragraph)
        plain = flat.text.translate(_look_alikes()) if _FOREIGN.search(flat.text) else flat.text
        for start, end in _matches(plain):
            left, right = flat.original(start, end)
            spans.append((left + offset, right + offset))
    return tuple(merged(spans))


def _matches(flat: str) -> list[tuple[int, int]]:
    """Match the patterns only near their signs; they are too slow for whole pages."""
    low = folded(flat)
    spans: list[tuple[int, int]] = []
    chinese = () if flat.isascii() else _signs("chinese")
    for pattern, signs in ((_EN, _signs("english")), (_patterns["chinese"], chinese)):
        done = 0
        present = [re.escape(sign) for sign in signs if sign in low]
        for at in sorted(place.start() for sign in present for place in re.finditer(sign, low)):
            if at >= done:
                done = at + _WINDOW
                near = pattern.finditer(flat, max(0, at - _WINDOW), done + _WINDOW)
                for match in near:
                    before = flat[max(0, match.start() - 48) : match.start()]
                    # Addressed to somebody else: jurors should ignore earlier instructions.
                    if not (_DROPS.match(match.group()) and _patterns["of others"].search(before)):
                        spans.append(match.span())
    return spans


@cache
def _look_alikes() -> dict[int, str]:
    """Map letters of other scripts to the Latin ones that they look like."""
    accented = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    table = {code: unicodedata.normalize("NFD", chr(code))[0] for code in accented}
    rows = (line.split("	") for line in data_lines("lookalikes.tsv"))
    return table | {ord(char): letter for letter, others in rows for char in others}


def _paragraphs(text: str) -> list[tuple[int, str]]:
    """Split into paragraphs with offsets: text may hide behind line breaks, not blank lines."""
    breaks = [match.span() for match in re.finditer(r"\n\s*\n", text)]
    ends = zip(
        [0, *(end for _, end in breaks)], [*(start for start, _ in breaks), None], strict=True
    )
    return [(start, text[start:end]) for start, end in ends]
