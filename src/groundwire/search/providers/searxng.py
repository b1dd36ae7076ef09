"""SearXNG: the user's own metasearch server, GET /search?format=json. No key, but an address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from groundwire.errors import AuthRejected, ServerFault
from groundwire.gateway.vendor import Foreign, answer
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.answers import Result, hits
from groundwire.search.phrasing import Times, query_language, span, with_sites
from groundwire.search.provider import ApiRequest, HttpProvider, ProviderOptions
from groundwire.settings.fields import Words as Names
from groundwire.words import coded

_NAMED = 8  # engines that an error names
_CHINESE = {"": "zh", "hans": "zh-CN", "hant": "zh-TW"}


class Options(ProviderOptions):
    # The server's engines to ask; empty: its own choice.
    engines: Names = ()


class _Result(Result):
    published: Json = Field(default=None, alias="publishedDate")


class _Answer(Foreign):
    results: list[Json]
    unresponsive_engines: list[Json] = Field(default_factory=list[Json])


class Provider(HttpProvider[Options]):
    name: ClassVar[str] = "searxng"
    key_header: ClassVar[str] = "Authorization"  # of a proxy before it; it has none itself
    needs_key: ClassVar[bool] = False
    key_hint: ClassVar[str] = "SEARXNG_BASE_URL"
    preference: ClassVar[int] = 40
    times: ClassVar[Times] = "words"
    Options: ClassVar[type[ProviderOptions]] = Options

    def lacks(self) -> str | None:
        return None if self.url() else self.key_hint

    def request(self, query: Query) -> ApiRequest:
        params = {
            "q": with_sites(query, self.max_query),
            "format": "json",
            "categories": "news" if query.topic == "news" else "general",
        }
        if self.options.engines:
            params["engines"] = ",".join(self.options.engines)
        if language := query_language(query.language):
            chinese = language.code == "zh"
            params["language"] = _CHINESE[language.script] if chinese else language.code
        if word := span(query.time_range).word:
            params["time_range"] = word
        return ApiRequest("GET", self.url("/search"), params=params)

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        if status == 403:
            raise AuthRejected("outside.searxng_json", status=status)
        if status == 401:
            raise AuthRejected("outside.searxng_token", status=status)
        super().check(status, headers, body)

    def parse(self, body: Json, query: Query) -> list[Hit]:
        found = answer(self.name, _Answer, body)
        results, failed = hits(self.name, _Result, found.results), _failed_engines(found)
        # Nothing found while engines failed is a failure, unless one is known to have answered:
        # the answer does not name the engines that worked, only a list of our own tells.
        if not results and failed and not set(self.options.engines) - set(failed):
            reasons = [
                coded("outside.searxng_engines.each", name=engine[:40], why=_reason(why))
                for engine, why in sorted(failed.items())[:_NAMED]
            ]
            raise ServerFault("outside.searxng_engines", why=reasons)
        return results

    def notes(self, body: Json) -> JsonObject:
        return {"unresponsive_engines": _failed_engines(answer(self.name, _Answer, body))}


def _failed_engines(found: _Answer) -> dict[str, str]:
    """Return engines that failed, each with the server's reason or a code of ours.

    The server lists pairs, or names alone in old versions.
    """
    failed: dict[str, str] = {}
    for row in found.unresponsive_engines:
        match row:
            case [str(engine), str(why), *_]:
                failed[engine] = why
            case [str(engine), *_] | str(engine):
                failed[engine] = "outside.searxng_engines.silent"
            case _:
                failed["?"] = "outside.searxng_engines.unread"
    return failed


def _reason(why: str) -> object:
    return coded(why) if why.startswith("outside.searxng_engines.") else why[:80]
