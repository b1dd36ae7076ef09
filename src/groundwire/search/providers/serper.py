"""Serper: Google's results, POST /search or /news with the key in a header."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import ClassVar

from pydantic import Field

from groundwire.errors import Malformed, PlanLimit
from groundwire.gateway.vendor import Foreign, answer
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.answers import Result, WebAddress, Words, hits
from groundwire.search.phrasing import country_code, query_language, span, with_sites
from groundwire.search.provider import ApiRequest, HttpProvider, Listed

_PAGE = 10  # results that one credit buys
_MOST_WORDS = 32  # Google reads no more
_RECENT = {"day": "qdr:d", "week": "qdr:w", "month": "qdr:m", "year": "qdr:y"}
_CHINESE = {"": "zh-cn", "hans": "zh-cn", "hant": "zh-tw"}


class _Result(Result):
    url: WebAddress = Field(alias="link")
    content: Words = Field(default="", alias="snippet")
    published: Json = Field(default=None, alias="date")


class _Answer(Foreign):
    """`organic` or `news`, as asked; an answer without any result keeps its parameters."""

    parameters: JsonObject | None = Field(default=None, alias="searchParameters")
    organic: list[Json] | None = None
    news: list[Json] | None = None
    credits: int | None = Field(default=None, ge=0, le=1000)


class Provider(HttpProvider):
    name: ClassVar[str] = "serper"
    base: ClassVar[str] = "https://google.serper.dev"
    key_header: ClassVar[str] = "X-API-KEY"
    key_hint: ClassVar[str] = "SERPER_API_KEY"
    preference: ClassVar[int] = 25
    listed: ClassVar[Listed | None] = Listed(
        usd_per_credit=0.001,
        free_credits=2_500,
        renewed="once",
        as_of=date(2026, 8, 13),
        source="serper.dev, smallest packet of credits: USD 1 per 1,000; 2,500 free, once",
    )
    max_query: ClassVar[int] = 2_000

    def request(self, query: Query) -> ApiRequest:
        body: JsonObject = {
            "q": with_sites(query, self.max_query, _MOST_WORDS),
            "num": query.max_results,
            "autocorrect": False,  # a ticker is not a typo
        }
        if country := country_code(query.country):
            body["gl"] = country
        if language := query_language(query.language):
            body["hl"] = _CHINESE[language.script] if language.code == "zh" else language.code
        if limits := _time_limits(query):
            body["tbs"] = limits
        path = "news" if query.topic == "news" else "search"
        return ApiRequest("POST", self.url(f"/{path}"), json=body)

    def estimate(self, query: Query) -> int:
        return self.tariff.micro * (2 if query.max_results > _PAGE else 1)

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        if 400 <= status < 500 and b"not enough credits" in body[:2_000].lower():
            raise PlanLimit(
                "outside.answered_detail",
                who="serper",
                http=status,
                detail="not enough credits",
                status=status,
            )
        super().check(status, headers, body)

    def parse(self, body: Json, query: Query) -> list[Hit]:
        found = answer(self.name, _Answer, body)
        listed = found.news if query.topic == "news" else found.organic
        if listed is None and found.parameters is None:
            raise Malformed("outside.form", who="serper")
        return hits(self.name, _Result, listed or [])

    def cost(self, body: Json) -> int | None:
        credits = answer(self.name, _Answer, body).credits
        return None if credits is None else credits * self.tariff.micro


def _time_limits(query: Query) -> str | None:
    """Write Google's `tbs`: a recency, or days in the American order."""
    times = span(query.time_range)
    if times.word is not None:
        return _RECENT[times.word]
    ends = (("cd_min", times.first), ("cd_max", times.last))
    days = [f"{name}:{day.month}/{day.day}/{day.year}" for name, day in ends if day is not None]
    return ",".join(["cdr:1", *days]) if days else None
