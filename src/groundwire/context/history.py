"""What a run may know of other messages and signals: recorded reads, and the day's tool calls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from groundwire.errors import IllegalState, OutsideFailure, StoreError
from groundwire.gateway.call import Call, Scope
from groundwire.gateway.gateway import Gateway
from groundwire.log import get_logger
from groundwire.model.base import JsonObject
from groundwire.model.history import EventQuery, PastEvents, Repeats
from groundwire.model.message import MessageSighting
from groundwire.model.outcome import Calibration
from groundwire.model.quota import Grant

if TYPE_CHECKING:
    from groundwire.model.event_ports import Messages, Quota, Signals

log = get_logger("groundwire.context.history")

OFF = PastEvents(state="off", reason="memory is switched off (memory.enabled)")
TOOLS = "tools"  # the scope under which tool calls of a day are counted


@dataclass(frozen=True)
class Rules:
    """`remembers`: memory is on. `twins`: the fourth layer of dedup is. `tool_calls`: of a day."""

    remembers: bool
    twins: bool
    tool_calls: int


class Events:
    """Signals and messages in the hands of a run; the callables open their tables when needed."""

    def __init__(
        self,
        signals: Callable[[], Signals],
        messages: Callable[[], Messages],
        quota: Callable[[], Quota],
        gateway: Gateway,
        rules: Rules,
        clock: Callable[[], datetime],
    ) -> None:
        self._signals = signals
        self._messages = messages
        self._quota = quota
        self._gateway = gateway
        self._rules = rules
        self._clock = clock

    async def similar(self, scope: Scope, wish: EventQuery, occasion: str = "") -> PastEvents:
        """Earlier events like this one; memory can be off or away, but never fails a run."""
        if not self._rules.remembers:
            return OFF

        async def get() -> JsonObject:
            try:
                found = await self._signals().similar(
                    wish, scope.now, apart_from=scope.lease.run_id
                )
            except (StoreError, IllegalState) as error:
                # Recorded as it is: a restart of the run sees the same.
                log.warning("memory is away", run_id=scope.lease.run_id, reason=error.message)
                past = PastEvents(state="unavailable", reason=error.message)
            else:
                past = PastEvents(state="ok", events=tuple(found))
            return past.model_dump(mode="json")

        call = _call("signals", {"similar": wish.model_dump(mode="json")}, occasion)
        try:
            response = await self._read(scope, call, get)
        except OutsideFailure as error:  # a replay whose record lacks it, which says so itself
            return PastEvents(state="unavailable", reason=error.message)
        return PastEvents.model_validate(response)

    async def repeats(
        self, scope: Scope, asset: str, event_type: str, text: str, message_id: str = ""
    ) -> Repeats:
        """The signal of the last hours that tells of the same event (dedup layer 4), and what has
        repeated the message so far: one record, as most messages need no other."""

        async def get() -> JsonObject:
            found = None
            if self._rules.twins:
                found = await self._signals().twin(
                    asset, event_type, text, scope.now, apart_from=scope.lease.run_id
                )
            seen = await self._messages().sightings(message_id) if message_id else ()
            return {
                "twin": None if found is None else found.model_dump(mode="json"),
                "sightings": [each.model_dump(mode="json") for each in seen],
            }

        request = {"asset": asset, "event_type": event_type, "text": text, "of": message_id}
        try:
            response = await self._read(scope, _call("signals", {"twin": request}), get)
        except OutsideFailure:
            return Repeats()
        return Repeats.model_validate(response)

    async def calibration(self, scope: Scope) -> Calibration | None:
        """Fitted on the outcomes that were known at the run's clock; None below thirty."""

        async def get() -> JsonObject:
            from groundwire.evidence.memory.calibration import fit, pairs_of

            labelled = await self._signals().labelled(scope.now)
            found = await asyncio.to_thread(fit, pairs_of(labelled), scope.now)
            return {"calibration": None if found is None else found.model_dump(mode="json")}

        try:
            response = await self._read(scope, _call("signals", {"calibration": True}), get)
        except OutsideFailure:
            return None
        found = response["calibration"]
        return None if found is None else Calibration.model_validate(found)

    async def sightings(self, scope: Scope, message_id: str) -> tuple[MessageSighting, ...]:
        """What has repeated a message so far."""

        async def get() -> JsonObject:
            found = await self._messages().sightings(message_id)
            return {"sightings": [each.model_dump(mode="json") for each in found]}

        try:
            call = _call("messages", {"sightings": message_id})
            response = await self._read(scope, call, get)
        except OutsideFailure:
            return ()
        return tuple(MessageSighting.model_validate(each) for each in response["sightings"])

    async def take_tool_call(self, scope: Scope, key: str) -> Grant:
        """One of the day's tool calls, counted before the call is made, once for this run and key.

        A refusal holds for this attempt: a person's resume asks again.
        """

        async def get() -> JsonObject:
            name = f"{scope.lease.run_id}/{key}"
            grant = await self._quota().take(TOOLS, name, self._rules.tool_calls, self._clock())
            return grant.model_dump(mode="json")

        return await self._grant(scope, {"take": key}, get)

    async def tool_calls(self, scope: Scope, occasion: str = "") -> Grant:
        """How many of the day's tool calls are left; takes none."""

        async def get() -> JsonObject:
            limit = self._rules.tool_calls
            used = await self._quota().used(TOOLS, self._clock())
            return Grant(granted=used < limit, used=used, limit=limit).model_dump(mode="json")

        return await self._grant(scope, {"used": occasion}, get)

    async def _grant(
        self, scope: Scope, request: JsonObject, get: Callable[[], Awaitable[JsonObject]]
    ) -> Grant:
        call = _call("quota", request, f"attempt {scope.lease.attempt}")
        try:
            return Grant.model_validate(await self._read(scope, call, get))
        except OutsideFailure as error:
            return Grant(granted=False, limit=self._rules.tool_calls, reason=error.message)

    async def _read(
        self, scope: Scope, call: Call, get: Callable[[], Awaitable[JsonObject]]
    ) -> JsonObject:
        record = await self._gateway.read(scope, call, get)
        return record.response or {}


def _call(provider: str, request: JsonObject, occasion: str = "") -> Call:
    return Call(kind="read", provider=provider, request=request, occasion=occasion)
