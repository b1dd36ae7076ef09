"""The local archive as a search provider: no key, no network, always takes part."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from groundwire.gateway.call import Call, Scope
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
        call = Call(
            kind="read",
            provider=self.name,
            request={"search": query.model_dump(mode="json")},
            occasion=occasion,
        )
        return await recorded(
            self.gateway, scope, call, lambda: self.index.search(query, scope.now)
        )


async def recorded(
    gateway: Gateway,
    scope: Scope,
    call: Call,
    look: Callable[[], Awaitable[Sequence[ArchiveHit]]],
) -> ProviderAnswer:
    """Return what a look into the archive found, or found when this run looked first (rule a)."""

    async def get() -> JsonObject:
        found = await look()
        return {"hits": [_hit(hit, rank, call.provider) for rank, hit in enumerate(found, start=1)]}

    record = await gateway.read(scope, call, get)
    stored: list[JsonObject] = (record.response or {})["hits"]
    return ProviderAnswer([Hit.model_validate(hit) for hit in stored])


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
