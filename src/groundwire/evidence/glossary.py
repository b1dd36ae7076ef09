"""Names that mean the same in Chinese and English, from a data file that may be absent."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from groundwire.evidence.characters import HAN, normalise


@cache
def data_lines(name: str) -> tuple[str, ...]:
    """Lines of a data file of this package without comments; none when the file is absent."""
    path = files("groundwire.evidence").joinpath("data", name)
    if not path.is_file():
        return ()
    lines = path.read_text("utf-8").splitlines()
    return tuple(line for line in lines if line.strip() and not line.startswith("#"))


@cache
def words(section: str) -> frozenset[str]:
    """One word list of `words.txt`, by its heading."""
    found: list[str] = []
    here = False
    for line in data_lines("words.txt"):
        if line.startswith("["):
            here = line.strip() == f"[{section}]"
        elif here:
            found.extend(line.split())
    return frozenset(found)


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


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted(_by_name(), key=lambda name: (-len(name), name))
    parts = [
        re.escape(name)
        if re.search(f"[{HAN}]", name)
        else rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])"
        for name in names
    ]
    # Without a glossary nothing is known: a pattern that never matches.
    return re.compile("|".join(parts) or "(?!)")


def known_names(normal: str) -> list[tuple[int, int]]:
    """Spans of glossary names in text that is already in its normal form; longest first wins."""
    folded = normal.lower()
    if len(folded) != len(normal):
        return []
    return [match.span() for match in _pattern().finditer(folded)]
