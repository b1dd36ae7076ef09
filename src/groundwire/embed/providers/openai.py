"""OpenAI: text-embedding-3-*, shortened to the wanted dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from groundwire.embed.providers import openai_compatible


class Provider(openai_compatible.Provider):
    base_url: ClassVar[str | None] = "https://api.openai.com/v1"
    key_setting: ClassVar[str | None] = "OPENAI_API_KEY"
    shortens: ClassVar[bool] = True
    # List prices on 2026-11-16.
    prices: ClassVar[Mapping[str, float]] = {
        "text-embedding-3-small": 0.02,
        "text-embedding-3-large": 0.13,
    }
