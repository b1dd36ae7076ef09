"""Stubs of engines that want a key or a server of one's own: their forms, checks and refusals."""

from __future__ import annotations

import re
from datetime import timedelta

from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.engines import (
    DAYS,
    Engine,
    Headers,
    Moments,
    day,
    instant,
    iso,
    names,
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
from lab.stubs.terms import Json

_MONTH = 1_419_704  # seconds until a month's quota begins anew
_BEIJING = timedelta(hours=8)


class SearXNG(Engine):
    """It has no key and no plan; a format that is not switched on is refused with 403."""

    name = "searxng"

    def key(self, request: Inbound) -> str:
        return request.bearer or "none"

    def page(self, request: Inbound, fault: Fault | None) -> StubReply:
        asked = params(request)
        if asked.get("format") != "json":
            return self.refuse(403, Fault("unauthorized"))
        span = asked.get("time_range", "")
        if span and span not in DAYS:
            raise BadRequest("Invalid time_range")
        since, until = recent(self.finder, DAYS[span]) if span else (None, None)
        wanted = SearchRequest(text(asked.get("q"), "q", 2_000), 20, since=since, until=until)
        silent = fault is not None and fault.detail == "unresponsive"
        news = asked.get("categories") == "news"
        return json_reply(
            {
                "query": asked["q"],
                "number_of_results": 0,
                "results": [self._row(row, news) for row in self.found(wanted, fault)],
                "answers": [],
                "corrections": [],
                "infoboxes": [],
                "suggestions": [],
                "unresponsive_engines": [["brave", "timeout"], ["google", "CAPTCHA"]]
                if silent
                else [],
            }
        )

    def _row(self, row: SearchRow, news: bool) -> Json:
        return {
            "template": "default.html",
            "url": row.url,
            "title": row.title,
            "content": row.snippet,
            "publishedDate": iso(row) if news else None,
            "engine": "stub",
            "engines": ["stub"],
            "positions": [1],
            "score": row.score,
            "category": "news" if news else "general",
        }

    def refuse(self, status: int, fault: Fault) -> StubReply:
        headers = wait(fault) if status == 429 else ()
        return StubReply(status, f"<h1>{status}</h1>".encode(), "text/html", headers)


class Brave(Engine):
    """Rates and quotas are told in headers of its own; a wrong key is a wrong parameter."""

    name = "brave"

    def key(self, request: Inbound) -> str:
        return request.headers.get("x-subscription-token", "")

    def page(self, request: Inbound, fault: Fault | None) -> StubReply:
        asked = params(request)
        news = request.path.endswith("/news/search")
        if request.method != "GET" or not request.path.endswith(("/web/search", "/news/search")):
            raise BadRequest("no such endpoint")
        query = text(asked.get("q"), "q", 400)
        if len(query.split()) > 50:
            raise BadRequest("q has more than 50 words")
        if not re.fullmatch(r"[A-Z]{2,3}", asked.get("country", "US")):
            raise BadRequest("country must be a code of two letters")
        if not re.fullmatch(r"[a-z]{2}(-[a-z]+)?", asked.get("search_lang", "en")):
            raise BadRequest("search_lang is not known")
        since, until = self._span(asked.get("freshness", ""))
        limit = number(asked.get("count", 20), "count", 50 if news else 20)
        rows = [
            self._row(r)
            for r in self.found(SearchRequest(query, limit, (), (), since, until), fault)
        ]
        about: Json = {"original": query, "more_results_available": False}
        if news:
            return json_reply({"type": "news", "query": about, "results": rows})
        body: dict[str, Json] = {"type": "search", "query": about, "mixed": {"type": "mixed"}}
        if rows:  # without results the answer has no such part
            body["web"] = {"type": "search", "results": rows, "family_friendly": True}
        return json_reply(body)

    def _span(self, freshness: str) -> Moments:
        if not freshness:
            return None, None
        words = {f"p{name[0]}": days for name, days in DAYS.items()}
        if freshness in words:
            return recent(self.finder, words[freshness])
        first, _, last = freshness.partition("to")
        return through(day(first), day(last))

    def _row(self, row: SearchRow) -> Json:
        return {
            "title": row.title.replace("&", "&amp;"),
            "url": row.url,
            "description": row.snippet.replace("&", "&amp;"),
            "page_age": iso(row),
            "language": "en",
            "family_friendly": True,
        }

    def wrong(self, message: str) -> StubReply:
        return self._error(422, "VALIDATION", message)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        if status == 401:
            return self._error(422, "SUBSCRIPTION_TOKEN_INVALID", "The token is invalid.")
        if status in (432, 433):
            return self._error(429, "QUOTA_LIMITED", "Quota limit exceeded for plan", _MONTH)
        if status == 429:
            said = "Request rate limit exceeded for plan"
            return self._error(429, "RATE_LIMITED", said, round(fault.seconds))
        return self._error(status, "INTERNAL", "Internal error")

    def _error(self, status: int, code: str, detail: str, reset: int = 0) -> StubReply:
        error: Json = {"id": "0", "status": status, "code": code, "detail": detail, "meta": {}}
        waits = f"{min(reset, 60)}, {_MONTH}"
        headers = (("x-ratelimit-reset", waits),) if status == 429 else ()
        return json_reply({"type": "ErrorResponse", "error": error}, status, headers)


class Exa(Engine):
    """It says what an answer cost."""

    name = "exa"

    def key(self, request: Inbound) -> str:
        return request.headers.get("x-api-key", "") or request.bearer or ""

    def page(self, request: Inbound, fault: Fault | None) -> StubReply:
        body = request.json()
        contents = body.get("contents")
        if f"{request.method} {request.path}" != "POST /search":
            raise BadRequest("no such endpoint")
        if body.get("type", "auto") not in ("auto", "fast", "neural", "keyword"):
            raise BadRequest("Invalid search type")
        wanted = SearchRequest(
            text(body.get("query"), "query", 5_000),
            number(body.get("numResults", 10), "numResults", 100),
            names(body.get("includeDomains"), "includeDomains"),
            names(body.get("excludeDomains"), "excludeDomains"),
            instant(body.get("startPublishedDate")),
            instant(body.get("endPublishedDate")),
        )
        kinds = contents if isinstance(contents, dict) else {}
        rows = [self._row(row, kinds) for row in self.found(wanted, fault)]
        total = round(0.005 + 0.001 * len(rows) * len(kinds), 6)
        return json_reply(
            {
                "requestId": "stub",
                "resolvedSearchType": "neural",
                "results": rows,
                "costDollars": {"total": total, "search": {"neural": 0.005}},
            }
        )

    def _row(self, row: SearchRow, kinds: dict[str, Json]) -> Json:
        found: dict[str, Json] = {
            "id": row.url,
            "title": row.title,
            "url": row.url,
            "publishedDate": f"{iso(row)}.000Z" if row.moment else None,
            "author": None,
            "score": row.score,
        }
        if kinds.get("highlights"):
            found |= {"highlights": [row.snippet], "highlightScores": [0.5]}
        return found | {"text": row.text} if kinds.get("text") else found

    def wrong(self, message: str) -> StubReply:
        return self._error(400, "INVALID_REQUEST_BODY", message)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        if status == 401:
            return self._error(401, "INVALID_API_KEY", "Invalid API key")
        if status in (432, 433):
            return self._error(402, "NO_MORE_CREDITS", "You have exceeded your credits limit.")
        if status == 429:
            return self._error(429, "RATE_LIMITED", "Too many requests", wait(fault))
        return self._error(status, "INTERNAL_ERROR", "Internal error")

    def _error(self, status: int, tag: str, said: str, headers: Headers = ()) -> StubReply:
        return json_reply({"requestId": "stub", "error": said, "tag": tag}, status, headers)


class Bocha(Engine):
    """Its refusals have a code in the body; with the detail `inside` their status is 200."""

    name = "bocha"

    def key(self, request: Inbound) -> str:
        return request.bearer or ""

    def page(self, request: Inbound, fault: Fault | None) -> StubReply:
        body = request.json()
        if f"{request.method} {request.path}" != "POST /v1/web-search":
            raise BadRequest("no such endpoint")
        include, exclude = (
            tuple(filter(None, re.split(r"[|,]", str(body.get(name) or ""))))
            for name in ("include", "exclude")
        )
        if max(len(include), len(exclude)) > 20:
            raise BadRequest("more than 20 domains")
        since, until = self._span(str(body.get("freshness", "noLimit")))
        limit = number(body.get("count", 10), "count", 50)
        query = text(body.get("query"), "query", 2_000)
        wanted = SearchRequest(query, limit, include, exclude, since, until)
        long = body.get("summary") is True
        rows = [self._row(row, long) for row in self.found(wanted, fault)]
        data: Json = {
            "_type": "SearchResponse",
            "queryContext": {"originalQuery": query},
            "webPages": {"webSearchUrl": "", "totalEstimatedMatches": len(rows), "value": rows},
            "images": None,
        }
        return json_reply({"code": 200, "log_id": "stub", "msg": None, "data": data})

    def _span(self, freshness: str) -> Moments:
        words = {f"one{name.capitalize()}": days for name, days in DAYS.items()}
        if freshness == "noLimit":
            return None, None
        if freshness in words:
            return recent(self.finder, words[freshness])
        first, _, last = freshness.partition("..")
        return through(day(first), day(last or first))

    def _row(self, row: SearchRow, long: bool) -> Json:
        local = (row.moment + _BEIJING).strftime("%Y-%m-%dT%H:%M:%S") if row.moment else None
        found: dict[str, Json] = {
            "id": None,
            "name": row.title,
            "url": row.url,
            "snippet": row.snippet[:200],
            "siteName": "stub",
            "datePublished": f"{local}+08:00" if local else None,
            "dateLastCrawled": f"{local}Z" if local else None,
        }
        return found | {"summary": row.snippet} if long else found

    def wrong(self, message: str) -> StubReply:
        return self._error(400, message)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        said = {
            401: (401, "Invalid API KEY"),
            432: (403, "You do not have enough money"),
            433: (403, "You do not have enough money"),
            429: (429, "You have reached the request limit"),
        }
        code, message = said.get(status, (status, "internal error"))
        return self._error(code, message, fault)

    def _error(self, code: int, message: str, fault: Fault | None = None) -> StubReply:
        inside = fault is not None and fault.detail == "inside"
        headers = wait(fault) if fault is not None and code == 429 else ()
        body: Json = {"code": str(code), "message": message, "log_id": "stub"}
        return json_reply(body, 200 if inside else code, headers)


ENGINES = (SearXNG, Brave, Exa, Bocha)
