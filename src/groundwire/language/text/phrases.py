"""Patterns of wording, read from data files: each heading a list of alternatives."""

from __future__ import annotations

import re
from functools import cache

from groundwire.language.data import sections

_LANGUAGE = "groundwire.language.data"


class Phrases:
    """A data file by its headings: as text to build a pattern with, or compiled on demand."""

    def __init__(self, name: str, package: str, flags: int) -> None:
        self._file = package, name
        self._flags = flags
        self._compiled: dict[str, re.Pattern[str]] = {}

    def __call__(self, heading: str) -> str:
        """Return the alternatives under a heading; {name} in them stands for another heading."""
        by_heading = sections(*self._file)
        parts: list[str] = []
        for line in by_heading[heading]:
            for other in by_heading:
                if f"{{{other}}}" in line:
                    line = line.replace(f"{{{other}}}", f"(?:{self(other)})")
            parts.append(line)
        return "|".join(parts)

    def __getitem__(self, heading: str) -> re.Pattern[str]:
        pattern = self._compiled.get(heading)
        if pattern is None:
            pattern = self._compiled[heading] = re.compile(self(heading), self._flags)
        return pattern

    def words(self, heading: str) -> frozenset[str]:
        """Return the plain words listed under a heading."""
        return _words(self._file, heading)


@cache
def _words(file: tuple[str, str], heading: str) -> frozenset[str]:
    return frozenset(word for line in sections(*file)[heading] for word in line.split("|"))


def patterns(name: str, package: str = _LANGUAGE, flags: int = 0) -> Phrases:
    """Open a data file of patterns by its headings."""
    return Phrases(name, package, flags)


def listed(heading: str) -> str:
    """Return the alternatives under a heading of `telling.txt` as one pattern."""
    return patterns("telling.txt")(heading)
