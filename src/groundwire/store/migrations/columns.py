"""Tables and columns as the revisions write them.

Kept apart from `schema.py` and never changed: a revision does the same for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import sqlalchemy as sa
from alembic import op

Columns: TypeAlias = "list[sa.Column[Any]]"
_NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUM = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _columns(kind: Any, *names: str, nullable: bool = False, **more: Any) -> Columns:
    return [sa.Column(each, kind, nullable=nullable, **more) for each in names]


name = partial(_columns, _NAME)  # compared byte by byte on both databases
text = partial(_columns, sa.Text())
big = partial(_columns, sa.BigInteger(), autoincrement=False)
whole = partial(_columns, sa.Integer(), autoincrement=False)
flag = partial(_columns, sa.SmallInteger())
double = partial(_columns, sa.Double())
blob = partial(_columns, sa.LargeBinary())
num = partial(_columns, _NUM, "num")  # that the database gives a row


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
