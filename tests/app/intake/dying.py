"""`gw listen --stdin` that kills itself, by a real SIGKILL, at the N-th call of one stage."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from groundwire.doors.cli import main
from groundwire.store.journal import JournalTable
from groundwire.store.ledger import LedgerTable
from groundwire.store.messages import MessageTable
from groundwire.store.runs import RunTable

Step = Callable[..., Awaitable[Any]]


def deadly(step: Step, at: int) -> Step:
    """Wrap a function so that the process dies right after its N-th call."""
    times = 0

    async def taken(*args: Any, **kwargs: Any) -> Any:
        nonlocal times
        done = await step(*args, **kwargs)
        times += 1
        if times == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    return taken


PLACES: dict[str, tuple[type, str]] = {
    "received": (MessageTable, "receive_many"),
    "submitted": (RunTable, "create"),
    "noted": (LedgerTable, "note"),
    "claimed": (RunTable, "claim"),
    "opened": (JournalTable, "append"),
    "finished": (RunTable, "finish"),
}


if __name__ == "__main__":
    stage, at = sys.argv[1:]
    owner, name = PLACES[stage]
    setattr(owner, name, deadly(getattr(owner, name), int(at)))
    sys.argv = ["gw", "listen", "--stdin"]
    main()
