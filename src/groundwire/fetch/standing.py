"""Dates that stand by themselves in a page, and how likely each is the day of publication."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from groundwire.fetch.days import CAN_HOLD_DATE, find_date
from groundwire.fetch.tree import Node, text_of
from groundwire.language.text.phrases import patterns

_said = patterns("standing.txt", "groundwire.fetch.data")
# What the names of an element say of a date inside it.
_PUBLISHED_NAME = re.compile(_said("published name"))
_DATE_NAME = re.compile(_said("date name"))
_CHANGED_NAME = re.compile("updat|modif|revis|chang|aktualis|edited")
# Other articles, comments, and the frame of the page.
_ELSEWHERE = re.compile(_said("elsewhere"))
_ELSEWHERE_TAGS = frozenset(["footer", "nav", "aside"])
_LABEL = re.compile(_said("label"), re.IGNORECASE)
_CHANGED_LABEL = re.compile(_said("changed label"), re.IGNORECASE)
_TAGS = ("h1", "span", "p", "div", "li", "td", "small", "em", "i", "abbr", "font", "b", "strong",
         "h2", "h3", "h4", "h5", "h6", "time", "dd", "a", "address", "header", "label",
         "section", "ul", "figcaption", "cite", "sub")  # fmt: skip
_MOST_ELEMENTS = 8_000
_MOST_DATES = 200
_LONGEST = 160  # characters; a date in a longer text is about something else
_NEAR = 40  # elements
_SHORT = 25
ENOUGH = 3  # the score from which a date is believed


@dataclass(frozen=True, slots=True)
class Standing:
    """A date, its score, and whether its element says that it is the day of publication."""

    when: str
    score: int
    said: bool


@dataclass(frozen=True, slots=True)
class _Names:
    """What an element's class and id say."""

    date: bool
    published: bool
    changed: bool
    elsewhere: bool


def standing_dates(body: Node, latest: date, *, month_first: bool) -> Iterator[Standing]:
    """In the order of the page."""
    found = 0
    heading = -1_000
    for index, element in enumerate(body.iter(*_TAGS)):
        if index > _MOST_ELEMENTS or found > _MOST_DATES:
            return
        if element.tag == "h1":
            heading = index
        text = _text(element)
        if not text or (read := find_date(text, latest, month_first=month_first)) is None:
            continue
        found += 1
        near = index - heading <= _NEAR
        said = element.get("itemprop") == "datePublished" or element.get("pubdate") is not None
        score = 3 * said + _score(element, text, read[1], read[2], near=near)
        yield Standing(read[0], score, said)


def _text(element: Node) -> str:
    """Return what it says, if it is short and may hold a date."""
    text = element.get("datetime") or element.get("content") or (element.text or "").strip()
    if len(element) and len(element) <= 8 and _names(element).date and not element.get("datetime"):
        text = text_of(element)
    return text if 6 <= len(text) <= _LONGEST and CAN_HOLD_DATE.search(text) else ""


def _score(element: Node, text: str, start: int, end: int, *, near: bool) -> int:
    before = text[:start]
    if not before.strip():
        above = element.getparent()
        before = (above.text or "") if above is not None else ""
    names = _names(element)
    changed = names.changed or _CHANGED_LABEL.search(before[-40:]) is not None
    return (
        2 * (names.date or element.tag == "time")
        + 2 * names.published
        + 3 * (_LABEL.search(before[-40:]) is not None)
        + (len(text) - (end - start) <= _SHORT)
        + 2 * near
        - 3 * changed
        - 4 * _is_elsewhere(element)
    )


def _is_elsewhere(element: Node) -> bool:
    above: Node | None = element
    for _ in range(12):
        if above is None or above.tag in ("body", "main"):
            return False
        if above.tag in _ELSEWHERE_TAGS or _names(above).elsewhere:
            return True
        above = above.getparent()
    return False


def _names(element: Node) -> _Names:
    return _read_names(element.get("class") or "", element.get("id") or "")


# A page has few classes and many elements.
@lru_cache(maxsize=4096)
def _read_names(kind: str, name: str) -> _Names:
    said = f"{kind} {name}"
    # publishTime, publish-time
    said = re.sub("([a-z])([A-Z])", r"\1-\2", said).lower()
    return _Names(
        date=_DATE_NAME.search(said) is not None,
        published=_PUBLISHED_NAME.search(said) is not None,
        changed=_CHANGED_NAME.search(said) is not None,
        elsewhere=_ELSEWHERE.search(said) is not None,
    )
