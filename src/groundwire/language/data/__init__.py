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
def sections(package: str, name: str) -> dict[str, list[str]]:
    """Read the lines of a package's data file under each heading `== name`."""
    by_heading: dict[str, list[str]] = {}
    heading = ""
    for line in lines_of(package, name):
        if line.startswith("== "):
            heading = line.removeprefix("== ").strip()
        else:
            by_heading.setdefault(heading, []).append(line)
    return by_heading


@cache
def words(section: str) -> frozenset[str]:
    """Read one word list of `words.txt`, by its heading."""
    return frozenset(" ".join(sections(__name__, "words.txt").get(section, [])).split())


def either(section: str) -> str:
    """Join the words of a list into alternatives of a pattern, the longest first."""
    return "|".join(sorted(words(section), key=lambda word: (-len(word), word)))
