"""The one way out of all channels: every delivery is recorded with its run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

import httpx2

from groundwire import plugins
from groundwire.gateway.call import Call, Reply, Scope, Sending
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.status import raise_for_api_status
from groundwire.gateway.transport import Limits, post_json
from groundwire.model.call import Lease
from groundwire.model.outbox import Parcel, Subscriber
from groundwire.notify.channel import Channel, ChannelOptions

PROVIDERS = plugins.load("groundwire.notify.providers")
_ANSWER = 64_000  # bytes of an answer, which nobody reads
ChannelSettings = Mapping[str, Mapping[str, object]]


def channel(name: str, settings: Mapping[str, object]) -> Channel:
    """Build a channel from its options; a wrong option is refused by its name."""
    if name not in PROVIDERS:
        raise plugins.unknown("noun.channel", name, PROVIDERS)
    module = PROVIDERS[name]
    form: type[ChannelOptions] = module.Options
    provider: Channel = module.Provider(plugins.options(f"notify.{name}", form, settings))
    return provider


@dataclass(slots=True, eq=False)
class Dispatch:
    """The channels that are set, on the gateway."""

    settings: ChannelSettings
    gateway: Gateway
    client: httpx2.AsyncClient
    clock: Callable[[], datetime]

    def subscribers(self) -> tuple[Subscriber, ...]:
        """List those who are notified of every notice."""
        return tuple(
            Subscriber(channel=name, name=subscriber)
            for name, options in sorted(self.settings.items())
            for subscriber in channel(name, options).subscribers()
        )

    async def deliver(self, parcel: Parcel, lease: Lease) -> None:
        """Send a parcel; raise `OutsideFailure`.

        Each try is a call of its own; one whose answer was lost in a crash is sent again as the same.
        """
        target = channel(parcel.channel, self.settings[parcel.channel])
        timeout = target.options.timeout
        call = Call(
            kind="push",
            provider=parcel.channel,
            request={"parcel": parcel.id, "subscriber": parcel.subscriber},
            occasion=f"attempt {parcel.attempt}, try {parcel.tries + 1}",
            lane=f"{parcel.channel}:{parcel.subscriber}",
            timeout=timeout,
            tries=1,
        )

        async def send(_sending: Sending) -> Reply:
            request = target.request(parcel, self.clock())
            limits = Limits(max_bytes_decoded=_ANSWER, seconds=timeout)
            response = await post_json(
                self.client, request.url, request.body, request.headers, limits
            )
            raise_for_api_status(response.status, response.headers, response.body, target.name, "")
            return Reply({"status": response.status})

        scope = Scope(lease=lease, now=self.clock(), caps=lambda _now: ())
        await self.gateway.call(scope, call, send)
