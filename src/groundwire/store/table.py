"""What the tables share: methods that are work on the database, rows as values, insert-or-get."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import CoroutineType
from typing import Any, Concatenate, Generic, ParamSpec, TypeAlias, TypeVar, cast

from pydantic import ValidationError
from sqlalchemy import Column, Table, bindparam
from sqlalchemy.sql.elements import NamedColumn

from groundwire.errors import CorruptStore
from groundwire.model.base import Value
from groundwire.model.phrase import phrase
from groundwire.store import payload
from groundwire.store.columns import Flag, JsonText, Packed, Time
from groundwire.store.database import Database
from groundwire.store.dialect import Dialect, Insert
from groundwire.store.statement import Connection, Statement

T = TypeVar("T", bound="DatabaseTable")
V = TypeVar("V", bound=Value)
P = ParamSpec("P")
R = TypeVar("R")
Method: TypeAlias = Callable[Concatenate[T, Connection, P], R]
Awaited: TypeAlias = "Callable[Concatenate[T, P], CoroutineType[Any, Any, R]]"


class DatabaseTable:
    """A part of the store, over a database; its methods are marked with `reads` or `writes`."""

    def __init__(self, database: Database) -> None:
        self.database = database


def reads(method: Method[T, P, R]) -> Awaited[T, P, R]:
    """Run a method outside any transaction, off the event loop."""

    async def read(self: T, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self.database.read(lambda c: method(self, c, *args, **kwargs))

    return read


def writes(method: Method[T, P, R]) -> Awaited[T, P, R]:
    """Run a method in one transaction, off the event loop; it may be run more than once."""

    async def write(self: T, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self.database.write(lambda c: method(self, c, *args, **kwargs))

    return write


def _json(value: Any) -> str:
    return payload.text(_plain(value))


def _plain(value: Any) -> Any:
    if isinstance(value, Value):
        return value.model_dump(mode="json")
    return (
        [_plain(each) for each in cast("tuple[Any]", value)] if isinstance(value, tuple) else value
    )


# How a cell becomes the value of a field, and back, by the column's type.
_READ: dict[type, Callable[[Any], Any]] = {
    Time: payload.from_us,
    JsonText: payload.parse,
    Packed: payload.unpack,
    Flag: bool,
}
_WRITE: dict[type, Callable[[Any], Any]] = {
    Time: payload.to_us,
    JsonText: _json,
    Packed: payload.pack,
    Flag: int,
}


class Rows(Generic[V]):
    """Rows as values of one type, whose fields have the names of the columns."""

    def __init__(
        self, value: type[V], columns: Iterable[NamedColumn[Any]], what: str = "stored.row"
    ) -> None:
        self.columns = tuple(columns)
        self._value = value
        self._what = what
        self._names = tuple(column.name for column in self.columns)
        self._read = _by_name(self.columns, _READ)
        self._write = _by_name(self.columns, _WRITE)

    def fields(self, row: Sequence[Any]) -> dict[str, Any]:
        """Return a row's columns as fields."""
        found = dict(zip(self._names, row, strict=True))
        for name, read in self._read:
            if found[name] is not None:
                found[name] = read(found[name])
        return found

    def value(self, row: Sequence[Any], **more: Any) -> V:
        """Return a row as a value, with more fields that are not in the row."""
        try:
            return self._value.model_validate({**self.fields(row), **more})
        except ValidationError as error:
            run = dict(zip(self._names, row, strict=True)).get("run_id", row[0])
            which = phrase(self._what, id=row[0], run=run)
            raise CorruptStore("error.stored_unreadable", what=which) from error

    def cells(self, value: V, **more: Any) -> dict[str, Any]:
        """Return a value's columns, with more cells that are not in the value."""
        found: dict[str, Any] = {name: getattr(value, name, None) for name in self._names}
        for name, write in self._write:
            if found[name] is not None:
                found[name] = write(found[name])
        return found | more


def _by_name(
    columns: Sequence[NamedColumn[Any]], converters: dict[type, Callable[[Any], Any]]
) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    return tuple(
        (each.name, converters[type(each.type)])
        for each in columns
        if type(each.type) in converters
    )


def columns_of(table: Table, *excluded: str) -> tuple[Column[Any], ...]:
    """Return a table's columns, except the number that the database gives, and others."""
    return tuple(column for column in table.c if column.name not in ("num", *excluded))


def prefixed(prefix: str) -> dict[str, str]:
    """Return the range of names with a prefix, as parameters."""
    return {"low": prefix, "high": prefix + chr(0x10FFFF)}


def add_new(table: Table, key: Sequence[str], *returning: Column[Any]) -> Statement:
    """Build an insert that leaves an existing row with the same key alone."""

    def build(dialect: Dialect) -> Any:
        added = _insert(dialect, table).on_conflict_do_nothing(index_elements=key)
        return added.returning(*returning) if returning else added

    return Statement(build)


def put(
    table: Table,
    key: Sequence[str],
    *returning: Column[Any],
    kept: Sequence[str] = (),
    where: Any = None,
) -> Statement:
    """Build an insert that replaces a row with the same key, except for the columns in `kept`."""

    def build(dialect: Dialect) -> Any:
        added = _insert(dialect, table)
        names = [each.name for each in columns_of(table, *key, *kept)]
        changed = {name: added.excluded[name] for name in names}
        added = added.on_conflict_do_update(index_elements=key, set_=changed, where=where)
        return added.returning(*returning) if returning else added

    return Statement(build)


def _insert(dialect: Dialect, table: Table) -> Insert:
    return dialect.insert(table).values(
        {each.name: bindparam(each.name) for each in columns_of(table)}
    )
