"""Columns as the revisions write them.

Apart from `schema.py`, and never changed: a revision does the same for ever.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op


def name(column: str, *, nullable: bool = False, **more: Any) -> sa.Column[Any]:
    """Return a column of names, which are compared byte by byte on both databases."""
    kind = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    return sa.Column(column, kind, nullable=nullable, **more)


def text(column: str, *, nullable: bool = False, **more: Any) -> sa.Column[Any]:
    return sa.Column(column, sa.Text(), nullable=nullable, **more)


def big(column: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(column, sa.BigInteger(), nullable=nullable, autoincrement=False)


def whole(column: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(column, sa.Integer(), nullable=nullable, autoincrement=False)


def flag(column: str) -> sa.Column[Any]:
    return sa.Column(column, sa.SmallInteger(), nullable=False)


def double(column: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(column, sa.Double(), nullable=nullable)


def blob(column: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(column, sa.LargeBinary(), nullable=nullable)


def num() -> sa.Column[Any]:
    """Return the number that the database gives a row."""
    kind = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column("num", kind, nullable=False)


def index(table: str, *columns: str) -> None:
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns))
