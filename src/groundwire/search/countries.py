"""Countries by their code and their names, because every engine asks for another form."""

from __future__ import annotations

from functools import cache

from groundwire.language.data import data_lines


@cache
def _names() -> dict[str, str]:
    """Return the English name of each country by its ISO code."""
    rows = (line.split("\t") for line in data_lines("country_codes.tsv"))
    return {row[0]: row[1] for row in rows}


@cache
def _codes() -> dict[str, str]:
    rows = (line.replace("|", "\t").split("\t") for line in data_lines("country_codes.tsv"))
    return {_folded(name): row[0] for row in rows for name in row}


def _folded(name: str) -> str:
    # Deferred: most searches name no country.
    from groundwire.language.text.characters import normalise

    return normalise(name, fold=True).text.strip()


def country_code(asked: str | None) -> str | None:
    """Return the ISO code, in lower case, of a code or a name; None for one that is not known."""
    return _codes().get(_folded(asked)) if asked else None


def country_name(asked: str | None) -> str | None:
    """Return the English name, in lower case."""
    return _names().get(country_code(asked) or "")
