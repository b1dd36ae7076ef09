"""What rules know of sources, questions and events, one file each."""

from __future__ import annotations

from groundwire.language.data import lines_of


def data_lines(name: str) -> tuple[str, ...]:
    """Read a data file of this folder."""
    return lines_of(__name__, name)
