"""The local archive as a search provider: no key, no network, always takes part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from groundwire.gateway.call import Scope
from groundwire.gateway.gateway import Gateway
from groundwire.model.base import JsonObject
from groundwire.model.ports import ArchiveHit, Index
from groundwire.model.query import Hit, Query
from groundwire.search.provider import Ground, ProviderAnswer, SearchProvider


class Provider(SearchProvider):
    name: ClassVar[str] = "archive"
    needs_key: ClassVar[bool] = False
    local: ClassVar[bool] = True
    beside: ClassVar[bool] = True

    def searcher(self, ground: Ground) -> ArchiveSearcher:
        return ArchiveSearcher(ground.index, ground.gateway)


@dataclass(slots=True, eq=False)
class ArchiveSearcher:
    """Searches the index; the read is recorded, because the archive grows while runs go on."""

    index: Index
    gateway: Gateway
    name: str = "archive"

    async def search(self, scope: Scope, query: Query, occasion: str) -> ProviderAnswer:
        request: JsonObject = {"search": query.model_dump(mode="json")}

        async def get() -> JsonObject:
            return hits_of(self.name, await self.index.search(query, scope.now))

        return answer_of(await self.gateway.look(scope, self.name, request, get, occasion))


def hits_of(provider: str, found: Sequence[ArchiveHit]) -> JsonObject:
    """Documents of our own archive as hits, for the record: the archive grows."""
    return {"hits": [_hit(hit, rank, provider) for rank, hit in enumerate(found, start=1)]}


def answer_of(recorded: JsonObject) -> ProviderAnswer:
    """What a look into the archive found, or found when this run looked first (rule a)."""
    return ProviderAnswer([Hit.model_validate(hit) for hit in recorded["hits"]])


def _hit(found: ArchiveHit, rank: int, provider: str) -> JsonObject:
    return Hit(
        title=found.document.title,
        url=found.document.canonical_url,
        content=found.snippet,
        score=round(found.score, 6),
        published_at=found.document.published_at,
        provider=provider,
        rank=rank,
        document_id=found.document.id,
    ).model_dump(mode="json")
