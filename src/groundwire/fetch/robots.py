"""robots.txt by RFC 9309: read once a host, recorded with the run that obeyed it."""

from __future__ import annotations

import asyncio
import ipaddress
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from groundwire.errors import (
    Captcha,
    ForbiddenByRobots,
    Missing,
    RateLimited,
    Refused,
    ServerFault,
    Unreadable,
)
from groundwire.evidence.sources.urls import host_of, scrub_url
from groundwire.fetch.charset import decode
from groundwire.gateway.call import Call, Reply, Scope, Sending, Sharing
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.guard import AddressPolicy
from groundwire.gateway.transport import Limits, get

if TYPE_CHECKING:
    import httpx2
    from protego import Protego

AGENT = "Groundwire"  # the product token of our User-Agent
_DAY = 86_400.0
_REMEMBERED = 1_000  # hosts of runs under way
_PARSED = 500 * 1024  # the least that RFC 9309 asks us to read of it
_LIMITS = Limits(max_bytes_wire=2_000_000, max_bytes_decoded=4_000_000, seconds=10.0)
# A site that asks for more time between two pages gets this much.
LONGEST_DELAY = 5.0


@dataclass(slots=True, eq=False)
class Robots:
    """Checks a site's robots.txt before a page of it is read, and keeps the pace that it wants."""

    gateway: Gateway
    client: httpx2.AsyncClient
    policy: AddressPolicy
    _: KW_ONLY
    pace: Callable[[str, str, float], None]
    delay: float
    obeyed: bool = True
    requests: OrderedDict[tuple[str, int, str, str], asyncio.Task[str]] = field(
        default_factory=OrderedDict[tuple[str, int, str, str], "asyncio.Task[str]"], init=False
    )

    async def check(self, scope: Scope, url: str, *, obey: bool = True) -> None:
        """Raise `ForbiddenByRobots` if the page may not be read.

        4xx: there are no rules. 5xx, asked to slow down, or unreachable: the rules are not known,
        and RFC 9309 has us stay away until they are; the failure is raised as it was met, because
        the page is not forbidden, only out of reach for now.
        """
        host = host_of(url)
        rest = 0.0 if _is_own_host(host) else self.delay
        if not (obey and self.obeyed):
            self.pace("fetch", host, rest)
            return
        try:
            text = await self._once(scope, url)
        except (ServerFault, RateLimited) as error:
            raise type(error)(
                "outside.robots_failed",
                host=host,
                http=error.status,
                status=error.status,
                retry_after=error.retry_after,
            ) from error
        rules = _rules(text)
        if not rules.can_fetch(url, AGENT):
            raise ForbiddenByRobots("outside.robots", host=host)
        wanted = rules.crawl_delay(AGENT) or 0.0
        self.pace("fetch", host, max(rest, min(wanted, LONGEST_DELAY)))

    async def _once(self, scope: Scope, url: str) -> str:
        """Return a host's rules, requested once a run: twenty of its pages come at once."""
        parts = urlsplit(url)
        # Credentials are kept: the guard refuses them, and that is recorded.
        place = urlunsplit((parts.scheme, parts.netloc, "/robots.txt", "", ""))
        key = (scope.lease.run_id, scope.lease.fence, scope.mode, place)
        if key not in self.requests:
            self.requests[key] = asyncio.create_task(self._read(scope, place))
            while len(self.requests) > _REMEMBERED:
                self.requests.popitem(last=False)
        return await asyncio.shield(self.requests[key])

    async def _read(self, scope: Scope, place: str) -> str:
        call = Call(
            kind="fetch",
            provider="robots",
            request={"url": scrub_url(place)},
            lane=host_of(place),
            timeout=_LIMITS.seconds + 5,
            tries=3,
            sharing=Sharing(seconds=_DAY),
        )

        async def send(_: Sending) -> Reply:
            accept = {"accept": "text/plain,*/*;q=0.5"}
            try:
                page = await get(
                    self.client, place, headers=accept, limits=_LIMITS, policy=self.policy
                )
                kind = page.headers.get("content-type", "")
                text = decode(page.body[:_PARSED], kind, markup=False)
            except (Missing, Refused, Captcha, Unreadable) as error:
                # There is none, it is not for us, or it is no text: nothing is forbidden.
                return Reply({"status": error.status, "rules": ""})
            return Reply({"status": page.status, "rules": text})

        record = await self.gateway.call(scope, call, send)
        return str((record.response or {}).get("rules", ""))


@lru_cache(maxsize=256)
def _rules(text: str) -> Protego:
    # Deferred: an offline run needs no rules.
    from protego import Protego

    return Protego.parse(text)


def _is_own_host(host: str) -> bool:
    """Tell whether a host is on the user's own machine or network, which needs no delay."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
