"""How values are kept in columns, on both databases alike."""

from __future__ import annotations

from sqlalchemy import BigInteger, Integer, LargeBinary, SmallInteger, Text
from sqlalchemy.types import TypeEngine


def name_type() -> TypeEngine[str]:
    """Return the type of ids, hashes and states, compared byte by byte on both databases."""
    return Text().with_variant(Text(collation="C"), "postgresql")


def number_type() -> TypeEngine[int]:  # SQLite only numbers rows itself under the name INTEGER
    """Return the type of a 64-bit identity column."""
    return BigInteger().with_variant(Integer(), "sqlite")


class Time(BigInteger):
    """Whole microseconds since 1970, UTC."""


class JsonText(Text):
    """Canonical JSON."""


class Packed(LargeBinary):
    """Canonical JSON, compressed when large."""


class Flag(SmallInteger):
    """1 or 0."""
