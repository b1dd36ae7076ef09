"""Documents and their texts: a text is stored once, under the hash of its content."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, select

from groundwire.errors import CorruptStore, InputError
from groundwire.evidence.sources.urls import registrable_domain
from groundwire.model.phrase import phrase
from groundwire.model.source import SNIPPET_TYPE, Document
from groundwire.store.payload import from_us, from_us_or_none, to_us, to_us_or_none
from groundwire.store.schema import bodies, documents
from groundwire.store.statement import Connection, Row, Statement

_LEVEL = 1  # a third larger than the best level, many times faster

_FIELDS = (
    documents.c.id,
    documents.c.url,
    documents.c.canonical_url,
    documents.c.publisher,
    documents.c.title,
    documents.c.author,
    documents.c.published_at,
    documents.c.published_how,
    documents.c.language,
    documents.c.sha256,
    documents.c.media_type,
    documents.c.fetched_at,
    documents.c.sample,
    documents.c.tier,
    bodies.c.data,
)
_WHOLE = select(*_FIELDS).join(bodies, bodies.c.sha256 == documents.c.sha256)

_INSERT_BODY = Statement(
    lambda dialect: (
        dialect.insert(bodies)
        .values({column.name: bindparam(column.name) for column in bodies.c})
        .on_conflict_do_nothing(index_elements=["sha256"])
    )
)
_INSERT = Statement(
    lambda dialect: (
        dialect.insert(documents)
        .values(
            {column.name: bindparam(column.name) for column in documents.c if column.name != "num"}
        )
        .on_conflict_do_nothing(index_elements=["id"])
        .returning(documents.c.num)
    )
)
_GET = Statement(_WHOLE.where(documents.c.id == bindparam("id")))
_IS_PAGE = documents.c.media_type != SNIPPET_TYPE
_BY_URL = Statement(
    _WHOLE.where(documents.c.canonical_url == bindparam("canonical_url"), _IS_PAGE)
    .order_by(documents.c.fetched_at.desc(), documents.c.id)
    .limit(1)
)
_AT = func.coalesce(documents.c.published_at, documents.c.fetched_at)
_NEWEST = Statement(
    select(documents.c.id)
    .where(
        documents.c.canonical_url == bindparam("canonical_url"),
        _IS_PAGE,
        bindparam("until") >= _AT,
    )
    .order_by(documents.c.fetched_at.desc(), documents.c.id)
    .limit(1)
)
_FOR_EVER = 2**62
_HELD = Statement(select(documents.c.num).where(documents.c.id == bindparam("id")))
_PLACE = Statement(
    select(documents.c.num, documents.c.sha256).where(documents.c.id == bindparam("id"))
)
_DELETE = Statement(delete(documents).where(documents.c.num == bindparam("num")))
# Held until the end of the transaction: nobody can begin to refer to a text that is being
# forgotten (SQLite has one writer and needs no lock).
_LOCK_BODY = Statement(
    select(bodies.c.sha256).where(bodies.c.sha256 == bindparam("sha256")).with_for_update()
)
_DELETE_BODY = Statement(
    delete(bodies).where(
        bodies.c.sha256 == bindparam("sha256"),
        ~select(documents.c.num).where(documents.c.sha256 == bodies.c.sha256).exists(),
    )
)
_SUMMARY = Statement(
    select(
        func.count(),
        func.count(documents.c.publisher.distinct()),
        func.min(_AT),
        func.max(_AT),
    )
    .select_from(documents)
    .where(_IS_PAGE)
)
_LANGUAGES = Statement(
    select(documents.c.language, func.count())
    .where(_IS_PAGE)
    .group_by(documents.c.language)
    .order_by(documents.c.language)
)


class Prepared:
    """A document as columns, made ready off the writer's thread."""

    __slots__ = ("body", "row")

    def __init__(self, document: Document) -> None:
        raw = document.text.encode()
        self.body: Mapping[str, Any] = {
            "sha256": document.sha256,
            "size": len(raw),
            "data": zlib.compress(raw, _LEVEL),
        }
        self.row: Mapping[str, Any] = {
            "id": document.id,
            "canonical_url": document.canonical_url,
            "url": document.url,
            "publisher": _clean(document.publisher),
            "domain": domain_of(document.canonical_url),
            "title": _clean(document.title),
            "author": None if document.author is None else _clean(document.author),
            "published_at": to_us_or_none(document.published_at),
            "published_how": document.published_how,
            "language": document.language,
            "sha256": document.sha256,
            "media_type": document.media_type,
            "fetched_at": to_us(document.fetched_at),
            "sample": int(document.sample),
            "tier": document.tier,
        }


