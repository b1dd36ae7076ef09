"""What a page says about itself: title, author, date and how it is known, publisher, language."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import cast

from groundwire.fetch.extracted import DateHow
from groundwire.fetch.tree import Node, text_of

_PUBLISHED = (
    "article:published_time", "og:article:published_time", "og:published_time", "datepublished",
    "publishdate", "pubdate", "publish_date", "publish-date", "publication_date",
    "publication-date", "article.published", "article_date_original", "cxenseparse:recs:publishtime",
    "parsely-pub-date", "sailthru.date", "originalpublicationdate", "citation_publication_date",
    "citation_date", "citation_online_date", "dc.date.issued", "dcterms.issued", "dcterms.created",
    "dc.date.created", "rnews:datepublished", "article:post_date", "bt:pubdate", "ptime",
    "weibo: article:create_at", "weibo:article:create_at", "apub:time", "_pubtime",
)  # fmt: skip
_OTHER_DATES = (
    "dc.date", "dcterms.date", "date", "article:modified_time", "og:updated_time", "lastmod",
    "last-modified", "datemodified", "dcterms.modified", "revised", "creation_date", "created",
)  # fmt: skip
_AUTHORS = ("author", "article:author", "parsely-author", "sailthru.author", "dc.creator", "byl",
            "dcterms.creator", "citation_author", "twitter:creator")  # fmt: skip
_ARTICLE_TYPES = re.compile(
    r"article|posting|report|review|webpage|newsarticle|discussion|episode|question|recipe|product",
    re.IGNORECASE,
)
_ISO = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[-/.年](\d{1,2})[-/.月](\d{1,2})(?!\d)日?"
    r"(?:[T\s]+(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?)?"
)
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\d)")
_MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
    for name in (names,)
}
_ENGLISH = re.compile(
    r"\b(?:(\d{1,2})(?:st|nd|rd|th)?\s+)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
    r"\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_URL_DATE = re.compile(
    r"/((?:19|20)\d\d)(?:/(\d{1,2})/(\d{1,2})(?=/|$)|[_-](\d\d)[_-](\d\d)(?!\d)|(\d\d)(\d\d)(?!\d))"
)
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)\d\d)(?!\d)")
_LABEL = re.compile(
    r"(?:published|posted|updated|date|on|发布(?:时间|日期|于)?|發布(?:時間|日期|於)?|時間|时间|日期|来源)"
    r"\s*(?:on|:|：)?\s*$",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s+[|–—·»_-]\s+|\s*[|｜_]\s*(?=[^|｜_]+$)")
_EARLIEST = date(1990, 1, 1)


@dataclass(frozen=True, slots=True)
class About:
    """Metadata as found; empty where the page says nothing."""

    title: str = ""
    author: str | None = None
    published_at: str | None = None
    published_how: DateHow = "unknown"
    publisher: str = ""
    language: str = ""


def read_about(tree: Node, url: str, latest: date) -> About:
    """Read once, before the tree is cut; `latest` is a day after which no date can be."""
    metas = _metas(tree)
    data = list(_json_ld(tree))
    declared = _declared_date(data, metas, tree, latest)
    when, how = declared or _dated_by_url(url, latest) or _dated_by_text(tree, metas, latest)
    return About(
        title=_title(tree, metas, data),
        author=_author(metas, data),
        published_at=when,
        published_how=how,
        publisher=_publisher(metas, data),
        language=(tree.get("lang") or metas.get("og:locale") or "").strip()[:12],
    )


def _metas(tree: Node) -> dict[str, str]:
    found: dict[str, str] = {}
    for meta in tree.iter("meta"):
        value = meta.get("content")
        if not value:
            continue
        for attribute in ("property", "name", "itemprop", "http-equiv"):
            name = meta.get(attribute)
            if name:
                found.setdefault(name.strip().lower(), value.strip())
    return found


def _json_ld(tree: Node) -> Iterator[Mapping[str, object]]:
    """Objects of a page's linked data, articles first found; broken scripts say nothing."""
    for script in tree.iter("script"):
        if "ld+json" not in (script.get("type") or ""):
            continue
        raw = script.text or ""
        if len(raw) > 500_000:
            continue
        try:
            parsed: object = json.loads(raw, strict=False)
        except (ValueError, RecursionError):
            continue
        yield from _objects(parsed, 0)


def _objects(value: object, depth: int) -> Iterator[Mapping[str, object]]:
    if depth > 4:
        return
    if isinstance(value, list):
        for item in cast("list[object]", value)[:50]:
            yield from _objects(item, depth + 1)
    elif isinstance(value, dict):
        item = cast("dict[str, object]", value)
        yield item
        for key in ("@graph", "mainEntity", "mainEntityOfPage"):
            if isinstance(item.get(key), list | dict):
                yield from _objects(item[key], depth + 1)


def _is_article(item: Mapping[str, object]) -> bool:
    return bool(_ARTICLE_TYPES.search(str(item.get("@type", ""))))


def _title(tree: Node, metas: Mapping[str, str], data: list[Mapping[str, object]]) -> str:
    for item in data:
        headline = item.get("headline")
        if _is_article(item) and isinstance(headline, str) and headline.strip():
            return _line(html.unescape(headline))  # scripts hold entities as they are written
    if named := metas.get("og:title") or metas.get("twitter:title"):
        return _line(named)
    element = tree.find(".//title")
    title = _line(text_of(element)) if element is not None else ""
    heading = next((_line(text_of(h)) for h in tree.iter("h1")), "")
    if heading and (not title or heading in title):
        return heading
    parts = [part for part in _SEPARATOR.split(title) if part]
    return max(parts, key=len) if parts else title


