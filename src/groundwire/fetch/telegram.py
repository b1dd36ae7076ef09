"""Telegram's export (result.json): each message with a text is an article of its chat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from typing import cast

from groundwire.errors import Unreadable
from groundwire.fetch.extracted import Record, Records
from groundwire.fetch.fields import described
from groundwire.fetch.moments import moment
from groundwire.fetch.prose import tidy
from groundwire.fetch.quality import weight

Fields = Mapping[str, object]

_LEAST = 4  # weight: a channel's shortest news still names its matter


def is_export(value: object) -> bool:
    """Tell whether a JSON value is an export of one chat or of an account."""
    return isinstance(value, dict) and next(_chats(cast("Fields", value)), None) is not None


def _chats(value: Fields) -> Iterator[Fields]:
    messages = value.get("messages")
    if isinstance(messages, list) and {"name", "type", "id"} <= value.keys():
        yield value
        return
    chats = value.get("chats")
    listed: object = cast("Fields", chats).get("list") if isinstance(chats, dict) else None
    if isinstance(listed, list):
        for chat in cast("list[object]", listed):
            if isinstance(chat, dict) and isinstance(cast("Fields", chat).get("messages"), list):
                yield cast("Fields", chat)


def read_export(value: Fields, latest: date | None = None) -> Records:
    """Return the messages of every chat; those without a text are counted, not listed."""
    records: list[Record] = []
    skipped: Counter[str] = Counter()
    for chat in _chats(value):
        for message in cast("list[object]", chat["messages"]):
            fields = cast("Fields", message)
            if not isinstance(message, dict) or fields.get("type") != "message":
                skipped["service message"] += 1
                continue
            record = _record(chat, fields, latest)
            if record is None:
                skipped["message without text"] += 1
            else:
                records.append(record)
    if not records:
        raise Unreadable("outside.telegram_empty")
    return Records(tuple(records), skipped=dict(skipped))


def _record(chat: Fields, message: Fields, latest: date | None) -> Record | None:
    text = tidy(flattened(message.get("text") or message.get("text_entities")))
    if weight(text) < _LEAST:
        return None
    number = message.get("id")
    name = _word(chat, "name") or f"chat {chat.get('id')}"
    channel = _username(chat)
    # The plain date has no zone; the count of seconds needs none.
    at = moment(message.get("date_unixtime"), latest) or moment(message.get("date"), latest)
    return Record(
        where=f"message {number}" if "channel" in _word(chat, "type") else f"{name} {number}",
        url=f"https://t.me/{channel}/{number}" if channel else "",
        found=described(
            text, at, author=_word(message, "author") or _word(message, "from"), publisher=name
        ),
    )


def flattened(text: object) -> str:
    """Return the words of a message; links keep their words, not their addresses."""
    if isinstance(text, str):
        return text
    if not isinstance(text, list):
        return ""
    parts: list[str] = []
    for part in cast("list[object]", text):
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, dict):
            parts.append(_word(cast("Fields", part), "text", strip=False))
    return "".join(parts)


def _username(chat: Fields) -> str:
    """Return the public name, where the export has it; it names the chat in links."""
    name = _word(chat, "username").lstrip("@")
    public = name.isascii() and name.replace("_", "").isalnum() and 4 <= len(name) <= 32
    return name if public else ""


def _word(fields: Fields, name: str, *, strip: bool = True) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        return ""
    return value.strip() if strip else value
