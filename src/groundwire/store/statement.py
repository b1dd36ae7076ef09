"""Statements compiled once per dialect, and the thin connection that runs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy.sql import ClauseElement

from groundwire.errors import IllegalState
from groundwire.store.dialect import Dialect, RawConnection

T = TypeVar("T")
Row = tuple[Any, ...]
Parameters = Mapping[str, Any]


class _Compiled(NamedTuple):
    sql: str
    names: tuple[str, ...]
    constants: Parameters  # values written into the statement itself


class Statement:
    """A Core statement (or a maker of one, where dialects differ), compiled on first use.

    Compiling costs more than running: the ledger's statements are run thousands of times a second.
    """

    __slots__ = ("_compiled", "_core")

    def __init__(self, core: ClauseElement | Callable[[Dialect], ClauseElement]) -> None:
        self._core = core
        self._compiled: dict[str, _Compiled] = {}

    def compiled(self, dialect: Dialect) -> _Compiled:
        found = self._compiled.get(dialect.name)
        if found is None:
            core = self._core if isinstance(self._core, ClauseElement) else self._core(dialect)
            compiled = core.compile(dialect=dialect.core)
            names = tuple(getattr(compiled, "positiontup", None) or ())
            constants = {
                name: value for name, value in (compiled.params or {}).items() if value is not None
            }
            found = self._compiled[dialect.name] = _Compiled(str(compiled), names, constants)
        return found


class Connection:
    """One transaction's (or one read's) view of the database."""

    __slots__ = ("dialect", "raw")

    def __init__(self, raw: RawConnection, dialect: Dialect) -> None:
        self.raw = raw
        self.dialect = dialect

    def one(self, statement: Statement, parameters: Parameters) -> Row | None:
        """Return the first row; None: there is none."""
        sql, values = self._bound(statement, parameters)
        return self.raw.execute(sql, values).fetchone()

    def first(
        self, statement: Statement, parameters: Parameters, of: Callable[[Row], T]
    ) -> T | None:
        """Return the first row as a value; None: there is none."""
        row = self.one(statement, parameters)
        return None if row is None else of(row)

    def cell(self, statement: Statement, parameters: Parameters) -> Any:
        """Return the first column of the first row; None: there is no row."""
        row = self.one(statement, parameters)
        return None if row is None else row[0]

    def column(self, statement: Statement, parameters: Parameters) -> list[Any]:
        """Return the first column of every row."""
        return [row[0] for row in self.all(statement, parameters)]

    def all(self, statement: Statement, parameters: Parameters) -> list[Row]:
        sql, values = self._bound(statement, parameters)
        return self.raw.execute(sql, values).fetchall()

    def select(self, sql: str, values: Sequence[Any]) -> list[Row]:
        """Run composed SQL with `?` for each value; it has no other `?`, and no percent sign."""
        translated = sql if self.dialect.name == "sqlite" else sql.replace("?", "%s")
        return self.raw.execute(translated, tuple(values)).fetchall()

    def change(self, statement: Statement, parameters: Parameters) -> int:
        """Run a write; the number of rows it touched."""
        sql, values = self._bound(statement, parameters)
        return self.raw.execute(sql, values).rowcount

    def many(self, statement: Statement, rows: Sequence[Parameters]) -> None:
        """Run a write once for each row of parameters."""
        if not rows:
            return
        cursor = self.raw.cursor()
        sql, _ = self._bound(statement, rows[0])
        cursor.executemany(sql, [self._bound(statement, row)[1] for row in rows])
        cursor.close()

    def _bound(self, statement: Statement, parameters: Parameters) -> tuple[str, tuple[Any, ...]]:
        sql, names, constants = statement.compiled(self.dialect)
        if constants:
            parameters = {**constants, **parameters}
        return sql, tuple([parameters[name] for name in names])


def must(value: T | None) -> T:
    """Return a value that was just written; raise if it is not there."""
    if value is None:
        raise IllegalState("A row that was just written is not there.")
    return value
