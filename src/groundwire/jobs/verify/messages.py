"""A message as verify takes it: from a source, or by hand, and then kept like one of a source."""

from __future__ import annotations

from datetime import datetime

from groundwire.jobs.verify.types import VerifyInput
from groundwire.model.base import JsonObject
from groundwire.model.message import Message, message_id


def kept_message(given: VerifyInput, at: datetime) -> Message | None:
    """A person's message, so that what a source brings later is known to repeat it.

    One under an id of the person's own is not kept: it could take the place of somebody else's.
    """
    if given.id:
        return None
    return Message(
        id=message_id(given.source, given.text),
        text=given.text,
        language="und" if given.language == "auto" else given.language,
        source=given.source,
        author=given.author,
        published_at=given.published_at,
        received_at=at,
        zone=given.zone,
        media_urls=given.media_urls,
    )


def of_message(
    message: Message, gate: bool, tools: bool, language: str, threshold: float | None
) -> JsonObject:
    """The input that verifies a message which was received."""
    return {
        **message.model_dump(mode="json", exclude={"language"}),
        "language": "auto" if message.language in ("", "und") else message.language,
        "gate": gate,
        "tools": tools,
        "desk_language": language,
        "threshold": threshold,
    }