def _author(metas: Mapping[str, str], data: list[Mapping[str, object]]) -> str | None:
    for item in data:
        if _is_article(item) and (name := _name(item.get("author"))):
            return name
    for key in _AUTHORS:
        value = metas.get(key, "")
        if value and "://" not in value and len(value) < 120:
            return _line(value)
    return None


def _publisher(metas: Mapping[str, str], data: list[Mapping[str, object]]) -> str:
    if site := metas.get("og:site_name"):
        return _line(site)[:120]
    for item in data:
        if name := _name(item.get("publisher")):
            return name
    return _line(metas.get("application-name", ""))[:120]


def _name(value: object) -> str | None:
    if isinstance(value, list):
        names = [name for item in cast("list[object]", value)[:5] if (name := _name(item))]
        return ", ".join(names) or None
    if isinstance(value, dict):
        named = cast("dict[str, object]", value).get("name")
        return None if isinstance(named, dict) else _name(named)
    if isinstance(value, str) and value.strip() and "://" not in value:
        return _line(value)[:120]
    return None


def _line(text: str) -> str:
    return " ".join(text.split())[:400]


def _declared_date(
    data: list[Mapping[str, object]],
    metas: Mapping[str, str],
    tree: Node,
    latest: date,
) -> tuple[str, DateHow] | None:
    for key in ("datePublished", "uploadDate", "dateCreated"):
        for item in data:
            value = item.get(key)
            if isinstance(value, str) and (found := parse_date(value, latest)):
                return found, "declared"
    for key in _PUBLISHED:
        if key in metas and (found := parse_date(metas[key], latest)):
            return found, "declared"
    loose: str | None = None
    for element in tree.iter("time"):
        found = parse_date(element.get("datetime") or text_of(element), latest)
        if found is None:
            continue
        marks = f"{element.get('itemprop') or ''} {element.get('class') or ''}".lower()
        if element.get("pubdate") is not None or "publish" in marks or "entry-date" in marks:
            return found, "declared"
        loose = loose or found
    for element in tree.iter("span", "div", "p", "abbr"):
        if element.get("itemprop") == "datePublished":
            said = element.get("content") or element.get("datetime") or text_of(element)
            if found := parse_date(said, latest):
                return found, "declared"
    return (loose, "metadata") if loose else None


def _dated_by_url(url: str, latest: date) -> tuple[str, DateHow] | None:
    match = _URL_DATE.search(url)
    if match is None:
        return None
    year, month, number = (group for group in match.groups() if group)
    day = _day(year, month, number, latest)
    return (day.isoformat(), "url") if day else None


def _dated_by_text(
    tree: Node, metas: Mapping[str, str], latest: date
) -> tuple[str | None, DateHow]:
    """A date that stands alone near the top, then a less telling meta."""
    for key in _OTHER_DATES[:3]:
        if key in metas and (found := parse_date(metas[key], latest)):
            return found, "metadata"
    body = tree.find("body")
    if body is not None:
        for seen, text in enumerate(_short_texts(body)):
            if seen > 600:
                break
            if found := _standing_alone(text, latest):
                return found, "text"
    for key in _OTHER_DATES[3:]:
        if key in metas and (found := parse_date(metas[key], latest)):
            return found, "metadata"
    return None, "unknown"


def _short_texts(body: Node) -> Iterator[str]:
    for element in body.iter(
        "span", "p", "div", "li", "td", "small", "em", "i", "abbr", "font", "b"
    ):
        text = (element.text or "").strip()
        if 6 <= len(text) <= 60:
            yield text


def _standing_alone(text: str, latest: date) -> str | None:
    match = _ISO.search(text) or _ENGLISH.search(text) or _DOTTED.search(text)
    if match is None:
        return None
    before = text[: match.start()].strip()
    rest = len(text) - (match.end() - match.start())
    if rest > 25 and not _LABEL.search(before):
        return None
    return parse_date(match.group(0), latest)


def parse_date(text: str, latest: date) -> str | None:
    """ISO text of a date (a day, or a moment in UTC if the zone is known); None if it is none."""
    text = text.strip()
    if match := _ISO.search(text):
        day = _day(match.group(1), match.group(2), match.group(3), latest)
        if day is None:
            return None
        return _moment(day, match) or day.isoformat()
    if match := _ENGLISH.search(text):
        number = match.group(1) or match.group(3)
        month = _MONTHS[match.group(2)[:3].lower()]
        day = _day(match.group(4), str(month), number, latest) if number else None
        return day.isoformat() if day else None
    if match := _DOTTED.search(text):
        day = _day(match.group(3), match.group(2), match.group(1), latest)
        return day.isoformat() if day else None
    if match := _COMPACT.search(text):
        day = _day(match.group(1), match.group(2), match.group(3), latest)
        return day.isoformat() if day else None
    if text.isdigit() and len(text) in (10, 13):
        moment = datetime.fromtimestamp(int(text[:10]), UTC)
        return moment.isoformat() if _EARLIEST <= moment.date() <= latest else None
    return None


def _day(year: str, month: str, number: str, latest: date) -> date | None:
    try:
        day = date(int(year), int(month), int(number))
    except ValueError:
        return None
    return day if _EARLIEST <= day <= latest else None


def _moment(day: date, match: re.Match[str]) -> str | None:
    """A time of day counts only with its zone; without one the day alone is sure."""
    hour, minute, second, zone = match.group(4), match.group(5), match.group(6), match.group(7)
    if not (hour and zone):
        return None
    try:
        local = datetime(
            day.year, day.month, day.day, int(hour), int(minute), int(second or 0), tzinfo=UTC
        )
    except ValueError:
        return None
    if zone != "Z":
        digits = zone[1:].replace(":", "")
        offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
        local = local - offset if zone[0] == "+" else local + offset
    return local.isoformat()
