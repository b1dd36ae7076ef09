"""What a parser gives back; light, because both the parent and its workers load it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

# The words of `model.source.DateSource`; spelled again so that a worker need not load the model.
DateHow: TypeAlias = Literal["declared", "metadata", "url", "text", "feed", "header", "unknown"]


@dataclass(frozen=True, slots=True)
class Extracted:
    """An article as read; `published_at` is ISO, a day or a moment."""

    title: str
    author: str | None
    published_at: str | None
    published_how: DateHow
    publisher: str
    language: str
    text: str
    media_type: str
