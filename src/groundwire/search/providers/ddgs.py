"""DuckDuckGo by its page for browsers without scripts, read as text; no key."""
# lxml has no types of its own; its unknowns stop in this file.
# pyright: reportUnknownVariableType=false, reportAttributeAccessIssue=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from groundwire.errors import Malformed, RateLimited
from groundwire.gateway.limits import Limit
from groundwire.model.base import Json
from groundwire.model.query import Hit, Query
from groundwire.search.answers import moment
from groundwire.search.phrasing import country_code, query_language, span, with_sites
from groundwire.search.provider import ApiRequest, HttpProvider

_SPANS = {"day": "d", "week": "w", "month": "m", "year": "y"}
# Its regions by country, one language each, then by language alone.
_COUNTRIES = {
    "ar": "ar-es", "at": "at-de", "au": "au-en", "br": "br-pt", "ca": "ca-en", "ch": "ch-de",
    "cn": "cn-zh", "de": "de-de", "dk": "dk-da", "es": "es-es", "fi": "fi-fi", "fr": "fr-fr",
    "gb": "uk-en", "gr": "gr-el", "hk": "hk-tzh", "hu": "hu-hu", "id": "id-id", "ie": "ie-en",
    "il": "il-he", "in": "in-en", "it": "it-it", "jp": "jp-jp", "kr": "kr-kr", "mx": "mx-es",
    "my": "my-en", "nl": "nl-nl", "no": "no-no", "nz": "nz-en", "ph": "ph-en", "pl": "pl-pl",
    "pt": "pt-pt", "ro": "ro-ro", "ru": "ru-ru", "se": "se-sv", "sg": "sg-en", "th": "th-th",
    "tr": "tr-tr", "tw": "tw-tzh", "ua": "ua-uk", "us": "us-en", "vn": "vn-vi", "za": "za-en",
}  # fmt: skip
_LANGUAGES = {"ja": "jp-jp", "ko": "kr-kr", "ru": "ru-ru", "zh": "cn-zh"}
_EVERYWHERE = "wt-wt"
_BANG = re.compile(r"(?:^|(?<=\s))[!\\]+(?=\S)")  # commands that send the reader elsewhere
_DAY = re.compile(r"\b(?:19|20)\d\d-\d\d-\d\d")
_OWN = re.compile(r"(?:^|\.)duckduckgo\.com$")
_UNTIL = "2100-01-01"  # its ranges have two ends
_BACK_OFF = 600.0  # seconds: longer than anybody waits, so that the chain fails over
_HUMAN = "outside.human"


class Provider(HttpProvider):
    name: ClassVar[str] = "ddgs"
    base: ClassVar[str] = "https://html.duckduckgo.com"
    needs_key: ClassVar[bool] = False
    preference: ClassVar[int] = 60
    max_query: ClassVar[int] = 480  # it takes 499 characters
    pace: ClassVar[Limit] = Limit(1, 1.0)  # it blocks clients that ask in bursts

    def headers(self) -> dict[str, str]:
        return {"Accept": "text/html"}

    def request(self, query: Query) -> ApiRequest:
        plain = query.model_copy(update={"text": _BANG.sub("", query.text) or query.text})
        params = {"q": with_sites(plain, self.max_query), "kl": _region(query)}
        times = span(query.time_range)
        if times.word is not None:
            params["df"] = _SPANS[times.word]
        elif times.first is not None or times.last is not None:
            params["df"] = f"{times.first or '1990-01-01'}..{times.last or _UNTIL}"
        return ApiRequest("GET", self.url("/html/"), params=params)

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        if status == 202:  # accepted but not answered: how it throttles programs
            raise RateLimited(_HUMAN, who="ddgs", status=status, retry_after=_BACK_OFF)
        super().check(status, headers, body)

    def decode(self, body: bytes) -> Json:
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Malformed("outside.not_page", who="ddgs") from error

    def parse(self, body: Json, query: Query) -> list[Hit]:
        if not isinstance(body, str):
            raise Malformed("outside.not_page", who="ddgs")
        page = _tree(body)
        if page.xpath("//form[@id='challenge-form'] | //*[contains(@class, 'anomaly-modal')]"):
            raise RateLimited(_HUMAN, who="ddgs", retry_after=_BACK_OFF)
        found = list(islice(_hits(page), query.max_results))
        if not found and not page.xpath("//*[contains(@class, 'no-result')]"):
            raise Malformed("outside.not_results", who="ddgs")
        return found


def _tree(text: str) -> Any:
    """Parse the page without network, entities and comments; nothing is executed."""
    # Deferred: a listing of providers needs no parser.
    from lxml import etree
    from lxml.html import HTMLParser, document_fromstring

    parser = HTMLParser(
        remove_comments=True, remove_pis=True, collect_ids=False, no_network=True, encoding="utf-8"
    )
    try:
        # Bytes, because lxml refuses text that declares an encoding.
        return document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError) as error:
        raise Malformed("outside.page_unread", who="ddgs") from error


def _text(node: Any) -> str:
    """Return all text below a node, on one line."""
    return " ".join(str(node.xpath("string()")).split())


def _hits(page: Any) -> Iterator[Hit]:
    """Yield the results in their order, without advertisements."""
    rank = 0
    for block in page.xpath("//*[contains(concat(' ', @class, ' '), ' result ')]"):
        if "result--ad" in (block.get("class") or "").split():
            continue
        for link in block.xpath(".//a[contains(@class, 'result__a')]")[:1]:
            title, url = _text(link), _unwrapped(link.get("href") or "")
            if url is None or not title:
                continue
            snippets = block.xpath(".//*[contains(@class, 'result__snippet')]")
            extras = block.xpath(".//*[contains(@class, 'result__extras')]")
            days = [_DAY.search(_text(extra)) for extra in extras]
            rank += 1
            yield Hit(
                title=title,
                url=url,
                content=_text(snippets[0]) if snippets else "",
                published_at=moment(next((day[0] for day in days if day), "")),
                provider="ddgs",
                rank=rank,
            )


def _unwrapped(href: str) -> str | None:
    """Return the page behind `//duckduckgo.com/l/?uddg=…`; None for ads and bad addresses."""
    page = href.strip()
    try:
        parts = urlsplit(page)
        if not parts.hostname or _OWN.search(parts.hostname):
            page = parse_qs(parts.query).get("uddg", [""])[0] if parts.path == "/l/" else ""
            parts = urlsplit(page)
            # An advertisement is wrapped twice.
            if not parts.hostname or _OWN.search(parts.hostname):
                return None
    except ValueError:
        return None
    return page if parts.scheme in ("http", "https") else None


def _region(query: Query) -> str:
    """Return the region: the country asked for, else the home of the language."""
    if (country := country_code(query.country)) in _COUNTRIES:
        return _COUNTRIES[country]
    language = query_language(query.language)
    if language is None:
        return _EVERYWHERE
    if language.code == "zh" and language.script == "hant":
        return "tw-tzh"
    return _LANGUAGES.get(language.code, _EVERYWHERE)
