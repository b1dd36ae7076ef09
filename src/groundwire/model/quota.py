"""Whether a use that is limited by the day may be made."""

from __future__ import annotations

from pydantic import Field

from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase

TOOL_CALLS = "tools"  # the scope under which tool calls of a day are counted


class Grant(Value):
    """Whether a tool call may be made, by the limit of the day."""

    granted: bool
    used: int = 0  # of the day, with this one
    limit: int
    reason: str = ""  # a code
    params: JsonObject = Field(default_factory=dict)

    @property
    def said(self) -> Phrase:
        """Why it is not granted."""
        return Phrase(code=self.reason, params=self.params)

    @property
    def left(self) -> int:
        return max(0, self.limit - self.used)
