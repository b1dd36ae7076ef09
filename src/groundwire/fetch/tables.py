"""Rows of CSV, JSON and JSON Lines as articles, and the messages of a Telegram export.

Rows that are no article are named.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from io import StringIO
from typing import cast

from groundwire.errors import Malformed, Unreadable
from groundwire.fetch.charset import decode
from groundwire.fetch.extracted import Record, Records, RefusedPage
from groundwire.fetch.feeds import is_json_feed, read_feed, word
from groundwire.fetch.fields import NAMES, Row, article, is_article, make_extracted, plain_name
from groundwire.fetch.moments import moment
from groundwire.fetch.quality import weight
from groundwire.fetch.tree import tidy
from groundwire.model.feed import Feed, FeedEntry

_DELIMITERS = ",;\t|"
_DEEPEST = 6
_LEAST_POST = 4  # weight: even a channel's shortest news is longer
_FIELD = 5_000_000  # characters of a cell


def read_csv(body: bytes, latest: date | None = None) -> Records:
    """Read a table whose first row names its columns."""
    text = decode(body, markup=False)
    csv.field_size_limit(_FIELD)
    try:
        rows = list(csv.reader(StringIO(text), delimiter=_delimiter(text)))
    except csv.Error as error:
        raise Malformed("outside.table_unreadable", why=error) from error
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if not rows:
        raise Unreadable("outside.table_empty")
    head = rows[0]
    if not any(plain_name(name) in NAMES["text"] for name in head):
        columns = ", ".join(name.strip() for name in head)[:200]
        raise Unreadable("outside.no_text_column", columns=columns)
    return split_refused(
        article(dict(zip(head, row, strict=False)), f"row {number}", latest)
        for number, row in enumerate(rows[1:], start=2)
    )


def _delimiter(text: str) -> str:
    """Return the sign that occurs most in the first line, outside quotes."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = "".join(first.split('"')[::2])
    best = max(_DELIMITERS, key=bare.count)
    return best if best in bare else ","


def read_json(body: bytes, latest: date | None = None) -> Records:
    """Read a JSON file: a Telegram export, a feed, or nested objects that look like articles."""
    try:
        value: object = json.loads(decode(body, markup=False))
    except ValueError as error:
        # Many files of lines are named as if they were one value.
        if body.strip().count(b"\n"):
            return read_lines(body, latest)
        raise Malformed("outside.file_not_json") from error
    except RecursionError as error:
        raise Malformed("outside.json_deep") from error
    if any(_chats(value)):
        return read_export(cast("Row", value), latest)
    if is_json_feed(value):
        return of_feed(read_feed(body, "application/feed+json", "", latest))
    rows = list(_rows(value, ""))
    if not rows:
        raise Unreadable("outside.no_text_field")
    return split_refused(article(row, where, latest) for where, row in rows)


def _rows(value: object, where: str, depth: int = 0) -> Iterator[tuple[str, Row]]:
    """Yield every object that looks like an article, with its place, but none inside another."""
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        row = {str(key): item for key, item in cast("dict[object, object]", value).items()}
        if is_article(row):
            yield where or "the object", row
            return
        for key, item in row.items():
            yield from _rows(item, f"{where}.{key}" if where else key, depth + 1)
    elif isinstance(value, list):
        for number, item in enumerate(cast("list[object]", value)):
            yield from _rows(item, f"{where}[{number}]", depth + 1)


def read_lines(body: bytes, latest: date | None = None, *, before: int = 0) -> Records:
    """Read JSON Lines, one object a line; `before` is how many lines of the file came earlier."""
    found: list[Record | RefusedPage] = []
    for number, line in enumerate(decode(body, markup=False).split("\n"), start=before + 1):
        if not line.strip():
            continue
        try:
            row: object = json.loads(line)
        except (ValueError, RecursionError):
            found.append(RefusedPage(f"line {number}", "outside.row_no_json"))
            continue
        if isinstance(row, dict):
            found.append(article(cast("Row", row), f"line {number}", latest))
        else:
            found.append(RefusedPage(f"line {number}", "outside.row_no_object"))
    if not found:
        raise Unreadable("outside.file_empty")
    return split_refused(found)


