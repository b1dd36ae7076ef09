"""A result as a table for programs."""

from __future__ import annotations

from typing import TypeAlias

from groundwire.model.base import Value

Cell: TypeAlias = str | int | float | None


class Sheet(Value):
    """A table for programs: names that never change, values as they are."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
