"""What is wrong with an input, as codes: no validator's text reaches people."""

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
    """Turn the first fault of the input to `name` into a refusal."""
    fault = error.errors(include_url=False, include_input=False)[0]
    if fault["type"] == "extra_forbidden":
        where = ".".join(str(part) for part in fault["loc"])
        known = [field.alias or each for each, field in form.model_fields.items()]
        wrong = plugins.unknown("noun.field_of", where, known, name=name)
        return InputError(wrong.says, hint=wrong.hints, **wrong.params)
    return found_fault(fault, name)


def found_fault(fault: ErrorDetails, name: str = "") -> InputError:
    """Turn a validator's fault into a refusal; without a name, the first part of its place is it."""
    error: object = fault.get("ctx", {}).get("error")
    if isinstance(error, GroundwireError) and not fault["loc"]:
        # The input's own validator has its own sentence.
        return InputError(error.says, hint=error.hints, **error.params)
    place = [str(part) for part in fault["loc"]] or ["input"]
    if not name:
        name, *place = place if len(place) > 1 else ["request", *place]
    where = ".".join(place)
    if fault["type"] == "value_error":
        # The reason names the value: which one of a list it is says nothing more.
        where = ".".join(part for part in place if not part.isdigit()) or where
        return InputError("input.other", name=name, field=where, why=plugins.fault_reason(fault))
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
