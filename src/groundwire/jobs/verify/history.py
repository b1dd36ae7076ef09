"""What verify knows of other messages and signals: recorded reads, and the day's tool calls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from groundwire.context import Context
from groundwire.context.recall import recorded
from groundwire.errors import OutsideFailure
from groundwire.model.base import JsonObject
from groundwire.model.history import EventQuery, PastEvents, Repeats
from groundwire.model.message import MessageSighting
from groundwire.model.outcome import Calibration
from groundwire.model.phrase import phrase_of
from groundwire.model.tool import TOOL_CALLS, Grant

OFF = PastEvents(state="off", reason="memory.switched_off")


async def past(context: Context, query: EventQuery) -> PastEvents:
    """Recall earlier events like this one; memory can be off or away, but never fails a run."""
    tables = context.parts.tables
    if not tables.remembers:
        return OFF

    async def find() -> PastEvents:
        found = await tables.signals().similar(query, context.now(), except_run=context.run_id)
        return PastEvents(state="ok", events=tuple(found))

    request = {"similar": query.model_dump(mode="json")}
    return await recorded(context, PastEvents, "signals", request, find)


async def repeats(
    context: Context, asset: str, event_type: str, text: str, message_id: str = ""
) -> Repeats:
    """Find a recent signal of the same event (dedup layer 4), and what has repeated the message.

    Both are one record, because most messages need no other.
    """
    tables = context.parts.tables

    async def get() -> JsonObject:
        found = None
        if tables.twins:
            found = await tables.signals().twin(
                asset, event_type, text, context.now(), except_run=context.run_id
            )
        seen = await tables.messages().sightings(message_id) if message_id else ()
        return {
            "twin": None if found is None else found.model_dump(mode="json"),
            "sightings": [each.model_dump(mode="json") for each in seen],
        }

    request = {"asset": asset, "event_type": event_type, "text": text, "of": message_id}
    return Repeats.model_validate(await _recorded(context, "signals", {"twin": request}, get))


async def calibration(context: Context) -> Calibration | None:
    """Fit on the outcomes that were known at the run's clock; None below thirty."""
    tables = context.parts.tables

    async def get() -> JsonObject:
        from groundwire.evidence.memory.calibration import fit, pairs_of

        labelled = await tables.signals().labelled(context.now())
        found = await asyncio.to_thread(fit, pairs_of(labelled), context.now())
        return {"calibration": None if found is None else found.model_dump(mode="json")}

    found = (await _recorded(context, "signals", {"calibration": True}, get)).get("calibration")
    return None if found is None else Calibration.model_validate(found)


async def sightings(context: Context, message_id: str) -> tuple[MessageSighting, ...]:
    """List what has repeated a message so far."""
    tables = context.parts.tables

    async def get() -> JsonObject:
        found = await tables.messages().sightings(message_id)
        return {"sightings": [each.model_dump(mode="json") for each in found]}

    known = await _recorded(context, "messages", {"sightings": message_id}, get)
    return tuple(MessageSighting.model_validate(each) for each in known.get("sightings", ()))


async def _recorded(
    context: Context, kind: str, request: JsonObject, get: Callable[[], Awaitable[JsonObject]]
) -> JsonObject:
    """Return what a recorded read gave; nothing where a replay's record lacks it."""
    try:
        return await context.query(kind, request, get)
    except OutsideFailure:
        return {}


async def take_tool_call(context: Context, key: str) -> Grant:
    """Take one of the day's tool calls, once for this run and key, before the call is made.

    A refusal holds for this attempt: a person's resume asks again.
    """
    tables = context.parts.tables

    async def get() -> JsonObject:
        name = f"{context.run_id}/{key}"
        grant = await tables.quota().take(TOOL_CALLS, name, tables.tool_calls, tables.clock())
        return grant.model_dump(mode="json")

    return await _grant(context, {"take": key}, get)


async def tool_calls(context: Context, occasion: str = "") -> Grant:
    """Count how many of the day's tool calls are left; takes none."""
    tables = context.parts.tables

    async def get() -> JsonObject:
        limit = tables.tool_calls
        used = await tables.quota().used(TOOL_CALLS, tables.clock())
        return Grant(granted=used < limit, used=used, limit=limit).model_dump(mode="json")

    return await _grant(context, {"used": occasion}, get)


async def _grant(
    context: Context, request: JsonObject, get: Callable[[], Awaitable[JsonObject]]
) -> Grant:
    occasion = f"attempt {context.scope.lease.attempt}"
    try:
        return Grant.model_validate(await context.query("quota", request, get, occasion))
    except OutsideFailure as error:
        reason, limit = phrase_of(error), context.parts.tables.tool_calls
        return Grant(granted=False, limit=limit, reason=reason.code, params=reason.params)
