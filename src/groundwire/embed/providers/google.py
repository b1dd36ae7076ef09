"""Gemini: POST :batchEmbedContents, the key in a header, never in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from groundwire.embed.provider import EmbedSpec, EmbedVendor
from groundwire.gateway.vendor import Foreign
from groundwire.gateway.vendor import answer as read
from groundwire.model.base import Json, JsonObject


class _Row(Foreign):
    values: list[float]


class _Answer(Foreign):
    embeddings: list[_Row]


class Provider(EmbedVendor):
    base_url: ClassVar[str | None] = "https://generativelanguage.googleapis.com/v1beta"
    key_setting: ClassVar[str | None] = "GEMINI_API_KEY"
    key_header: ClassVar[str] = "x-goog-api-key"
    # List price on 2026-11-16.
    prices: ClassVar[Mapping[str, float]] = {"gemini-embedding-001": 0.15}

    def path(self, spec: EmbedSpec) -> str:
        return f"models/{spec.name}:batchEmbedContents"

    def body(self, spec: EmbedSpec, texts: Sequence[str]) -> JsonObject:
        return {
            "requests": [
                {
                    "model": f"models/{spec.name}",
                    "content": {"parts": [{"text": text}]},
                    "taskType": "SEMANTIC_SIMILARITY",
                    "outputDimensionality": spec.dimensions,
                }
                for text in texts
            ]
        }

    def parse(self, answer: Json) -> tuple[list[list[float]], int]:
        found = read("the model", _Answer, answer)
        return [row.values for row in found.embeddings], 0
