"""Bocha: the Chinese web, POST /v1/web-search with a bearer key; refusals may come as HTTP 200."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta, timezone
from typing import ClassVar, cast

from pydantic import Field

from groundwire.errors import Malformed, PlanLimit
from groundwire.gateway.vendor import Foreign, answer, fitting, json_object
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.answers import Result, Words, hits, moment, plain
from groundwire.search.phrasing import Word, cut, domains, span
from groundwire.search.provider import ApiRequest, HttpProvider, Listed

_FRESHNESS: dict[Word, str] = {
    "day": "oneDay",
    "week": "oneWeek",
    "month": "oneMonth",
    "year": "oneYear",
}
_BEIJING = timezone(timedelta(hours=8))
_MOST_DOMAINS = 20
_OUT_OF_CREDIT = ("enough money", "insufficient", "余额", "欠费")


class _Result(Result):
    title: Words = Field(default="", alias="name")
    content: Words = Field(default="", alias="snippet")
    summary: Words = ""
    published: Json = Field(default=None, alias="datePublished")
    crawled: Json = Field(default=None, alias="dateLastCrawled")

    def excerpt(self) -> str:
        return plain(self.summary or self.content)

    def published_at(self) -> datetime | None:
        """Read the date; `dateLastCrawled` is Beijing's time, wrongly marked as UTC."""
        crawled = self.crawled.removesuffix("Z") if isinstance(self.crawled, str) else None
        return moment(self.published, _BEIJING) or moment(crawled, _BEIJING)


class _Pages(Foreign):
    value: list[Json] | None


class _Data(Foreign):
    """Bing's form; an answer without results says what it is and has no pages."""

    type: str | None = Field(default=None, alias="_type")
    pages: _Pages | None = Field(default=None, alias="webPages")


class _Frame(Foreign):
    """The wrapper of an answer or a refusal, where there is one."""

    code: int | None = None
    log_id: str | None = None
    message: Words = ""
    msg: Words = ""


class Provider(HttpProvider):
    name: ClassVar[str] = "bocha"
    base: ClassVar[str] = "https://api.bochaai.com"
    key_header: ClassVar[str] = "Authorization"
    key_hint: ClassVar[str] = "BOCHA_API_KEY"
    preference: ClassVar[int] = 30
    languages: ClassVar[tuple[str, ...]] = ("zh",)
    listed: ClassVar[Listed | None] = Listed(
        usd_per_credit=0.005,
        as_of=date(2025, 12, 31),
        source="Bocha's price list of 2025: CNY 0.036 a call, at 7.2 to the dollar",
    )

    def request(self, query: Query) -> ApiRequest:
        body: JsonObject = {
            "query": cut(query.text, self.max_query),
            "freshness": span(query.time_range).written(_FRESHNESS, "..") or "noLimit",
            "summary": True,  # the long extract of a page
            "count": query.max_results,
        }
        if include := domains(query.include_domains):
            body["include"] = "|".join(include[:_MOST_DOMAINS])
        if exclude := domains(query.exclude_domains):
            body["exclude"] = "|".join(exclude[:_MOST_DOMAINS])
        return ApiRequest("POST", self.url("/v1/web-search"), json=body)

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        frame = fitting(_Frame, json_object(body)) or _Frame()
        code = frame.code if status < 400 and frame.code is not None else status
        detail = " ".join((frame.message or frame.msg).split())[:200]
        # Deferred: a listing needs none of its tables.
        from groundwire.language.text.characters import normalise

        words = normalise(detail, fold=True).text
        if code >= 400 and any(word in words for word in _OUT_OF_CREDIT):
            raise PlanLimit(
                "outside.answered_detail", who="bocha", http=code, detail=detail, status=code
            )
        if code >= 400 and "api key" in words:
            raise self.wrong_key(code)
        if not 200 <= code < 600:
            raise Malformed("outside.answered_detail", who="bocha", http=code, detail=detail)
        super().check(code, headers, body)

    def parse(self, body: Json, query: Query) -> list[Hit]:
        framed = answer(self.name, _Frame, body).code is not None
        inner = cast(JsonObject, body)
        found = answer(self.name, _Data, inner.get("data") if framed else inner)
        if found.pages is None and found.type != "SearchResponse":
            raise Malformed("outside.form", who="bocha")
        listed = (found.pages.value if found.pages else None) or []
        return hits(self.name, _Result, listed)

    def notes(self, body: Json) -> JsonObject:
        return {"log_id": answer(self.name, _Frame, body).log_id}
