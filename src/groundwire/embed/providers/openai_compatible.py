"""Any server that speaks OpenAI's POST /embeddings; OpenAI and others differ in address and key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from groundwire.embed.provider import EmbedSpec, EmbedVendor
from groundwire.errors import Malformed
from groundwire.gateway.vendor import Foreign
from groundwire.gateway.vendor import answer as read
from groundwire.model.base import Json, JsonObject


class _Row(Foreign):
    index: int
    embedding: list[float]


class _Usage(Foreign):
    prompt_tokens: int = 0


class _Answer(Foreign):
    data: list[_Row]
    usage: _Usage = _Usage()


class Provider(EmbedVendor):
    base_url: ClassVar[str | None] = None
    key_setting: ClassVar[str | None] = None
    shortens: ClassVar[bool] = False  # whether `dimensions` may be asked for

    def path(self, spec: EmbedSpec) -> str:
        return "embeddings"

    def body(self, spec: EmbedSpec, texts: Sequence[str]) -> JsonObject:
        body: JsonObject = {"model": spec.name, "input": [*texts], "encoding_format": "float"}
        return {**body, "dimensions": spec.dimensions} if self.shortens else body

    def parse(self, answer: Json) -> tuple[list[list[float]], int]:
        found = read("the model", _Answer, answer)
        rows = sorted(found.data, key=lambda row: row.index)
        if [row.index for row in rows] != list(range(len(rows))):
            raise Malformed("outside.form", who="the model")
        return [row.embedding for row in rows], max(0, found.usage.prompt_tokens)
