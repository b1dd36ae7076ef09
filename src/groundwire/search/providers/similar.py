"""Archive documents that are near the question in meaning: optional, beside full-text search.

It takes part when `models.embed` names a model and `gw archive embed` has given documents their
vectors. Nearness finds pages; it is never support for a claim.
"""

from __future__ import annotations

from typing import ClassVar

from groundwire.errors import IllegalState
from groundwire.gateway.call import Scope
from groundwire.model.base import JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.provider import (
    ProviderAnswer,
    ProviderOptions,
    SearchProvider,
    SearchServices,
)
from groundwire.search.providers.archive import hits_of

_LEAST = 0.2  # of the cosine: below it, nearness is noise


class Options(ProviderOptions):
    missing: str | None = "GROUNDWIRE_MODELS__EMBED"  # filled by the app, from `models.embed`


class Provider(SearchProvider[Options]):
    """Embeds the question, then asks the archive's vectors; both are recorded."""

    name: ClassVar[str] = "similar"
    needs_key: ClassVar[bool] = False
    needs_embedding: ClassVar[bool] = True
    beside: ClassVar[bool] = True
    Options: ClassVar[type[ProviderOptions]] = Options

    def lacks(self) -> str | None:
        return self.options.missing

    async def search(
        self, services: SearchServices, scope: Scope, query: Query, occasion: str
    ) -> ProviderAnswer:
        likeness = services.likeness
        if likeness is None:
            raise IllegalState("similar was asked without an embedding model")
        (vector,) = await likeness.embed(scope, [query.text])

        async def get() -> JsonObject:
            near = await likeness.nearest(vector, query, scope.now)
            return hits_of(self.name, [hit for hit in near if hit.score >= _LEAST])

        request = {"search": query.model_dump(mode="json"), "model": likeness.label}
        read = await services.gateway.recorded_read(scope, self.name, request, get, occasion)
        return ProviderAnswer([Hit.model_validate(hit) for hit in read["hits"]])
