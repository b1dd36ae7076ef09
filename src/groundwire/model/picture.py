"""A picture for a model to look at: its type is read from its bytes, never taken on trust."""

from __future__ import annotations

import hashlib
from typing import Literal

from groundwire.errors import InputError
from groundwire.model.base import Value

PictureType = Literal["image/png", "image/jpeg", "image/webp", "image/gif"]

# What every vendor takes; the smallest of their limits on one picture.
MOST_BYTES = 5_000_000


class PictureRef(Value):
    """Which picture is meant, without its bytes: this is what requests and records hold."""

    media_type: PictureType
    sha256: str
    size: int


class Picture(Value):
    """The picture itself."""

    ref: PictureRef
    data: bytes

    @classmethod
    def of(cls, data: bytes) -> Picture:
        """Build a picture from its bytes; raise `InputError` for what no vendor takes."""
        if not data:
            raise InputError("error.picture_empty")
        if len(data) > MOST_BYTES:
            raise too_large(len(data))
        media_type = _sniffed(data)
        if media_type is None:
            raise InputError("error.no_picture")
        sha256 = hashlib.sha256(data).hexdigest()
        return cls(ref=PictureRef(media_type=media_type, sha256=sha256, size=len(data)), data=data)


def too_large(size: int) -> InputError:
    """Build the refusal of a picture of that many bytes."""
    return InputError(
        "error.picture_too_large", n=size, most=MOST_BYTES, hint="hint.smaller_picture"
    )


def _sniffed(data: bytes) -> PictureType | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return None
