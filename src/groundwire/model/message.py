"""A message as it arrives at the desk, and what became of it at the door."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from groundwire.model.base import Instant, JsonObject, Value, short_id

LONGEST = 20_000  # characters of a message
DedupLayer = Literal["exact", "hash", "near", "signal"]


def _without_nul(value: object) -> object:
    # Invisible, and PostgreSQL refuses text that has it.
    return value.replace("\x00", "") if isinstance(value, str) else value


def _language(code: str) -> str:
    """Name zh-CN and zh_TW as the desk does; drop the region of every other language."""
    first, *parts = code.strip().replace("_", "-").split("-")
    if first.lower() != "zh":
        return first.lower()
    return "zh-Hant" if any(part.lower() in _TRADITIONAL for part in parts) else "zh"


_TRADITIONAL = ("hant", "tw", "hk", "mo")
_YEARS = range(1970, 2200)


def _possible(at: datetime | None) -> datetime | None:
    """Drop impossible dates: some programs write 0001-01-01 for an unknown one."""
    return at if at is not None and at.year in _YEARS else None


Moment = Annotated[Instant | None, AfterValidator(_possible)]
Words = Annotated[str, BeforeValidator(_without_nul)]
Language = Annotated[Words, AfterValidator(_language)]
# Inside, so that the limits apply after the NULs are gone.
MessageText = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=LONGEST, pattern=r"[^\s\x00]"
    ),
    BeforeValidator(_without_nul),
]
_Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    BeforeValidator(_without_nul),
]


class Message(Value):
    """One post, headline or rumour. Its id is its content and where it came from, or the sender's."""

    id: _Name
    text: MessageText
    language: Language = "und"  # zh | zh-Hant | en | … | und
    source: Words = ""  # telegram:channel, feed:url, cli, webhook:name
    author: Words = ""
    published_at: Moment = None
    received_at: Instant
    zone: Words = ""  # where its relative dates are read; "": as its language suggests
    keywords_hit: tuple[str, ...] = ()
    media_urls: tuple[str, ...] = ()

    @property
    def at(self) -> datetime:
        """When it was said, as far as anybody knows."""
        return self.published_at or self.received_at


def message_id(source: str, text: str, sender_id: str = "") -> str:
    """Build a message's id from its source and the sender's id, or else its text."""
    return short_id("msg", [source, sender_id or text])


class MessageSighting(Value):
    """A message that says again what an earlier one said: kept with that one, never lost."""

    message_id: str
    source: str
    author: str = ""
    published_at: Instant | None = None
    received_at: Instant
    layer: DedupLayer
    similarity: float = Field(ge=0, le=1)
    why: str  # as `words.kept` packs it, here and below


class Receipt(Value):
    """What the door did with a message: new, or one more sighting of an earlier one."""

    message: Message
    first_id: str  # the message's own id when it is new
    layer: DedupLayer | None = None  # which layer knew it; None: it is new
    similarity: float = 0.0
    why: str = ""

    @property
    def new(self) -> bool:
        return self.layer is None


class Taken(Value):
    """What became of a message that a program sent: it has a run, says again what another said, or
    is kept out by the lists."""

    message_id: str
    state: Literal["new", "known", "repeated", "turned_away"]
    why: str = ""
    first_id: str = ""  # the message's own id, unless it repeats another
    run_id: str | None = None  # of a new message, and of one that came before


class DedupRules(Value):
    """Which layers look at a message before it becomes a run; all by default."""

    exact: bool = True
    hash: bool = True
    near: bool = True


class Cursor(Value):
    """How far a source has been read: its last id, its validators; written with its messages."""

    source: str
    state: JsonObject
    at: Instant
