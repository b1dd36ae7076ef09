"""What is wrong with an input, in one clear sentence: no validator's words reach people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire import plugins
from groundwire.errors import InputError

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails

# What a field takes, by the beginning of the validator's code.
_TAKES = {
    "string_too_short": "is empty",
    "string_pattern_mismatch": "is empty",
    "string": "takes text",
    "int": "takes a whole number",
    "float": "takes a number",
    "finite": "takes a number",
    "bool": "takes true or false",
    "date": "takes a day, such as 2026-11-10",
    "datetime": "takes a time, such as 2026-11-10T09:30:00Z",
    "timezone": "takes a time, such as 2026-11-10T09:30:00Z",
    "list": "takes a list",
    "tuple": "takes a list",
    "dict": "takes an object",
    "model": "takes an object",
    "missing": "is missing",
}
_LIMITS = {
    "ge": "takes at least {0}",
    "gt": "takes more than {0}",
    "le": "takes at most {0}",
    "lt": "takes less than {0}",
    "max_length": "is too long: at most {0} are taken",
    "min_length": "is too short: at least {0} are needed",
}


def refused(name: str, error: ValidationError, form: type[BaseModel]) -> InputError:
    """The first fault of what was given to `name`, as a refusal."""
    fault = error.errors(include_url=False, include_input=False)[0]
    if fault["type"] == "value_error" and not fault["loc"]:
        return InputError(_own_words(fault))  # the job has said it in its own words
    where = ".".join(str(part) for part in fault["loc"]) or "input"
    if fault["type"] == "extra_forbidden":
        unknown = plugins.unknown(f"field of {name}", where, form.model_json_schema()["properties"])
        return InputError(unknown.message, hint=unknown.hint)
    return InputError(f"{name}: {where} {_said(fault)}")


def _said(fault: ErrorDetails) -> str:
    kind, context = fault["type"], fault.get("ctx", {})
    if kind == "value_error":
        return f"cannot be used: {_own_words(fault)}"
    if kind == "literal_error":
        return "takes " + str(context["expected"]).replace("'", "")
    for limit, words in _LIMITS.items():
        if limit in context and kind != "string_too_short":
            return words.format(f"{context[limit]:,}")
    return _TAKES.get(kind) or _TAKES.get(kind.partition("_")[0], "cannot be used")


def _own_words(fault: ErrorDetails) -> str:
    return fault["msg"].removeprefix("Value error, ")
