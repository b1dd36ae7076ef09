"""Who sits at the terminal: the language in which commands talk to them."""

from __future__ import annotations

from typing import ClassVar

from groundwire.words import Words, language_of_locale, words


class _Reader:
    language: ClassVar[str] = ""  # as the settings say; "": they say nothing, or were not read yet
    terminal: ClassVar[str] = ""  # as the terminal's variables say; "": nobody sits at one yet


def reads(language: str) -> None:
    """Take the language of the settings; `auto` leaves it to the terminal's."""
    _Reader.language = "" if language == "auto" else language


def sits_at(chosen: str, locale: str) -> None:
    """Take the language of the terminal: the one that is `chosen`, else that of its locale.

    As `settings.sources.terminal_language` does, which takes longer to import than `gw --help`.
    """
    _Reader.language = ""  # the settings are still to be read
    chosen = chosen.strip()
    _Reader.terminal = chosen if chosen not in ("", "auto") else language_of_locale(locale)


def known() -> Words:
    """Return the words of the reader's language as far as it is known; English if nobody reads."""
    return words(_Reader.language or _Reader.terminal or "en")


def speaking() -> Words:
    """Return the words of the reader's language."""
    if _Reader.language or _Reader.terminal:
        return known()
    from groundwire.settings.sources import terminal_language

    return words(terminal_language())


def say(code: str, /, **params: object) -> str:
    """Return a sentence in the reader's language."""
    return speaking()(code, **params)


def columns(*names: str) -> list[str]:
    """Return the head of a table."""
    return [say(f"column.{name}") for name in names]
