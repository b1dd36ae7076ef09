"""Stubs of engines that want no key: their pages and forms, and how they turn programs away."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from urllib.parse import quote

from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.engines import (
    DAYS,
    Engine,
    Headers,
    Moments,
    day,
    number,
    params,
    recent,
    text,
    through,
    wait,
)
from lab.stubs.faults import Fault
from lab.stubs.finder import SearchRequest, SearchRow
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json, terms

_PAGE = "text/html; charset=utf-8"


class Keyless(Engine):
    """Nobody is asked for a key."""

    def key(self, request: Inbound) -> str:
        return "none"

    def pause(self, status: int, fault: Fault) -> Headers:
        """How long to wait, with a refusal that asks for it."""
        return wait(fault) if status == 429 and fault.seconds else ()


class Ddgs(Keyless):
    """DuckDuckGo's page without scripts. `rate_limited` with the detail `captcha` asks for ducks."""

    name = "ddgs"

    def page(self, request: Inbound, fault: Fault | None) -> StubReply:
        asked = params(request)
        if request.path != "/html/":
            return StubReply(301, headers=(("location", "/html/"),))
        query = text(asked.get("q"), "q", 499)
        if re.search(r"(?:^|\s)!\w", query):  # a command: off to another site
            return StubReply(303, headers=(("location", "https://elsewhere.example/"),))
        if not re.fullmatch(r"[a-z]{2}-[a-z]{2,3}", asked.get("kl", "wt-wt")):
            raise BadRequest("kl")
        since, until = self._span(asked.get("df", ""))
        rows = self.found(SearchRequest(query, 10, since=since, until=until), fault)
        return _page("".join(_result(row) for row in rows) or _NO_RESULTS)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        if fault.detail == "captcha":
            return _page(_CAPTCHA, 202)
        body = b"<html><body>Error</body></html>"
        return StubReply(status, body, media=_PAGE, headers=self.pause(status, fault))

    def wrong(self, message: str) -> StubReply:
        return _page("<p>Error getting results</p>", 400)

    def _span(self, df: str) -> Moments:
        words = {word[0]: days for word, days in DAYS.items()}
        if not df:
            return None, None
        if df in words:
            return recent(self.finder, words[df])
        first, dots, last = df.partition("..")
        if not dots:
            raise BadRequest("df")
        return through(day(first), day(last))


class Gdelt(Keyless):
    """It says what is wrong in a sentence, as a 200; `rate_limited` with the detail `inside`, too."""

    name = "gdelt"

    def page(self, request: Inbound, fault: Fault | None) -> StubReply:
        asked = {name.lower(): value for name, value in params(request).items()}
        if request.path != "/api/v2/doc/doc" or asked.get("mode", "").lower() != "artlist":
            raise BadRequest("Invalid mode.")
        operators = re.findall(r"(-?)(domain|domainis|sourcelang|sourcecountry):([^\s()]+)",
                               asked.get("query", ""))  # fmt: skip
        bare = re.sub(r"-?\b\w+:[^\s()]+|[()]|\bOR\b", " ", asked.get("query", ""))
        short = [word for word in bare.replace('"', " ").split() if len(word) < 3]
        if not bare.strip() or (short and '"' not in bare):
            raise BadRequest("One or more of your keywords were too short, too long or too common.")
        since, until = self._span(asked)
        wanted = SearchRequest(
            bare.replace('"', ""),
            number(asked.get("maxrecords", "75"), "maxrecords", 250),
            include=tuple(
                name for minus, kind, name in operators if kind == "domain" and not minus
            ),
            exclude=tuple(name for minus, _, name in operators if minus),
            since=since,
            until=until,
        )
        rows = self.found(wanted, fault)
        return json_reply({"articles": [self._row(row) for row in rows]} if rows else {})

    def refuse(self, status: int, fault: Fault) -> StubReply:
        said = b"Please limit requests to one every 5 seconds or contact us for larger queries."
        inside = fault.detail == "inside"
        body = said if status == 429 else b"The service is unavailable."
        headers = () if inside else self.pause(status, fault)
        return StubReply(200 if inside else status, body, media=_PAGE, headers=headers)

    def wrong(self, message: str) -> StubReply:
        return StubReply(200, message.encode(), media=_PAGE)

    def _span(self, asked: dict[str, str]) -> Moments:
        if "timespan" in asked:
            units = {"d": 1, "w": 7, "m": 31}
            found = re.fullmatch(r"(\d+)([dwm])", asked["timespan"])
            if found is None:
                raise BadRequest("Timespan is invalid.")
            return recent(self.finder, int(found[1]) * units[found[2]])
        first, last = asked.get("startdatetime"), asked.get("enddatetime")
        return (
            day(first, "%Y%m%d%H%M%S") if first else None,
            day(last, "%Y%m%d%H%M%S") if last else None,
        )

    def _row(self, row: SearchRow) -> Json:
        return {
            "url": row.url,
            "url_mobile": "",
            "title": row.title,
            "seendate": row.moment.strftime("%Y%m%dT%H%M%SZ") if row.moment else "",
            "socialimage": "",
            "domain": "",
            "language": "English",
            "sourcecountry": "United States",
        }


