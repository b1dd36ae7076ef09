"""Look at a feed: what it lists now."""

from __future__ import annotations

from pydantic import Field

from groundwire.context import Context
from groundwire.errors import Unreadable
from groundwire.model.base import Value
from groundwire.model.feed import Feed, Outline

Result = Feed


class Input(Value):
    """Which feed, or the page of a site that names its own."""

    url: str = Field(min_length=1, max_length=8000)


async def run(context: Context, given: Input) -> Feed:
    """Read a feed with a conditional GET, within its own time to live; nothing is archived."""
    found = await context.open(given.url, feed=True)
    if isinstance(found, Outline) and len(found.feeds) == 1:
        found = await context.open(found.feeds[0].url)
    if isinstance(found, Feed):
        return found
    raise Unreadable("outside.gives_no_feed", hint="hint.name_feed")
