"""Names that mean the same in Chinese and English, from a data file that may be absent."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from groundwire.language.data import data_lines
from groundwire.language.text.characters import HAN, normalise


@cache
def groups() -> tuple[tuple[str, ...], ...]:
    """Each group: names of one thing in their normal form, Chinese first."""
    return read_groups(data_lines("glossary.tsv"))


def read_groups(lines: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Groups of a glossary file; a line without both languages says nothing."""
    found: dict[str, list[str]] = {}
    for line in lines:
        left, _, right = line.partition("\t")
        zh = normalise(left.strip()).text
        names = [normalise(part.strip()).text for part in right.split("|") if part.strip()]
        if zh and names:
            found.setdefault(zh, []).extend(names)
    return tuple((zh, *dict.fromkeys(names)) for zh, names in found.items())


@cache
def _by_name() -> dict[str, tuple[int, ...]]:
    index: dict[str, list[int]] = {}
    for number, group in enumerate(groups()):
        for name in group:
            index.setdefault(name.casefold(), []).append(number)
    return {name: tuple(numbers) for name, numbers in index.items()}


def equivalents(name: str) -> tuple[str, ...]:
    """Every way to write this name that the glossary knows, itself first."""
    numbers = _by_name().get(normalise(name).text.casefold(), ())
    return tuple(dict.fromkeys([name, *(other for n in numbers for other in groups()[n])]))


# Where a name can begin: a Chinese character, or the first word of others.
_START = re.compile(rf"[{HAN}]|[^\W_{HAN}]+")


@cache
def _by_start() -> dict[str, tuple[str, ...]]:
    """Names by how they begin, longest first."""
    index: dict[str, list[str]] = {}
    for name in sorted(_by_name(), key=lambda name: (-len(name), name)):
        for first in _START.findall(name)[:1]:
            index.setdefault(first, []).append(name)
    return {first: tuple(names) for first, names in index.items()}


def known_names(normal: str) -> list[tuple[int, int]]:
    """Spans of glossary names in text that is already in its normal form; the longest wins."""
    folded = normal.lower()
    if len(folded) != len(normal):
        return []
    starts = _by_start()
    spans: list[tuple[int, int]] = []
    done = 0
    for first in _START.finditer(folded):
        at = first.start()
        if at < done:
            continue
        for name in starts.get(first.group(), ()):
            end = at + len(name)
            if folded.startswith(name, at) and not _goes_on(folded, end):
                spans.append((at, end))
                done = end
                break
    return spans


def _goes_on(text: str, end: int) -> bool:
    """Whether a Latin word goes on at this place; Chinese words have no borders."""
    before, after = text[end - 1], text[end : end + 1]
    return after.isalnum() and not _is_han(after) and not _is_han(before)


def _is_han(char: str) -> bool:
    return _HAN.match(char) is not None


_HAN = re.compile(f"[{HAN}]")
