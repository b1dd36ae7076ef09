"""A message that a person gives by hand is kept like one that a source brings."""

from __future__ import annotations

from datetime import datetime

from groundwire.model.base import JsonObject
from groundwire.model.event_ports import Messages
from groundwire.model.message import DedupRules, Message, message_id

_AS_IT_IS = DedupRules(exact=False, hash=False, near=False)


async def received(messages: Messages, given: JsonObject, now: datetime) -> str:
    """Keep a person's message, so that what a source brings later is known to repeat it: its id.

    One under an id of the person's own is not kept: it could take the place of somebody else's.
    """
    if given["id"]:
        return ""
    message = Message(
        id=message_id(given["source"], given["text"]),
        text=given["text"],
        language="und" if given["language"] == "auto" else given["language"],
        source=given["source"],
        author=given["author"],
        published_at=given["published_at"],
        received_at=now,
        zone=given["zone"],
        media_urls=tuple(given["media_urls"]),
    )
    await messages.receive(message, _AS_IT_IS)
    return message.id
