"""The one network path of the HTTP search providers."""

from __future__ import annotations

from typing import Any

import httpx2

from groundwire.errors import Malformed
from groundwire.gateway.call import Call, Reply, Scope, Sending, Sharing
from groundwire.gateway.transport import Limits as HttpLimits
from groundwire.gateway.transport import Replied, post_json
from groundwire.gateway.transport import request as send_request
from groundwire.model.base import JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.phrasing import timed
from groundwire.search.provider import ApiRequest, Ground, HttpProvider, ProviderAnswer


class HttpSearcher:
    """A provider on the gateway."""

    def __init__(self, provider: HttpProvider[Any], ground: Ground) -> None:
        self.name = provider.name
        self._provider = provider
        self._gateway = ground.gateway
        self._client = ground.client
        self._timeout = provider.options.timeout or ground.timeout
        self._cache_ttl = ground.cache_ttl

    async def search(self, scope: Scope, query: Query, occasion: str) -> ProviderAnswer:
        provider = self._provider
        query = timed(query, provider.times, scope.now)
        request = provider.request(query)
        tariff = provider.tariff
        call = Call(
            kind="search",
            provider=self.name,
            request={
                "method": request.method,
                "url": request.url,
                "json": request.json,
                "params": request.params,
            },
            occasion=occasion,
            estimate=provider.estimate(query),
            free=tariff.free if tariff.free_credits else None,
            timeout=self._timeout,
            sharing=Sharing(seconds=self._cache_ttl),
        )

        async def send(sending: Sending) -> Reply:
            replied = await _exchange(
                self._client,
                request,
                provider.secret_params(),
                {**provider.headers(), "idempotency-key": sending.idempotency_key},
                HttpLimits(max_bytes_decoded=8_000_000, seconds=self._timeout),
            )
            provider.check(replied.status, replied.headers, replied.body)
            try:
                body = provider.decode(replied.body)
                hits = provider.parse(body, query)
                cost = provider.cost(body)
            except Malformed as error:
                error.cost = call.estimate  # it was answered, so it will be billed
                raise
            response: JsonObject = {
                "hits": [hit.model_dump(mode="json") for hit in hits],
                "notes": provider.notes(body),
            }
            return Reply(response, cost=call.estimate if cost is None else cost)

        record = await self._gateway.call(scope, call, send)
        stored: list[JsonObject] = (record.response or {})["hits"]
        return ProviderAnswer(
            [Hit.model_validate(hit) for hit in stored],
            cached=record.via == "cache",
            recoveries=record.recoveries,
        )


async def _exchange(
    client: httpx2.AsyncClient,
    request: ApiRequest,
    secret: dict[str, str],
    headers: dict[str, str],
    limits: HttpLimits,
) -> Replied:
    params = {**request.params, **secret}
    url = str(httpx2.URL(request.url, params=params)) if params else request.url
    if request.method == "POST":
        return await post_json(client, url, request.json or {}, headers, limits)
    return await send_request(client, "GET", url, headers=headers, limits=limits)
