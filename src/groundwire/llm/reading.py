"""The one place where a model's text is read as JSON, with one leniency: a code fence is taken off."""

from __future__ import annotations

import json
import re
from typing import cast

from groundwire.model.base import JsonObject, canonical

_FENCE = re.compile(r"\A\s*```[A-Za-z]*\s*\n(?P<inside>.*?)\n?\s*```\s*\Z", re.DOTALL)


def read_object(text: str) -> JsonObject | None:
    """The object that the text is, or None; what has no canonical form cannot be recorded."""
    fenced = _FENCE.match(text)
    try:
        value: object = json.loads(fenced["inside"] if fenced else text)
        if not isinstance(value, dict):
            return None
        found = cast("JsonObject", value)
        canonical(found)  # refuses NaN and lone surrogates
    except (ValueError, RecursionError):
        return None
    return found
