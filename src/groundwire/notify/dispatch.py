"""The one way out of all channels: recorded with the run that has something to tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

import httpx2
from pydantic import ValidationError

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


def channel(name: str, given: Mapping[str, object]) -> Channel:
    """Return a channel with what it was told; a wrong option is refused by its name."""
    if name not in PROVIDERS:
        raise plugins.unknown("noun.channel", name, PROVIDERS)
    module = PROVIDERS[name]
    options: type[ChannelOptions] = module.Options
    try:
        made: Channel = module.Provider(options.model_validate(dict(given)))
    except ValidationError as error:
        raise plugins.refused(f"notify.{name}", error, options) from None
    return made


@dataclass(slots=True, eq=False)
class Dispatch:
    """The channels that are set, on the gateway."""

    settings: ChannelSettings
    gateway: Gateway
    client: httpx2.AsyncClient
    clock: Callable[[], datetime]

    def subscribers(self) -> tuple[Subscriber, ...]:
        """Return who is told of every notice."""
        return tuple(
            Subscriber(channel=name, name=who)
            for name, given in sorted(self.settings.items())
            for who in channel(name, given).subscribers()
        )

    async def deliver(self, parcel: Parcel, lease: Lease) -> None:
        """Send a parcel; raises `OutsideFailure`.

        Each try is a call of its own. One whose answer a crash hid is the same call: sent again.
        """
        to = channel(parcel.channel, self.settings[parcel.channel])
        timeout = to.options.timeout
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
            out = to.request(parcel, self.clock())
            limits = Limits(max_bytes_decoded=_ANSWER, seconds=timeout)
            replied = await post_json(self.client, out.url, out.body, out.headers, limits)
            raise_for_api_status(replied.status, replied.headers, replied.body, to.name, "")
            return Reply({"status": replied.status})

        scope = Scope(lease=lease, now=self.clock(), caps=lambda _now: ())
        await self.gateway.call(scope, call, send)
