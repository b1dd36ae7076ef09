"""What every noun shares: frozen values, canonical JSON, and ids that are hashes of content."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict

from groundwire.errors import Unfit

# Values that came through the canonical form; validated where they are read, not here.
Json: TypeAlias = Any
JsonObject: TypeAlias = dict[str, Any]


class Value(BaseModel):
    """A frozen value; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _aware_utc(value: datetime) -> datetime:
    if value.tzinfo is None:
        raise Unfit("input.zone")
    try:
        return value.astimezone(UTC)
    except OverflowError:  # a validator may only raise what a validator can report
        raise Unfit("input.years") from None


Instant = Annotated[datetime, AfterValidator(_aware_utc)]


def _aware(value: datetime) -> datetime:
    utc = _aware_utc(value)
    offset = value.utcoffset()
    return utc if offset is None or offset % timedelta(minutes=1) else value


# When a page appeared, kept in the zone that it was written in: its day is the page's own.
Published = Annotated[datetime, AfterValidator(_aware)]


# Built once: json.dumps would build an encoder for every call of the gateway.
_encode = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
).encode


def canonical(value: Json) -> bytes:
    """Encode a value in its one byte form: sorted keys, no spaces, UTF-8; NaN is refused."""
    return _encode(value).encode()


def fingerprint(value: Json) -> str:
    """Hash the canonical form of a value: SHA-256 in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


def short_id(prefix: str, value: Json) -> str:
    """Build a readable id that is a hash of content: `ev_1f3a…`."""
    return f"{prefix}_{fingerprint(value)[:16]}"