def _clean(words: str) -> str:
    # PostgreSQL's text cannot hold NUL, and it means nothing anywhere.
    return words.replace("\0", "")


def domain_of(url: str) -> str:
    """The registrable domain; empty for what does not come from the web (a file, a message)."""
    try:
        return registrable_domain(url)
    except InputError:
        return ""


def held(connection: Connection, ids: Iterable[str]) -> frozenset[str]:
    """Those of the documents that are already there."""
    return frozenset(id for id in ids if connection.one(_HELD, {"id": id}) is not None)


def insert(connection: Connection, prepared: Sequence[Prepared]) -> list[int | None]:
    """Store each with its text; the new row's number, or None where the document was there."""
    connection.many(_INSERT_BODY, [item.body for item in prepared])
    found: list[int | None] = []
    for item in prepared:
        row = connection.one(_INSERT, item.row)
        found.append(None if row is None else row[0])
    return found


def get(connection: Connection, document_id: str) -> Document | None:
    row = connection.one(_GET, {"id": document_id})
    return None if row is None else _document(row)


def by_url(connection: Connection, canonical_url: str) -> Document | None:
    """The version that was fetched last; what a search showed of the page is none."""
    row = connection.one(_BY_URL, {"canonical_url": canonical_url})
    return None if row is None else _document(row)


def newest(connection: Connection, canonical_url: str, until: datetime | None) -> str | None:
    """The version of a page that was fetched last, of those that are not later than `until`."""
    latest = _FOR_EVER if until is None else to_us(until)
    row = connection.one(_NEWEST, {"canonical_url": canonical_url, "until": latest})
    return None if row is None else row[0]


def places(connection: Connection, ids: Iterable[str]) -> dict[int, str]:
    """Row number and text hash of each document that is there."""
    found: dict[int, str] = {}
    for id in ids:
        row = connection.one(_PLACE, {"id": id})
        if row is not None:
            found[row[0]] = row[1]
    return found


def lock_bodies(connection: Connection, hashes: Iterable[str]) -> None:
    """In one order, so that two who forget do not wait for each other."""
    if connection.dialect.name == "sqlite":
        return
    for sha256 in sorted(set(hashes)):
        connection.one(_LOCK_BODY, {"sha256": sha256})


def delete_rows(connection: Connection, nums: Iterable[int], hashes: Iterable[str]) -> None:
    """Forget rows, then the texts that no row refers to any more."""
    connection.many(_DELETE, [{"num": num} for num in nums])
    connection.many(_DELETE_BODY, [{"sha256": sha256} for sha256 in sorted(set(hashes))])


def summary(connection: Connection) -> tuple[int, int, datetime | None, datetime | None]:
    """Documents, publishers, the oldest and the newest time (publication, else fetch)."""
    row = connection.one(_SUMMARY, {})
    if row is None:
        return 0, 0, None, None
    return row[0], row[1], from_us_or_none(row[2]), from_us_or_none(row[3])


def languages(connection: Connection) -> dict[str, int]:
    return {row[0]: row[1] for row in connection.all(_LANGUAGES, {})}


def _document(row: Row) -> Document:
    *fields, data = row
    try:
        words = zlib.decompress(data).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise CorruptStore("error.stored_damaged", what=phrase("stored.text", id=row[0])) from error
    values = dict(zip((column.name for column in _FIELDS), fields, strict=False))
    values["published_at"] = from_us_or_none(values["published_at"])
    values["fetched_at"] = from_us(values["fetched_at"])
    values["sample"] = bool(values["sample"])
    return Document(text=words, **values)
