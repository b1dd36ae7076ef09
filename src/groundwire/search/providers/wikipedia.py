"""Wikipedia by the MediaWiki API, in the edition of the query's language; no key."""

from __future__ import annotations

import re
from typing import ClassVar
from urllib.parse import quote

from pydantic import Field

from groundwire.errors import BadRequest, OutsideFailure, RateLimited, ServerFault
from groundwire.gateway.limits import Limit
from groundwire.gateway.vendor import Foreign, answer, rows
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.answers import UNREADABLE, Words, plain
from groundwire.search.phrasing import keywords, query_language
from groundwire.search.provider import ApiRequest, HttpProvider, ProviderOptions, language_of

_WORDS = 6  # a page must have all of them
_EDITIONS = frozenset(["ar", "de", "en", "es", "fr", "it", "ja", "ko", "pt", "ru", "zh"])
_BUSY = re.compile(r"ratelimited|maxlag|too-busy|toobusy|readonly", re.IGNORECASE)
_OUR_FAULT = re.compile(
    r"bad|invalid|missing|unknown|no(?:search|such)|too-?long|param|deprecated", re.I
)


class Options(ProviderOptions):
    # Wikimedia asks programs to name a way to reach whoever runs them.
    contact: str | None = Field(default=None, max_length=200, pattern=r"^[\x21-\x7e ]+$")


class _Page(Foreign):
    title: str = Field(min_length=1)
    snippet: Words = ""


class _Search(Foreign):
    search: list[Json]


class _Refusal(Foreign):
    code: str
    info: Words = ""


class _Answer(Foreign):
    query: _Search | None = None
    error: _Refusal | None = None


class Provider(HttpProvider[Options]):
    name: ClassVar[str] = "wikipedia"
    needs_key: ClassVar[bool] = False
    preference: ClassVar[int] = 90  # background: after everyone who reads the news
    sites: ClassVar[tuple[str, ...]] = ("wikipedia.org",)
    max_query: ClassVar[int] = 300
    pace: ClassVar[Limit] = Limit(2, 5.0)
    Options: ClassVar[type[ProviderOptions]] = Options

    def takes(self, query: Query) -> bool:
        # Its pages are rewritten every day and belong to none.
        return super().takes(query) and not query.time_range

    def headers(self) -> dict[str, str]:
        # Deferred: the transport brings the HTTP client along, and a listing needs neither.
        from groundwire.gateway.transport import USER_AGENT

        if self.options.contact is None:
            return {"User-Agent": USER_AGENT}
        return {"User-Agent": f"{USER_AGENT.partition(' ')[0]} ({self.options.contact})"}

    def request(self, query: Query) -> ApiRequest:
        base = self.options.base_url or f"https://{edition(query)}.wikipedia.org"
        params = {
            "action": "query",
            "list": "search",
            "srsearch": " ".join(keywords(query.text, _WORDS))[: self.max_query],
            "srlimit": str(query.max_results),
            "srnamespace": "0",
            "srprop": "snippet",
            "format": "json",
            "formatversion": "2",
        }
        return ApiRequest("GET", f"{base.rstrip('/')}/w/api.php", params=params)

    def parse(self, body: Json, query: Query) -> list[Hit]:
        found = answer(self.name, _Answer, body)
        if found.error is not None:
            raise _failure(self.name, found.error)
        if found.query is None:
            # An answer to a search always has its list, be it empty.
            answer(self.name, _Search, body)
        listed = found.query.search if found.query else []
        return [
            Hit(
                title=page.title,
                url=_address(page.title, query),
                content=plain(page.snippet) or page.title,
                provider=self.name,
                rank=rank,
            )
            for rank, page in enumerate(rows(self.name, _Page, listed, UNREADABLE), start=1)
        ]


def edition(query: Query) -> str:
    """Return the language edition; English where a language has a small one, or none."""
    language = language_of(query)
    return language if language in _EDITIONS else "en"


def _address(title: str, query: Query) -> str:
    """Build a title's address, in the requested script where the edition has two."""
    site, language = edition(query), query_language(query.language)
    section = f"zh-{language.script}" if site == "zh" and language and language.script else "wiki"
    return f"https://{site}.wikipedia.org/{section}/{quote(title.replace(' ', '_'), safe=':/')}"


def _failure(name: str, error: _Refusal) -> OutsideFailure:
    """Translate the error that MediaWiki reports in the body of a 200."""
    about: JsonObject = {"who": name, "detail": plain(error.info)[:200] or error.code}
    if _BUSY.search(error.code):
        return RateLimited("outside.said", **about)
    kind = BadRequest if _OUR_FAULT.search(error.code) else ServerFault
    return kind("outside.said", **about)
