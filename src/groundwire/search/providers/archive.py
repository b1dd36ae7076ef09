"""The local archive as a search provider: no key, no network, always takes part."""

from __future__ import annotations

from typing import ClassVar

from groundwire.gateway.call import Call, Scope
from groundwire.gateway.gateway import Gateway
from groundwire.model.base import JsonObject
from groundwire.model.ports import Index
from groundwire.model.query import Hit, Query
from groundwire.search.provider import Found, Ground, SearchProvider


class Provider(SearchProvider):
    name: ClassVar[str] = "archive"
    needs_key: ClassVar[bool] = False
    local: ClassVar[bool] = True
    beside: ClassVar[bool] = True

    def searcher(self, ground: Ground) -> ArchiveSearcher:
        return ArchiveSearcher(ground.index, ground.gateway)


class ArchiveSearcher:
    """Searches the index; the read is recorded, because the archive grows while runs go on."""

    name = "archive"

    def __init__(self, index: Index, gateway: Gateway) -> None:
        self._index = index
        self._gateway = gateway

    async def search(self, scope: Scope, query: Query, occasion: str) -> Found:
        call = Call(
            kind="read",
            provider=self.name,
            request={"search": query.model_dump(mode="json")},
            occasion=occasion,
        )

        async def get() -> JsonObject:
            found = await self._index.search(query, scope.now)
            return {
                "hits": [
                    Hit(
                        title=hit.document.title,
                        url=hit.document.canonical_url,
                        content=hit.snippet,
                        score=round(hit.score, 6),
                        published_at=hit.document.published_at,
                        provider=self.name,
                        rank=rank,
                        document_id=hit.document.id,
                    ).model_dump(mode="json")
                    for rank, hit in enumerate(found, start=1)
                ]
            }

        record = await self._gateway.read(scope, call, get)
        stored: list[JsonObject] = (record.response or {})["hits"]
        return Found([Hit.model_validate(hit) for hit in stored])
