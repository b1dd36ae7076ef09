"""How values become column values: canonical JSON, packed when large, and times as integers."""

from __future__ import annotations

import json
import zlib
from datetime import UTC, datetime, timedelta, timezone

from groundwire.errors import CorruptStore
from groundwire.model.base import Json, canonical

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
DAY_US = 86_400_000_000
_LARGE = 2048  # below this, compression costs more than it saves


def to_us(at: datetime) -> int:
    """Convert to whole microseconds since 1970, UTC."""
    return (at - _EPOCH) // _MICROSECOND


def from_us(at: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at)


def to_us_or_none(at: datetime | None) -> int | None:
    return None if at is None else to_us(at)


def from_us_or_none(at: int | None) -> datetime | None:
    return None if at is None else from_us(at)


def offset_of(at: datetime | None) -> int | None:
    """Return how many minutes ahead of UTC the zone of a moment is."""
    ahead = None if at is None else at.utcoffset()
    return None if ahead is None else ahead // timedelta(minutes=1)


def in_zone(at: datetime | None, offset: int | None) -> datetime | None:
    """Put a moment back into the zone that was kept beside it."""
    if at is None or not offset:
        return at
    return at.astimezone(timezone(timedelta(minutes=offset)))


def clean(words: str) -> str:
    """Remove NUL, which PostgreSQL's text cannot hold and which means nothing anywhere."""
    return words.replace("\0", "")


def text(value: Json) -> str:
    """Write canonical JSON as text."""
    return canonical(value).decode()


def pack(value: Json) -> bytes:
    """Write canonical JSON, compressed when large."""
    return compress(canonical(value))


def compress(data: bytes) -> bytes:
    return data if len(data) < _LARGE else zlib.compress(data, 1)


def expand(data: bytes) -> bytes:
    """Return the canonical JSON of a packed value."""
    if data[:1] != b"x":  # every zlib stream starts so, and no JSON text does
        return data
    try:
        return zlib.decompress(data)
    except zlib.error as error:
        raise CorruptStore("error.not_unpacked") from error


def unpack(data: bytes) -> Json:
    return parse(expand(data))


def parse(data: bytes | str) -> Json:
    """Parse JSON as stored."""
    try:
        return json.loads(data)
    except ValueError as error:
        raise CorruptStore("error.stored_no_json") from error
