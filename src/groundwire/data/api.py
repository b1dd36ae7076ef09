"""The one network path of the providers of numbers: recorded, shared, paced, at no cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import httpx2

from groundwire.data.provider import Ask, DataProvider
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

    async def get(self, scope: Scope, ask: Ask, occasion: str = "") -> JsonObject | None:
        """Return what was read; None: the provider says that there is no such thing.

        Raises `OutsideFailure`, recorded like any other answer.
        """
        provider = self.provider(ask.provider)
        self.pace("data", ask.provider, provider.pause)
        timeout = provider.options.timeout or self.timeout
        url = provider.url(ask.path)
        call = Call(
            kind="data",
            provider=ask.provider,
            request={"url": url, "params": dict(ask.params)},
            occasion=occasion,
            timeout=timeout,
            tries=_TRIES,
            sharing=Sharing(seconds=ask.keep),
        )

        async def send(_sending: Sending) -> Reply:
            # Found out here, so that it is recorded: a replay elsewhere may have the key or not.
            if missing := provider.lacks():
                raise AuthRejected("outside.no_key", who=ask.provider, setting=missing)
            params = {**ask.params, **provider.secret_params()}
            replied = await request(
                self.client,
                "GET",
                str(httpx2.URL(url, params=params)) if params else url,
                headers={"accept": "application/json", **provider.headers()},
                limits=Limits(max_bytes_decoded=ask.most, seconds=timeout),
            )
            if ask.absent(replied.status, replied.body):
                return Reply({"absent": True})
            provider.check(replied.status, replied.headers, replied.body)
            return Reply({"found": ask.read(decoded(ask.provider, replied.body))})

        record = await self.gateway.call(scope, call, send)
        response = record.response or {}
        return None if response.get("absent") else response["found"]
