"""Documents and their texts, and pictures: each body is stored once, under the hash of its content."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, select

from groundwire.errors import CorruptStore, InputError
from groundwire.evidence.sources.urls import registrable_domain
from groundwire.model.phrase import phrase
from groundwire.model.picture import Picture
from groundwire.model.ports import ArchiveStats
from groundwire.model.source import SNIPPET_TYPE, Document
from groundwire.store.payload import clean, from_us_or_none, in_zone, offset_of, to_us
from groundwire.store.schema import bodies, documents
from groundwire.store.statement import Connection, Row, Statement
from groundwire.store.table import DatabaseTable, Rows, add_new, columns_of, reads, writes

_LEVEL = 1  # a third larger than the best level, many times faster

_ROWS = Rows(Document, columns_of(documents, "domain", "published_offset"))
_WHOLE = select(*_ROWS.columns, documents.c.published_offset, bodies.c.data).join(
    bodies, bodies.c.sha256 == documents.c.sha256
)
ADD_BODY = add_new(bodies, ["sha256"])
_INSERT = add_new(documents, ["id"], documents.c.num)
_GET = Statement(_WHOLE.where(documents.c.id == bindparam("id")))
_IS_PAGE = documents.c.media_type != SNIPPET_TYPE
_versions = (documents.c.canonical_url == bindparam("canonical_url"), _IS_PAGE)
_last_first = (documents.c.fetched_at.desc(), documents.c.id)
_BY_URL = Statement(_WHOLE.where(*_versions).order_by(*_last_first).limit(1))
_AT = func.coalesce(documents.c.published_at, documents.c.fetched_at)
_by_then = select(documents.c.id).where(*_versions, bindparam("until") >= _AT)
_NEWEST = Statement(_by_then.order_by(*_last_first).limit(1))
_FOR_EVER = 2**62
_PLACE = Statement(
    select(documents.c.num, documents.c.sha256).where(documents.c.id == bindparam("id"))
)
_DELETE = Statement(delete(documents).where(documents.c.num == bindparam("num")))
# Held until the end of the transaction: nobody can begin to refer to a text that is being
# forgotten (SQLite has one writer, and the clause is not rendered).
_LOCK_BODY = Statement(
    select(bodies.c.sha256).where(bodies.c.sha256 == bindparam("sha256")).with_for_update()
)
_BODY = Statement(select(bodies.c.data).where(bodies.c.sha256 == bindparam("sha256")))
DELETE_BODY = Statement(
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
        self.body = body_of(document.sha256, document.text.encode())
        self.row = _ROWS.cells(
            document,
            publisher=clean(document.publisher),
            domain=domain_of(document.canonical_url),
            published_offset=offset_of(document.published_at),
            title=clean(document.title),
            author=document.author and clean(document.author),
        )


def body_of(sha256: str, data: bytes) -> Mapping[str, Any]:
    """Return the row of a text or a picture."""
    return {"sha256": sha256, "size": len(data), "data": zlib.compress(data, _LEVEL)}


def domain_of(url: str) -> str:
    """Return the registrable domain; empty for what is not from the web (a file, a message)."""
    try:
        return registrable_domain(url)
    except InputError:
        return ""


def stored_ids(connection: Connection, ids: Iterable[str]) -> frozenset[str]:
    """Return those of the ids that are stored already."""
    return frozenset(id for id in ids if connection.one(_PLACE, {"id": id}) is not None)


def insert(connection: Connection, prepared: Sequence[Prepared]) -> list[int | None]:
    """Store each with its text; return its new row number, or None where it was stored already."""
    connection.many(ADD_BODY, [item.body for item in prepared])
    return [connection.cell(_INSERT, item.row) for item in prepared]


def get(connection: Connection, document_id: str) -> Document | None:
    return connection.first(_GET, {"id": document_id}, _document)


def by_url(connection: Connection, canonical_url: str) -> Document | None:
    """Return the version of a page that was fetched last; search snippets do not count."""
    return connection.first(_BY_URL, {"canonical_url": canonical_url}, _document)


def newest(connection: Connection, canonical_url: str, until: datetime | None) -> str | None:
    """Return the id of the version fetched last among those not later than `until`."""
    latest = _FOR_EVER if until is None else to_us(until)
    return connection.cell(_NEWEST, {"canonical_url": canonical_url, "until": latest})


def places(connection: Connection, ids: Iterable[str]) -> dict[int, str]:
    """Return row number and text hash of each document that is stored."""
    return dict(row for id in ids for row in connection.all(_PLACE, {"id": id}))


def lock_bodies(connection: Connection, hashes: Iterable[str]) -> None:
    """Lock texts in sorted order, so that two who forget do not deadlock."""
    for sha256 in sorted(set(hashes)):
        connection.one(_LOCK_BODY, {"sha256": sha256})


def delete_rows(connection: Connection, nums: Iterable[int], hashes: Iterable[str]) -> None:
    """Forget rows, then the texts that no row refers to any more."""
    connection.many(_DELETE, [{"num": num} for num in nums])
    connection.many(DELETE_BODY, [{"sha256": sha256} for sha256 in sorted(set(hashes))])


def stats(connection: Connection, size: int) -> ArchiveStats:
    """Count what is stored; a document's time is that of its publication, else of its fetching."""
    ((count, publishers, oldest, newest),) = connection.all(_SUMMARY, {})
    return ArchiveStats(
        documents=count,
        publishers=publishers,
        by_language=dict(connection.all(_LANGUAGES, {})),
        oldest=from_us_or_none(oldest),
        newest=from_us_or_none(newest),
        bytes=size,
    )


def _document(row: Row) -> Document:
    *fields, offset, data = row
    try:
        content = zlib.decompress(data).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise CorruptStore("error.stored_damaged", what=phrase("stored.text", id=row[0])) from error
    document = _ROWS.value(fields, text=content)
    at = in_zone(document.published_at, offset)
    return document.model_copy(update={"published_at": at})


class PictureTable(DatabaseTable):
    """`ports.Pictures` on a database: pictures that models look at, among the bodies."""

    @writes
    def put(self, connection: Connection, picture: Picture) -> None:
        # Compressed already, but all bodies have one form.
        connection.change(ADD_BODY, body_of(picture.ref.sha256, picture.data))

    @reads
    def get(self, connection: Connection, sha256: str) -> Picture | None:
        data = connection.cell(_BODY, {"sha256": sha256})
        if data is None:
            return None
        damaged = CorruptStore(
            "error.stored_damaged", what=phrase("stored.picture", id=sha256[:12])
        )
        try:
            picture = Picture.of(zlib.decompress(data))
        except (zlib.error, InputError) as error:
            raise damaged from error
        if picture.ref.sha256 != sha256:
            raise damaged
        return picture
