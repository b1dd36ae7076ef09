"""Documents of the archive that are near the question in meaning: optional, beside the words.

It takes part when `models.embed` names a model and `gw archive embed` has given documents their
vectors. Nearness finds pages; it is never support for a claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from groundwire.errors import IllegalState
from groundwire.gateway.call import Call, Scope
from groundwire.model.ports import ArchiveHit
from groundwire.model.query import Query
from groundwire.search.provider import Ground, ProviderAnswer, ProviderOptions, SearchProvider
from groundwire.search.providers.archive import recorded

_LEAST = 0.2  # of the cosine: below it, nearness is noise


class Options(ProviderOptions):
    missing: str | None = "GROUNDWIRE_MODELS__EMBED"  # filled by the app, from `models.embed`


class Provider(SearchProvider[Options]):
    name: ClassVar[str] = "similar"
    needs_key: ClassVar[bool] = False
    needs_embedding: ClassVar[bool] = True
    beside: ClassVar[bool] = True
    Options: ClassVar[type[ProviderOptions]] = Options

    def lacks(self) -> str | None:
        return self.options.missing

    def searcher(self, ground: Ground) -> SimilarSearcher:
        return SimilarSearcher(ground)


class SimilarSearcher:
    """Embeds the question, then asks the archive's vectors; both are recorded."""

    name = "similar"

    def __init__(self, ground: Ground) -> None:
        if ground.likeness is None:
            raise IllegalState("similar was made ready without an embedding model")
        self._gateway = ground.gateway
        self._likeness = ground.likeness

    async def search(self, scope: Scope, query: Query, occasion: str) -> ProviderAnswer:
        likeness = self._likeness
        (vector,) = await likeness.embed(scope, [query.text])

        async def look() -> Sequence[ArchiveHit]:
            near = await likeness.nearest(vector, query, scope.now)
            return [hit for hit in near if hit.score >= _LEAST]

        call = Call(
            kind="read",
            provider=self.name,
            request={"search": query.model_dump(mode="json"), "model": likeness.label},
            occasion=occasion,
        )
        return await recorded(self._gateway, scope, call, look)
