"""Read a page in full, politely: robots.txt, pauses between pages, size and time limits."""

from __future__ import annotations

from pydantic import Field

from groundwire.context import Context
from groundwire.model.base import Value
from groundwire.model.source import Evidence
from groundwire.tools import read

Result = Evidence


class Input(Value):
    """Which page. No address comes from a model: only people and programs name one."""

    url: str = Field(min_length=1, max_length=8000)


async def run(context: Context, given: Input) -> Evidence:
    """Read one page, keep it in the archive and give it back with its passages and flags."""
    return await read.run(context, read.Input(url=given.url))
