"""The archive by meaning: texts to vectors on the gateway, and the documents near a question."""

from __future__ import annotations

import base64
import hashlib
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import httpx2

from groundwire.embed.provider import EmbedSpec, Vector, to_unit_vectors, vendor
from groundwire.errors import Malformed
from groundwire.evidence.pages.passages import spans
from groundwire.gateway.call import Call, Reply, Scope, Sending, Sharing
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.status import raise_for_api_status
from groundwire.gateway.transport import Limits, post_json
from groundwire.gateway.vendor import decoded
from groundwire.model.base import JsonObject
from groundwire.model.ports import ArchiveHit, Index, Piece, Vectors
from groundwire.model.query import Query
from groundwire.model.source import Document

# What every vendor here takes in one request, with room.
_MOST_TEXTS = 64
_MOST_CHARACTERS = 100_000
_LONGEST = 6_000  # characters of a text: within the shortest window, 2,048 tokens of English
_DAY = 86_400.0
_PIECE = 2_000  # characters: some passages together say what a part is about
_MOST_PIECES = 12  # of a document: the beginning says what a long one is about


@dataclass(slots=True, eq=False)
class Likeness:
    """One embedding model over one archive; records know a text by its hash, not by its words."""

    spec: EmbedSpec
    vectors: Vectors
    index: Index
    gateway: Gateway
    client: httpx2.AsyncClient

    @property
    def label(self) -> str:
        return self.spec.label

    async def embed(self, scope: Scope, texts: Sequence[str]) -> list[Vector]:
        """Embed texts as unit vectors, in order; raises `OutsideFailure`."""
        found: list[Vector] = []
        for batch in _batches([text[:_LONGEST] or " " for text in texts]):
            found += await self._batch(scope, batch)
        return found

    async def _batch(self, scope: Scope, texts: Sequence[str]) -> list[Vector]:
        spec, declared = self.spec, vendor(self.spec)
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
            headers = {**declared.authentication(spec), "idempotency-key": sending.idempotency_key}
            reply = await post_json(
                self.client,
                declared.url(spec),
                declared.body(spec, texts),
                headers,
                Limits(max_bytes_decoded=32_000_000, seconds=spec.timeout),
            )
            hint = declared.key_setting or f"models.providers.{spec.vendor}.api_key"
            raise_for_api_status(reply.status, reply.headers, reply.body, spec.label, hint)
            try:
                found, tokens = declared.parse(decoded(spec.label, reply.body))
                vectors = to_unit_vectors(found, len(texts), spec)
            except Malformed as error:
                error.cost = call.estimate  # it was answered, so it will be billed
                raise
            response = {"vectors": [pack(vector) for vector in vectors], "tokens": tokens}
            return Reply(response, cost=declared.price(spec, tokens or most))

        record = await self.gateway.call(scope, call, send)
        packed: list[str] = (record.response or {})["vectors"]
        return [unpack(text) for text in packed]

    async def nearest(self, vector: Vector, query: Query, now: datetime) -> Sequence[ArchiveHit]:
        return await self.vectors.nearest(self.label, vector, query, now)

    async def unplaced(self, scope: Scope, limit: int) -> list[str]:
        """List documents without vectors; recorded, so that a restart goes on with the same."""

        async def get() -> JsonObject:
            return {"ids": list(await self.vectors.unplaced(self.label, limit))}

        request: JsonObject = {"unplaced": self.label, "limit": limit}
        found: list[str] = (await self.gateway.recorded_read(scope, "similar", request, get))["ids"]
        return found

    async def place(self, scope: Scope, document_ids: Sequence[str]) -> int:
        """Give documents their vectors; return how many of them still exist."""
        documents = [await self.index.get(each) for each in document_ids]
        existing = [each for each in documents if each is not None]
        parts = [(document, start, end) for document in existing for start, end in pieces(document)]
        texts = [f"{document.title}\n{document.text[start:end]}" for document, start, end in parts]
        vectors = await self.embed(scope, texts) if texts else []
        places: dict[str, int] = {}
        placed: list[Piece] = []
        for (document, start, end), vector in zip(parts, vectors, strict=True):
            place = places[document.id] = places.get(document.id, -1) + 1
            placed.append(
                Piece(document_id=document.id, place=place, start=start, end=end, vector=vector)
            )
        await self.vectors.put(self.label, placed)
        return len(existing)


def pieces(document: Document) -> list[tuple[int, int]]:
    """Cut a document into spans of neighbouring passages; a title alone is one piece."""
    found: list[tuple[int, int]] = []
    for start, end in spans(document.text):
        if found and end - found[-1][0] <= _PIECE:
            found[-1] = (found[-1][0], end)
        elif len(found) < _MOST_PIECES:
            found.append((start, end))
        else:
            break
    return found or [(0, 0)]


def pack(vector: Vector) -> str:
    """Pack a vector at half precision: enough to compare directions, a quarter of JSON's size."""
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
