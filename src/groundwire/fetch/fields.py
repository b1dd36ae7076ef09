"""Finds the title, text, address, date, author and source among a row's fields, in zh and en."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import date, datetime
from typing import cast

from groundwire.fetch.data import named_lists
from groundwire.fetch.extracted import DateHow, Extracted, Record, RefusedPage
from groundwire.fetch.moments import moment
from groundwire.fetch.quality import weight
from groundwire.fetch.tree import line, prose
from groundwire.language.text.characters import detect_language

Row = Mapping[str, object]

LEAST = 8  # weight of a text: a short post is one, a lone word is none
_MAX_TEXT = 2_000_000
_NOTHING = frozenset({"", "none", "null", "nan", "n/a", "nil", "undefined", "-", "无", "無"})
# In order of preference; spaces, hyphens, underscores and case are taken out before comparing.
NAMES: Mapping[str, tuple[str, ...]] = named_lists("fields.txt")
_KEY = re.compile(r"[\s_\-./:：()（）]+")


def plain_name(name: str) -> str:
    """Normalise a field's name for comparison."""
    return _KEY.sub("", unicodedata.normalize("NFKC", name)).lower().lstrip("\ufeff")


def is_article(row: Row) -> bool:
    """Tell whether a row has a field that can hold its text or title, filled or not."""
    names = {plain_name(name) for name, value in row.items() if not isinstance(value, list | dict)}
    return any(name in names for name in (*NAMES["text"], *NAMES["title"]))


def article(row: Row, where: str, latest: date | None = None) -> Record | RefusedPage:
    """Read a row as an article, or return why it is none."""
    named = {plain_name(name): value for name, value in row.items()}
    text = _text(named)
    if not text:
        return RefusedPage(where, "outside.row_no_text")
    if weight(text) < LEAST:
        return RefusedPage(where, "outside.row_short")
    found = make_extracted(
        text,
        _date(named, latest),
        title=line(_word(named, "title")),
        author=line(_word(named, "author")),
        publisher=line(_word(named, "source")),
    )
    return Record(where, _url(named), found)


def make_extracted(
    text: str,
    at: datetime | str | None,
    *,
    title: str = "",
    author: str | None = None,
    publisher: str = "",
    how: DateHow = "declared",
    language: str = "",
    media_type: str = "text/plain",
) -> Extracted:
    """Build an article from a file's text and what is known of it."""
    return Extracted(
        title=title or first_words(text),
        author=(author or "")[:120] or None,
        published_at=at.isoformat() if isinstance(at, datetime) else at,
        published_how=how if at else "unknown",
        publisher=publisher[:120],
        language=language or detect_language(text),
        text=text,
        media_type=media_type,
    )


def first_words(text: str) -> str:
    """Make a title for what has none: the first line, cut at a word."""
    first = text.partition("\n")[0].strip()
    if len(first) <= 100:
        return first
    cut = first[:100]
    return (cut[: cut.rfind(" ")] if " " in cut[60:] else cut).rstrip() + "…"


def _text(named: Row) -> str:
    for name in NAMES["text"]:
        value = named.get(name)
        if isinstance(value, str) and value.strip().lower() not in _NOTHING:
            return prose(value)[:_MAX_TEXT]
    return ""


def _url(named: Row) -> str:
    for name in NAMES["url"]:
        value = named.get(name)
        if isinstance(value, str) and value.strip().lower().startswith(("http://", "https://")):
            return value.strip()
    return ""


def _date(named: Row, latest: date | None) -> datetime | None:
    found = (moment(named.get(name), latest) for name in NAMES["date"])
    return next((each for each in found if each is not None), None)


def _word(named: Row, what: str) -> str:
    for name in NAMES[what]:
        word = _flat(named.get(name))
        if word.strip().lower() not in _NOTHING:
            return word
    return ""


def _flat(value: object) -> str:
    """Return a name that may be in an object or a list of them."""
    match value:
        case str():
            return value
        case list():
            each = (_flat(item) for item in cast("list[object]", value)[:5])
            return ", ".join(word for word in each if word)
        case dict():
            inner = {plain_name(str(key)): item for key, item in cast("Row", value).items()}
            found = (inner.get(name) for name in ("name", "title", "screenname", "displayname"))
            return next((word for word in found if isinstance(word, str)), "")
        case _:
            return ""
