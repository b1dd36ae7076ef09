"""Hacker News by Algolia's index: what people in technology read and discuss; no key."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from typing import ClassVar

from pydantic import Field

from groundwire.gateway.limits import Limit
from groundwire.gateway.vendor import Foreign, answer, rows
from groundwire.model.base import Json
from groundwire.model.query import Hit, Query, Topic
from groundwire.search.answers import UNREADABLE, Words, moment, plain
from groundwire.search.phrasing import Times, keywords, span
from groundwire.search.provider import ApiRequest, HttpProvider

_WORDS = 5  # it finds stories that have all of them
_TEXT = 500  # characters of a story's own text
_TAG = re.compile(r"<[^<>]{1,2000}>")


class _Story(Foreign):
    number: int | str = Field(alias="objectID")
    title: Words = ""
    url: Words = ""
    story_text: Words = ""
    created_at: Words = ""
    author: Words = ""
    points: int | None = None
    num_comments: int | None = None


class _Answer(Foreign):
    hits: list[Json]


class Provider(HttpProvider):
    name: ClassVar[str] = "hackernews"
    base: ClassVar[str] = "https://hn.algolia.com/api/v1"
    needs_key: ClassVar[bool] = False
    preference: ClassVar[int] = 80
    general: ClassVar[bool] = False
    topics: ClassVar[tuple[Topic, ...]] = ("tech", "news")
    platforms: ClassVar[tuple[str, ...]] = ("hackernews",)
    speaks: ClassVar[tuple[str, ...]] = ("en",)
    times: ClassVar[Times] = "days"
    pace: ClassVar[Limit] = Limit(4, 2.0)  # it allows 10,000 requests an hour

    def takes(self, query: Query) -> bool:
        # It has no filter for sites, so nearly all hits would be thrown away.
        return super().takes(query) and not query.include_domains

    def request(self, query: Query) -> ApiRequest:
        params = {
            "query": " ".join(keywords(query.text, _WORDS))[: self.max_query],
            "tags": "story",
            "hitsPerPage": str(query.max_results),
        }
        times = span(query.time_range)
        filters: list[str] = []
        if times.first is not None:
            filters.append(f"created_at_i>={_seconds(datetime.combine(times.first, time()))}")
        if times.last is not None:
            end = datetime.combine(times.last, time()) + timedelta(days=1)
            filters.append(f"created_at_i<{_seconds(end)}")
        if filters:
            params["numericFilters"] = ",".join(filters)
        return ApiRequest("GET", self.url("/search"), params=params)

    def parse(self, body: Json, query: Query) -> list[Hit]:
        stories = rows(self.name, _Story, answer(self.name, _Answer, body).hits, UNREADABLE)
        return [_hit(self.name, story, rank) for rank, story in enumerate(stories, start=1)]


def _hit(name: str, story: _Story, rank: int) -> Hit:
    """Build a hit; only the forum's own page is dated, as a linked page may be far older."""
    page = f"https://news.ycombinator.com/item?id={story.number}"
    text = " ".join(plain(_TAG.sub(" ", story.story_text)).split())[:_TEXT]
    return Hit(
        title=plain(story.title),
        url=story.url or page,
        content=text or plain(story.title),
        published_at=None if story.url else moment(story.created_at),
        provider=name,
        rank=rank,
        author=story.author,
        engagement={"points": story.points or 0, "comments": story.num_comments or 0},
    )


def _seconds(at: datetime) -> int:
    return int(at.replace(tzinfo=UTC).timestamp())
