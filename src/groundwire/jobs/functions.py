"""Tools as functions that a model can call: each in the form of OpenAI's and of Gemini's API.

Both come from one place: a tool's `Input` and the docstring of its `run`. Inside our own jobs no
model calls tools (law 3); the schemas are for MCP's clients and for other agents.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from groundwire import plugins
from groundwire.jobs import tools
from groundwire.model.base import JsonObject

Form = Literal["openai", "gemini"]
# What Gemini's subset of OpenAPI knows of a schema.
_KNOWN = frozenset(
    [
        "type",
        "description",
        "enum",
        "items",
        "properties",
        "required",
        "nullable",
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "minLength",
        "maxLength",
        "anyOf",
        "format",
    ]
)
_FORMATS = frozenset({"enum", "date-time"})  # of texts; it refuses any other


def definitions(form: Form) -> list[JsonObject]:
    """Define every tool as a function."""
    return [definition(name, form) for name in tools()]


def definition(tool: str, form: Form) -> JsonObject:
    """Define a tool as a function: its name, what it does, and the schema of what it takes."""
    known = tools()
    if tool not in known:
        raise plugins.unknown("noun.tool", tool, known)
    about = " ".join((known[tool].run.__doc__ or "").split())
    schema: JsonObject = known[tool].Input.model_json_schema()
    if form == "gemini":
        parameters = _reduced(schema, schema.get("$defs", {}))
        return {"name": tool, "description": about, "parameters": parameters}
    function = {"name": tool, "description": about, "parameters": _without_titles(schema)}
    return {"type": "function", "function": function}


def _without_titles(schema: Any) -> Any:
    """Drop the titles that pydantic makes of names: they tell a model nothing."""
    if isinstance(schema, dict):
        return {
            name: _named(inner) if name in ("properties", "$defs") else _without_titles(inner)
            for name, inner in cast(JsonObject, schema).items()
            if not (name == "title" and isinstance(inner, str))
        }
    if isinstance(schema, list):
        return [_without_titles(each) for each in cast("list[Any]", schema)]
    return schema


def _named(properties: Mapping[str, Any]) -> JsonObject:
    return {name: _without_titles(inner) for name, inner in properties.items()}


def _reduced(schema: JsonObject, shared: Mapping[str, Any]) -> JsonObject:
    """Reduce a schema to Gemini's subset: references resolved, null as `nullable`, no patterns."""
    if "$ref" in schema:
        target = shared[str(schema["$ref"]).rpartition("/")[2]]
        return _reduced({**target, **{k: v for k, v in schema.items() if k != "$ref"}}, shared)
    if "const" in schema:
        schema = {**schema, "enum": [schema["const"]]}
    if "anyOf" in schema:
        return _alternatives(schema, shared)
    found: JsonObject = {}
    for name, value in schema.items():
        if name not in _KNOWN or (name == "format" and value not in _FORMATS):
            continue
        if name == "properties":
            found[name] = {key: _reduced(inner, shared) for key, inner in value.items()}
        elif name == "items":
            found[name] = _reduced(value, shared)
        elif name == "enum":
            found[name] = [str(each) for each in value]
        else:
            found[name] = value
    return found


def _alternatives(schema: JsonObject, shared: Mapping[str, Any]) -> JsonObject:
    options = [each for each in schema["anyOf"] if each.get("type") != "null"]
    about = {name: schema[name] for name in ("description",) if name in schema}
    nullable = {"nullable": True} if len(options) < len(schema["anyOf"]) else {}
    if len(options) == 1:
        return {**_reduced(options[0], shared), **about, **nullable}
    return {"anyOf": [_reduced(each, shared) for each in options], **about, **nullable}
