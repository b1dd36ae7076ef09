"""Vectors of documents, and the documents nearest to one: a second list beside words.

All vectors of a model are compared with the question's, in memory: a matrix of 100,000 pieces of
256 dimensions is 100 MB and takes some 20 ms. numpy is an extra; without it there is no such list.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sqlalchemy import bindparam, delete, func, select

from groundwire.errors import IllegalState, MissingExtra
from groundwire.model.ports import ArchiveHit, Piece
from groundwire.model.query import Query
from groundwire.model.source import SNIPPET_TYPE
from groundwire.store import documents as shelf
from groundwire.store import filters
from groundwire.store.database import Database
from groundwire.store.fulltext import Where
from groundwire.store.schema import documents, vectors
from groundwire.store.statement import Connection, Statement

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
_NUM = Statement(select(documents.c.num).where(documents.c.id == bindparam("id")))
_ID = Statement(select(documents.c.id).where(documents.c.num == bindparam("num")))
_PUT = Statement(
    lambda dialect: (
        dialect.insert(vectors)
        .values({column.name: bindparam(column.name) for column in vectors.c})
        .on_conflict_do_nothing(index_elements=["document_num", "model", "place"])
    )
)
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
_COUNTS = Statement(
    select(vectors.c.model, func.count(vectors.c.document_num.distinct()))
    .group_by(vectors.c.model)
    .order_by(vectors.c.model)
)
_DROP = Statement(delete(vectors).where(vectors.c.document_num == bindparam("num")))


_INSTALL = "pip install 'groundwire[embed]'"
_MOST = 200  # candidates: exact hosts are looked at only after this


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


class VectorTable:
    """`ports.Vectors` on a database; keeps the matrix of the model that was asked last."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: tuple[str, _Matrix] | None = None

    async def unplaced(self, model: str, limit: int) -> Sequence[str]:
        """Documents that have no vectors of this model yet, oldest first."""
        rows = await self._database.read(
            lambda connection: connection.all(_UNPLACED, {"model": model, "limit": limit})
        )
        return [row[0] for row in rows]

    async def put(self, model: str, pieces: Sequence[Piece]) -> None:
        """Keep vectors; those already there are left, those of a forgotten document are not kept."""
        await self._database.write(lambda connection: _put(connection, model, pieces))

    async def counts(self) -> Mapping[str, int]:
        """Documents that have vectors, by model."""
        rows = await self._database.read(lambda connection: connection.all(_COUNTS, {}))
        return {row[0]: row[1] for row in rows}

    def lacks(self) -> str | None:
        """The command that installs numpy, where it is not."""
        return None if find_spec("numpy") else _INSTALL

    async def nearest(
        self, model: str, vector: Sequence[float], query: Query, now: datetime
    ) -> Sequence[ArchiveHit]:
        """The pages nearest to a vector that fulfil the query's demands, best first, each as it
        was read last."""
        demands = filters.where(query, now)
        _, until = filters.time_range(query.time_range, now)
        matrix = await self._matrix(model)
        if not matrix.nums:
            return []
        allowed = await self._allowed(demands)
        near = await asyncio.to_thread(_nearest, matrix, vector, allowed)
        return await self._database.read(lambda connection: _hits(connection, near, query, until))

    async def _matrix(self, model: str) -> _Matrix:
        stamp = await self._database.read(lambda connection: _stamp(connection, model))
        if self._kept is None or self._kept[0] != model or self._kept[1].stamp != stamp:
            rows = await self._database.read(
                lambda connection: connection.all(_ALL, {"model": model})
            )
            self._kept = model, await asyncio.to_thread(_stacked, stamp, rows)
        return self._kept[1]

    async def _allowed(self, demands: Where) -> frozenset[int] | None:
        """Rows that fulfil the demands; None where nothing is demanded."""
        if not demands.sql:
            return None
        return await self._database.read(lambda connection: _fulfilling(connection, demands))


def _fulfilling(connection: Connection, demands: Where) -> frozenset[int]:
    sql = f"SELECT d.num FROM documents AS d WHERE {demands.sql}"
    if connection.dialect.name != "sqlite":
        # No condition of `filters` holds a percent sign or a question mark of its own.
        sql = sql.replace("?", "%s")
    return frozenset(row[0] for row in connection.raw.execute(sql, demands.parameters).fetchall())


def drop(connection: Connection, nums: Sequence[int]) -> None:
    """Forget the vectors of documents that are being forgotten."""
    connection.many(_DROP, [{"num": num} for num in nums])


def _put(connection: Connection, model: str, pieces: Sequence[Piece]) -> None:
    nums: dict[str, int] = {}
    for id in dict.fromkeys(piece.document_id for piece in pieces):
        row = connection.one(_NUM, {"id": id})
        if row is not None:
            nums[id] = row[0]
    connection.many(
        _PUT,
        [
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
        ],
    )


def _stamp(connection: Connection, model: str) -> _Stamp:
    count, last, total = connection.one(_STAMP, {"model": model}) or (0, 0, 0)
    document, fetched = connection.one(_LAST, {"num": last}) or ("", 0)
    return int(count), int(last), int(total), document, fetched


def _stacked(stamp: _Stamp, rows: Sequence[Any]) -> _Matrix:
    np = _numpy()
    size = len(rows[0][3]) // 2 if rows else 0
    if any(len(row[3]) != 2 * size for row in rows):
        raise IllegalState("vectors of one model differ in length")
    data = b"".join(bytes(row[3]) for row in rows)
    made = np.frombuffer(data, dtype="<f2").astype("<f4").reshape(len(rows), size)
    return _Matrix(stamp, [row[0] for row in rows], [(row[1], row[2]) for row in rows], made)


def _nearest(
    matrix: _Matrix, vector: Sequence[float], allowed: frozenset[int] | None
) -> list[_Near]:
    """Each document once, at its nearest piece."""
    np = _numpy()
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
        row = connection.one(_ID, {"num": each.num})
        document = None if row is None else shelf.get(connection, row[0])
        if document is None or not filters.admits(query, document.canonical_url):
            continue
        if shelf.newest(connection, document.canonical_url, until) != document.id:
            continue  # what a page said before it was changed, it does not say any more
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


def _numpy() -> Any:
    try:
        import numpy
    except ModuleNotFoundError as error:
        raise MissingExtra("error.needs_numpy", extra="embed", hint="hint.install") from error
    return numpy
