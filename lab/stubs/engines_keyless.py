"""Stubs of engines that want no key: their pages and forms, and how they turn programs away."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from typing import ClassVar
from urllib.parse import quote

from lab.stubs.calllog import BadRequest
from lab.stubs.engines import Asked, Engine, Headers, Moments, Refusals, at, day, number
from lab.stubs.faults import Fault
from lab.stubs.finder import SearchRequest, SearchRow
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json, terms

_PAGE = "text/html; charset=utf-8"


class Keyless(Engine):
    """Nobody is asked for a key; a refusal is a page, unless it stands inside of an answer."""

    header = ""
    refused: ClassVar[bytes]

    def refuse(self, status: int, fault: Fault) -> StubReply:
        return StubReply(status, self.refused, _PAGE, self.waiting(status, fault))

    def waiting(self, status: int, fault: Fault) -> Headers:
        return super().waiting(status, fault) if fault.seconds else ()


class Ddgs(Keyless):
    """DuckDuckGo's page without scripts. `rate_limited` with the detail `captcha` asks for ducks."""

    name = "ddgs"
    most = 499
    refused = b"<html><body>Error</body></html>"

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        if path != "/html/":
            return StubReply(301, headers=(("location", "/html/"),))
        span = self.span(str(asked.get("df", "")), "{1}", "..")
        wanted = self.wanted(asked.get("q"), 10, 10, span)
        if re.search(r"(?:^|\s)!\w", wanted.query):  # a command: off to another site
            return StubReply(303, headers=(("location", "https://elsewhere.example/"),))
        if not re.fullmatch(r"[a-z]{2}-[a-z]{2,3}", str(asked.get("kl", "wt-wt"))):
            raise BadRequest("kl")
        return _page("".join(map(_result, self.found(wanted, fault))) or _NO_RESULTS)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        captcha = fault.detail == "captcha"
        return _page(_CAPTCHA, 202) if captcha else super().refuse(status, fault)

    def say(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        return _page("<p>Error getting results</p>", status)


class Gdelt(Keyless):
    """It says what is wrong in a sentence, as a 200; `rate_limited` with the detail `inside`, too."""

    name = "gdelt"
    routes = ("GET /api/v2/doc/doc",)

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        given = {name.lower(): str(value) for name, value in asked.items()}
        if given.get("mode", "").lower() != "artlist":
            raise BadRequest("Invalid mode.")
        query = given.get("query", "")
        operators = re.findall(r"(-?)(domain|domainis|sourcelang|sourcecountry):([^\s()]+)", query)
        bare = re.sub(r"-?\b\w+:[^\s()]+|[()]|\bOR\b", " ", query)
        short = [word for word in bare.replace('"', " ").split() if len(word) < 3]
        if not bare.strip() or (short and '"' not in bare):
            raise BadRequest("One or more of your keywords were too short, too long or too common.")
        since, until = self._span(given)
        wanted = SearchRequest(
            bare.replace('"', ""),
            number(given.get("maxrecords", "75"), 250),
            include=tuple(
                name for minus, kind, name in operators if kind == "domain" and not minus
            ),
            exclude=tuple(name for minus, _, name in operators if minus),
            since=since,
            until=until,
        )
        rows = [self._row(row) for row in self.found(wanted, fault)]
        return json_reply({"articles": rows} if rows else {})

    def refuse(self, status: int, fault: Fault) -> StubReply:
        said = b"Please limit requests to one every 5 seconds or contact us for larger queries."
        body = said if status == 429 else b"The service is unavailable."
        if fault.detail == "inside":
            return StubReply(200, body, media=_PAGE)
        return StubReply(status, body, _PAGE, self.waiting(status, fault))

    def say(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        return StubReply(200, message.encode(), media=_PAGE)

    def _span(self, asked: dict[str, str]) -> Moments:
        if "timespan" in asked:
            units = {"d": 1, "w": 7, "m": 31}
            found = re.fullmatch(r"(\d+)([dwm])", asked["timespan"])
            if found is None:
                raise BadRequest("Timespan is invalid.")
            return self.recent(int(found[1]) * units[found[2]])
        form = "%Y%m%d%H%M%S"
        return day(asked.get("startdatetime"), form), day(asked.get("enddatetime"), form)

    def _row(self, row: SearchRow) -> Json:
        return {
            "url": row.url,
            "title": row.title,
            "seendate": at(row, "%Y%m%dT%H%M%SZ") or "",
            "language": "English",
            "sourcecountry": "United States",
        }


class Wikipedia(Keyless):
    """The search of the MediaWiki API: titles and snippets; errors stand in the body of a 200."""

    name = "wikipedia"
    routes = ("GET /w/api.php",)
    most = 300
    refused = b"<!DOCTYPE html><p>Error"

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        if asked.get("action") != "query":
            raise BadRequest("badvalue")
        wanted = self.wanted(asked.get("srsearch"), asked.get("srlimit", "10"), 500)
        found: list[Json] = [
            {
                "ns": 0,
                "title": row.title,
                "pageid": place,
                "snippet": _marked(row.snippet[:300], wanted.query),
            }
            for place, row in enumerate(self.found(wanted, fault), start=1)
        ]
        listed: Json = {"searchinfo": {"totalhits": 0}, "search": found}
        return json_reply({"batchcomplete": True, "query": listed})

    def refuse(self, status: int, fault: Fault) -> StubReply:
        if fault.detail != "inside":
            return super().refuse(status, fault)
        code = "ratelimited" if status == 429 else "internal_api_error_DBQueryError"
        return json_reply({"error": {"code": code, "info": "You've exceeded your rate limit."}})

    def say(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        return json_reply({"error": {"code": "badvalue", "info": message}})


class HackerNews(Keyless):
    """Algolia's index of the forum; its refusals are objects with a message."""

    name = "hackernews"
    routes = ("GET /search",)
    most = 512
    refusals: ClassVar[Refusals] = {500: (0, "", "Too Many Requests")}

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        span = _bounds(str(asked.get("numericFilters", "")))
        wanted = self.wanted(asked.get("query"), asked.get("hitsPerPage", "20"), 1000, span)
        found: list[Json] = [
            {
                "objectID": str(35_100_000 + place),
                "title": row.title,
                "url": row.url,
                "points": 10,
                "num_comments": 3,
                "created_at": at(row, "%Y-%m-%dT%H:%M:%SZ"),
            }
            for place, row in enumerate(self.found(wanted, fault))
        ]
        return json_reply({"hits": found, "nbHits": len(found), "page": 0, "query": wanted.query})

    def refuse(self, status: int, fault: Fault) -> StubReply:
        return self.say(status, fault=fault)

    def error(self, status: int, code: str, message: str) -> Json:
        return {"message": message}


ENGINES = (Ddgs, Gdelt, Wikipedia, HackerNews)

_NO_RESULTS = (
    '<div class="result results_links results_links_deep web-result result--no-result">'
    '<div class="no-results">No results.</div></div>'
)
_CAPTCHA = (
    '<form id="challenge-form" action="//duckduckgo.example/anomaly.js" method="POST">'
    '<div class="anomaly-modal__title">Bots use it, too.</div></form>'
)


def _page(content: str, status: int = 200) -> StubReply:
    body = (
        f'<!DOCTYPE html><html><body><div id="links" class="results">{content}</div></body></html>'
    )
    return StubReply(status, body.encode("utf-8", "surrogatepass"), media=_PAGE)


def _result(row: SearchRow) -> str:
    link = f"//duckduckgo.com/l/?uddg={quote(row.url, safe='')}&amp;rut=0"
    at = f"<span>&nbsp; {row.moment:%Y-%m-%d}T00:00:00.0000000</span>" if row.moment else ""
    return (
        '<div class="result results_links results_links_deep web-result ">'
        f'<h2 class="result__title"><a class="result__a" href="{link}">{html.escape(row.title)}</a>'
        f'</h2><div class="result__extras"><a class="result__url" href="{link}">page</a>{at}</div>'
        f'<a class="result__snippet" href="{link}">{html.escape(row.snippet)}</a></div>'
    )


def _marked(snippet: str, query: str) -> str:
    escaped = html.escape(snippet)
    for word in terms(query)[:1]:
        escaped = re.sub(
            re.escape(word),
            lambda found: f'<span class="searchmatch">{found[0]}</span>',
            escaped,
            flags=re.IGNORECASE,
        )
    return escaped


def _bounds(filters: str) -> Moments:
    since: datetime | None = None
    until: datetime | None = None
    for part in filter(None, filters.split(",")):
        found = re.fullmatch(r"created_at_i(>=|<)(\d+)", part)
        if found is None:
            raise BadRequest("invalid filters")
        at = datetime.fromtimestamp(int(found[2]), UTC)
        since, until = (at, until) if found[1] == ">=" else (since, at)
    return since, until
