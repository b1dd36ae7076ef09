"""Vectors of documents, and the documents nearest to one: a second ranking beside words.

All vectors of a model are compared with the question's, in memory: a matrix of 100,000 pieces of
256 dimensions is 100 MB and takes some 20 ms.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sqlalchemy import bindparam, delete, func, select

from groundwire.errors import IllegalState
from groundwire.evidence.pages.filters import admits, time_range
from groundwire.model.ports import ArchiveHit, Piece
from groundwire.model.query import Query
from groundwire.model.source import SNIPPET_TYPE
from groundwire.store import documents as doc_rows
from groundwire.store import filters
from groundwire.store.database import Database
from groundwire.store.fulltext import Where
from groundwire.store.schema import documents, vectors
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import DatabaseTable, add_new, reads, writes

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_UNPLACED = Statement(
    select(documents.c.id)
    .where(
        documents.c.media_type != SNIPPET_TYPE,
        ~select(vectors.c.place)
        .where(vectors.c.document_num == documents.c.num, vectors.c.model == bindparam("model"))
        .exists(),
    )
    .order_by(documents.c.num)
    .limit(bindparam("limit"))
)
_ID = Statement(select(documents.c.id).where(documents.c.num == bindparam("num")))
_PUT = add_new(vectors, ["document_num", "model", "place"])
_STAMP = Statement(
    select(
        func.count(),
        func.coalesce(func.max(vectors.c.document_num), 0),
        func.coalesce(func.sum(vectors.c.document_num), 0),
    ).where(vectors.c.model == bindparam("model"))
)
_LAST = Statement(
    select(documents.c.id, documents.c.fetched_at).where(documents.c.num == bindparam("num"))
)
_ALL = Statement(
    select(vectors.c.document_num, vectors.c.start, vectors.c.end, vectors.c.data)
    .where(vectors.c.model == bindparam("model"))
    .order_by(vectors.c.document_num, vectors.c.place)
)
_DROP = Statement(delete(vectors).where(vectors.c.document_num == bindparam("num")))


_MOST = 200  # candidates: exact hosts are checked only after this


# How many vectors there are, of which documents, and which document is the last: SQLite gives the
# number of a forgotten last row to the next, so numbers alone do not tell.
_Stamp: TypeAlias = tuple[int, int, int, str, int]


class _Matrix(NamedTuple):
    stamp: _Stamp
    nums: list[int]
    spans: list[tuple[int, int]]
    rows: NDArray[float32]


class _Near(NamedTuple):
    num: int
    score: float
    span: tuple[int, int]


class VectorTable(DatabaseTable):
    """`ports.Vectors` on a database; keeps the matrix of the model that was used last."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._kept: tuple[str, _Matrix] | None = None

    @reads
    def unplaced(self, connection: Connection, model: str, limit: int) -> Sequence[str]:
        return connection.column(_UNPLACED, {"model": model, "limit": limit})

    @writes
    def put(self, connection: Connection, model: str, pieces: Sequence[Piece]) -> None:
        """Store vectors, except those stored already and those of a forgotten document."""
        ids = dict.fromkeys(piece.document_id for piece in pieces)
        nums = {id: num for id in ids for num in doc_rows.places(connection, [id])}
        rows = [
            {
                "document_num": nums[piece.document_id],
                "model": model,
                "place": piece.place,
                "start": piece.start,
                "end": piece.end,
                "data": struct.pack(f"<{len(piece.vector)}e", *piece.vector),
            }
            for piece in pieces
            if piece.document_id in nums
        ]
        connection.many(_PUT, rows)

    async def nearest(
        self, model: str, vector: Sequence[float], query: Query, now: datetime
    ) -> Sequence[ArchiveHit]:
        """Find the current pages nearest to a vector that meet the query's demands, best first."""
        demands = filters.where(query, now)
        _, until = time_range(query.time_range, now)
        matrix = await self._matrix(model)
        if not matrix.nums:
            return []
        allowed = None
        if demands.sql:
            allowed = await self.database.read(lambda c: _matching_nums(c, demands))
        near = await asyncio.to_thread(_nearest, matrix, vector, allowed)
        return await self.database.read(lambda c: _hits(c, near, query, until))

    async def _matrix(self, model: str) -> _Matrix:
        stamp = await self.database.read(lambda c: _stamp(c, model))
        if self._kept is None or self._kept[0] != model or self._kept[1].stamp != stamp:
            rows = await self.database.read(lambda c: c.all(_ALL, {"model": model}))
            self._kept = model, await asyncio.to_thread(_stack, stamp, rows)
        return self._kept[1]


def _matching_nums(connection: Connection, demands: Where) -> frozenset[int]:
    sql = f"SELECT d.num FROM documents AS d WHERE {demands.sql}"
    return frozenset(row[0] for row in connection.select(sql, demands.parameters))


def drop(connection: Connection, nums: Sequence[int]) -> None:
    """Delete the vectors of documents that are being forgotten."""
    connection.many(_DROP, [{"num": num} for num in nums])


def _stamp(connection: Connection, model: str) -> _Stamp:
    count, last, total = connection.one(_STAMP, {"model": model}) or (0, 0, 0)
    document, fetched = connection.one(_LAST, {"num": last}) or ("", 0)
    return int(count), int(last), int(total), document, fetched


def _stack(stamp: _Stamp, rows: Sequence[Any]) -> _Matrix:
    import numpy as np

    size = len(rows[0][3]) // 2 if rows else 0
    if any(len(row[3]) != 2 * size for row in rows):
        raise IllegalState("vectors of one model differ in length")
    data = b"".join(bytes(row[3]) for row in rows)
    matrix = np.frombuffer(data, dtype="<f2").astype("<f4").reshape(len(rows), size)
    return _Matrix(stamp, [row[0] for row in rows], [(row[1], row[2]) for row in rows], matrix)


def _nearest(
    matrix: _Matrix, vector: Sequence[float], allowed: frozenset[int] | None
) -> list[_Near]:
    """Find the nearest documents, each once, at its nearest piece."""
    import numpy as np

    if len(vector) != matrix.rows.shape[1]:
        raise IllegalState("a question's vector is not of the documents' length")
    scores = matrix.rows @ np.asarray(vector, dtype="<f4")
    best: dict[int, _Near] = {}
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    for place in order:
        num = matrix.nums[place]
        if num not in best and (allowed is None or num in allowed):
            best[num] = _Near(num, float(scores[place]), matrix.spans[place])
        if len(best) >= _MOST:
            break
    return list(best.values())


def _hits(
    connection: Connection, near: Sequence[_Near], query: Query, until: datetime | None
) -> list[ArchiveHit]:
    found: list[ArchiveHit] = []
    for each in near:
        document = doc_rows.get(connection, connection.cell(_ID, {"num": each.num}) or "")
        if document is None or not admits(query, document.canonical_url):
            continue
        if doc_rows.newest(connection, document.canonical_url, until) != document.id:
            continue  # an older version no longer stands for the page
        start, end = each.span
        found.append(
            ArchiveHit(
                document=document,
                score=round(each.score, 4),
                snippet=document.text[start:end][:300],
                snippet_start=start,
            )
        )
        if len(found) == query.max_results:
            break
    return found
