"""Who sits at the terminal: the language in which commands talk to them."""

from __future__ import annotations

from typing import ClassVar

from groundwire.words import Words, words


class _Reader:
    language: ClassVar[str] = ""  # as the settings say; "": they say nothing, or were not read yet


def reads(language: str) -> None:
    """Take the language of the settings; `auto` leaves it to the terminal's."""
    _Reader.language = "" if language == "auto" else language


def speaking() -> Words:
    """Return the words of the reader's language."""
    from groundwire.settings.sources import terminal_language

    return words(_Reader.language or terminal_language())


def say(code: str, /, **params: object) -> str:
    """Return a sentence in the reader's language."""
    return speaking()(code, **params)


def columns(*names: str) -> list[str]:
    """Return the head of a table."""
    return [say(f"column.{name}") for name in names]
