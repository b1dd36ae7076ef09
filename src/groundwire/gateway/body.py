"""A response body read under caps, on the bytes on the wire and on the bytes unpacked."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import httpx2

from groundwire import errors

_INFLATE_STEP = 256 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one exchange."""

    max_bytes_wire: int = 5_000_000
    max_bytes_decoded: int = 20_000_000
    max_redirects: int = 5
    seconds: float = 20.0
    cut: bool = False  # what passes a cap is left unread, instead of refused


class _Body:
    """Collects a body under both caps; inflates in small steps, so a zip bomb never unfolds."""

    def __init__(self, coding: str, limits: Limits) -> None:
        self._limits = limits
        self._wire = 0
        self._data = bytearray()
        self._gzip = coding in ("gzip", "x-gzip")
        if not self._gzip and coding not in ("", "identity", "deflate"):
            raise errors.Unreadable("outside.encoding", coding=coding[:40])
        self._plain = coding in ("", "identity")
        self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16 if self._gzip else zlib.MAX_WBITS)

    def feed(self, chunk: bytes) -> None:
        self._wire += len(chunk)
        if self._wire > self._limits.max_bytes_wire:
            raise errors.TooLarge("outside.over_bytes", n=self._limits.max_bytes_wire)
        if self._plain:
            self._add(chunk)
            return
        try:
            self._inflate(chunk)
        except zlib.error as error:
            if self._gzip or self._data or self._wire != len(chunk):
                raise errors.Malformed("outside.packed_damaged") from error
            # Some servers send raw deflate although the standard asks for zlib's frame.
            self._inflater = zlib.decompressobj(-zlib.MAX_WBITS)
            try:
                self._inflate(chunk)
            except zlib.error as again:
                raise errors.Malformed("outside.packed_damaged") from again

    def _inflate(self, data: bytes) -> None:
        while True:
            out = self._inflater.decompress(data, _INFLATE_STEP)
            self._add(out)
            if self._inflater.eof:
                data = self._inflater.unused_data
                if not (self._gzip and data.startswith(b"\x1f\x8b")):
                    return
                self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)  # the next member
                continue
            data = self._inflater.unconsumed_tail
            if not data and len(out) < _INFLATE_STEP:
                return

    def _add(self, data: bytes) -> None:
        if len(self._data) + len(data) > self._limits.max_bytes_decoded:
            raise errors.TooLarge("outside.unpacks", n=self._limits.max_bytes_decoded)
        self._data += data

    @property
    def read(self) -> bytes:
        return bytes(self._data)

    def close(self) -> bytes:
        if not self._plain and self._wire and not self._inflater.eof:
            raise errors.BrokenOff("outside.cut_off")
        return self.read


async def read_body(response: httpx2.Response, limits: Limits) -> bytes:
    """Read and decode a body; stop as soon as a cap is passed."""
    length = response.headers.get("content-length", "")
    if length.isdigit() and int(length) > limits.max_bytes_wire and not limits.cut:
        raise errors.TooLarge("outside.over_bytes", n=limits.max_bytes_wire)
    body = _Body(response.headers.get("content-encoding", "").strip().lower(), limits)
    try:
        async for chunk in response.aiter_raw():
            body.feed(chunk)
    except errors.TooLarge:
        if not limits.cut:
            raise
        return body.read
    return body.close()
