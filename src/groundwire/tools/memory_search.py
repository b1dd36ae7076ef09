"""Recall what was found before, and how it has changed since."""

from __future__ import annotations

from pydantic import Field

from groundwire.context import Context
from groundwire.model.base import Instant, Value
from groundwire.model.memory import MemoryQuery, RecalledClaim, Recollection


class Input(Value):
    """What about; `detect_changes` also lists what is no longer believed, and why."""

    query: str = Field(min_length=1, max_length=4000)
    subject: str | None = Field(default=None, max_length=200)
    detect_changes: bool = False
    limit: int = Field(default=8, ge=1, le=100)


class Change(Value):
    """A claim that took another's place."""

    before: str
    after: str
    why: str
    at: Instant


class Result(Value):
    """What memory gave, nearest first; memory that is off or away says so and gives nothing."""

    recollection: Recollection
    changes: tuple[Change, ...] = ()


async def run(context: Context, given: Input) -> Result:
    """Recall the claims nearest to a query; each with its quotes, its history and how it stands."""
    query = MemoryQuery(
        text=given.query, subject=given.subject, limit=given.limit, past=given.detect_changes
    )
    found = await context.recall(query)
    changes = [each for entry in found.entries for each in _changes(entry)]
    return Result(recollection=found, changes=tuple(changes) if given.detect_changes else ())


def _changes(entry: RecalledClaim) -> list[Change]:
    return [
        Change(before=old.text, after=entry.claim.text, why=old.why, at=old.until)
        for old in entry.replaced
        if entry.standing.state == "believed"
    ]
