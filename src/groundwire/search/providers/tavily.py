"""Tavily: POST /search with a bearer key. Vendors' answers are never asked for."""

from __future__ import annotations

from datetime import date
from typing import ClassVar, Literal

from pydantic import Field

from groundwire.gateway.vendor import Foreign, answer
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.answers import Result, hits
from groundwire.search.phrasing import country_name, cut, domains, span
from groundwire.search.provider import ApiRequest, HttpProvider, Listed, ProviderOptions

_MOST_INCLUDED, _MOST_EXCLUDED = 300, 150
_NOT_LISTED = frozenset({"hong kong", "macau"})  # a country that is not on its list is refused


class Options(ProviderOptions):
    search_depth: Literal["basic", "advanced"] = "basic"


class _Result(Result):
    # News is dated as RFC 2822, other topics as ISO or not at all.
    published: Json = Field(default=None, alias="published_date")

    def excerpt(self) -> str:
        return self.content


class _Usage(Foreign):
    credits: int | None = Field(default=None, ge=0, le=1000)


class _Answer(Foreign):
    results: list[Json]
    request_id: str | None = None
    response_time: float | None = None
    usage: _Usage | None = None


class Provider(HttpProvider[Options]):
    name: ClassVar[str] = "tavily"
    base: ClassVar[str] = "https://api.tavily.com"
    key_header: ClassVar[str] = "Authorization"
    key_hint: ClassVar[str] = "TAVILY_API_KEY"
    preference: ClassVar[int] = 10
    listed: ClassVar[Listed | None] = Listed(
        usd_per_credit=0.008,
        free_credits=1_000,
        as_of=date(2026, 11, 16),
        source="docs.tavily.com, Credits & Pricing: 1,000 free a month, then pay as you go",
    )
    Options: ClassVar[type[ProviderOptions]] = Options

    def request(self, query: Query) -> ApiRequest:
        body: JsonObject = {
            "query": cut(query.text, self.max_query),
            "search_depth": self.options.search_depth,
            "max_results": min(query.max_results, 20),
            "include_answer": False,
            "include_raw_content": False,
            "include_images": False,
            "include_usage": True,
            "topic": "general" if query.topic == "tech" else query.topic,
        }
        if include := domains(query.include_domains):
            body["include_domains"] = include[:_MOST_INCLUDED]
        if exclude := domains(query.exclude_domains):
            body["exclude_domains"] = exclude[:_MOST_EXCLUDED]
        country = country_name(query.country)
        # With other topics it is refused.
        if country and country not in _NOT_LISTED and body["topic"] == "general":
            body["country"] = country
        times = span(query.time_range)
        if times.word is not None:
            body["time_range"] = times.word
        if times.first is not None:
            body["start_date"] = times.first.isoformat()
        if times.last is not None:
            body["end_date"] = times.last.isoformat()
        return ApiRequest("POST", self.url("/search"), json=body)

    def estimate(self, query: Query) -> int:
        return self.tariff.micro * (2 if self.options.search_depth == "advanced" else 1)  # credits

    def parse(self, body: Json, query: Query) -> list[Hit]:
        return hits(self.name, _Result, answer(self.name, _Answer, body).results)

    def notes(self, body: Json) -> JsonObject:
        found = answer(self.name, _Answer, body)
        return {"request_id": found.request_id, "response_time": found.response_time}

    def cost(self, body: Json) -> int | None:
        usage = answer(self.name, _Answer, body).usage
        return None if usage is None or usage.credits is None else usage.credits * self.tariff.micro
