"""The language of the interface: as chosen, else as the browser asks."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from groundwire.words import LANGUAGES, Language, language_of_locale

COOKIE = "gw_language"


def language_of(request: HTTPConnection) -> Language:
    """Return the cookie's language, else the first of Accept-Language that we speak, else English."""
    chosen = request.cookies.get(COOKIE)
    if chosen in LANGUAGES:
        return chosen
    for part in request.headers.get("accept-language", "")[:200].lower().split(","):
        tag = part.partition(";")[0].strip()
        if tag.startswith(("zh", "en")):
            return language_of_locale(tag)
    return "en"


_TAGS = {"zh": "zh-Hans", "und": "", "auto": ""}


def tag(language: str) -> str:
    """Return a language as HTML names it; "" where it is not known."""
    return _TAGS.get(language, language)
