"""Names that mean the same in Chinese and English, from a data file that may be absent."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from groundwire.language.data import data_lines
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.lexicon import Lexicon


@cache
def groups() -> tuple[tuple[str, ...], ...]:
    """Return the groups of names for one thing in their normal form, Chinese first."""
    return read_groups(data_lines("glossary.tsv"))


def read_groups(lines: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Read the groups of a glossary file; a line without both languages is skipped."""
    by_chinese: dict[str, list[str]] = {}
    for line in lines:
        left, _, right = line.partition("\t")
        zh = normalise(left.strip()).text
        names = [normalise(part.strip()).text for part in right.split("|") if part.strip()]
        if zh and names:
            by_chinese.setdefault(zh, []).extend(names)
    return tuple((zh, *dict.fromkeys(names)) for zh, names in by_chinese.items())


@cache
def _by_name() -> dict[str, tuple[int, ...]]:
    index: dict[str, list[int]] = {}
    for number, group in enumerate(groups()):
        for name in group:
            index.setdefault(name.casefold(), []).append(number)
    return {name: tuple(numbers) for name, numbers in index.items()}


def equivalents(name: str) -> tuple[str, ...]:
    """Return every way to write this name that the glossary knows, itself first."""
    numbers = _by_name().get(normalise(name).text.casefold(), ())
    return tuple(dict.fromkeys([name, *(other for n in numbers for other in groups()[n])]))


@cache
def _lexicon() -> Lexicon:
    return Lexicon(_by_name())


def known_names(normal: str) -> list[tuple[int, int]]:
    """Find glossary names in text that is already in its normal form; the longest wins."""
    return [(start, end) for start, end, _ in _lexicon().find(folded(normal))]
