"""Results to be delivered: what a job wants told, and to whom."""

from __future__ import annotations

from groundwire.model.base import Instant, JsonObject, Value, short_id


class Notice(Value):
    """What a job wants told of its result: of what kind it is, and its content."""

    kind: str
    content: JsonObject


class Subscriber(Value):
    """Who is told, and by which channel."""

    channel: str  # a module of `notify/providers`
    name: str


class Parcel(Value):
    """A notice on its way to one subscriber; sent again, it has the same id."""

    id: str
    run_id: str
    attempt: int
    channel: str
    subscriber: str
    kind: str
    content: JsonObject
    created_at: Instant
    due_at: Instant  # not tried before
    delivered_at: Instant | None = None
    tries: int = 0
    error: str = ""


def parcel(run_id: str, attempt: int, notice: Notice, to: Subscriber, at: Instant) -> Parcel:
    """Build the parcel that takes a notice to a subscriber."""
    return Parcel(
        id=short_id("out", [run_id, to.channel, to.name]),
        run_id=run_id,
        attempt=attempt,
        channel=to.channel,
        subscriber=to.name,
        kind=notice.kind,
        content=notice.content,
        created_at=at,
        due_at=at,
    )
