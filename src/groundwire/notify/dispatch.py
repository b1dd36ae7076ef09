"""The one way out of all channels: every delivery is recorded with its run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

import httpx2

from groundwire import plugins
from groundwire.errors import BadRequest, InputError, SettingsError, Unfit
from groundwire.gateway.call import Call, Reply, Scope, Sending
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.mail import Envelope, send_mail
from groundwire.gateway.status import raise_for_api_status
from groundwire.gateway.transport import Fetched, Limits, post_json
from groundwire.model.base import JsonObject
from groundwire.model.call import Lease
from groundwire.model.outbox import DESK, Parcel, Subscriber
from groundwire.notify.channel import Channel, ChannelOptions, Outgoing

PROVIDERS = plugins.load("groundwire.notify.providers")
_ANSWER = 64_000  # bytes of an answer that are read: it is only asked for a refusal
_LONGEST_ADDRESS = 2_000
ChannelSettings = Mapping[str, Mapping[str, object]]


def channel(name: str, settings: ChannelSettings) -> Channel:
    """Build a channel from its options; an unknown one and a wrong option are refused by name.

    `kind` says what a channel of any other name is, so that there can be several of a kind.
    """
    given = dict(settings.get(name, {}))
    kind = str(given.pop("kind", name))
    if kind not in PROVIDERS:
        raise plugins.unknown("noun.channel", kind, sorted({*PROVIDERS, *settings}))
    module = PROVIDERS[kind]
    form: type[ChannelOptions] = module.Options
    provider: Channel = module.Provider(plugins.options(f"notify.{name}", form, given))
    return provider


def subscriber_of(text: str, settings: ChannelSettings) -> Subscriber:
    """Read a subscriber as people write it, `webhook:URL` or `slack`; refuse whom no channel serves."""
    name, _, address = (part.strip() for part in text.strip().partition(":"))
    found = Subscriber(channel=name, name=address or DESK)
    target = channel(name, settings)
    try:
        target.check(found.name)
    except Unfit as error:
        raise InputError("error.bad_subscriber", subscriber=text[:200], why=error) from error
    if len(address) > _LONGEST_ADDRESS:
        raise InputError("error.bad_subscriber", subscriber=text[:200], why=Unfit("takes.https"))
    return found


@dataclass(slots=True, eq=False)
class Dispatch:
    """The channels, on the gateway.

    `client` reaches what the settings name, `public` the addresses of subscribers; `desk` is the
    address that links in messages lead to.
    """

    settings: ChannelSettings
    gateway: Gateway
    client: httpx2.AsyncClient
    public: httpx2.AsyncClient
    clock: Callable[[], datetime]
    desk: str = ""

    def subscribers(self) -> tuple[Subscriber, ...]:
        """List those who are told of every notice."""
        channels = {name: channel(name, self.settings) for name in sorted(self.settings)}
        return tuple(
            Subscriber(channel=name, name=subscriber)
            for name, each in channels.items()
            if each.options.everything
            for subscriber in each.subscribers()
        )

    async def deliver(self, parcel: Parcel, lease: Lease) -> None:
        """Send a parcel; raise `OutsideFailure`.

        Each try is a call of its own; one whose answer was lost in a crash is sent again as the same.
        """
        try:
            target = channel(parcel.channel, self.settings)
        except SettingsError as error:  # it was taken out of the settings, or lost an option
            raise BadRequest("outside.no_channel", name=parcel.channel, why=error) from error
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
            link = f"{self.desk.rstrip('/')}/runs/{parcel.run_id}" if self.desk else ""
            outgoing = target.outgoing(parcel, self.clock(), link)
            if isinstance(outgoing, Envelope):
                return Reply({"status": await send_mail(outgoing, timeout)})
            return Reply({"status": await self._post(target, outgoing, timeout)})

        scope = Scope(lease=lease, now=self.clock(), caps=lambda _now: ())
        await self.gateway.call(scope, call, send)

    async def _post(self, target: Channel, outgoing: Outgoing, timeout: float) -> int:
        # What was taken is not sent again because of a long answer.
        limits = Limits(max_bytes_decoded=_ANSWER, seconds=timeout, cut=True)
        answer = await post_json(
            self.client if outgoing.trusted else self.public,
            outgoing.url,
            outgoing.body,
            outgoing.headers,
            limits,
        )
        refusal = target.refusal(_json(answer))
        if refusal is not None:
            wait = refusal.retry_after
            headers = {} if wait is None else {"retry-after": str(wait)}
            said = json.dumps({"message": refusal.detail}).encode()
            raise_for_api_status(refusal.status, headers, said, target.name, "")
        hint = f"notify.{target.name}.token" if answer.status == 401 else ""
        raise_for_api_status(answer.status, answer.headers, answer.body, target.name, hint)
        return answer.status


def _json(answer: Fetched) -> JsonObject:
    """Parse an answer; what is no JSON object says nothing."""
    try:
        found: object = json.loads(answer.body)
    except ValueError:
        return {}
    return cast(JsonObject, found) if isinstance(found, dict) else {}
