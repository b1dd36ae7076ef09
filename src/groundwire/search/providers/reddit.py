"""Reddit by its own JSON: posts of all forums; no key, and few requests a minute."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar

from pydantic import Field

from groundwire.gateway.limits import Limit
from groundwire.gateway.vendor import Foreign, answer, rows
from groundwire.model.base import Json
from groundwire.model.query import Hit, Query
from groundwire.search.answers import UNREADABLE, Words, plain
from groundwire.search.phrasing import Times, cut, span
from groundwire.search.provider import ApiRequest, HttpProvider

_SITE = "https://www.reddit.com"
_TEXT = 1_000  # characters of a post's own text


class _Post(Foreign):
    permalink: str
    title: Words = ""
    selftext: Words = ""
    author: Words = ""
    subreddit: Words = ""
    score: int = 0
    num_comments: int = 0
    created_utc: float = Field(default=0.0, ge=0, lt=4e9)


class _Child(Foreign):
    data: _Post


class _Listing(Foreign):
    children: list[Json]


class _Answer(Foreign):
    data: _Listing


class Provider(HttpProvider):
    name: ClassVar[str] = "reddit"
    base: ClassVar[str] = _SITE
    needs_key: ClassVar[bool] = False
    general: ClassVar[bool] = False
    platforms: ClassVar[tuple[str, ...]] = ("reddit",)
    only_platforms: ClassVar[bool] = True
    times: ClassVar[Times] = "words"
    pace: ClassVar[Limit] = Limit(1, 0.15)  # it allows ten requests a minute without an account

    def request(self, query: Query) -> ApiRequest:
        params = {
            "q": cut(query.text, self.max_query),
            "limit": str(query.max_results),
            "sort": "relevance",
            "t": span(query.time_range).word or "all",
            "type": "link",
            "raw_json": "1",
        }
        return ApiRequest("GET", self.url("/search.json"), params=params)

    def parse(self, body: Json, query: Query) -> list[Hit]:
        found = answer(self.name, _Answer, body).data.children
        posts = [each.data for each in rows(self.name, _Child, found, UNREADABLE)]
        return [_hit(self.name, post, rank) for rank, post in enumerate(posts, start=1)]


def _hit(name: str, post: _Post, rank: int) -> Hit:
    text = " ".join(plain(post.selftext).split())[:_TEXT]
    made = datetime.fromtimestamp(post.created_utc, UTC) if post.created_utc else None
    return Hit(
        title=plain(post.title),
        url=f"{_SITE}/{post.permalink.lstrip('/')}",
        content=text or plain(post.title),
        published_at=made,
        provider=name,
        rank=rank,
        author=f"u/{post.author}" if post.author else "",
        engagement={"points": post.score, "comments": post.num_comments},
    )
