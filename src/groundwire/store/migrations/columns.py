"""Tables and columns as the revisions write them.

Kept apart from `schema.py` and never changed: a revision does the same for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import sqlalchemy as sa
from alembic import op

Columns: TypeAlias = "list[sa.Column[Any]]"
_NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUM = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def name(*columns: str, nullable: bool = False, **more: Any) -> Columns:
    """Return columns of names, which are compared byte by byte on both databases."""
    return [sa.Column(each, _NAME, nullable=nullable, **more) for each in columns]


def text(*columns: str, nullable: bool = False, **more: Any) -> Columns:
    return [sa.Column(each, sa.Text(), nullable=nullable, **more) for each in columns]


def big(*columns: str, nullable: bool = False) -> Columns:
    kind = sa.BigInteger()
    return [sa.Column(each, kind, nullable=nullable, autoincrement=False) for each in columns]


def whole(*columns: str, nullable: bool = False) -> Columns:
    kind = sa.Integer()
    return [sa.Column(each, kind, nullable=nullable, autoincrement=False) for each in columns]


def flag(column: str) -> Columns:
    return [sa.Column(column, sa.SmallInteger(), nullable=False)]


def double(column: str, *, nullable: bool = False) -> Columns:
    return [sa.Column(column, sa.Double(), nullable=nullable)]


def blob(column: str, *, nullable: bool = False) -> Columns:
    return [sa.Column(column, sa.LargeBinary(), nullable=nullable)]


def num() -> Columns:
    """Return the number that the database gives a row."""
    return [sa.Column("num", _NUM, nullable=False)]


def create(
    table: str,
    *columns: Columns,
    key: str = "num",
    unique: Sequence[str] = (),
    refers: Mapping[str, str] | None = None,
    indexes: Sequence[str] = (),
) -> None:
    """Create a table; the columns of a key or of an index are separated by spaces."""
    op.create_table(
        table,
        *(column for group in columns for column in group),
        sa.PrimaryKeyConstraint(*key.split(), name=f"pk_{table}"),
        *(sa.UniqueConstraint(*each.split(), name=_named("uq", table, each)) for each in unique),
        *(
            sa.ForeignKeyConstraint([own], [other], name=_named("fk", table, own))
            for own, other in (refers or {}).items()
        ),
    )
    index(table, *indexes)


def add(table: str, *columns: Columns) -> None:
    for group in columns:
        for column in group:
            op.add_column(table, column)


def index(table: str, *indexes: str) -> None:
    for each in indexes:
        op.create_index(_named("ix", table, each), table, each.split())


def _named(kind: str, table: str, columns: str) -> str:
    return f"{kind}_{table}_{columns.replace(' ', '_')}"
