"""A person's answer to what a run proposes: checked by the proposal's own type, then recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from pydantic import ValidationError

from groundwire import jobs, plugins
from groundwire.errors import Conflict, InputError
from groundwire.model.base import JsonObject, Value, canonical
from groundwire.model.proposal import Confirmed, Proposal
from groundwire.model.refusals import refused
from groundwire.model.run import Run

if TYPE_CHECKING:
    from groundwire.app.facade import App

# What a proposal's type says of a field that follows from others; see JSON Schema.
READ_ONLY = "readOnly"


def proposed(run: Run) -> Proposal:
    """Return what a run waits for; refuse a run that waits for nothing."""
    if run.state != "waiting" or run.waiting is None:
        raise Conflict("confirm.nothing", state=run.state)
    return run.waiting


def form_of(run: Run) -> type[Value]:
    """Find the type of what a run proposes, as its job declares it."""
    name = proposed(run).form
    for each in jobs.find(run.kind).proposals:
        if each.__name__ == name:
            return each
    raise Conflict("confirm.no_form", kind=run.kind, form=name)


def schema_of(run: Run) -> JsonObject:
    """Return the JSON schema of what a run proposes, for forms."""
    return form_of(run).model_json_schema()


async def confirm(
    app: App, run: Run, edited: Mapping[str, object] | None = None, *, by: str, proposal: str = ""
) -> Run:
    """Let a waiting run go on, with its proposal as it is or with some fields edited.

    `proposal` is the id of the one that the person has seen, where a door knows it.
    """
    waiting = proposed(run)
    fields = checked(run, edited or {})
    masked = cast(JsonObject, app.known.value(fields))
    answer = Confirmed(fields=masked, edited=fields != waiting.fields, by=by)
    return await app.engine.confirm(run.id, proposal or waiting.id, answer)


def checked(run: Run, edited: Mapping[str, object]) -> JsonObject:
    """Return the fields to go on with; an edit that the job does not accept is refused by name."""
    proposal, form = proposed(run), form_of(run)
    declared = cast(JsonObject, form.model_json_schema().get("properties") or {})
    for name, value in edited.items():
        if name not in proposal.fields:
            raise plugins.unknown("noun.field", name, proposal.fields)
        follows = cast(JsonObject, declared.get(name) or {}).get(READ_ONLY)
        if follows and value != proposal.fields[name]:
            raise InputError("confirm.follows", field=name)
    try:
        value = form.model_validate_json(canonical({**proposal.fields, **edited}))
    except ValidationError as error:
        raise refused(form.__name__.lower(), error, form) from None
    except (ValueError, RecursionError):
        raise InputError("confirm.unkept") from None
    return value.model_dump(mode="json")


def edits(given: list[str]) -> JsonObject:
    """Parse the edits that a person typed, each FIELD=VALUE; a value is JSON, or else text."""
    found: JsonObject = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not (name.strip() and equals):
            raise InputError("confirm.not_an_edit", given=repr(each[:40]))
        try:
            found[name.strip()] = json.loads(value)
        except ValueError:
            found[name.strip()] = value
    return found


def edits_of_json(text: str) -> JsonObject:
    """Parse the edits of a JSON object."""
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("confirm.no_json") from None
    if not isinstance(found, dict):
        raise InputError("confirm.no_json")
    return cast(JsonObject, found)
