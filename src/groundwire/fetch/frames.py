"""Frames on a pipe: four bytes of length, a JSON header, then as many bytes as the header says."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import IO, Any

Frame = tuple[dict[str, Any], bytes]


def send(pipe: IO[bytes], header: Mapping[str, object], body: bytes) -> None:
    head = json.dumps({**header, "length": len(body)}).encode()
    pipe.write(struct.pack(">I", len(head)) + head + body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Frame:
    """Read the next frame; raises `EOFError` when the other side is gone."""
    header = json.loads(_exactly(pipe, struct.unpack(">I", _exactly(pipe, 4))[0]))
    return header, _exactly(pipe, header["length"])


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data
