"""Memory: what is believed, what was believed at a past moment, and the story of a claim."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from groundwire.app import memory as remembering
from groundwire.doors.api.door import DeskHere, Reader
from groundwire.doors.api.schemas import Day, Limit, Moment, Share, Switch, leads_to
from groundwire.errors import StoreAway
from groundwire.model.memory import ClaimHistory, MemoryQuery, Recollection

router = APIRouter(prefix="/api/memory", tags=["memory"])
AsOf = Annotated[
    Moment | None, Query(description="as it was believed at that moment, which is ours")
]


@router.get(
    "",
    summary="What is believed about something",
    responses={200: leads_to("memory_story", claim_id="$response.body#/entries/0/claim/id")},
)
async def recall(
    desk: DeskHere,
    _who: Reader,
    q: Annotated[str, Query(min_length=1, max_length=4_000, description="words, zh or en")],
    subject: Annotated[
        str | None, Query(min_length=1, max_length=400, description="only claims that name it")
    ] = None,
    since: Annotated[Moment | None, Query(description="learned or seen since then")] = None,
    as_of: AsOf = None,
    about: Annotated[Day | None, Query(description="true in the world on that day")] = None,
    min_confidence: Annotated[Share | None, Query(description="least confidence")] = None,
    past: Annotated[Switch, Query(description="also what is no longer believed")] = False,
    limit: Limit = 8,
) -> Recollection:
    """Return the nearest claims, each with its two times, its sources and how near it is.

    `state` is `off` where the desk remembers nothing: that is not the same as nothing found.
    """
    query = MemoryQuery(
        text=q.replace("\0", ""),
        subject=None if subject is None else subject.replace("\0", "") or None,
        since=since,
        as_of=as_of,
        about=None if about is None else remembering.day_of_the_world(about.isoformat(), "about"),
        limit=limit,
        min_confidence=min_confidence,
        past=past,
    )
    found = await desk.app.memory.recall(query)
    if found.state == "unavailable":
        raise StoreAway(found.reason, **found.params)
    return found


@router.get("/{claim_id}", summary="The story of a claim")
async def story(
    claim_id: Annotated[str, Path(pattern=r"^cl_[0-9a-f]{16}$", examples=["cl_1f3a5c7e90b2d4f6"])],
    desk: DeskHere,
    _who: Reader,
    as_of: AsOf = None,
) -> ClaimHistory:
    """Tell what was believed first, what it became, when and why."""
    return await desk.app.memory.story(claim_id, as_of)
