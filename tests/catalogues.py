"""Every text of a language, for tests that look through all of them."""

from __future__ import annotations

from functools import cache

from groundwire.words import Language, words


@cache
def catalogue(language: Language) -> dict[str, str]:
    """Return every text of a language by its code."""
    say = words(language)
    return {code: say.template(code) for code in say.codes()}
