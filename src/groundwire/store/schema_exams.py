"""The schema of exams: what models' answers to a question are worth."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Double, Integer, Table

from groundwire.store.columns import JsonText, Time, name_type
from groundwire.store.schema_access import metadata

__all__ = ["marks", "metadata"]

marks = Table(
    "marks",
    metadata,
    Column("model", name_type(), primary_key=True),
    Column("question", name_type(), primary_key=True),
    Column("prompts", name_type(), primary_key=True),
    Column("items", name_type(), primary_key=True),
    Column("reader", name_type(), nullable=False),
    Column("count", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("score", Double, nullable=False),
    Column("low", Double, nullable=False),
    Column("high", Double, nullable=False),
    Column("embedded", Double, nullable=False),
    Column("ahead_low", Double, nullable=False),
    Column("ahead_high", Double, nullable=False),
    Column("cost_micro", BigInteger, nullable=False),
    Column("taken_at", Time, nullable=False),
    Column("run_id", name_type(), nullable=False),
    Column("scores", JsonText, nullable=False),  # by item
)
