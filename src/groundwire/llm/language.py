"""The language lock: what a model writes itself must be in the language that was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias, cast, get_args, get_origin

from pydantic import BaseModel

from groundwire.language.text.characters import HAN, detect_language


class _Foreign:
    """Marks text that may be in any language."""


# For quotes and search words: copied or meant for elsewhere, so the lock does not look at them.
Verbatim: TypeAlias = Annotated[str, _Foreign()]

_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(rf"[^\W\d_{HAN}]+(?:['’\-][^\W\d_{HAN}]+)*")
# Scripts that neither a Chinese nor an English answer is written in.
_OTHER_SCRIPTS = frozenset({"ar", "ja", "ko", "ru"})
# Too little to tell: a name, a ticker, a year.
_FEWEST = 4


def wrong_language(texts: Iterable[str], language: str) -> str | None:
    """Return the first of the texts that is not in the language, or None."""
    return next((text for text in texts if not _fits(text, language)), None)


def _fits(text: str, language: str) -> bool:
    """By the share of Chinese characters among characters and words.

    `detect_language` weighs letters, which is right for a page; in a single sentence a few foreign
    names would outweigh the rest, so here a name counts as one word.
    """
    chinese, words = len(_HAN.findall(text)), len(_WORD.findall(text))
    if chinese + words < _FEWEST:
        return True
    if detect_language(text) in _OTHER_SCRIPTS:
        return False
    share = chinese / (chinese + words)
    # A Chinese sentence full of foreign names still has its own particles; an English one none.
    return share >= 0.3 if language.lower().startswith("zh") else share <= 0.5


def prose(value: BaseModel) -> Iterator[str]:
    """Every text that the model wrote itself: plain `str` fields, neither literals nor `Verbatim`."""
    for name, field in type(value).model_fields.items():
        if not any(isinstance(mark, _Foreign) for mark in field.metadata):
            yield from _walk(getattr(value, name), field.annotation)


def _walk(value: object, annotation: Any) -> Iterator[str]:
    if isinstance(value, BaseModel):
        yield from prose(value)
    elif isinstance(value, str):
        if _is_prose(annotation):
            yield value
    elif isinstance(value, Mapping):
        inner = (get_args(annotation) or (str, str))[-1]
        for item in cast("Mapping[object, object]", value).values():
            yield from _walk(item, inner)
    elif isinstance(value, Sequence):
        inner = next((arg for arg in get_args(annotation) if arg is not Ellipsis), str)
        for item in cast("Sequence[object]", value):
            yield from _walk(item, inner)


def _is_prose(annotation: Any) -> bool:
    if get_origin(annotation) is Annotated:
        kind, *marks = get_args(annotation)
        return _is_prose(kind) and not any(isinstance(mark, _Foreign) for mark in marks)
    if get_origin(annotation) is Literal:
        return False
    arms = get_args(annotation)
    return any(_is_prose(arm) for arm in arms) if arms else annotation is str
