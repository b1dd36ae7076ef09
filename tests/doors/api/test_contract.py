"""The OpenAPI document: complete, valid, and kept by the doors that it describes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from groundwire.app.additions.files import KINDS
from groundwire.app.submission import option_names
from groundwire.jobs import offered
from groundwire.jobs.tool.job import TOOLS
from groundwire.model.access import SCOPES
from tests.openapi import document, schemas

from .conftest import Api

# What may be asked without a token: whether the process lives, and what is signed.
OPEN = {"/healthz", "/readyz", "/api/intake"}
Operation = tuple[str, str, dict[str, Any]]


def operations() -> list[Operation]:
    return [
        (method.upper(), path, operation)
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    ]


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from nodes(each)
    elif isinstance(value, list):
        for each in value:
            yield from nodes(each)


def test_every_operation_says_what_it_is() -> None:
    for method, path, operation in operations():
        where = f"{method} {path}"
        assert operation["summary"], where
        assert not operation["summary"].endswith("."), where
        assert len(operation["tags"]) == 1, where
        assert operation["tags"][0] in {tag["name"] for tag in document()["tags"]}, where
        assert operation.get("description"), where


def test_names_are_used_once() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z]+_[a-z_]+", name) for name in names), names


def test_every_answer_has_a_form_and_every_error_is_a_problem() -> None:
    for method, path, operation in operations():
        where = f"{method} {path}"
        answers = operation["responses"]
        assert {"4XX", "5XX"} <= set(answers), where
        for status, answer in answers.items():
            if status in ("4XX", "5XX"):
                problem = answer["content"]["application/problem+json"]["schema"]
                assert problem == {"$ref": "#/components/schemas/Problem"}, where
            elif status != "204":
                for media, content in answer["content"].items():
                    assert "schema" in content, f"{where} {status} {media}"


def test_objects_that_are_read_name_their_fields() -> None:
    """No answer of ours is simply "an object", but for what others made: inputs and payloads."""
    loose = {
        name
        for name, schema in schemas().items()
        if schema.get("type") == "object" and "properties" not in schema
    }
    assert loose == set()


def test_references_and_links_lead_somewhere() -> None:
    ids = {operation["operationId"] for _, _, operation in operations()}
    for node in nodes(document()):
        reference = node.get("$ref")
        if isinstance(reference, str):
            assert reference.rpartition("/")[2] in schemas(), reference
        if "operationId" in node and "parameters" in node and "responses" not in node:
            assert node["operationId"] in ids
    assert not [name for name in schemas() if "__" in name]


def test_schemas_are_schemas() -> None:
    for name, schema in schemas().items():
        Draft202012Validator.check_schema(schema)
        patterns = [node["pattern"] for node in nodes(schema) if "pattern" in node]
        assert all(isinstance(each, dict | str) for each in patterns), name


def test_every_job_and_tool_and_option_is_in_it() -> None:
    """By being in its folder: nothing here is listed by hand."""
    forms = {each["$ref"].rpartition("/")[2] for each in schemas()["Wanted"]["oneOf"]}
    assert forms == {f"Start{job.kind.capitalize()}" for job in offered()}
    for job in offered():
        form = schemas()[f"Start{job.kind.capitalize()}"]
        assert form["properties"]["input"]["$ref"].endswith(job.input.__name__)
    assert {f"/api/tools/{name}" for name in TOOLS} <= set(document()["paths"])
    assert set(schemas()["Options"]["properties"]) == set(option_names())


def test_no_option_reaches_a_key_an_address_or_a_budget() -> None:
    for name in option_names():
        assert not re.search(r"key|url|secret|budget|private|provider|home|token|host", name), name


# --- who may -----------------------------------------------------------------------------------


def needed(operation: dict[str, Any]) -> str:
    (scopes,) = {tuple(scopes) for each in operation["security"] for scopes in each.values()}
    (scope,) = scopes
    return scope


def test_both_ways_to_come_in_are_described() -> None:
    schemes = document()["components"]["securitySchemes"]
    assert (schemes["token"]["type"], schemes["token"]["scheme"]) == ("http", "bearer")
    assert (schemes["session"]["in"], schemes["session"]["name"]) == ("cookie", "gw_session")
    assert schemes["signature"]["name"] == "X-Groundwire-Signature"
    for method, path, operation in operations():
        if path in OPEN:
            continue
        assert [set(each) for each in operation["security"]] == [{"token"}, {"session"}], path
        assert needed(operation) in SCOPES, f"{method} {path}"


def test_what_changes_something_needs_more_than_to_read() -> None:
    for method, path, operation in operations():
        if path not in OPEN:
            assert (method == "GET") or needed(operation) != "read", f"{method} {path}"


def test_what_concerns_everybody_is_for_who_runs_the_desk() -> None:
    admin = {path for _, path, each in operations() if path not in OPEN and needed(each) == "admin"}
    assert admin == {
        "/api/costs",
        "/api/costs/rollout",
        "/api/providers/probe",
        "/api/reload",
        "/api/tokens",
        "/metrics",
    }


@pytest.mark.parametrize("scope", ["", *SCOPES])
async def test_every_door_keeps_to_its_scope(either: Api, scope: str) -> None:
    """No token: 401. Less than is needed: 403. Enough: anything else."""
    client = await (either.caller(scope) if scope else either.client())
    for method, path, operation in operations():
        if path in OPEN:
            continue
        address = re.sub(r"\{[a-z_]+\}", "cl_0123456789abcdef", path)
        given: dict[str, Any] = {"json": {}} if method == "POST" else {}
        answer = await client.request(method, address, **given)
        where = f"{scope or 'nobody'}: {method} {path}: {answer.status_code}"
        if not scope:
            assert answer.status_code == 401, where
            assert answer.headers["www-authenticate"] == "Bearer", where
        elif SCOPES.index(needed(operation)) > SCOPES.index(scope):  # type: ignore[arg-type]
            assert answer.status_code == 403, where
            assert answer.json()["hint"], where
        else:
            assert answer.status_code not in (401, 403, 500), where


def test_every_kind_of_file_that_can_be_added_is_named() -> None:
    body = document()["paths"]["/api/archive"]["post"]["requestBody"]["content"]
    file = body["multipart/form-data"]["schema"]["properties"]["file"]
    assert file["description"].split() == [kind.removeprefix(".") for kind in KINDS]
