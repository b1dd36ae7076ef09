"""Documents of our own archive as hits; what was found is recorded, because the archive grows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from groundwire.gateway.call import Call, Scope
from groundwire.gateway.gateway import Gateway
from groundwire.model.base import JsonObject
from groundwire.model.ports import ArchiveHit
from groundwire.model.query import Hit
from groundwire.search.provider import ProviderAnswer


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
