"""The day a page was published, and how that is known: declared, by its address, or by its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from functools import cached_property, lru_cache

from groundwire.fetch.data import named_lists
from groundwire.fetch.days import CAN_HOLD_DATE, EARLIEST, day_of, find_date, parse_date
from groundwire.fetch.extracted import DateHow
from groundwire.fetch.tree import Node, by_htmldate, text_of
from groundwire.language.text.phrases import patterns

# Names of the first publication; of a date of unknown meaning; of a change.
_METAS = named_lists("metas.txt")
_PUBLISHED, _DATED, _CHANGED = (_METAS[name] for name in ("published", "dated", "changed"))
_pattern = patterns("published.txt", "groundwire.fetch.data")
_URL_DATE = re.compile(_pattern("url date"))
# Pages that are made in the browser carry their data in a script.
_SCRIPT_DATE = re.compile(_pattern("script date"), re.IGNORECASE)
# What an article may have in it, with a day of its own.
_PART = re.compile(_pattern("part"), re.IGNORECASE)
# US numbers are month first; the other countries that write English are not.
_MONTH_FIRST = re.compile(r"en(?:[-_]us)?$", re.IGNORECASE)
_OTHER_ENGLISH = re.compile(r"://[^/]*\.(?:uk|au|nz|ie|za|in|ca|eu)(?:[:/]|$)", re.IGNORECASE)


def published(
    tree: Node,
    metas: Mapping[str, str],
    data: list[Mapping[str, object]],
    url: str,
    latest: date,
) -> tuple[str | None, DateHow]:
    """Return the ISO day or moment of publication, and how it is known; explicit dates first."""
    reader = _Reader(tree, metas, data, url, latest)
    return (
        reader.declared()
        or reader.by_address()
        or reader.by_text()
        or reader.linked(parts=True)  # a clip: where nothing else is dated, the page is about it
        or reader.of_metas(_DATED, "metadata")
        or reader.scripted()
        or reader.guessed()
        or reader.only_day()
        or reader.of_metas(_CHANGED, "metadata")
        or (None, "unknown")
    )


@dataclass(eq=False)
class _Reader:
    """One page, and the bounds within which a date is believed."""

    tree: Node
    metas: Mapping[str, str]
    data: list[Mapping[str, object]]
    url: str
    latest: date

    @cached_property
    def _month_first(self) -> bool:
        declared = self.tree.get("lang") or self.tree.get("xml:lang") or self.metas.get("og:locale")
        language = (declared or "en").strip()
        return bool(_MONTH_FIRST.match(language)) and not _OTHER_ENGLISH.search(self.url)

    def _parse(self, text: str) -> str | None:
        return parse_date(text, self.latest, month_first=self._month_first)

    def declared(self) -> tuple[str, DateHow] | None:
        if found := self.of_metas(_PUBLISHED, "declared"):
            return self._local(found[0]), "declared"
        return self.linked(parts=False)

    def linked(self, *, parts: bool) -> tuple[str, DateHow] | None:
        items = [item for item in self.data if _is_part(item) is parts]
        for key in ("datePublished", "uploadDate", "dateCreated"):
            for item in items:
                value = item.get(key)
                if isinstance(value, str) and (found := self._parse(value)):
                    return self._local(found), "declared"
        return None

    def _local(self, when: str) -> str:
        """Write a moment in UTC in the page's own zone, where the page shows it.

        The moment stays the same; its day becomes the one that readers of the page see.
        """
        if not when.endswith("+00:00"):
            return when
        moment = datetime.fromisoformat(when)
        for text in self._stamps():
            stamp = self._parse(text)
            if stamp is not None and len(stamp) > 10:
                other = datetime.fromisoformat(stamp)
                if abs(other - moment) < _SAME and other.utcoffset():
                    return moment.astimezone(other.tzinfo).isoformat()
        address = self.by_address()
        if address is not None:
            hours = _hours_to(moment, date.fromisoformat(address[0]))
            if hours:
                return moment.astimezone(timezone(timedelta(hours=hours))).isoformat()
        return when

    def _stamps(self) -> Iterator[str]:
        yield from (
            self.metas[key] for key in (*_PUBLISHED, *_DATED, *_CHANGED) if key in self.metas
        )
        for item in self.data:
            for key in ("datePublished", "dateCreated", "dateModified", "uploadDate"):
                if isinstance(value := item.get(key), str):
                    yield value
        for element in self.tree.iter("time"):
            yield element.get("datetime") or ""

    def by_address(self) -> tuple[str, DateHow] | None:
        for url in (self.url, *self._addresses()):
            match = _URL_DATE.search(url)
            if match is not None:
                year, month, number = (group for group in match.groups() if group)
                day = day_of(year, month, number)
                if day is not None and EARLIEST <= day <= self.latest:
                    return day.isoformat(), "url"
        return None

    def _addresses(self) -> Iterator[str]:
        for link in self.tree.iter("link"):
            if (link.get("rel") or "").lower() == "canonical":
                yield link.get("href") or ""
        yield self.metas.get("og:url", "")

    def of_metas(self, names: Sequence[str], how: DateHow) -> tuple[str, DateHow] | None:
        dates = (self._parse(self.metas[name]) for name in names if name in self.metas)
        return next(((found, how) for found in dates if found), None)

    def scripted(self) -> tuple[str, DateHow] | None:
        texts = (script.text or "" for script in self.tree.iter("script"))
        written = (_SCRIPT_DATE.finditer(text) for text in texts if len(text) < 500_000)
        found = (self._parse(match.group(1)) for matches in written for match in matches)
        dates = [each for each in found if each]
        # Several days belong to other articles, too.
        return (dates[0], "metadata") if len({each[:10] for each in dates}) == 1 else None

    def by_text(self) -> tuple[str, DateHow] | None:
        """Return the likeliest of the dates that stand by themselves; the first of equals."""
        best = max(self._standing, key=lambda each: each.score, default=None)
        if best is None or best.score < ENOUGH:
            return None
        return best.when, "declared" if best.declared else "text"

    def guessed(self) -> tuple[str, DateHow] | None:
        found = by_htmldate(self.tree, self.url, self.latest, EARLIEST)
        return (found, "text") if found else None

    def only_day(self) -> tuple[str, DateHow] | None:
        """Return the one day that the page names anywhere."""
        days = sorted({each.when[:10] for each in self._standing})
        return (days[0], "text") if len(days) == 1 else None

    @cached_property
    def _standing(self) -> list[Standing]:
        body = self.tree.find("body")
        if body is None:
            return []
        return list(standing_dates(body, self.latest, month_first=self._month_first))


def _is_part(item: Mapping[str, object]) -> bool:
    kind = item.get("@type")
    return isinstance(kind, str) and _PART.fullmatch(kind) is not None


_SAME = timedelta(seconds=60)
# From California to Fiji; beyond that it is another day.
_WEST, _EAST = -8, 12


def _hours_to(moment: datetime, day: date) -> int:
    """Return the least shift from UTC that puts a moment on that day; 0 if no zone has it."""
    days = (day - moment.date()).days
    hours = {1: 24 - moment.hour, -1: -moment.hour - 1}.get(days, 0)
    return hours if _WEST <= hours <= _EAST else 0


# --- dates that stand by themselves in a page, and how likely each is the day of publication ----

_standing_pattern = patterns("standing.txt", "groundwire.fetch.data")
# What the names of an element say of a date inside it.
_PUBLISHED_NAME = re.compile(_standing_pattern("published name"))
_DATE_NAME = re.compile(_standing_pattern("date name"))
_CHANGED_NAME = re.compile("updat|modif|revis|chang|aktualis|edited")
# Other articles, comments, and the frame of the page.
_ELSEWHERE = re.compile(_standing_pattern("elsewhere"))
_ELSEWHERE_TAGS = frozenset(["footer", "nav", "aside"])
_LABEL = re.compile(_standing_pattern("label"), re.IGNORECASE)
_CHANGED_LABEL = re.compile(_standing_pattern("changed label"), re.IGNORECASE)
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
    """A date that stands by itself, its score, and whether its element declares publication."""

    when: str
    score: int
    declared: bool


@dataclass(frozen=True, slots=True)
class _Names:
    """What an element's class and id say."""

    date: bool
    published: bool
    changed: bool
    elsewhere: bool


def standing_dates(body: Node, latest: date, *, month_first: bool) -> Iterator[Standing]:
    """Yield the dates that stand by themselves, in the order of the page."""
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
        declared = element.get("itemprop") == "datePublished" or element.get("pubdate") is not None
        score = 3 * declared + _score(element, text, read[1], read[2], near=near)
        yield Standing(read[0], score, declared)


def _text(element: Node) -> str:
    """Return an element's text, if it is short and may hold a date."""
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
def _read_names(classes: str, id: str) -> _Names:
    names = f"{classes} {id}"
    # publishTime, publish-time
    names = re.sub("([a-z])([A-Z])", r"\1-\2", names).lower()
    return _Names(
        date=_DATE_NAME.search(names) is not None,
        published=_PUBLISHED_NAME.search(names) is not None,
        changed=_CHANGED_NAME.search(names) is not None,
        elsewhere=_ELSEWHERE.search(names) is not None,
    )
