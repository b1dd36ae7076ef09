"""The archive: everything ever read, findable by its words, and forgettable."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import TypeAlias

from groundwire.evidence.pages.filters import admits, time_range
from groundwire.model.ports import ArchiveHit, ArchiveStats
from groundwire.model.query import Query
from groundwire.model.source import SNIPPET_TYPE, Document
from groundwire.store import bm25, filters, vectors
from groundwire.store import documents as doc_rows
from groundwire.store.database import Database
from groundwire.store.fulltext import Fulltext, Where, fulltext_of
from groundwire.store.snippet import snippet
from groundwire.store.statement import Connection
from groundwire.store.table import DatabaseTable, reads

# How many candidates are ranked; PostgreSQL chooses them more roughly.
_RANKED = {"sqlite": 60, "postgresql": 300}
_RANKED_CHARACTERS = 4_000_000  # very long documents are expensive to count in


# A row, and its index entry; None: stored, but not searchable.
_Item: TypeAlias = tuple[doc_rows.Prepared, bm25.IndexEntry | None]


class ArchiveIndex(DatabaseTable):
    """`ports.Index` on a database."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._fulltext = fulltext_of(database.dialect)

    async def add(self, documents: Sequence[Document]) -> int:
        """Store and index new documents in one transaction; return how many were new.

        Snippets are stored without being made searchable: they are evidence of what a search
        showed once, not pages.
        """
        unique = {document.id: document for document in documents}
        if not unique:
            return 0
        stored = await self.database.read(lambda c: doc_rows.stored_ids(c, unique))
        # Cutting words takes longer than writing: it happens outside the writer's thread.
        items = await asyncio.to_thread(
            lambda: [_item(document) for id, document in unique.items() if id not in stored]
        )
        if not items:
            return 0
        return await self.database.write(lambda c: _write(c, self._fulltext, items))

    async def search(self, query: Query, now: datetime) -> Sequence[ArchiveHit]:
        """Find the best pages by BM25, each as it was read last; with equal scores, by id."""
        demands = filters.where(query, now)
        _, until = time_range(query.time_range, now)
        question = bm25.query_terms(query.text)
        if not question:
            return []
        return await self.database.read(
            lambda c: _search(c, self._fulltext, query, question, demands, until)
        )

    @reads
    def get(self, connection: Connection, document_id: str) -> Document | None:
        return doc_rows.get(connection, document_id)

    @reads
    def by_url(self, connection: Connection, canonical_url: str) -> Document | None:
        return doc_rows.by_url(connection, canonical_url)

    @reads
    def stats(self, connection: Connection) -> ArchiveStats:
        with self._fulltext.snapshot(connection):
            return doc_rows.stats(connection, self._fulltext.size(connection))


def _item(document: Document) -> _Item:
    searchable = document.media_type != SNIPPET_TYPE
    entry = bm25.entry(document.title, document.text) if searchable else None
    return doc_rows.Prepared(document), entry


def _write(connection: Connection, fulltext: Fulltext, items: Sequence[_Item]) -> int:
    nums = doc_rows.insert(connection, [prepared for prepared, _ in items])
    new = [(num, entry) for num, (_, entry) in zip(nums, items, strict=True) if num is not None]
    searchable = [(num, entry) for num, entry in new if entry is not None]
    fulltext.count(connection, fulltext.put_in(connection, searchable))
    return len(new)


def _search(
    connection: Connection,
    fulltext: Fulltext,
    query: Query,
    question: Sequence[bm25.QueryTerm],
    demands: Where,
    until: datetime | None,
) -> list[ArchiveHit]:
    with fulltext.snapshot(connection):
        limit = max(_RANKED[connection.dialect.name], 2 * query.max_results)
        found = fulltext.matching(connection, question, demands, limit)
        ranked: list[tuple[float, str, str]] = []
        characters = 0
        for candidate in fulltext.read(connection, found.nums):
            if admits(query, candidate.address):
                ranked.append((-found.score(candidate), candidate.id, candidate.address))
            characters += len(candidate.body)
            if characters > _RANKED_CHARACTERS and len(ranked) >= query.max_results:
                break
        # An older version of a changed page is kept, but no longer stands for the page.
        current = (
            (score, id)
            for score, id, url in sorted(ranked)
            if doc_rows.newest(connection, url, until) == id
        )
        best = islice(current, query.max_results)
        pages = [(score, doc_rows.get(connection, id)) for score, id in best]
    return [_hit(page, -score, found.weights) for score, page in pages if page is not None]


def _hit(document: Document, score: float, weights: dict[str, float]) -> ArchiveHit:
    shown = snippet(document.text, weights)
    return ArchiveHit(document=document, score=score, snippet=shown.text, snippet_start=shown.start)


def remove(connection: Connection, ids: Sequence[str]) -> int:
    """Forget documents, their index rows and texts that nobody uses any more; return how many."""
    fulltext = fulltext_of(connection.dialect)
    places = doc_rows.places(connection, ids)
    if not places:
        return 0
    doc_rows.lock_bodies(connection, places.values())
    removed = fulltext.take_out(connection, list(places))  # snippets have no row there
    vectors.drop(connection, list(places))
    doc_rows.delete_rows(connection, places, places.values())
    fulltext.count(connection, removed)
    return len(places)
