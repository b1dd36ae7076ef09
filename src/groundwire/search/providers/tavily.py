"""Tavily: POST /search with a bearer key. Vendors' answers are never asked for."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from groundwire.errors import Malformed
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.provider import ApiRequest, HttpProvider, ProviderOptions

_CREDIT = 8_000  # micro-dollars: USD 0.008 a credit, pay as you go (price list of 2025)


class Options(ProviderOptions):
    search_depth: Literal["basic", "advanced"] = "basic"


class _Result(BaseModel):
    model_config = ConfigDict(extra="ignore")

    title: str = ""
    url: str
    content: str = ""
    score: float | None = None
    published_date: str | None = None
    raw_content: str | None = None


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    results: list[_Result]
    request_id: str | None = None
    response_time: float | None = None


class Provider(HttpProvider):
    name: ClassVar[str] = "tavily"
    key_hint: ClassVar[str] = "TAVILY_API_KEY"
    max_query: ClassVar[int] = 400
    Options: ClassVar[type[ProviderOptions]] = Options

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._depth = options.search_depth
        self._base = (options.base_url or "https://api.tavily.com").rstrip("/")
        # Instance price: an advanced search takes two credits.
        self.price = _CREDIT * (2 if self._depth == "advanced" else 1)  # type: ignore[misc]

    def request(self, query: Query) -> ApiRequest:
        body: JsonObject = {
            "query": query.text[: self.max_query],
            "search_depth": self._depth,
            "max_results": min(query.max_results, 20),
            "include_answer": False,
            "include_raw_content": False,
            "include_images": False,
            "topic": "general" if query.topic == "tech" else query.topic,
        }
        if query.include_domains:
            body["include_domains"] = list(query.include_domains)
        if query.exclude_domains:
            body["exclude_domains"] = list(query.exclude_domains)
        if query.country and query.topic == "general":
            body["country"] = query.country
        if query.time_range and "/" in query.time_range:
            start, _, end = query.time_range.partition("/")
            body |= {"start_date": start[:10], "end_date": end[:10]}
        elif query.time_range:
            body["time_range"] = query.time_range
        return ApiRequest("POST", f"{self._base}/search", json=body)

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def parse(self, body: Json, query: Query) -> list[Hit]:
        try:
            answer = _Answer.model_validate(body)
        except ValidationError as error:
            raise Malformed("tavily answered in a form that is not its own") from error
        return [
            Hit(
                title=result.title,
                url=result.url,
                content=result.content,
                score=result.score,
                published_at=_published(result.published_date),
                raw_content=result.raw_content,
                provider=self.name,
                rank=rank,
            )
            for rank, result in enumerate(answer.results, start=1)
        ]

    def notes(self, body: Json) -> JsonObject:
        answer = _Answer.model_validate(body)
        return {"request_id": answer.request_id, "response_time": answer.response_time}


def _published(value: str | None) -> datetime | None:
    """Tavily dates news as RFC 2822, other topics as ISO or not at all."""
    if not value:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        try:
            found = parsedate_to_datetime(value)
        except ValueError:
            return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
