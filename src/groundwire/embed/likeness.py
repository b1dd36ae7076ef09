"""The archive by meaning: gives documents their vectors, and finds those near a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from groundwire.embed.embedder import Embedder
from groundwire.embed.provider import Vector
from groundwire.evidence.pages.passages import spans
from groundwire.gateway.call import Call, Scope
from groundwire.gateway.gateway import Gateway
from groundwire.model.base import JsonObject
from groundwire.model.ports import ArchiveHit, Index, Piece, Vectors
from groundwire.model.query import Query
from groundwire.model.source import Document

_PIECE = 2_000  # characters: some passages together say what a part is about
_MOST_PIECES = 12  # of a document; what a long one is about stands in its beginning


@dataclass(slots=True, eq=False)
class Likeness:
    """One embedding model over one archive."""

    embedder: Embedder
    vectors: Vectors
    index: Index
    gateway: Gateway

    @property
    def label(self) -> str:
        return self.embedder.label

    async def embed(self, scope: Scope, texts: Sequence[str]) -> list[Vector]:
        return await self.embedder.embed(scope, texts)

    async def nearest(self, vector: Vector, query: Query, now: datetime) -> Sequence[ArchiveHit]:
        return await self.vectors.nearest(self.label, vector, query, now)

    async def unplaced(self, scope: Scope, limit: int) -> list[str]:
        """Documents without vectors; which ones is recorded, so that a restart goes on with them."""

        async def get() -> JsonObject:
            return {"ids": list(await self.vectors.unplaced(self.label, limit))}

        request: JsonObject = {"unplaced": self.label, "limit": limit}
        call = Call(kind="read", provider="similar", request=request)
        found: list[str] = ((await self.gateway.read(scope, call, get)).response or {})["ids"]
        return found

    async def place(self, scope: Scope, document_ids: Sequence[str]) -> int:
        """Give these documents their vectors; how many are still there to have one."""
        documents = [await self.index.get(each) for each in document_ids]
        there = [each for each in documents if each is not None]
        cut = [(document, start, end) for document in there for start, end in pieces(document)]
        texts = [f"{document.title}\n{document.text[start:end]}" for document, start, end in cut]
        vectors = await self.embed(scope, texts) if texts else []
        places: dict[str, int] = {}
        made: list[Piece] = []
        for (document, start, end), vector in zip(cut, vectors, strict=True):
            place = places[document.id] = places.get(document.id, -1) + 1
            made.append(
                Piece(document_id=document.id, place=place, start=start, end=end, vector=vector)
            )
        await self.vectors.put(self.label, made)
        return len(there)


def pieces(document: Document) -> list[tuple[int, int]]:
    """Where the pieces stand: neighbouring passages, up to a size; a title alone is one piece."""
    found: list[tuple[int, int]] = []
    for start, end in spans(document.text):
        if found and end - found[-1][0] <= _PIECE:
            found[-1] = (found[-1][0], end)
        elif len(found) < _MOST_PIECES:
            found.append((start, end))
        else:
            break
    return found or [(0, 0)]
