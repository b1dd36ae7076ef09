"""How a run remembers: recorded reads of memory, which may be off or away but never fail it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from groundwire.errors import GroundwireError, IllegalState, OutsideFailure, StoreError
from groundwire.log import get_logger
from groundwire.model.base import JsonObject
from groundwire.model.history import PastEvents
from groundwire.model.memory import Recollection
from groundwire.model.phrase import phrase_of
from groundwire.model.run import Run

if TYPE_CHECKING:
    from groundwire.context.context import Context

log = get_logger("groundwire.context.recall")

OFF = Recollection(state="off", reason="memory.switched_off")
M = TypeVar("M", Recollection, PastEvents)


def remembers(run: Run) -> bool:
    """Tell whether memory was on at submit; runs from before there was memory record no such read."""
    return bool(run.settings.get("memory", {}).get("enabled", False))


async def recorded(
    context: Context,
    kind: type[M],
    provider: str,
    request: JsonObject,
    find: Callable[[], Awaitable[M]],
    occasion: str = "",
) -> M:
    """Return what memory gives, which is recorded: what `find` finds, or that memory was away."""

    async def get() -> JsonObject:
        try:
            found = await find()
        except (StoreError, IllegalState) as error:
            # Recorded, so that a restart of the run sees the same.
            log.warning("memory is away", run_id=context.run_id, reason=error.message)
            found = away(kind, error)
        return found.model_dump(mode="json")

    try:
        return kind.model_validate(await context.query(provider, request, get, occasion))
    except OutsideFailure as error:  # a replay whose record lacks it
        return away(kind, error)


def away(kind: type[M], error: GroundwireError) -> M:
    """Describe memory that could not be reached, and why."""
    reason = phrase_of(error)
    return kind(state="unavailable", reason=reason.code, params=reason.params)
