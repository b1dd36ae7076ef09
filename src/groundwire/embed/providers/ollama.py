"""Ollama: embedding models on the user's own machine, such as bge-m3."""

from __future__ import annotations

from typing import ClassVar

from groundwire.embed.providers import openai_compatible


class Provider(openai_compatible.Provider):
    base_url: ClassVar[str | None] = "http://127.0.0.1:11434/v1"
