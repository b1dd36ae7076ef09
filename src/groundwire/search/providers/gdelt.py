"""GDELT's DOC 2.0 API: the world's news since 2017 by its headlines; no key."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from groundwire.errors import BadRequest, Malformed, OutsideFailure, RateLimited, ServerFault
from groundwire.gateway.limits import Limit
from groundwire.gateway.vendor import Foreign, answer
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query, Topic
from groundwire.search.answers import Result, Words, hits, plain
from groundwire.search.phrasing import country_name, domains, keywords, span
from groundwire.search.provider import ApiRequest, HttpProvider

_WORDS = 5  # an article must have all of them
_SITES = 10
_SPANS = {"day": "1d", "week": "1w", "month": "1m", "year": "12m"}
_SHORTEST_WORD, _SHORTEST_PHRASE = 3, 5  # characters; shorter ones are refused
_LONGEST = 60  # characters; anything longer is no word
_BEGINNING = date(2017, 1, 1)
_MOST = 250
_BARE_BACKSLASH = re.compile(r'\\(?!["\\/bfnrtu])')
_TRANSIENT = re.compile(
    r"tim(?:e|ed) ?out|try again|unavailable|internal|server|overload", re.IGNORECASE
)
_PATIENCE = 7.0  # seconds: what its "one every 5 seconds" takes in practice


def _headline(title: str) -> str:
    """Close up its tokens, which it sets apart: `Rates up , says Fed`."""
    return re.sub(r"\s+([,.:;!?%)’])", r"\1", " ".join(plain(title).split()))


class _Article(Result):
    title: Annotated[Words, AfterValidator(_headline)] = ""
    seendate: Words = ""

    def excerpt(self) -> str:
        return self.title  # there is no text: the headline is all

    def published_at(self) -> datetime | None:
        try:
            return datetime.strptime(self.seendate, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        except ValueError:
            return None


class _Answer(Foreign):
    articles: list[Json] = Field(default_factory=list[Json])


class Provider(HttpProvider):
    name: ClassVar[str] = "gdelt"
    base: ClassVar[str] = "https://api.gdeltproject.org"
    needs_key: ClassVar[bool] = False
    preference: ClassVar[int] = 70
    max_query: ClassVar[int] = 1_000  # with its operators
    general: ClassVar[bool] = False
    topics: ClassVar[tuple[Topic, ...]] = ("news", "finance")
    # It searches the English of its own translations.
    speaks: ClassVar[tuple[str, ...]] = ("en",)
    # It asks for one request every five seconds and counts by a clock that is not ours.
    pace: ClassVar[Limit] = Limit(1, 0.15)

    def takes(self, query: Query) -> bool:
        return super().takes(query) and bool(_words(query.text))

    def request(self, query: Query) -> ApiRequest:
        params = {
            "query": _full_query(query),
            "mode": "artlist",
            "format": "json",
            "sort": "hybridrel",
            "maxrecords": str(min(query.max_results, _MOST)),
        }
        times = span(query.time_range)
        if times.word is not None:
            params["timespan"] = _SPANS[times.word]
        elif times.first is not None or times.last is not None:
            first = max(times.first or _BEGINNING, _BEGINNING)
            params["startdatetime"] = f"{first:%Y%m%d}000000"
            if times.last is not None:
                params["enddatetime"] = f"{max(times.last, first):%Y%m%d}235959"
        return ApiRequest("GET", self.url("/api/v2/doc/doc"), params=params)

    def decode(self, body: bytes) -> Json:
        """Decode JSON, or raise what GDELT says is wrong in words: both come as a 200."""
        try:
            text = body.decode("utf-8-sig").strip()
        except UnicodeDecodeError as error:
            raise Malformed("outside.not_text", who="gdelt") from error
        if text and text[0] not in "{[<":
            raise _refusal(text)
        for form in (text, _BARE_BACKSLASH.sub(r"\\\\", text)):
            try:
                # Headlines come with control characters and backslashes as they were found.
                return json.loads(form, strict=False)
            except (json.JSONDecodeError, RecursionError):
                continue
        raise Malformed("outside.not_json", who="gdelt")

    def parse(self, body: Json, query: Query) -> list[Hit]:
        found = answer(self.name, _Answer, body)
        if not found.articles and body not in ({}, {"articles": []}):
            raise Malformed("outside.form", who="gdelt")
        return hits(self.name, _Article, found.articles)


def _words(text: str) -> list[str]:
    """Return key words in its syntax: letters and digits, names in quotation marks."""
    found: list[str] = []
    for written in keywords(text, _WORDS):
        if not written.isascii():
            continue
        bare = " ".join(re.findall(r"[A-Za-z0-9]+", written))[:_LONGEST].rstrip()
        if " " in bare and len(bare) >= _SHORTEST_PHRASE:
            found.append(f'"{bare}"')
        elif " " not in bare and len(bare) >= _SHORTEST_WORD:
            found.append(bare)
    return found


def _full_query(query: Query) -> str:
    words = _words(query.text)
    if not words:
        raise BadRequest("outside.gdelt_words")
    parts = [*words, "sourcelang:english"]
    if country := country_name(query.country):
        parts.append(f"sourcecountry:{country.replace(' ', '')}")
    # `domain` takes in subdomains, and more than was meant: the chain drops the rest.
    wanted = [f"domain:{name}" for name in domains(query.include_domains)[:_SITES]]
    if wanted:
        parts.append(wanted[0] if len(wanted) == 1 else f"({' OR '.join(wanted)})")
    parts.extend(f"-domainis:{name}" for name in domains(query.exclude_domains)[:_SITES])
    return " ".join(parts)


def _refusal(text: str) -> OutsideFailure:
    about: JsonObject = {"who": "gdelt", "detail": " ".join(text.split())[:200]}
    if "limit requests" in text.lower():
        return RateLimited("outside.said", retry_after=_PATIENCE, **about)
    kind = ServerFault if _TRANSIENT.search(text) else BadRequest
    return kind("outside.said", **about)