def of_feed(feed: Feed) -> Records:
    """Read the entries of a feed in a file, with the texts that they carry."""
    return split_refused(_of_entry(feed, entry) for entry in feed.entries)


def _of_entry(feed: Feed, entry: FeedEntry) -> Record | RefusedPage:
    where = entry.title or entry.id
    if weight(entry.text) < 40:
        return RefusedPage(where[:100], "outside.entry_no_text")
    found = make_extracted(
        entry.text,
        entry.published or entry.updated,
        title=entry.title,
        author=entry.author,
        publisher=feed.title,
        how="feed",
    )
    return Record(where[:100], entry.url, found)


def split_refused(found: Iterable[Record | RefusedPage]) -> Records:
    """Separate articles from refusals."""
    rows = list(found)
    return Records(
        tuple(each for each in rows if isinstance(each, Record)),
        tuple(each for each in rows if isinstance(each, RefusedPage)),
    )


# --- Telegram's export (result.json): each message with a text is an article of its chat --------


def _chats(value: object) -> Iterator[Row]:
    """Yield the chats of an export, of one chat or of an account; none for other values."""
    if not isinstance(value, dict):
        return
    export = cast("Row", value)
    if isinstance(export.get("messages"), list) and {"name", "type", "id"} <= export.keys():
        yield export
        return
    chats = export.get("chats")
    listed: object = cast("Row", chats).get("list") if isinstance(chats, dict) else None
    if isinstance(listed, list):
        for chat in cast("list[object]", listed):
            if isinstance(chat, dict) and isinstance(cast("Row", chat).get("messages"), list):
                yield cast("Row", chat)


def read_export(value: Row, latest: date | None = None) -> Records:
    """Read the messages of every chat; those without a text are only counted."""
    records: list[Record] = []
    skipped: Counter[str] = Counter()
    for chat in _chats(value):
        for message in cast("list[object]", chat["messages"]):
            fields = cast("Row", message)
            if not isinstance(message, dict) or fields.get("type") != "message":
                skipped["skipped.service_message"] += 1
                continue
            record = _record(chat, fields, latest)
            if record is None:
                skipped["skipped.no_text"] += 1
            else:
                records.append(record)
    if not records:
        raise Unreadable("outside.telegram_empty")
    return Records(tuple(records), skipped=dict(skipped))


def _record(chat: Row, message: Row, latest: date | None) -> Record | None:
    text = tidy(flatten_text(message.get("text") or message.get("text_entities")))
    if weight(text) < _LEAST_POST:
        return None
    number = message.get("id")
    name = word(chat, "name") or f"chat {chat.get('id')}"
    channel = _username(chat)
    # The plain date has no zone; the count of seconds needs none.
    at = moment(message.get("date_unixtime"), latest) or moment(message.get("date"), latest)
    return Record(
        where=f"message {number}" if "channel" in word(chat, "type") else f"{name} {number}",
        url=f"https://t.me/{channel}/{number}" if channel else "",
        found=make_extracted(
            text, at, author=word(message, "author") or word(message, "from"), publisher=name
        ),
    )


def flatten_text(text: object) -> str:
    """Join the words of a message; links keep their words, not their addresses."""
    if isinstance(text, str):
        return text
    if not isinstance(text, list):
        return ""
    parts: list[str] = []
    for part in cast("list[object]", text):
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, dict):
            words = cast("Row", part).get("text")
            parts.append(words if isinstance(words, str) else "")
    return "".join(parts)


def _username(chat: Row) -> str:
    """Return the public name, where the export has it; it names the chat in links."""
    name = word(chat, "username").lstrip("@")
    public = name.isascii() and name.replace("_", "").isalnum() and 4 <= len(name) <= 32
    return name if public else ""
