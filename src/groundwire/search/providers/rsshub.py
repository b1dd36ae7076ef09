"""RSSHub, one's own: feeds of platforms that have no API, by a search route of each."""

from __future__ import annotations

import re
from typing import ClassVar
from urllib.parse import quote

from pydantic import Field

from groundwire.gateway.vendor import Foreign, answer, rows
from groundwire.model.base import Json
from groundwire.model.query import Hit, Query
from groundwire.search.answers import UNREADABLE, WebAddress, Words, moment, plain
from groundwire.search.phrasing import cut
from groundwire.search.platforms import platforms
from groundwire.search.provider import ApiRequest, HttpProvider, ProviderOptions
from groundwire.settings.fields import Words as Routes

_TAG = re.compile(r"<[^<>]{1,2000}>")
_TEXT = 1_000


class Options(ProviderOptions):
    routes: Routes = Field(
        default=(), description="further routes: zhihu=/zhihu/search/{query}, for example"
    )


class _Author(Foreign):
    name: Words = ""


class _Item(Foreign):
    url: WebAddress
    title: Words = ""
    content_html: Words = ""
    content_text: Words = ""
    summary: Words = ""
    date_published: Words = ""
    authors: tuple[_Author, ...] = ()


class _Feed(Foreign):
    items: list[Json]


class Provider(HttpProvider[Options]):
    name: ClassVar[str] = "rsshub"
    needs_key: ClassVar[bool] = False
    key_hint: ClassVar[str] = "GROUNDWIRE_SEARCH__PROVIDERS__RSSHUB__BASE_URL"
    Options: ClassVar[type[ProviderOptions]] = Options
    general: ClassVar[bool] = False
    only_platforms: ClassVar[bool] = True
    preference: ClassVar[int] = 90  # after a platform's own

    def lacks(self) -> str | None:
        return None if self.options.base_url else self.key_hint

    def serves(self, platform: str) -> bool:
        return platform in self._routes()

    def request(self, query: Query) -> ApiRequest:
        route = self._routes().get(query.platform, "/{query}")
        text = quote(cut(query.text, self.max_query), safe="")
        params = {"format": "json", "limit": str(query.max_results)}
        return ApiRequest("GET", self.url(route.replace("{query}", text)), params=params)

    def parse(self, body: Json, query: Query) -> list[Hit]:
        items = rows(self.name, _Item, answer(self.name, _Feed, body).items, UNREADABLE)
        kept = items[: query.max_results]
        return [_hit(self.name, item, rank) for rank, item in enumerate(kept, start=1)]

    def _routes(self) -> dict[str, str]:
        """Return the search route of each platform; the user's own come first."""
        known = {each.name: each.rsshub for each in platforms().values() if each.rsshub}
        own = (route.partition("=") for route in self.options.routes)
        return known | {name.strip(): path.strip() for name, _, path in own}


def _hit(name: str, item: _Item, rank: int) -> Hit:
    text = plain(_TAG.sub(" ", item.content_text or item.content_html or item.summary))
    return Hit(
        title=plain(_TAG.sub(" ", item.title)),
        url=item.url,
        content=" ".join(text.split())[:_TEXT] or item.title,
        published_at=moment(item.date_published),
        provider=name,
        rank=rank,
        author=item.authors[0].name if item.authors else "",
    )
