"""A wall is not a page: soft 404s, consent walls, captchas, log-ins and empty shells are refused."""

from __future__ import annotations

import re

from groundwire.errors import Captcha, Refused, Unreadable
from groundwire.language.text.phrases import patterns

# Text longer than this is an article, even one about captchas.
_LONG = 1500
_LEAST = 40
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


_pattern = patterns("walls.txt", "groundwire.fetch.data")
_NOT_FOUND = re.compile(_pattern("not found"), re.IGNORECASE)
_CAPTCHA = re.compile(_pattern("captcha"), re.IGNORECASE)
_DENIED = re.compile(r"access denied", re.IGNORECASE)
_CONSENT = re.compile(_pattern("consent"), re.IGNORECASE)
_LOGIN = re.compile(_pattern("login"), re.IGNORECASE)
_SCRIPT = re.compile(_pattern("script"), re.IGNORECASE)
_TITLE_404 = re.compile(_pattern("title 404"), re.IGNORECASE)


def weight(text: str) -> int:
    """Measure length in Latin letters: a Chinese character counts as two and a half."""
    wide = len(_WIDE.findall(text))
    return len(text) - wide + wide * 5 // 2


def check(title: str, text: str, whole: str = "", *, scripts: int = 0) -> None:
    """Raise `Unreadable`, `Captcha` or `Refused` with the reason if the page is a wall.

    `text` is what was extracted, `whole` all that a reader would see, `scripts` how many the page
    has. Only little text is suspicious; a long article is never judged by its words.
    """
    size = weight(text)
    if size >= _LONG:
        return
    # Short notices have menus and banners too, so those count only where there is nothing else.
    seen = f"{title}\n{text}\n{whole[:3000] if size < 100 else ''}"
    if _TITLE_404.search(title) or (size < 600 and _NOT_FOUND.search(seen)):
        raise Unreadable("outside.soft_404")
    if _CAPTCHA.search(title) or (size < 900 and _CAPTCHA.search(seen)):
        raise Captcha("outside.captcha")
    if _DENIED.search(title) or (size < 900 and _DENIED.search(seen)):
        raise Refused("outside.denied")
    if size < 900 and len(_CONSENT.findall(seen)) >= (1 if size < 500 else 2):
        raise Unreadable("outside.consent")
    if size < 900 and _LOGIN.search(seen):
        raise Unreadable("outside.login")
    if size < 400 and _SCRIPT.search(seen):
        raise Unreadable("outside.shell")
    if size < _LEAST:
        if scripts:
            raise Unreadable("outside.shell")
        raise Unreadable("outside.no_readable")
