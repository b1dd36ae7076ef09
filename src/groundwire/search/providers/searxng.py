"""SearXNG: one's own metasearch server, GET /search?format=json. No key, but an address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from groundwire.errors import AuthRejected, ServerFault
from groundwire.gateway.vendor import Foreign, answer
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.answers import Result, hits
from groundwire.search.phrasing import Times, span, tongue, with_sites
from groundwire.search.provider import ApiRequest, HttpProvider, ProviderOptions
from groundwire.settings.fields import Words as Names
from groundwire.words import coded

_NAMED = 8  # engines that an error names
_CHINESE = {"": "zh", "hans": "zh-CN", "hant": "zh-TW"}


class Options(ProviderOptions):
    # Those of the server that are asked; empty: its own choice.
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
        asked = tongue(query.language)
        if asked is not None:
            params["language"] = _CHINESE[asked.script] if asked.code == "zh" else asked.code
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
        kept, silent = hits(self.name, _Result, found.results), _silent(found)
        # Nothing found while engines failed is a failure, unless one is known to have answered:
        # the answer does not name the engines that worked, only a list of our own tells.
        if not kept and silent and not set(self.options.engines) - set(silent):
            said = [
                coded("outside.searxng_engines.each", name=engine[:40], why=_reason(why))
                for engine, why in sorted(silent.items())[:_NAMED]
            ]
            raise ServerFault("outside.searxng_engines", why=said)
        return kept

    def notes(self, body: Json) -> JsonObject:
        return {"unresponsive_engines": _silent(answer(self.name, _Answer, body))}


def _silent(found: _Answer) -> dict[str, str]:
    """Engines that failed, each with its reason, the server's words or a code of ours: pairs, or
    names alone in old versions."""
    silent: dict[str, str] = {}
    for row in found.unresponsive_engines:
        match row:
            case [str(engine), str(why), *_]:
                silent[engine] = why
            case [str(engine), *_] | str(engine):
                silent[engine] = "outside.searxng_engines.silent"
            case _:
                silent["?"] = "outside.searxng_engines.unread"
    return silent


def _reason(why: str) -> object:
    return coded(why) if why.startswith("outside.searxng_engines.") else why[:80]
