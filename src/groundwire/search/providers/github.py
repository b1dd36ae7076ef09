"""GitHub's search of repositories: what is being built; a key only raises the pace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from groundwire.gateway.limits import Limit
from groundwire.gateway.vendor import Foreign, answer, rows
from groundwire.model.base import Json
from groundwire.model.query import Hit, Query
from groundwire.search.answers import UNREADABLE, WebAddress, Words, moment, plain
from groundwire.search.phrasing import Times, keywords, span
from groundwire.search.provider import ApiRequest, HttpProvider

_WORDS = 6  # it finds what has all of them


class _Owner(Foreign):
    login: Words = ""


class _Repository(Foreign):
    html_url: WebAddress
    full_name: Words = ""
    description: Words = ""
    owner: _Owner = _Owner()
    stargazers_count: int = 0
    forks_count: int = 0
    open_issues_count: int = 0
    pushed_at: Words = ""


class _Answer(Foreign):
    items: list[Json]


class Provider(HttpProvider):
    name: ClassVar[str] = "github"
    base: ClassVar[str] = "https://api.github.com"
    needs_key: ClassVar[bool] = False
    key_hint: ClassVar[str] = "GROUNDWIRE_SEARCH__PROVIDERS__GITHUB__API_KEY"
    key_header: ClassVar[str] = "Authorization"
    general: ClassVar[bool] = False
    platforms: ClassVar[tuple[str, ...]] = ("github",)
    only_platforms: ClassVar[bool] = True
    times: ClassVar[Times] = "days"
    max_query: ClassVar[int] = 256
    pace: ClassVar[Limit] = Limit(2, 0.16)  # it allows ten searches a minute without a key

    def request(self, query: Query) -> ApiRequest:
        text = " ".join(keywords(query.text, _WORDS)) or query.text
        days = span(query.time_range).closed
        since = f" pushed:{days[0]}..{days[1]}" if days else ""
        params = {
            "q": text[: self.max_query - len(since)] + since,
            "per_page": str(query.max_results),
        }
        return ApiRequest("GET", self.url("/search/repositories"), params=params)

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        # It says "too many" with the status of a wrong key.
        limited = status == 403 and b"rate limit" in body
        super().check(429 if limited else status, headers, body)

    def parse(self, body: Json, query: Query) -> list[Hit]:
        found = rows(self.name, _Repository, answer(self.name, _Answer, body).items, UNREADABLE)
        return [_hit(self.name, each, rank) for rank, each in enumerate(found, start=1)]


def _hit(name: str, found: _Repository, rank: int) -> Hit:
    return Hit(
        title=found.full_name,
        url=found.html_url,
        content=plain(found.description) or found.full_name,
        published_at=moment(found.pushed_at),
        provider=name,
        rank=rank,
        author=found.owner.login,
        engagement={
            "stars": found.stargazers_count,
            "forks": found.forks_count,
            "issues": found.open_issues_count,
        },
    )
