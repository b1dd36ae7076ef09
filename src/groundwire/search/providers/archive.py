"""The local archive as a search provider: no key, no network, always takes part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from groundwire.gateway.call import Call, Scope
from groundwire.gateway.gateway import Gateway
from groundwire.model.ports import Index
from groundwire.model.query import Query
from groundwire.search.provider import Ground, ProviderAnswer, SearchProvider
from groundwire.search.stored import recorded


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
