"""What a parser returns; a light module, because parent and workers both load it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

# The words of `model.source.DateSource`; spelled again so that a worker need not load the model.
DateHow: TypeAlias = Literal["declared", "metadata", "url", "text", "feed", "header", "unknown"]

# The media types of Word and Excel.
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True)
class Extracted:
    """An article as read; `published_at` is ISO, a day or a moment."""

    title: str
    author: str | None
    published_at: str | None
    published_how: DateHow
    publisher: str
    language: str
    text: str
    media_type: str


@dataclass(frozen=True, slots=True)
class Record:
    """One of many articles in a file: its place, and the address that it names itself."""

    where: str  # row 12, message 345
    url: str  # empty: it names none
    found: Extracted


@dataclass(frozen=True, slots=True)
class RefusedPage:
    """A row that is no article, and why."""

    where: str
    reason: str  # a code, or an error as it is kept


@dataclass(frozen=True, slots=True)
class Records:
    """The articles of a file; `skipped` counts what was never meant to be one."""

    records: tuple[Record, ...]
    refused: tuple[RefusedPage, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict[str, int])
