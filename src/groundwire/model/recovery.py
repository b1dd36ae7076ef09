"""How a failure was made up for: what stood in the way, what was tried, and what came of it."""

from __future__ import annotations

from typing import Literal

from groundwire.model.base import Value


class Recovery(Value):
    """One attempt to have an answer in spite of a failure, as the record has it.

    `error` is the code of the failure; `tried` is "retry", "stored", "snippet", or the name of the
    provider that was asked next.
    """

    error: str
    tried: str
    outcome: Literal["worked", "failed"]
