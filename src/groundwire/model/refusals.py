"""What is wrong with an input, by code: no validator's words reach people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire import plugins
from groundwire.errors import GroundwireError, InputError

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails


# The sentence, `input.<code>`, by the validator's code or by its beginning.
_CODES = {
    "missing": "missing",
    "string_too_short": "empty",
    "string_pattern_mismatch": "empty",
    "string": "no_text",
    "int": "no_whole_number",
    "float": "no_number",
    "finite": "no_number",
    "bool": "no_switch",
    "date": "no_day",
    "datetime": "no_time",
    "timezone": "no_time",
    "list": "no_list",
    "tuple": "no_list",
    "dict": "no_object",
    "model": "no_object",
    "literal": "not_one_of",
}
_LIMITS = {
    "ge": "too_little",
    "gt": "too_little",
    "le": "too_much",
    "lt": "too_much",
    "max_length": "too_long",
    "min_length": "too_short",
}


def refused(name: str, error: ValidationError, form: type[BaseModel]) -> InputError:
    """The first fault of what was given to `name`, as a refusal."""
    fault = error.errors(include_url=False, include_input=False)[0]
    if fault["type"] == "extra_forbidden":
        where = ".".join(str(part) for part in fault["loc"])
        known = [field.alias or each for each, field in form.model_fields.items()]
        wrong = plugins.unknown("noun.field_of", where, known, name=name)
        return InputError(wrong.says, hint=wrong.hints, **wrong.params)
    return found_fault(fault, name)


def found_fault(fault: ErrorDetails, name: str = "") -> InputError:
    """A validator's fault, as a refusal; without a name, what is first in its place is the name."""
    own: object = fault.get("ctx", {}).get("error")
    if isinstance(own, GroundwireError) and not fault["loc"]:
        # Whoever declared the input has said it in words of its own.
        return InputError(own.says, hint=own.hints, **own.params)
    place = [str(part) for part in fault["loc"]] or ["input"]
    if not name:
        name, *place = place if len(place) > 1 else ["request", *place]
    where = ".".join(place)
    if fault["type"] == "value_error":
        return InputError("input.other", name=name, field=where, why=plugins.own_words(fault))
    code, limit = _fault(fault)
    hint = "hint.too_long" if code == "too_long" else ""
    return InputError(f"input.{code}", hint=hint, name=name, field=where, limit=limit)


def code_and_limit(error: ValidationError) -> tuple[str, str]:
    """Return the first fault as the end of its code, and the limit that it names, if any."""
    return _fault(error.errors(include_url=False, include_input=False)[0])


def _fault(fault: ErrorDetails) -> tuple[str, str]:
    kind, context = fault["type"], fault.get("ctx", {})
    if kind == "literal_error":
        return "not_one_of", str(context["expected"]).replace("'", "").replace(" or ", ", ")
    if kind != "string_too_short":
        for limit, code in _LIMITS.items():
            if limit in context:
                return code, f"{context[limit]:,}"
    return _CODES.get(kind) or _CODES.get(kind.partition("_")[0], "unusable"), ""
