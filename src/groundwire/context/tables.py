"""What the desk keeps beside its runs, in the hands of a job that looks at it by recorded reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.model.ports import Messages, Quota, Signals


@dataclass(frozen=True)
class Tables:
    """Each is opened when it is first asked for. What a job reads here goes through
    `Context.query`, so that a restart and a replay see the same."""

    signals: Callable[[], Signals]
    messages: Callable[[], Messages]
    quota: Callable[[], Quota]
    remembers: bool  # memory is on
    twins: bool  # the same event told again is looked for: the fourth layer of dedup
    tool_calls: int  # of a day
    clock: Callable[[], datetime]
