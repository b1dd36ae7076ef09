"""Patterns of how things are told, read from data files: each heading a list of alternatives."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from groundwire.language.data import sections

_LANGUAGE = "groundwire.language.data"


def patterns(name: str, package: str = _LANGUAGE) -> Callable[[str], str]:
    """Return what reads a heading of this data file as one pattern; {name} in it stands for
    another heading."""
    return partial(_pattern, package, name)


def _pattern(package: str, name: str, heading: str) -> str:
    found = sections(package, name)
    parts: list[str] = []
    for line in found[heading]:
        for other in found:
            if f"{{{other}}}" in line:
                line = line.replace(f"{{{other}}}", f"(?:{_pattern(package, name, other)})")
        parts.append(line)
    return "|".join(parts)


def listed(heading: str) -> str:
    """Return the alternatives under a heading of `telling.txt` as one pattern."""
    return _pattern(_LANGUAGE, "telling.txt", heading)
