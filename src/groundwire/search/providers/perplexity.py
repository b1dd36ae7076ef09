"""Perplexity's Search API: POST /search with a bearer key; ranked pages, never its own answers."""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from pydantic import Field

from groundwire.gateway.vendor import Foreign, answer
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.answers import Result, Words, hits
from groundwire.search.phrasing import country_code, cut, domains, query_language, span, with_sites
from groundwire.search.provider import ApiRequest, HttpProvider, Listed

_MOST_DOMAINS = 20


class _Result(Result):
    content: Words = Field(default="", alias="snippet")
    published: Json = Field(default=None, alias="date")


class _Answer(Foreign):
    results: list[Json]
    id: Json = None


class Provider(HttpProvider):
    name: ClassVar[str] = "perplexity"
    base: ClassVar[str] = "https://api.perplexity.ai"
    key_header: ClassVar[str] = "Authorization"
    key_hint: ClassVar[str] = "GROUNDWIRE_SEARCH__PROVIDERS__PERPLEXITY__API_KEY"
    preference: ClassVar[int] = 28
    listed: ClassVar[Listed | None] = Listed(
        usd_per_credit=0.005,
        as_of=date(2026, 10, 6),
        source="Perplexity's Search API: USD 5 per 1,000 searches; none free",
    )

    def request(self, query: Query) -> ApiRequest:
        wanted = domains(query.include_domains)[:_MOST_DOMAINS]
        unwanted = [f"-{name}" for name in domains(query.exclude_domains)[:_MOST_DOMAINS]]
        # Its filter takes either wanted or unwanted sites: the others go into the query.
        rest = query.model_copy(update={"include_domains": ()}) if wanted else None
        body: JsonObject = {
            "query": with_sites(rest, self.max_query) if rest else cut(query.text, self.max_query),
            "max_results": min(query.max_results, 20),
            "max_tokens_per_page": 512,
        }
        if wanted or unwanted:
            body["search_domain_filter"] = wanted or unwanted
        if country := country_code(query.country):
            body["country"] = country.upper()
        if language := query_language(query.language):
            body["search_language_filter"] = [language.code]
        return ApiRequest("POST", self.url("/search"), json={**body, **_time_limits(query)})

    def parse(self, body: Json, query: Query) -> list[Hit]:
        return hits(self.name, _Result, answer(self.name, _Answer, body).results)

    def notes(self, body: Json) -> JsonObject:
        return {"id": answer(self.name, _Answer, body).id}


def _time_limits(query: Query) -> JsonObject:
    """Write a recency word, or days in the American order."""
    times = span(query.time_range)
    if times.word is not None:
        return {"search_recency_filter": times.word}
    ends = (("search_after_date_filter", times.first), ("search_before_date_filter", times.last))
    return {name: f"{day.month}/{day.day}/{day.year}" for name, day in ends if day is not None}
