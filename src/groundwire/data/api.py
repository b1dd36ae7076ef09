"""The one network path of the providers of numbers: recorded, shared, paced, at no cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import httpx2

from groundwire.data.provider import DataProvider, DataRequest
from groundwire.errors import AuthRejected
from groundwire.gateway.call import Call, Reply, Scope, Sending, Sharing
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.transport import Limits, request
from groundwire.gateway.vendor import decoded
from groundwire.model.base import JsonObject

_TRIES = 2  # there is another source, and a message waits


@dataclass(slots=True, eq=False)
class Apis:
    """The providers on the gateway, each with its options."""

    gateway: Gateway
    client: httpx2.AsyncClient
    provider: Callable[[str], DataProvider]
    timeout: float
    pace: Callable[[str, str, float], None]

    async def get(self, scope: Scope, query: DataRequest, occasion: str = "") -> JsonObject | None:
        """Return what was read; None: the provider says that there is no such thing.

        Raises `OutsideFailure`, recorded like any other answer.
        """
        provider = self.provider(query.provider)
        self.pace("data", query.provider, provider.pause)
        timeout = provider.options.timeout or self.timeout
        url = provider.url(query.path)
        call = Call(
            kind="data",
            provider=query.provider,
            request={"url": url, "params": dict(query.params)},
            occasion=occasion,
            timeout=timeout,
            tries=_TRIES,
            sharing=Sharing(seconds=query.keep),
        )

        async def send(_sending: Sending) -> Reply:
            # Checked here, so that it is recorded: a replay elsewhere may have the key or not.
            if missing := provider.lacks():
                raise AuthRejected("outside.no_key", who=query.provider, setting=missing)
            params = {**query.params, **provider.secret_params()}
            reply = await request(
                self.client,
                "GET",
                str(httpx2.URL(url, params=params)) if params else url,
                headers={"accept": "application/json", **provider.headers()},
                limits=Limits(max_bytes_decoded=query.most, seconds=timeout),
            )
            if query.absent(reply.status, reply.body):
                return Reply({"absent": True})
            provider.check(reply.status, reply.headers, reply.body)
            return Reply({"found": query.read(decoded(query.provider, reply.body))})

        record = await self.gateway.call(scope, call, send)
        response = record.response or {}
        return None if response.get("absent") else response["found"]
