"""Wire forms as data: JSON trees in which `$name` is a placeholder for a value."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from lab.stubs.terms import Json

Slot: TypeAlias = "Json | Callable[[str], Json]"
Values: TypeAlias = Mapping[str, Slot]


def shapes(name: str) -> dict[str, dict[str, Json]]:
    """Load the wire forms in one file of this folder, by vendor."""
    return json.loads(Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8"))


def fill(shape: Json, values: Values) -> Json:
    """Put the values into the shape.

    `$name` is a value, `$name argument` what a value makes of an argument. A field `name?value` is
    left out where that value is empty, a field `name|value` is null there.
    """
    if isinstance(shape, list):
        return [fill(each, values) for each in shape]
    if isinstance(shape, dict):
        filled: dict[str, Json] = {}
        for name, inner in shape.items():
            field, optional, condition = name.partition("?")
            field, _, nullable = field.partition("|")
            if values.get(condition or nullable, True):
                filled[field] = fill(inner, values)
            elif not optional:
                filled[field] = None
        return filled
    if not isinstance(shape, str) or not shape.startswith("$"):
        return shape
    name, _, argument = shape[1:].partition(" ")
    value = values[name]
    return value(argument) if callable(value) else value
