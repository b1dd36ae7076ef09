"""What a run proposes as a form: one field for each of its own, whatever the job."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from groundwire.app.confirmation import schema_of
from groundwire.errors import Conflict
from groundwire.model.base import Json, JsonObject
from groundwire.model.run import Run
from groundwire.report.plain import as_set, one_line
from groundwire.words import Words

FieldKind = Literal["text", "integer", "number", "boolean", "list", "json"]


@dataclass(frozen=True)
class FormField:
    """A field of a proposal as a person edits it."""

    name: str
    label: str
    kind: FieldKind
    value: str  # of a list, its items one on each line
    about: str


@dataclass(frozen=True)
class ProposalForm:
    """A proposal that waits for a person's word."""

    id: str
    fields: tuple[FormField, ...]
    until: datetime | None


def form_for(run: Run, say: Words) -> ProposalForm | None:
    """Return the form of what a run waits for; None: it waits for nothing."""
    asked = run.waiting
    if run.state != "waiting" or asked is None:
        return None
    about = _described(run)
    fields = tuple(
        FormField(
            name=name,
            label=say.maybe(f"{run.kind}.field.{name}", say.name("field", name)),
            kind=(kind := _kind(value)),
            value=as_set(_written(value, kind)),
            about=one_line(about.get(name, "")),
        )
        for name, value in asked.fields.items()
    )
    return ProposalForm(id=asked.id, fields=fields, until=asked.until)


def _described(run: Run) -> Mapping[str, str]:
    """Return what the job says of its fields; of a job of another version, nothing."""
    try:
        fields = cast(JsonObject, schema_of(run).get("properties") or {})
    except Conflict:
        return {}
    return {
        name: str(cast(JsonObject, each).get("description") or "")
        for name, each in fields.items()
        if isinstance(each, dict)
    }


def _kind(value: Json) -> FieldKind:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "integer" if isinstance(value, int) else "number"
    if isinstance(value, str):
        return "text"
    plain = isinstance(value, list) and all(
        isinstance(each, str) and "\n" not in each for each in cast("list[Json]", value)
    )
    return "list" if plain else "json"


def _written(value: Json, kind: FieldKind) -> str:
    if kind == "text":
        return str(value)
    if kind == "list":
        return "\n".join(cast("list[str]", value))
    return json.dumps(value, ensure_ascii=False, indent=2 if kind == "json" else None)
