"""Patterns of how things are told, read from one data file: each heading a list of alternatives."""

from __future__ import annotations

from functools import cache

from groundwire.language.data import data_lines


@cache
def _sections() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    heading = ""
    for line in data_lines("telling.txt"):
        if line.startswith("== "):
            heading = line.removeprefix("== ").strip()
            found[heading] = []
        else:
            found[heading].append(line)
    return found


def listed(heading: str) -> str:
    """The alternatives under a heading as one pattern; {name} stands for another heading."""
    parts: list[str] = []
    for line in _sections()[heading]:
        for other in _sections():
            if f"{{{other}}}" in line:
                line = line.replace(f"{{{other}}}", f"(?:{listed(other)})")
        parts.append(line)
    return "|".join(parts)
