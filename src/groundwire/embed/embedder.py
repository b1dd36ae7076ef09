"""Texts to vectors on the gateway: recorded, budgeted, shared between runs."""

from __future__ import annotations

import base64
import hashlib
import struct
from collections.abc import Iterator, Sequence

import httpx2

from groundwire.embed.provider import EmbedSpec, Vector, checked, vendor
from groundwire.errors import Malformed
from groundwire.gateway.call import Call, Reply, Scope, Sending, Sharing
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.status import raise_for_api_status
from groundwire.gateway.transport import Limits, post_json
from groundwire.gateway.vendor import decoded
from groundwire.model.base import JsonObject

# What every vendor here takes in one request, with room.
_MOST_TEXTS = 64
_MOST_CHARACTERS = 100_000
_LONGEST = 6_000  # characters of a text: within the shortest window, 2,048 tokens of English
_DAY = 86_400.0


class Embedder:
    """One model's vectors; a text is known to the record by its hash, not by its words."""

    def __init__(self, spec: EmbedSpec, gateway: Gateway, client: httpx2.AsyncClient) -> None:
        self._spec = spec
        self._vendor = vendor(spec)
        self._gateway = gateway
        self._client = client

    @property
    def label(self) -> str:
        return self._spec.label

    async def embed(self, scope: Scope, texts: Sequence[str]) -> list[Vector]:
        """Return a unit vector a text, in order; raises `OutsideFailure`."""
        found: list[Vector] = []
        for some in _batches([text[:_LONGEST] or " " for text in texts]):
            found += await self._batch(scope, some)
        return found

    async def _batch(self, scope: Scope, texts: Sequence[str]) -> list[Vector]:
        spec, declared = self._spec, self._vendor
        # A wide upper bound: no vendor cuts text into more tokens than half its bytes.
        most = sum(len(text.encode()) for text in texts) // 2 + len(texts)
        hashes = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        call = Call(
            kind="embed",
            provider=spec.label,
            request={"texts": hashes},
            lane=spec.vendor,
            estimate=declared.price(spec, most),
            timeout=spec.timeout,
            sharing=Sharing(seconds=_DAY),
        )

        async def send(sending: Sending) -> Reply:
            headers = {
                **declared.authentication(spec),
                "idempotency-key": sending.idempotency_key,
            }
            replied = await post_json(
                self._client,
                declared.url(spec),
                declared.body(spec, texts),
                headers,
                Limits(max_bytes_decoded=32_000_000, seconds=spec.timeout),
            )
            hint = declared.key_setting or f"models.providers.{spec.vendor}.api_key"
            raise_for_api_status(replied.status, replied.headers, replied.body, spec.label, hint)
            try:
                made = checked(*declared.parse(decoded(spec.label, replied.body)), len(texts), spec)
            except Malformed as error:
                error.cost = call.estimate  # it was answered, so it will be billed
                raise
            response: JsonObject = {
                "vectors": [pack(vector) for vector in made.vectors],
                "tokens": made.tokens,
            }
            return Reply(response, cost=declared.price(spec, made.tokens or most))

        record = await self._gateway.call(scope, call, send)
        packed: list[str] = (record.response or {})["vectors"]
        return [unpack(text) for text in packed]


def pack(vector: Vector) -> str:
    """Half precision is enough to compare directions, and a quarter of JSON's size."""
    return base64.b64encode(struct.pack(f"<{len(vector)}e", *vector)).decode()


def unpack(text: str) -> Vector:
    data = base64.b64decode(text)
    return struct.unpack(f"<{len(data) // 2}e", data)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == _MOST_TEXTS or size + len(text) > _MOST_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch
