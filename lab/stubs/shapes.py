"""Wire forms as data: trees of JSON in which `$name` stands for a value."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from lab.stubs.terms import Json

Told: TypeAlias = "Json | Callable[[str], Json]"
Values: TypeAlias = Mapping[str, Told]


def shapes(name: str) -> dict[str, dict[str, Json]]:
    """The forms of one file of this folder, by whose they are."""
    return json.loads(Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8"))


def fill(shape: Json, values: Values) -> Json:
    """The shape with its values in place.

    `$name` is a value, `$name argument` what a value makes of an argument. A field `name?value` is
    left out where that value is nothing, a field `name|value` is null there.
    """
    if isinstance(shape, list):
        return [fill(each, values) for each in shape]
    if isinstance(shape, dict):
        made: dict[str, Json] = {}
        for name, inner in shape.items():
            field, maybe, condition = name.partition("?")
            field, _, blank = field.partition("|")
            if values.get(condition or blank, True):
                made[field] = fill(inner, values)
            elif not maybe:
                made[field] = None
        return made
    if not isinstance(shape, str) or not shape.startswith("$"):
        return shape
    name, _, argument = shape[1:].partition(" ")
    value = values[name]
    return value(argument) if callable(value) else value
