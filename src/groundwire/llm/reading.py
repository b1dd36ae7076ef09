"""The one place where a model's text is read as JSON, with one leniency: a code fence is taken off."""

from __future__ import annotations

import json
import re
from typing import cast

from groundwire.model.base import JsonObject, canonical

_FENCE = "```"
_OPENING = re.compile(rf"{_FENCE}[A-Za-z]*\s*\n")


def read_object(text: str) -> JsonObject | None:
    """The object that the text is, or None; what has no canonical form cannot be recorded."""
    try:
        value: object = json.loads(_unfenced(text.strip()))
        if not isinstance(value, dict):
            return None
        found = cast("JsonObject", value)
        canonical(found)  # refuses NaN and lone surrogates
    except (ValueError, RecursionError):
        return None
    return found


def _unfenced(text: str) -> str:
    opening = _OPENING.match(text)
    closed = opening is not None and text[opening.end() :].endswith(_FENCE)
    return text[opening.end() : -len(_FENCE)] if opening and closed else text
