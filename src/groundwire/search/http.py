"""The one network path of the HTTP search providers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import httpx2

from groundwire.errors import Malformed
from groundwire.gateway.call import Call, Reply, Scope, Sending, Sharing
from groundwire.gateway.transport import Limits, post_json, request
from groundwire.model.base import JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.phrasing import timed
from groundwire.search.provider import HttpProvider, ProviderAnswer, SearchServices


async def search(
    provider: HttpProvider[Any], services: SearchServices, scope: Scope, query: Query, occasion: str
) -> ProviderAnswer:
    """Ask a provider through the gateway; raises `OutsideFailure`."""
    query = timed(query, provider.times, scope.now)
    api_request = provider.request(query)
    tariff = provider.tariff
    timeout = provider.options.timeout or services.timeout
    call = Call(
        kind="search",
        provider=provider.name,
        request=asdict(api_request),
        occasion=occasion,
        estimate=provider.estimate(query),
        free=tariff.free if tariff.free_credits else None,
        timeout=timeout,
        sharing=Sharing(seconds=services.cache_ttl),
    )

    async def send(sending: Sending) -> Reply:
        params = {**api_request.params, **provider.secret_params()}
        url = str(httpx2.URL(api_request.url, params=params)) if params else api_request.url
        headers = {**provider.headers(), "idempotency-key": sending.idempotency_key}
        limits = Limits(max_bytes_decoded=8_000_000, seconds=timeout)
        if api_request.method == "POST":
            raw = await post_json(services.client, url, api_request.json or {}, headers, limits)
        else:
            raw = await request(services.client, "GET", url, headers=headers, limits=limits)
        provider.check(raw.status, raw.headers, raw.body)
        try:
            body = provider.decode(raw.body)
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

    record = await services.gateway.call(scope, call, send)
    stored: list[JsonObject] = (record.response or {})["hits"]
    return ProviderAnswer(
        [Hit.model_validate(hit) for hit in stored],
        cached=record.via == "cache",
        recoveries=record.recoveries,
    )
