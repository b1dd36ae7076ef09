"""A run's events: followed as they come, or polled; the stream is the journal."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response

from groundwire.doors.api.door import DeskHere, Reader, identify
from groundwire.doors.api.stream import MEDIA_TYPE, SCHEMA, EventStream, EventView, view
from groundwire.model.base import Value, canonical
from groundwire.model.run import FINISHED

router = APIRouter(prefix="/api/runs", tags=["runs"])

_JSON = "application/json"
_MOST = 2**53 - 1  # of a number that every client can hold
Number = Annotated[int, Query(ge=0, le=_MOST, description="the last event that is known already")]
LastEventId = Annotated[
    int | None,
    Header(
        ge=0, le=_MOST, description="as a browser that comes back sends it; goes before `after`"
    ),
]
Limit = Annotated[int, Query(ge=1, le=1_000, description="of a page of JSON")]


class EventPage(Value):
    """Events of a run in their order."""

    events: tuple[EventView, ...]
    next: int  # ask again after this one
    over: bool  # no more will come, unless the run is resumed


@router.get(
    "/{run_id}/events",
    response_model=EventPage,
    summary="Follow a run",
    responses={
        200: {
            "description": "Server-sent events until the run is over; as JSON, one page of them.",
            "content": {MEDIA_TYPE: {"schema": SCHEMA}},
        },
        204: {"description": "The run is over and all its events are known: do not come back."},
    },
)
async def events(
    run_id: str,
    request: Request,
    desk: DeskHere,
    who: Reader,
    after: Number = 0,
    last_event_id: LastEventId = None,
    limit: Limit = 500,
) -> Response:
    """Follow a run: `text/event-stream`, or a page of what there is with `Accept: application/json`.

    The id of an event is its number: whoever comes back with the last one misses nothing and gets
    nothing twice. A stream ends with the run; one that ends before an event that ends it
    (`complete`, `failed`, `cancelled`; a resumed run has one for each attempt) was broken off,
    because the follower was too slow or the desk is stopping. 204 is the end for good.
    """
    head = await desk.app.runs.get_owned_head(who, run_id)
    seen = after if last_event_id is None else last_event_id
    over = head.state in FINISHED
    if _prefers_json(request):
        found = await desk.app.runs.events(run_id, after=seen, limit=limit)
        last = found[-1].seq if found else seen
        shown = [view(event, desk.app.redactor) for event in found]
        page = {"events": shown, "next": last, "over": over and last >= head.last_seq}
        return Response(canonical(page), media_type=_JSON)
    if over and seen >= head.last_seq:
        return Response(status_code=204)
    desk.tails.check()

    async def may_read() -> bool:
        caller = await identify(request)
        return caller is not None and caller.owns(head.owner)

    return EventStream(desk.tails.follow(run_id, after=seen), may_read)


def _prefers_json(request: Request) -> bool:
    """Tell whether JSON is named before a stream; without a preference the stream is sent."""
    for part in ",".join(request.headers.getlist("accept")).split(","):
        kind = part.partition(";")[0].strip().lower()
        if kind in (_JSON, MEDIA_TYPE):
            return kind == _JSON
    return False
