"""Word lists and patterns by which pages and their parts are recognised, one file each."""

from __future__ import annotations

from groundwire.language.data import sections


def named_lists(name: str) -> dict[str, tuple[str, ...]]:
    """Read a data file of this folder: lists under headings, | between their members."""
    found = sections(__name__, name)
    return {heading: tuple("|".join(lines).split("|")) for heading, lines in found.items()}
