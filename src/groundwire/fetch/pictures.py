"""Pictures on the gateway: fetched once a run, recorded by their hashes, stored once."""

from __future__ import annotations

from dataclasses import dataclass

import httpx2

from groundwire.errors import InputError, Unreadable
from groundwire.evidence.sources.urls import host_of, scrub_url
from groundwire.fetch.robots import Robots
from groundwire.gateway.call import Call, Reply, Scope, Sending
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.guard import AddressPolicy
from groundwire.gateway.status import REDIRECTS
from groundwire.gateway.transport import Limits, get
from groundwire.model.picture import MOST_BYTES, Picture, PictureRef
from groundwire.model.ports import Pictures as Kept

_ACCEPT = "image/png,image/jpeg,image/webp,image/gif;q=0.9"


@dataclass(slots=True, eq=False)
class Pictures:
    """A run's access to pictures of the web."""

    gateway: Gateway
    client: httpx2.AsyncClient
    policy: AddressPolicy
    kept: Kept
    robots: Robots
    timeout: float

    @property
    def _limits(self) -> Limits:
        return Limits(max_bytes_wire=MOST_BYTES, max_bytes_decoded=MOST_BYTES, seconds=self.timeout)

    async def fetch(self, scope: Scope, url: str, hops: int = 0) -> PictureRef:
        """Fetch the picture behind a URL and store its bytes. Raises `OutsideFailure`.

        Another host is asked by its own rules: each hop to one is a call of its own.
        """
        await self.robots.check(scope, url)
        call = Call(
            kind="fetch",
            provider="picture",
            request={"url": scrub_url(url)},
            occasion=">" * hops,
            lane=host_of(url),
            timeout=self._limits.seconds + 5,
        )

        async def send(_: Sending) -> Reply:
            page = await get(
                self.client,
                url,
                headers={"accept": _ACCEPT},
                limits=self._limits,
                policy=self.policy,
                # An address with a secret cannot be recorded: it is followed at once.
                stay=lambda target: scrub_url(target) == target,
            )
            if page.status in REDIRECTS:
                return Reply({"moved": page.url})
            try:
                picture = Picture.of(page.body)
            except InputError as error:
                raise Unreadable("outside.said", who=host_of(url), detail=error.phrase) from error
            # Kept before the record that names it: a record never points at nothing.
            await self.kept.put(picture)
            return Reply(picture.ref.model_dump(mode="json"))

        record = await self.gateway.call(scope, call, send)
        response = record.response or {}
        if "moved" not in response:
            return PictureRef.model_validate(response)
        if hops >= self._limits.max_redirects:
            raise Unreadable("outside.picture_redirects", who=host_of(url), n=hops)
        return await self.fetch(scope, str(response["moved"]), hops + 1)
