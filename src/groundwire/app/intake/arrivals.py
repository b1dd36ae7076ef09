"""From what somebody sent to a message: cleaned, checked, and refused in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from groundwire.errors import InputError, TooBig
from groundwire.language.text.characters import detect_language
from groundwire.model.message import LONGEST, Message, message_id

# Characters that a database may refuse, and invisible ones.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_UNSEEN = re.compile("[\\s\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")
_CODE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")  # zh, zh-Hant, pt-BR
_AHEAD = timedelta(days=1)  # clocks differ, but not by a day
_MEDIA, _ADDRESS, _NAME = 20, 2_000, 200


def text_of(text: object) -> str:
    """Clean the text of a message: its lines are kept, control characters are not."""
    if not isinstance(text, str):
        raise InputError("error.message_no_text")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError("error.message_invalid", hint="hint.utf8") from None
    cleaned = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not _UNSEEN.sub("", cleaned):
        raise InputError("error.message_empty")
    if len(cleaned) > LONGEST:
        raise TooBig(
            "error.message_too_long", n=len(cleaned), most=LONGEST, hint="hint.one_message"
        )
    return cleaned


def arrival(
    text: object,
    now: datetime,
    *,
    source: str,
    sender_id: str = "",
    author: str = "",
    language: str = "",
    published_at: datetime | None = None,
    zone: str = "",
    media: Iterable[str] = (),
) -> Message:
    """Build a message as it arrives; `sender_id` is the sender's id of it.

    A publication time in the future is dropped: the source's clock is wrong.
    """
    cleaned = text_of(text)
    if published_at is not None and published_at > now + _AHEAD:
        published_at = None
    return Message(
        id=message_id(source, cleaned, sender_id),
        text=cleaned,
        language=language if _CODE.fullmatch(language) else detect_language(cleaned),
        source=_line(source),
        author=_line(author),
        published_at=published_at,
        received_at=now,
        zone=_line(zone),
        media_urls=tuple(dict.fromkeys(each for each in media if len(each) <= _ADDRESS))[:_MEDIA],
    )


def _line(text: str) -> str:
    return " ".join(_CONTROLS.sub(" ", text).split())[:_NAME]


def shortened(text: str) -> str:
    """Cut a text that is longer than a message may be, such as a feed's whole article."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
