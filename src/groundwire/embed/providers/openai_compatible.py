"""Any server that speaks OpenAI's POST /embeddings; OpenAI and others only say where they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from groundwire.embed.provider import EmbedSpec, EmbedVendor
from groundwire.errors import Malformed
from groundwire.model.base import Json, JsonObject


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    index: int
    embedding: list[float]


class _Usage(BaseModel):
    model_config = ConfigDict(extra="ignore")

    prompt_tokens: int = 0


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    data: list[_Row]
    usage: _Usage = _Usage()


class Provider(EmbedVendor):
    base_url: ClassVar[str | None] = None
    key_setting: ClassVar[str | None] = None
    shortens: ClassVar[bool] = False  # whether `dimensions` may be asked for

    def path(self, spec: EmbedSpec) -> str:
        return "embeddings"

    def body(self, spec: EmbedSpec, texts: Sequence[str]) -> JsonObject:
        asked: JsonObject = {
            "model": spec.name,
            "input": list(texts),
            "encoding_format": "float",
        }
        return {**asked, "dimensions": spec.dimensions} if self.shortens else asked

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"}

    def parse(self, answer: Json) -> tuple[list[list[float]], int]:
        try:
            found = _Answer.model_validate(answer)
        except ValidationError as error:
            raise Malformed("outside.form", who="the model") from error
        rows = sorted(found.data, key=lambda row: row.index)
        if [row.index for row in rows] != list(range(len(rows))):
            raise Malformed("outside.form", who="the model")
        return [row.embedding for row in rows], max(0, found.usage.prompt_tokens)
