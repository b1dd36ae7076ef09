"""Word lists of both languages, one file each."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def lines_of(package: str, name: str) -> tuple[str, ...]:
    """Read the lines of a package's data file without comments; none when the file is absent."""
    path = files(package).joinpath(name)
    if not path.is_file():
        return ()
    lines = path.read_text("utf-8").splitlines()
    return tuple(line for line in lines if line.strip() and not line.startswith("#"))


def data_lines(name: str) -> tuple[str, ...]:
    """Read a data file of this folder."""
    return lines_of(__name__, name)


@cache
def words(section: str) -> frozenset[str]:
    """Read one word list of `words.txt`, by its heading."""
    found: list[str] = []
    here = False
    for line in data_lines("words.txt"):
        if line.startswith("["):
            here = line.strip() == f"[{section}]"
        elif here:
            found.extend(line.split())
    return frozenset(found)
