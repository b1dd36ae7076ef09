"""Exa: POST /search with the key in a header; an answer names its own cost."""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from pydantic import Field

from groundwire.gateway.vendor import Foreign, answer
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.answers import Result, hits
from groundwire.search.phrasing import Times, country_code, cut, domains, span
from groundwire.search.provider import ApiRequest, HttpProvider, Listed, ProviderOptions

# A search has up to 10 results with text and highlights in it; micro-dollars of each beyond.
_INCLUDED, _MORE = 10, 1_000
_MOST_DOMAINS = 1_000
_TEXT = 8_000  # characters of a page's text


class Options(ProviderOptions):
    text: bool = False  # also the text of the pages, at its price


class _Result(Result):
    published: Json = Field(default=None, alias="publishedDate")
    raw_content: str | None = Field(default=None, alias="text")
    highlights: list[str] | None = None

    def excerpt(self) -> str:
        return "\n".join(self.highlights or []) or (self.raw_content or "")[:1_000]


class _Cost(Foreign):
    total: float | None = Field(default=None, ge=0, le=1000)


class _Answer(Foreign):
    results: list[Json]
    request_id: str | None = Field(default=None, alias="requestId")
    cost: _Cost | None = Field(default=None, alias="costDollars")


class Provider(HttpProvider[Options]):
    name: ClassVar[str] = "exa"
    base: ClassVar[str] = "https://api.exa.ai"
    key_header: ClassVar[str] = "x-api-key"
    key_hint: ClassVar[str] = "EXA_API_KEY"
    preference: ClassVar[int] = 20
    listed: ClassVar[Listed | None] = Listed(
        usd_per_credit=0.007,
        free_credits=1_428,
        as_of=date(2026, 11, 16),
        source="exa.ai, Pricing: USD 7 per 1,000 searches; USD 10 free a month",
    )
    max_query: ClassVar[int] = 2_000
    times: ClassVar[Times] = "days"
    Options: ClassVar[type[ProviderOptions]] = Options

    def request(self, query: Query) -> ApiRequest:
        contents: JsonObject = {"highlights": True}
        if self.options.text:
            contents["text"] = {"maxCharacters": _TEXT}
        body: JsonObject = {
            "query": cut(query.text, self.max_query),
            "type": "auto",
            "numResults": query.max_results,
            "contents": contents,
        }
        if query.topic == "news":
            body["category"] = "news"
        if include := domains(query.include_domains):
            body["includeDomains"] = include[:_MOST_DOMAINS]
        if exclude := domains(query.exclude_domains):
            body["excludeDomains"] = exclude[:_MOST_DOMAINS]
        if country := country_code(query.country):
            body["userLocation"] = country.upper()
        times = span(query.time_range)
        if times.first is not None:
            body["startPublishedDate"] = f"{times.first.isoformat()}T00:00:00.000Z"
        if times.last is not None:
            body["endPublishedDate"] = f"{times.last.isoformat()}T23:59:59.999Z"
        return ApiRequest("POST", self.url("/search"), json=body)

    def estimate(self, query: Query) -> int:
        return self.tariff.micro + _MORE * max(0, query.max_results - _INCLUDED)

    def parse(self, body: Json, query: Query) -> list[Hit]:
        return hits(self.name, _Result, answer(self.name, _Answer, body).results)

    def notes(self, body: Json) -> JsonObject:
        return {"request_id": answer(self.name, _Answer, body).request_id}

    def cost(self, body: Json) -> int | None:
        cost = answer(self.name, _Answer, body).cost
        return round(cost.total * 1_000_000) if cost and cost.total is not None else None
