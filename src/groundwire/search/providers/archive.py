"""The local archive as a search provider: no key, no network, always takes part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from groundwire.gateway.call import Scope
from groundwire.model.base import JsonObject
from groundwire.model.ports import ArchiveHit
from groundwire.model.query import Hit, Query
from groundwire.search.provider import ProviderAnswer, SearchProvider, SearchServices


class Provider(SearchProvider):
    """Searches the index; the read is recorded, because the archive grows while runs go on."""

    name: ClassVar[str] = "archive"
    needs_key: ClassVar[bool] = False
    local: ClassVar[bool] = True
    beside: ClassVar[bool] = True

    async def search(
        self, services: SearchServices, scope: Scope, query: Query, occasion: str
    ) -> ProviderAnswer:
        request: JsonObject = {"search": query.model_dump(mode="json")}

        async def get() -> JsonObject:
            return hits_of(self.name, await services.index.search(query, scope.now))

        # As this run first recorded them (rule a): the archive grows.
        read = await services.gateway.recorded_read(scope, self.name, request, get, occasion)
        return ProviderAnswer([Hit.model_validate(hit) for hit in read["hits"]])


def hits_of(provider: str, found: Sequence[ArchiveHit]) -> JsonObject:
    """Record archive documents as hits."""
    hits = [
        Hit(
            title=each.document.title,
            url=each.document.canonical_url,
            content=each.snippet,
            score=round(each.score, 6),
            published_at=each.document.published_at,
            provider=provider,
            rank=rank,
            document_id=each.document.id,
        )
        for rank, each in enumerate(found, start=1)
    ]
    return {"hits": [hit.model_dump(mode="json") for hit in hits]}
