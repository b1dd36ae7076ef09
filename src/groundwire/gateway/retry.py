"""One retry policy with typed causes, around one try."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from groundwire.errors import OutsideFailure
from groundwire.gateway.call import Reply

# A provider that asks for more patience than this is failed over instead of waited for.
PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class Tried:
    """The outcome: a reply or the last failure, and after how many tries."""

    tries: int
    reply: Reply | None = None
    error: OutsideFailure | None = None
    overcome: OutsideFailure | None = None  # what the try before the reply met


def wait_for(error: Exception) -> bool | float:
    """Tell stamina whether to retry: after Retry-After where it is given, else with back-off."""
    if not isinstance(error, OutsideFailure) or not error.retryable:
        return False
    if error.retry_after is None:
        return True
    return error.retry_after if error.retry_after <= PATIENCE else False


async def with_retries(tries: int, once: Callable[[], Awaitable[Reply]]) -> Tried:
    """Try until it works, the cause is not worth retrying, or the tries are used up."""
    try:
        return Tried(1, reply=await once())
    except OutsideFailure as error:
        last = error
    if tries < 2 or wait_for(last) is False:
        return Tried(1, error=last)
    import stamina  # only those who need more tries pay for it

    # Its own hooks would log to stdout; the record has the number of tries.
    stamina.instrumentation.set_on_retry_hooks([])
    made = 0
    try:
        async for attempt in stamina.retry_context(
            on=wait_for,
            attempts=tries,
            timeout=None,
            wait_initial=0.2,
            wait_max=5.0,
            wait_jitter=0.3,
        ):
            with attempt:
                made += 1
                if made == 1:
                    raise last  # the first try, made above; its pause comes next
                try:
                    return Tried(made, reply=await once(), overcome=last)
                except OutsideFailure as error:
                    last = error
                    raise
    except OutsideFailure as error:
        return Tried(made, error=error)
    raise AssertionError("stamina either returns or raises")
