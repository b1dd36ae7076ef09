"""What a run proposes as people see it: what follows from it, and fields of a form for what may be changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, cast

from groundwire.app.confirmation import READ_ONLY, schema_of
from groundwire.errors import Conflict
from groundwire.model.base import Json, JsonObject
from groundwire.model.run import Run
from groundwire.report.plain import keep_layout, one_line
from groundwire.words import Words

FieldKind = Literal[
    "text", "integer", "number", "boolean", "choice", "list", "rows", "json", "told"
]
_KINDS: Mapping[str, FieldKind] = {
    "boolean": "boolean",
    "integer": "integer",
    "number": "number",
    "string": "text",
}
_LINE = 200  # characters that a line may hold
_CENT = 0.01  # a smaller sum is written to a hundredth of it


class Option(NamedTuple):
    """One of the values that a field may have."""

    value: str
    label: str


class FormField(NamedTuple):
    """A field of a proposal: what it is called, what it holds, and how it is edited."""

    name: str
    label: str
    kind: FieldKind
    value: str = ""  # of a list, its items one on each line; of what is told, the words
    about: str = ""
    long: bool = False  # it takes more than a line
    optional: bool = False  # it may be left empty, which is no value
    options: tuple[Option, ...] = ()
    rows: tuple[tuple[FormField, ...], ...] = ()
    blank: tuple[FormField, ...] = ()  # of a row that is added


def form_for(run: Run, say: Words) -> tuple[FormField, ...] | None:
    """Build the fields of what a run waits for, what is only told first; None: it waits for nothing."""
    proposal = run.waiting
    if run.state != "waiting" or proposal is None:
        return None
    form = _Form(run.kind, _schema(run), say)
    fields = [each for each in form.fields(form.root, proposal.fields) if each is not None]
    return tuple(sorted(fields, key=lambda each: each.kind != "told"))


def _schema(run: Run) -> JsonObject:
    """Return what the job declares of its proposal; nothing for a job of another version."""
    try:
        return schema_of(run)
    except Conflict:
        return {}


class _Form:
    """The fields of one proposal, in the words of one job."""

    def __init__(self, kind: str, schema: JsonObject, say: Words) -> None:
        self.root = schema
        self._kind = kind
        self._say = say
        self._types = cast(JsonObject, schema.get("$defs") or {})

    def fields(self, schema: JsonObject, values: JsonObject) -> Iterator[FormField | None]:
        """Yield the fields of an object in their declared order; what nobody declares comes last."""
        declared = cast(JsonObject, schema.get("properties") or {})
        for name in dict.fromkeys((*declared, *values)):
            if name in values:
                yield self._field(name, cast(JsonObject, declared.get(name) or {}), values[name])

    def _field(self, name: str, declared: JsonObject, value: Json) -> FormField | None:
        schema, optional = self._resolved(declared)
        label = self._say.maybe(f"{self._kind}.field.{name}", self._say.name("field", name))
        about = one_line(str(declared.get("description") or ""))
        if declared.get(READ_ONLY):
            told = self._told(name, value)
            return FormField(name, label, "told", told, about) if told else None
        kind = _kind(schema, value)
        text = keep_layout(_as_text(value, kind))
        long = int(schema.get("maxLength") or len(text)) > _LINE or "\n" in text
        base = FormField(name, label, kind, text, about, long, optional)
        if kind == "choice":
            return base._replace(options=tuple(self._options(name, schema)))
        return self._with_rows(base, schema, value) if kind == "rows" else base

    def _resolved(self, declared: JsonObject) -> tuple[JsonObject, bool]:
        """Follow a reference, and take the one type that may be left out for what it is."""
        kinds = cast("list[JsonObject]", declared.get("anyOf") or [declared])
        real = [each for each in kinds if each.get("type") != "null"]
        schema = real[0] if len(real) == 1 else declared
        name = str(schema.get("$ref") or "").rpartition("/")[2]
        schema = cast(JsonObject, self._types.get(name) or schema)
        items = schema.get("items")
        if isinstance(items, dict):
            schema = {**schema, "items": self._resolved(cast(JsonObject, items))[0]}
        return schema, len(real) < len(kinds)

    def _options(self, name: str, schema: JsonObject) -> Iterator[Option]:
        for each in cast("list[str]", schema.get("enum") or []):
            fallback = self._say.name(name, each)
            yield Option(each, self._say.maybe(f"{self._kind}.{name}.{each}", fallback))

    def _with_rows(self, base: FormField, schema: JsonObject, value: Json) -> FormField:
        items = cast(JsonObject, schema["items"])
        rows = (self._row(items, each) for each in cast("list[JsonObject]", value))
        names = cast(JsonObject, items["properties"])
        empty = {
            name: _empty(self._resolved(cast(JsonObject, each))[0]) for name, each in names.items()
        }
        return base._replace(rows=tuple(rows), blank=self._row(items, empty))

    def _row(self, items: JsonObject, values: JsonObject) -> tuple[FormField, ...]:
        return tuple(each for each in self.fields(items, values) if each is not None)

    def _told(self, name: str, value: Json) -> str:
        """Write a value that follows from others; "": there is nothing to say of it."""
        code = f"{self._kind}.told.{name}"
        if isinstance(value, bool):
            return self._say.maybe(f"{code}.{str(value).lower()}", json.dumps(value))
        money = name.endswith("_usd")
        text = _amount(value, money=money)
        if isinstance(value, dict) and not money and value.get("least") == 0 != value.get("most"):
            text = self._say("run.proposal.at_most", value=_amount(value["most"], money=False))
        named = self._say.maybe(f"{self._kind}.{name}.{text}", text)
        return self._say.maybe(code, named, value=named) if text else ""


def _amount(value: Json, *, money: bool) -> str:
    """Write a number, or an interval from its least to its most, which is one number if they agree."""
    if isinstance(value, dict) and value.keys() == {"least", "most"}:
        ends = (_amount(value[each], money=money) for each in ("least", "most"))
        return "–".join(dict.fromkeys(ends))
    if isinstance(value, int | float):
        if not money:
            return f"{value:g}"
        return f"${value:.2f}" if value >= _CENT or not value else f"${value:.4f}"
    return "" if value is None else _as_text(value, "text" if isinstance(value, str) else "json")


def _kind(schema: JsonObject, value: Json) -> FieldKind:
    """Tell how a value is edited: as its type says, or where none is declared, as it looks."""
    if schema.get("enum") and isinstance(value, str):
        return "choice"
    items = schema.get("items")
    if isinstance(items, dict) and cast(JsonObject, items).get("properties"):
        return "rows"
    if value is None:
        return _KINDS.get(str(schema.get("type")), "json")
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        whole = isinstance(value, int) and schema.get("type") != "number"
        return "integer" if whole else "number"
    if isinstance(value, str):
        return "text"
    plain = isinstance(value, list) and all(
        isinstance(each, str) and "\n" not in each for each in cast("list[Json]", value)
    )
    return "list" if plain else "json"


def _empty(schema: JsonObject) -> Json:
    """Return what a field holds in a row that is new."""
    if "default" in schema:
        return schema["default"]
    empty: Mapping[str, Json] = {"array": [], "string": "", "boolean": False}
    return empty.get(str(schema.get("type")))


def _as_text(value: Json, kind: FieldKind) -> str:
    if value is None:
        return ""
    if kind in ("text", "choice"):
        return str(value)
    if kind == "list":
        return "\n".join(cast("list[str]", value))
    return json.dumps(value, ensure_ascii=False, indent=2 if kind == "json" else None)
