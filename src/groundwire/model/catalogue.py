"""The archive as a reader browses it: the request, the page of hits, and its facets."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from groundwire.model.base import Value
from groundwire.model.ports import ArchiveHit

# The source of all that was not read on the web; no domain has a space.
FILES = "local files"

# Which of the words a document has: all of them, some, or none were asked for.
Held = Literal["all", "any", "none"]


class Look(Value):
    """What a reader looks for. Of one facet any value fits, of several facets all must."""

    text: str = ""
    some: bool = False  # documents with some of the words, too
    sources: tuple[str, ...] = ()  # registrable domains, or FILES
    languages: tuple[str, ...] = ()
    since: date | None = None  # published, else fetched, in UTC; both days belong to it
    until: date | None = None
    newest: bool = False  # by time although there are words
    skip: int = Field(default=0, ge=0)
    limit: int = Field(default=20, ge=1, le=100)


class Facet(Value):
    """A value that narrows a list down, and how many documents it would leave."""

    value: str
    count: int
    label: str = ""  # of a domain: the publisher as its newest page names it
    chosen: bool = False


class CatalogueHit(ArchiveHit):
    """A document on the shelf; `marks` are places of the words in snippet and title."""

    marks: tuple[tuple[int, int], ...] = ()
    title_marks: tuple[tuple[int, int], ...] = ()


class Shelf(Value):
    """A stretch of the archive, and how it could be narrowed down or widened."""

    held: Held
    total: int  # documents that fit
    reach: int  # how many of them can be paged to: only the best of many are ranked
    more: int = 0  # further documents with some of the words, where `total` has them all
    found: tuple[CatalogueHit, ...] = ()
    sources: tuple[Facet, ...] = ()  # the most frequent first
    languages: tuple[Facet, ...] = ()
    years: tuple[Facet, ...] = ()  # the newest first
