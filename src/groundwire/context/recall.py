"""How a run remembers: one recorded read of memory, which may be off or away but never fails it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from groundwire.errors import GroundwireError, IllegalState, OutsideFailure, StoreError
from groundwire.gateway.call import Scope
from groundwire.gateway.gateway import Gateway
from groundwire.log import get_logger
from groundwire.model.base import JsonObject
from groundwire.model.history import PastEvents
from groundwire.model.memory import MemoryQuery, Recollection
from groundwire.model.phrase import phrase_of
from groundwire.model.ports import Memory
from groundwire.model.run import Run

log = get_logger("groundwire.context.recall")

OFF = Recollection(state="off", reason="memory.switched_off")
M = TypeVar("M", Recollection, PastEvents)


def remembers(run: Run) -> bool:
    """Tell whether memory was on at submit; runs from before there was memory record no such read."""
    return bool(run.settings.get("memory", {}).get("enabled", False))


class Recall:
    """Memory in the hands of a run; `memory` opens it, and is None when it is switched off."""

    def __init__(self, memory: Callable[[], Memory] | None, gateway: Gateway) -> None:
        self._memory = memory
        self._gateway = gateway

    async def recall(self, scope: Scope, query: MemoryQuery, occasion: str = "") -> Recollection:
        memory = self._memory
        if memory is None:
            return OFF
        request: JsonObject = {"recall": query.model_dump(mode="json")}

        async def find() -> Recollection:
            entries = await memory().recall(query, scope.now)
            return Recollection(state="ok", entries=tuple(entries))

        return await recorded(
            Recollection,
            lambda get: self._gateway.recorded_read(scope, "memory", request, get, occasion),
            find,
            scope.lease.run_id,
        )


async def recorded(
    kind: type[M],
    look: Callable[[Callable[[], Awaitable[JsonObject]]], Awaitable[JsonObject]],
    find: Callable[[], Awaitable[M]],
    run_id: str,
) -> M:
    """Return what memory gives: `look` records what `find` finds, or that memory was away."""

    async def get() -> JsonObject:
        try:
            found = await find()
        except (StoreError, IllegalState) as error:
            # Recorded, so that a restart of the run sees the same.
            log.warning("memory is away", run_id=run_id, reason=error.message)
            found = away(kind, error)
        return found.model_dump(mode="json")

    try:
        return kind.model_validate(await look(get))
    except OutsideFailure as error:  # a replay whose record lacks it
        return away(kind, error)


def away(kind: type[M], error: GroundwireError) -> M:
    """Describe memory that could not be reached, and why."""
    reason = phrase_of(error)
    return kind(state="unavailable", reason=reason.code, params=reason.params)
