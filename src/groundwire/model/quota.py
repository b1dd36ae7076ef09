"""Whether a use that is limited by the day may be made."""

from __future__ import annotations

from groundwire.model.base import Value

TOOL_CALLS = "tools"  # the scope under which tool calls of a day are counted


class Grant(Value):
    """Whether a tool call may be made, by the limit of the day."""

    granted: bool
    used: int = 0  # of the day, with this one
    limit: int
    reason: str = ""

    @property
    def left(self) -> int:
        return max(0, self.limit - self.used)
