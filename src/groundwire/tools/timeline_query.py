"""List what memory holds of a subject, in order of when it was true."""

from __future__ import annotations

from datetime import timedelta

from pydantic import Field

from groundwire.context import Context
from groundwire.model.base import Instant, Value
from groundwire.model.claim import Verdict
from groundwire.model.memory import Ground, MemoryQuery, RecalledClaim

_MOST = 100


class Input(Value):
    """About whom or what, and how many days back."""

    subject: str = Field(min_length=1, max_length=200)
    days: int = Field(default=30, ge=1, le=36_500)


class Entry(Value):
    """A remembered claim, when it was true, and on what grounds."""

    time: str  # the dates of the claim: 2026-11-10, 2026-Q4; "": it names none
    learned_at: Instant | None
    text: str
    verdict: Verdict
    sources: tuple[Ground, ...]


class Result(Value):
    """What was learned in these days, oldest first; `state` says whether memory answered."""

    state: str
    entries: tuple[Entry, ...]


async def run(context: Context, given: Input) -> Result:
    """List the claims about a subject that were learned in the last days, by their own dates."""
    since = context.now() - timedelta(days=given.days)
    found = await context.recall(
        MemoryQuery(text=given.subject, subject=given.subject, since=since, limit=_MOST)
    )
    entries = sorted(map(_entry, found.entries), key=_moment)
    return Result(state=found.state, entries=tuple(entries))


def _entry(found: RecalledClaim) -> Entry:
    return Entry(
        time=found.claim.time,
        learned_at=found.standing.learned_at,
        text=found.claim.text,
        verdict=found.standing.verdict,
        sources=found.sources,
    )


def _moment(entry: Entry) -> tuple[str, str]:
    """Order by the claim's own date; one without any, by when it was learned."""
    learned = entry.learned_at.isoformat() if entry.learned_at else ""
    return entry.time.partition("/")[0] or learned[:10], entry.text
