"""Read a page into the archive."""

from __future__ import annotations

from pydantic import Field

from groundwire.context import Context
from groundwire.errors import Offline
from groundwire.model.base import Value
from groundwire.model.query import Hit
from groundwire.model.source import Evidence

Result = Evidence


class Input(Value):
    """Which page."""

    url: str = Field(min_length=1, max_length=8000)
    ignore_robots: bool = Field(default=False, description="read what robots.txt does not allow")
    fresh: bool = Field(default=False, description="ask the site, whatever was kept of the page")


async def run(context: Context, given: Input) -> Evidence:
    """Read one page, keep it in the archive and give it back with its passages and flags.

    Without the network it is the copy that the archive holds, flagged `stored`.
    """
    hit = Hit(title="", url=given.url, content="", provider="person", rank=1)
    try:
        return await context.read(hit, robots=not given.ignore_robots, fresh=given.fresh)
    except Offline:
        held = await context.held(hit.model_copy(update={"provider": "archive"}))
        if held is None:
            raise
        return held
