"""Results to be delivered: what a job wants told, and to whom."""

from __future__ import annotations

from groundwire.model.base import Instant, JsonObject, Value, short_id


class Letter(Value):
    """What a person is told: plain text in their language, the most important line first."""

    title: str
    lines: tuple[str, ...] = ()


class Notice(Value):
    """What a job wants told of its result: of what kind it is, its content for programs, and a
    letter for people."""

    kind: str
    content: JsonObject
    letter: Letter | None = None


class Subscriber(Value):
    """Who is told, and by which channel."""

    channel: str  # a channel of the settings, or a module of `notify/providers`
    name: str  # an address of that channel; `DESK`: whoever the channel's settings name


DESK = "desk"


class Parcel(Value):
    """A notice on its way to one subscriber; sent again, it has the same id."""

    id: str
    run_id: str
    attempt: int
    channel: str
    subscriber: str
    kind: str
    content: JsonObject  # with the letter, as `letter`, where there is one
    created_at: Instant
    due_at: Instant  # not tried before
    delivered_at: Instant | None = None
    tries: int = 0
    error: str = ""

    @property
    def letter(self) -> Letter:
        """The letter to people; its kind alone where nobody wrote one."""
        found = self.content.get("letter")
        return Letter(title=self.kind) if found is None else Letter.model_validate(found)


def parcel(
    run_id: str,
    attempt: int,
    notice: Notice,
    to: Subscriber,
    at: Instant,
    due_at: Instant | None = None,
) -> Parcel:
    """Build the parcel that takes a notice to a subscriber, at once or from a moment on."""
    letter = notice.letter
    worded = {} if letter is None else {"letter": letter.model_dump(mode="json")}
    return Parcel(
        id=short_id("out", [run_id, to.channel, to.name]),
        run_id=run_id,
        attempt=attempt,
        channel=to.channel,
        subscriber=to.name,
        kind=notice.kind,
        content={**notice.content, **worded},
        created_at=at,
        due_at=due_at or at,
    )
