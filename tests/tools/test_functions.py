"""Tools as functions of models: one definition, two vendors' forms."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.errors import UnknownName
from groundwire.jobs import tools
from groundwire.jobs.functions import definition, definitions

SPECIFIED = {
    "platform_search",
    "memory_search",
    "analyze_sentiment",
    "competitor_lookup",
    "timeline_query",
    "web_scrape",
}


def test_every_tool_is_a_function_in_both_forms() -> None:
    for form in ("openai", "gemini"):
        found = definitions(form)  # type: ignore[arg-type]
        assert len(found) == len(tools())
    names = {each["function"]["name"] for each in definitions("openai")}
    assert names >= SPECIFIED


def test_a_function_says_what_it_does_and_takes() -> None:
    function = definition("platform_search", "openai")["function"]
    assert function["description"].startswith("Search each platform")
    schema = function["parameters"]
    assert schema["required"] == ["query"]
    assert "title" not in schema["properties"]["query"]


def keys(schema: Any) -> set[str]:
    if isinstance(schema, dict):
        inner = schema.get("properties", {})
        below = [*inner.values(), schema.get("items"), *schema.get("anyOf", [])]
        return set(schema).union(*map(keys, below))
    return set()


@pytest.mark.parametrize("name", sorted(tools()))
def test_geminis_form_has_nothing_that_its_api_refuses(name: str) -> None:
    schema = definition(name, "gemini")["parameters"]
    assert keys(schema).isdisjoint({"$ref", "$defs", "pattern", "additionalProperties", "default"})
    assert {"name", "description", "parameters"} == set(definition(name, "gemini"))


def test_an_optional_value_is_nullable_there() -> None:
    schema = definition("memory_search", "gemini")["parameters"]
    assert schema["properties"]["subject"] == {
        "type": "string",
        "maxLength": 200,
        "nullable": True,
    }


def test_an_unknown_tool_is_refused_by_name() -> None:
    with pytest.raises(UnknownName):
        definition("platform_serch", "openai")