class Wikipedia(Keyless):
    """The search of the MediaWiki API: titles and snippets; errors stand in the body of a 200."""

    name = "wikipedia"

    def page(self, request: Inbound, fault: Fault | None) -> StubReply:
        asked = params(request)
        if request.path != "/w/api.php" or asked.get("action") != "query":
            raise BadRequest("badvalue")
        query = text(asked.get("srsearch"), "srsearch", 300)
        rows = self.found(
            SearchRequest(query, number(asked.get("srlimit", "10"), "srlimit", 500)), fault
        )
        found: list[Json] = [
            {
                "ns": 0,
                "title": row.title,
                "pageid": place,
                "snippet": _marked(row.snippet[:300], query),
            }
            for place, row in enumerate(rows, start=1)
        ]
        return json_reply(
            {"batchcomplete": True, "query": {"searchinfo": {"totalhits": 0}, "search": found}}
        )

    def refuse(self, status: int, fault: Fault) -> StubReply:
        if fault.detail == "inside":
            code = "ratelimited" if status == 429 else "internal_api_error_DBQueryError"
            return json_reply({"error": {"code": code, "info": "You've exceeded your rate limit."}})
        body = b"<!DOCTYPE html><p>Error"
        return StubReply(status, body, media=_PAGE, headers=self.pause(status, fault))

    def wrong(self, message: str) -> StubReply:
        return json_reply({"error": {"code": "badvalue", "info": message}})


class HackerNews(Keyless):
    """Algolia's index of the forum; its refusals are objects with a message."""

    name = "hackernews"

    def page(self, request: Inbound, fault: Fault | None) -> StubReply:
        asked = params(request)
        if request.path != "/search":
            raise BadRequest("Not Found")
        since, until = _bounds(asked.get("numericFilters", ""))
        limit = number(asked.get("hitsPerPage", "20"), "hitsPerPage", 1000)
        wanted = SearchRequest(
            text(asked.get("query"), "query", 512), limit, since=since, until=until
        )
        found: list[Json] = [
            {
                "objectID": str(35_100_000 + place),
                "title": row.title,
                "url": row.url,
                "author": "stub",
                "points": 10,
                "num_comments": 3,
                "created_at": row.moment.strftime("%Y-%m-%dT%H:%M:%SZ") if row.moment else None,
            }
            for place, row in enumerate(self.found(wanted, fault))
        ]
        return json_reply({"hits": found, "nbHits": len(found), "page": 0, "query": wanted.query})

    def refuse(self, status: int, fault: Fault) -> StubReply:
        return json_reply({"message": "Too Many Requests"}, status, self.pause(status, fault))


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
