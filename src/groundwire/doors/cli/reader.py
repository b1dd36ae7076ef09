"""The person at the terminal: the language in which commands talk to them."""

from __future__ import annotations

from typing import ClassVar

from groundwire.settings.environment import terminal_language
from groundwire.words import Words, words


class _Reader:
    language: ClassVar[str] = ""  # "": not set yet


def set_language(language: str) -> None:
    """Speak the language of the settings; `auto`: the terminal's, as before they are loaded."""
    _Reader.language = terminal_language() if language == "auto" else language


def reader_words() -> Words:
    """Return the words of the reader's language."""
    return words(_Reader.language or terminal_language())


def say(code: str, /, **params: object) -> str:
    """Put a code into a sentence in the reader's language."""
    return reader_words()(code, **params)


def words_for(text: str) -> Words:
    """Return the words of the language that a text is in: what is said of it is said in that."""
    from groundwire.language.text.characters import detect_language  # takes 0.1 s to load

    return words(detect_language(text))


def columns(*names: str) -> list[str]:
    """Return the column names of a table in the reader's language."""
    return [say(f"column.{name}") for name in names]
