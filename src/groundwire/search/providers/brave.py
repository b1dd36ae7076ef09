"""Brave Search: GET /res/v1/web/search, news at /res/v1/news/search, the key in a header."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import ClassVar, Literal

from pydantic import Field

from groundwire.errors import BadRequest, PlanLimit, RateLimited
from groundwire.gateway.status import retry_after
from groundwire.gateway.vendor import Foreign, answer, fitting, json_object
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.answers import Result, Words, hits, moment
from groundwire.search.phrasing import Word, country_code, query_language, span, with_sites
from groundwire.search.provider import ApiRequest, HttpProvider, Listed

_FRESHNESS: dict[Word, str] = {"day": "pd", "week": "pw", "month": "pm", "year": "py"}
_MOST_WORDS = 50
# Codes outside these lists are refused with 422.
_COUNTRIES = frozenset(
    [
        "ar", "at", "au", "be", "br", "ca", "ch", "cl", "cn", "de", "dk", "es", "fi", "fr",
        "gb", "gr", "hk", "id", "in", "it", "jp", "kr", "mx", "my", "nl", "no", "nz", "ph",
        "pl", "pt", "ru", "sa", "se", "tr", "tw", "us", "za",
    ]
)  # fmt: skip
_LANGUAGES = frozenset(
    [
        "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fi", "fr",
        "gl", "gu", "he", "hi", "hr", "hu", "is", "it", "kn", "ko", "lt", "lv", "ml", "mr",
        "ms", "nb", "nl", "pa", "pl", "ro", "ru", "sk", "sl", "sr", "sv", "ta", "te", "th",
        "tr", "uk", "vi",
    ]
)  # fmt: skip
_RENAMED = {"ja": "jp", "no": "nb", "pt": "pt-pt"}
_CHINESE = {"": "zh-hans", "hans": "zh-hans", "hant": "zh-hant"}


class _Result(Result):
    content: Words = Field(default="", alias="description")
    published: Json = Field(default=None, alias="page_age")
    age: Json = None

    def published_at(self) -> datetime | None:
        return super().published_at() or moment(self.age)


class _Listed(Foreign):
    results: list[Json]


class _Web(Foreign):
    """Without results the answer has its query and no `web`."""

    type: Literal["search"]
    query: JsonObject
    web: _Listed | None = None


class _News(Foreign):
    type: Literal["news"]
    results: list[Json]


class _Refusal(Foreign):
    code: str = ""
    detail: str = ""
    meta: JsonObject = Field(default_factory=dict[str, Json])


class Provider(HttpProvider):
    name: ClassVar[str] = "brave"
    base: ClassVar[str] = "https://api.search.brave.com"
    key_header: ClassVar[str] = "X-Subscription-Token"
    key_hint: ClassVar[str] = "BRAVE_API_KEY"
    preference: ClassVar[int] = 20
    listed: ClassVar[Listed | None] = Listed(
        usd_per_credit=0.005,
        free_credits=1_000,
        as_of=date(2026, 11, 16),
        source="api-dashboard.search.brave.com, Plans: USD 5 per 1,000; USD 5 free a month",
    )

    def request(self, query: Query) -> ApiRequest:
        news = query.topic == "news"
        params = {
            "q": with_sites(query, self.max_query, _MOST_WORDS),
            "count": str(min(query.max_results, 50 if news else 20)),
            "spellcheck": "false",  # a ticker is not a typo
        }
        if not news:
            params |= {"text_decorations": "false", "result_filter": "web"}
        country, language = country_code(query.country), query_language(query.language)
        if country in _COUNTRIES:
            params["country"] = country.upper()
        if language is not None and language.code == "zh":
            params["search_lang"] = _CHINESE[language.script]
        elif language is not None and language.code in _LANGUAGES | _RENAMED.keys():
            params["search_lang"] = _RENAMED.get(language.code, language.code)
        if freshness := span(query.time_range).written(_FRESHNESS, "to"):
            params["freshness"] = freshness
        path = "news/search" if news else "web/search"
        return ApiRequest("GET", self.url(f"/res/v1/{path}"), params=params)

    def headers(self) -> dict[str, str]:
        return {"Accept": "application/json", **super().headers()}

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        refusal = fitting(_Refusal, json_object(body).get("error")) if status >= 400 else None
        if refusal is not None:
            code = "outside.answered_detail"
            detail = refusal.detail[:200] or refusal.code
            about: JsonObject = {"who": "brave", "http": status, "detail": detail}
            second, month = _resets(headers)
            if refusal.code.startswith("SUBSCRIPTION_TOKEN"):
                raise self.wrong_key(status)
            if refusal.code == "OPTION_NOT_IN_PLAN":
                # Other questions work with this plan: only this one fails over.
                raise BadRequest(code, status=status, **about)
            if refusal.code.startswith("QUOTA") or (status == 429 and _used_up(refusal.meta)):
                raise PlanLimit(code, status=status, retry_after=month, **about)
            if status == 429:
                wait = retry_after(headers)
                wait = second if wait is None else wait
                raise RateLimited(code, status=status, retry_after=wait, **about)
        super().check(status, headers, body)

    def parse(self, body: Json, query: Query) -> list[Hit]:
        if query.topic == "news":
            found = answer(self.name, _News, body).results
        else:
            listed = answer(self.name, _Web, body).web
            found = listed.results if listed is not None else []
        return hits(self.name, _Result, found)


def _used_up(meta: JsonObject) -> bool:
    limit, current = meta.get("quota_limit"), meta.get("quota_current")
    return isinstance(limit, int) and isinstance(current, int) and 0 < limit <= current


def _resets(headers: Mapping[str, str]) -> tuple[float | None, float | None]:
    """Return the seconds until the windows of a second and a month are renewed: `1, 1419704`."""
    parts = [part.strip() for part in headers.get("x-ratelimit-reset", "").split(",")]
    found = [float(part) for part in parts if part.isascii() and part.isdigit()]
    return (found[0], found[-1]) if found and len(found) == len(parts) else (None, None)
