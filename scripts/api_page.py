"""The reference page of the API, generated from its OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from groundwire import jobs
from groundwire.app.submission import SharedOptions
from groundwire.doors.api.application import document
from groundwire.model.base import JsonObject

_INTRO = (
    "`GET /api/openapi.json` is the whole of it, for programs. Every error is "
    "`application/problem+json`: `{type, title, status, detail, hint}`, where `detail` is one "
    "sentence and `hint` the next thing to do."
)
_BEARER = "-H 'Authorization: Bearer gw_…'"
_SUBJECT = "USDC 为什么在2023年3月脱锚？"


def _example() -> str:
    """Show from a shell how to start a run, follow it and fetch its report."""
    job = next(jobs.offered())
    body = json.dumps({"kind": job.kind, "input": {job.subject: _SUBJECT}}, ensure_ascii=False)
    return "\n".join(
        (
            "```",
            f"curl -X POST localhost:8600/api/runs {_BEARER} \\",
            "     -H 'Content-Type: application/json' -H 'Idempotency-Key: my-own-1' \\",
            f"     -d '{body}'",
            f"curl -N localhost:8600/api/runs/{job.kind}-1f3a5c7e90/events {_BEARER}",
            f"curl -OJ 'localhost:8600/api/runs/{job.kind}-1f3a5c7e90/export?format=pdf' {_BEARER}",
            "```",
        )
    )


def api_reference(notice: str) -> str:
    """Render every operation: what it does, who may use it, what it takes and gives."""
    openapi = document()
    lines = ["# REST API", "", notice, "", _INTRO, "", _example(), "", "## Who may come in", ""]
    for name, scheme in sorted(openapi["components"]["securitySchemes"].items()):
        lines.append(f"- **{name}**: {scheme['description']}")
    lines += [
        "",
        "Scopes include those before them: `read`, `run`, `admin`. Runs belong to the token that "
        "started them; to others they are not there (404). What was read and what is believed is "
        "shared by the whole installation.",
        "",
    ]
    for tag in openapi["tags"]:
        lines += _tag(openapi, tag)
    lines += ["## Options of a run", "", (SharedOptions.__doc__ or "").replace("\n    ", " "), ""]
    lines += _fields(openapi, openapi["components"]["schemas"]["Options"])
    return "\n".join(lines).rstrip() + "\n"


def _tag(openapi: JsonObject, tag: JsonObject) -> Iterator[str]:
    yield from (f"## {tag['name'].capitalize()}", "", tag["description"], "")
    for path, operations in sorted(openapi["paths"].items()):
        for method, operation in operations.items():
            if operation["tags"] == [tag["name"]]:
                yield from _operation(openapi, method, path, operation)


def _operation(openapi: JsonObject, method: str, path: str, operation: JsonObject) -> Iterator[str]:
    yield from (f"### {method.upper()} {path}", "", f"{operation['summary']}. {_access(operation)}")
    yield from ("", cell(operation.get("description", "")), "")
    parameters = cast("list[JsonObject]", operation.get("parameters", []))
    if parameters:
        yield from ("| parameter | | |", "|---|---|---|")
        for each in parameters:
            description = cell(each["schema"].get("description", each.get("description", "")))
            needed = " (needed)" if each["required"] else ""
            kind = _kind(each["schema"])
            yield f"| `{each['name']}` in {each['in']}{needed} | {kind} | {description} |"
        yield ""
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        yield from (f"Takes `{media}`: {_kind(content['schema'])}", "")
        yield from _fields(openapi, content["schema"])
    answers = [
        f"{status} {_answer_forms(answer)}"
        for status, answer in operation["responses"].items()
        if not status.endswith("XX")
    ]
    yield from (f"Gives {'; '.join(answers)}.", "")


def _access(operation: JsonObject) -> str:
    if "security" not in operation:
        return "Needs nothing."
    security = cast("list[dict[str, list[str]]]", operation["security"])
    scopes = [scope for each in security for named in each.values() for scope in named]
    return f"Needs the scope `{scopes[0]}`." if scopes else "Needs a signature."


def _answer_forms(answer: JsonObject) -> str:
    content = cast("dict[str, JsonObject]", answer.get("content", {}))
    forms = [
        _kind(each["schema"]) if media == "application/json" and each["schema"] else f"`{media}`"
        for media, each in content.items()
    ]
    return " or ".join(forms) if forms else cell(answer["description"]).rstrip(".")


def _fields(openapi: JsonObject, schema: JsonObject) -> list[str]:
    """Tabulate the fields of an object, and of each form that it may have."""
    if "$ref" in schema:
        schema = openapi["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    lines: list[str] = []
    for form in schema.get("oneOf", schema.get("anyOf", [])):
        if "$ref" in form:
            lines += [f"{_kind(form)}:", ""]
            lines += _fields(openapi, form)
    properties = cast("dict[str, JsonObject]", schema.get("properties", {}))
    if not properties:
        return lines
    lines += ["| field | | |", "|---|---|---|"]
    needed = schema.get("required", [])
    for name, each in properties.items():
        mark = " (needed)" if name in needed else ""
        lines.append(f"| `{name}`{mark} | {_kind(each)} | {cell(each.get('description', ''))} |")
    lines.append("")
    for each in properties.values():
        if "$ref" in each and not each["$ref"].endswith("/Options"):
            lines += [f"{_kind(each)}:", "", *_fields(openapi, each)]
    return lines


def _kind(schema: Any) -> str:
    """Describe a schema in a word or two."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    for name in ("oneOf", "anyOf"):
        if name in schema and "type" not in schema:
            kinds = [_kind(each) for each in schema[name] if each.get("type") != "null"]
            return " or ".join(dict.fromkeys(kinds))
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    kinds = schema.get("type", "anything")
    kind = kinds if isinstance(kinds, str) else "/".join(each for each in kinds if each != "null")
    bounds = [
        f"{sign} {round(schema[name]):,}"
        for name, sign in (("minimum", "≥"), ("maximum", "≤"))
        if name in schema
    ]
    default = schema.get("default")
    parts = [schema.get("format", kind), *bounds]
    if default not in (None, "", [], {}):
        parts.append(f"default {str(default).lower() if isinstance(default, bool) else default}")
    return ", ".join(parts)


def cell(text: str) -> str:
    """Put a text on one line that fits into a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|")
